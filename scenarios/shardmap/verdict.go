package shardmap

import (
	"fmt"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// judge gives the verdict on the histories of a program, each canonical form once.
type judge struct {
	model porcupine.Model
	canon history.Canon[call, answer]
	kept  map[string]error
	stats linearizability.JudgeStats
}

func newJudge(q sequence) *judge {
	return &judge{model: q.porcupineModel(), kept: map[string]error{}}
}

// Check returns nil only if the history is linearizable.
func (j *judge) Check(h history.History[call, answer]) error {
	j.stats.Judged++
	if err := h.Validate(); err != nil {
		j.stats.Invalid++
		return fmt.Errorf("%w: %w", linearizability.ErrUnknown, err)
	}
	form := string(j.canon.Bytes(h))
	if err, seen := j.kept[form]; seen {
		return err
	}
	j.stats.Searched++
	var err error
	switch porcupine.CheckOperationsTimeout(j.model, operations(h), judgeTimeout) {
	case porcupine.Illegal:
		err = fmt.Errorf("%w: %s", linearizability.ErrIllegal, lines(h))
	case porcupine.Unknown:
		err = fmt.Errorf("%w: %w", linearizability.ErrUnknown, linearizability.ErrTimeout)
	}
	j.stats.Distinct++
	j.kept[form] = err
	return err
}

// lines is the history in one line.
func lines(h history.History[call, answer]) string {
	var all []string
	for _, op := range h {
		all = append(all, op.Text(fmt.Sprintf("client %d", op.Client+1)))
	}
	return "no order explains " + strings.Join(all, "; ")
}

// Stats returns the counts so far.
func (j *judge) Stats() linearizability.JudgeStats { return j.stats }

// Keep is what a checkpoint needs: the counts.
func (j *judge) Keep() linearizability.Kept { return linearizability.Kept{Stats: j.stats} }

// Resume goes on from the counts of an earlier search.
func (j *judge) Resume(k linearizability.Kept) { j.stats = k.Stats }

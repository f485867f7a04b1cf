package driver

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/linearizability"
)

// The failures of a history, wrapped in what the explorer reports.
var (
	ErrIllegal = errors.New("history not linearizable")
	ErrUnknown = errors.New("history not judged")
)

// An op is one operation of one actor. A record is the history of one execution.
type (
	op     = performed[Call, Answer]
	record = recording[Call, Answer]
)

// judge judges the histories of one program, and remembers the verdicts, because most executions of a
// program look alike to its clients. The key is the history itself, and not a hash of it, so a collision
// cannot pass a bad history off as a good one.
type judge struct {
	initial map[uint32]cell
	model   linearizability.Model[Call, Answer]
	names   names
	known   map[string]error
	key     []byte
}

func newJudge(initial map[uint32]cell, n names) *judge {
	return &judge{initial: initial, model: specification(initial), names: n, known: map[string]error{}}
}

// check returns nil only if the history is linearizable. An operation in flight is an error of the harness,
// because actors end all that they begin unless they die, and nobody is killed here.
func (j *judge) check(r *record) error {
	j.key = j.key[:0]
	for i := range r.calls {
		o := &r.calls[i]
		if o.returned <= o.called {
			return fmt.Errorf("%w: %v of actor %d has no return", ErrUnknown, j.names.call(o.call),
				o.actor+1)
		}
		j.key = append(j.key, byte(o.actor), byte(o.call.Kind), byte(o.called), byte(o.returned), 0)
		if o.answer.OK {
			j.key[len(j.key)-1] = 1
		}
		for _, v := range [...]uint32{o.call.Key, o.call.Old, o.call.Value, o.answer.Value} {
			j.key = binary.LittleEndian.AppendUint32(j.key, v)
		}
	}
	err, seen := j.known[string(j.key)]
	if !seen {
		err = j.judge(r)
		j.known[string(j.key)] = err
	}
	return err
}

func (j *judge) judge(r *record) error {
	v := linearizability.Check(j.model, historyOf(r.calls), judgeTime)
	switch v.Outcome {
	case linearizability.Ok:
		return nil
	case linearizability.Illegal:
		key := v.Key.(uint32)
		return &illegalError{key: key, initial: j.initial[key], history: r.table(j.names.texts),
			picture: j.names.picture(r.calls, key, j.initial)}
	}
	return fmt.Errorf("%w: %w", ErrUnknown, v.Err())
}

// illegalError is a history that no order explains.
type illegalError struct {
	key     uint32
	initial cell
	history string
	picture []byte
}

func (e *illegalError) Error() string {
	return fmt.Sprintf("%v: key %d, initially %v: no order of its operations explains the answers",
		ErrIllegal, e.key, e.initial)
}

func (e *illegalError) Unwrap() error { return ErrIllegal }

func (e *illegalError) told() (string, []byte) { return e.history, e.picture }

// told is an error that knows what the clients saw: as text and, if it can be drawn, as a picture.
type told interface {
	error
	told() (history string, picture []byte)
}

// texts prints a call and its answer.
func (n names) texts(c Call, a Answer) (call, answer string) { return n.call(c), a.text(c.Kind) }

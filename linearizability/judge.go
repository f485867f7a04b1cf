package linearizability

import (
	"time"

	"github.com/samecycle/samecycle/internal/history"
)

// MaxKept bounds the verdicts that a Judge remembers; later ones are searched each time they come.
const MaxKept = 1 << 20

// Judge judges the many histories of an explored program, most of which are equal: it searches
// each canonical form once. The forms themselves are the keys, not hashes of them, so no collision
// can pass a bad history off as a good one.
//
// It is not safe for goroutines that run at the same time; give each its own.
type Judge[Q, R history.Value] struct {
	model  Model[Q, R]
	limits Limits
	canon  history.Canon[Q, R]
	kept   map[string]error
	stats  JudgeStats

	// Clients are the names of the clients in what Check returns; see Verdict.
	Clients []string
}

// JudgeStats counts the work of a Judge.
type JudgeStats struct {
	Judged   uint64 // histories that were given
	Searched uint64 // of these, the ones that were searched
	Distinct uint64 // verdicts kept: different histories, as long as there are at most MaxKept
	Invalid  uint64 // histories that were refused by validation
}

// NewJudge returns a judge of histories by the model, each within the timeout and the other default
// limits.
func NewJudge[Q, R history.Value](m Model[Q, R], timeout time.Duration) *Judge[Q, R] {
	limits := DefaultLimits()
	limits.Timeout = timeout
	return &Judge[Q, R]{model: m, limits: limits, kept: map[string]error{}}
}

// Check returns what Check(...).Err() returns for the history: nil only if it is linearizable. It
// allocates nothing for a history of up to 32 operations whose like was judged before.
func (j *Judge[Q, R]) Check(h history.History[Q, R]) error {
	j.stats.Judged++
	// Validation is not kept: malformed histories have no canonical form.
	if err := h.Validate(); err != nil {
		j.stats.Invalid++
		return Verdict[Q, R]{Reason: err}.Err()
	}
	form := j.canon.Bytes(h)
	if err, seen := j.kept[string(form)]; seen {
		return err
	}
	j.stats.Searched++
	v := CheckWithin(j.model, h, j.limits)
	v.Clients = j.Clients
	err := v.Err()
	if len(j.kept) < MaxKept {
		j.stats.Distinct++
		j.kept[string(form)] = err
	}
	return err
}

// Stats returns the counts so far.
func (j *Judge[Q, R]) Stats() JudgeStats { return j.stats }

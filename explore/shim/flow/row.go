package flow

import (
	"slices"

	"github.com/samecycle/samecycle/internal/hook"
)

// A row is the single operations on a buffered channel, all sends or all receives, that began to wait while
// the clock stood still. The order in which they came is not known, so each of them may be the first. The
// clock goes on only when nobody can, so those that come later are behind them, as in the queue of the
// runtime.
type row struct {
	wait   uint64 // 1 while they have to wait
	sends  bool
	passed int // what had passed of the clock when they came
	n      int // operations
}

// lineUp adds an operation to the row of those that come now.
func (ch *channel) lineUp(sends bool) *row {
	passed := 0
	if Clock != nil {
		passed = Clock.Passed
	}
	i := slices.IndexFunc(ch.rows, func(r *row) bool { return r.sends == sends && r.passed == passed })
	if i < 0 {
		i = len(ch.rows)
		ch.rows = append(ch.rows, &row{sends: sends, passed: passed})
	}
	ch.rows[i].n++
	ch.tellRows()
	return ch.rows[i]
}

// condition is that operations of the row can go on. For the first row that is what the channel says.
func (ch *channel) condition(r *row) hook.Condition {
	for _, x := range ch.rows {
		switch {
		case x == r && r.sends:
			return hook.Condition{Word: &ch.word, Mask: uint64(hook.CannotSend)}
		case x == r:
			return hook.Condition{Word: &ch.word, Mask: uint64(hook.CannotReceive)}
		case x.sends == r.sends:
			return hook.Condition{Word: &r.wait, Mask: 1}
		}
	}
	panic("flow: a row that is not there")
}

// leaveRow ends the wait of an operation.
func (ch *channel) leaveRow(r *row) {
	if r.n--; r.n == 0 {
		ch.rows = slices.DeleteFunc(ch.rows, func(x *row) bool { return x == r })
	}
}

// tellRows lets the operations of the first row go on if they can, and those of the others wait.
func (ch *channel) tellRows() {
	var sends, receives bool // an earlier row does
	for _, r := range ch.rows {
		earlier := &receives
		if r.sends {
			earlier = &sends
		}
		r.wait = 1
		if !*earlier && ch.ready(r.sends) {
			r.wait = 0
		}
		*earlier = true
	}
}

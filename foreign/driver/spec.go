package driver

import (
	"fmt"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// cell is what a sequential map holds for one key. Keys do not influence one another, so a history is
// linearizable exactly if the operations of each key are (Herlihy and Wing 1990, locality).
type cell struct {
	present bool
	value   uint32
}

// step is the sequential specification: it returns the answer that a call must have in the state, and the
// state after it.
func (s cell) step(c Call) (Answer, cell) {
	held := Answer{s.value, s.present} // the value of an absent key is zero
	matches := s.present && s.value == c.Old
	switch c.Kind {
	case Load:
		return held, s
	case Store:
		return Answer{}, cell{true, c.Value}
	case Swap:
		return held, cell{true, c.Value}
	case LoadOrStore:
		if s.present {
			return held, s
		}
		return Answer{c.Value, false}, cell{true, c.Value}
	case LoadAndDelete:
		return held, cell{}
	case Delete:
		return Answer{}, cell{}
	case CompareAndSwap:
		if matches {
			return Answer{OK: true}, cell{true, c.Value}
		}
		return Answer{}, s
	case CompareAndDelete:
		if matches {
			return Answer{OK: true}, cell{}
		}
		return Answer{}, s
	}
	panic("the program was checked, so its kinds are known: " + c.Kind.String())
}

// String prints the state.
func (s cell) String() string {
	if !s.present {
		return "absent"
	}
	return fmt.Sprint(s.value)
}

// judgeTime bounds the search for one order. Histories have only a few operations, so it does not end a
// search on a working machine.
const judgeTime = 10 * time.Second

// specification is the sequential map with the initial contents, for the judge of histories.
func specification(initial map[uint32]cell) linearizability.Model[Call, Answer] {
	return linearizability.Spec[Call, Answer, cell]{
		Init: func(c Call) cell { return initial[c.Key] },
		Step: func(s cell, c Call, got Answer) (cell, bool) {
			want, after := s.step(c)
			return after, want == got
		},
		Key: func(c Call) any { return c.Key },
	}.Model()
}

// historyOf returns the recording in the form for the judge of histories.
func historyOf(ops []op) history.History[Call, Answer] {
	h := make(history.History[Call, Answer], len(ops))
	for i, o := range ops {
		h[i] = history.Op[Call, Answer]{ID: uint64(i + 1), Client: o.actor, Request: o.call, Result: o.answer,
			Call: int64(o.called), Return: int64(o.returned)}
	}
	return h
}

// Append appends the call as in source text: CompareAndSwap(1, 5, 6).
func (c Call) Append(b []byte) []byte { return append(b, names(nil).call(c)...) }

// Append appends the value and the boolean.
func (a Answer) Append(b []byte) []byte { return fmt.Appendf(b, "%d, %t", a.Value, a.OK) }

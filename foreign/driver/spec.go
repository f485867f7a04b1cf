package driver

import (
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"
)

// cell is what a sequential map holds for one key. Keys do not influence one another, so a history
// is linearizable exactly when the operations of each key are (Herlihy and Wing 1990, locality).
type cell struct {
	present bool
	value   uint32
}

// step is the sequential specification: the answer that a call must have in the state, and the
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

// judgeTime bounds the search for one order. Histories have a handful of operations, so it never
// ends a search on a machine that works.
const judgeTime = 10 * time.Second

// verdict is what is known of a history. The zero value is unknown, so that a verdict which nobody
// filled in is no good one.
type verdict uint8

const (
	unknown verdict = iota
	linearizable
	illegal
)

// decide asks porcupine whether one order of the operations explains the answers. For illegal it
// names the key; initial is what the map held before.
func decide(ops []op, initial map[uint32]cell) (verdict, uint32) {
	out := linearizable
	var key uint32
	for _, part := range byKey(ops) {
		k := part[0].Input.(op).call.Key
		switch porcupine.CheckOperationsTimeout(model(initial[k]), part, judgeTime) {
		case porcupine.Ok:
		case porcupine.Illegal:
			return illegal, k
		default:
			out, key = unknown, k
		}
	}
	return out, key
}

// model is the specification of one key as porcupine wants it.
func model(initial cell) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return initial },
		Step: func(state, input, _ any) (bool, any) {
			o := input.(op)
			want, after := state.(cell).step(o.call)
			return want == o.answer, after
		},
		Equal: func(a, b any) bool { return a == b },
	}
}

// byKey splits the operations by key, in the order in which the keys occur.
func byKey(ops []op) [][]porcupine.Operation {
	var parts [][]porcupine.Operation
	index := map[uint32]int{}
	for _, o := range ops {
		i, seen := index[o.call.Key]
		if !seen {
			i = len(parts)
			index[o.call.Key] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], porcupine.Operation{
			ClientId: o.actor, Input: o, Call: int64(o.called), Return: int64(o.returned),
		})
	}
	return parts
}

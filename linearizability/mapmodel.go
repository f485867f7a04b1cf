package linearizability

import (
	"fmt"
	"sync/atomic"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// The sequential specification of the map, one key at a time: keys do not influence one another,
// so a history is linearizable exactly when the operations of each key are (Herlihy and Wing 1990,
// locality).
//
//	operation       key absent            key present with v
//	add(k, w)       added, present w      exists
//	add(k, w)       full                  full
//	get(k)          absent                found v
//	update(k, w)    absent                updated v, present w
//	delete(k)       absent                deleted, absent
//	crop, restore   tended                tended
//	evict(k)        -                     evicted v, absent
//
// An eviction is no call of a client. It is recorded as an operation of its own, within the
// interval of the add that was handed the value.
//
// Full is allowed at any time and changes nothing: the specification does not know how much room a
// map has. A caller that expects room counts the Full results of a history itself.
//
// A pending operation, whose client was killed, may or may not have happened. It has no result to
// compare, so its step is allowed in every state and does what the operation does when it can.
// Its interval has no end, so placing it after all other operations is always possible, and
// there nobody sees its effect: that is the case in which it did not happen. One deterministic step
// therefore covers both cases, provided that it is allowed in *every* state.

// keyState is what the map holds for one key.
type keyState struct {
	known   bool // false before the first step: the initial contents have not been looked up
	present bool
	value   uint32
}

// String prints the state for pictures.
func (s keyState) String() string {
	switch {
	case !s.known:
		return "initial"
	case s.present:
		return fmt.Sprint(s.value)
	}
	return "absent"
}

// initially returns what the map holds for the key before the first operation.
func initially(initial map[uint32]uint32, key uint32) keyState {
	value, present := initial[key]
	return keyState{known: true, present: present, value: value}
}

// step returns whether the operation may answer as it did in the state s, and the state after it.
func (s keyState) step(op *mapmodel.Op) (bool, keyState) {
	if op.Pending {
		return true, s.after(op.Request.Kind, op.Request.Value)
	}
	had := s.present && s.value == op.Result.Value
	switch op.Result.Outcome {
	case mapmodel.Full, mapmodel.Tended:
		return true, s
	case mapmodel.Added:
		return !s.present, s.after(op.Request.Kind, op.Request.Value)
	case mapmodel.Exists:
		return s.present, s
	case mapmodel.Found:
		return had, s
	case mapmodel.Absent:
		return !s.present, s
	case mapmodel.Updated, mapmodel.Evicted:
		return had, s.after(op.Request.Kind, op.Request.Value)
	case mapmodel.Deleted:
		return s.present, s.after(op.Request.Kind, op.Request.Value)
	}
	panic("the history was validated, so its outcomes are known: " + op.Result.String())
}

// after is the state after an operation of the kind that does what it can.
func (s keyState) after(kind mapmodel.Kind, value uint32) keyState {
	switch kind {
	case mapmodel.Add:
		if !s.present {
			s.present, s.value = true, value
		}
	case mapmodel.Update:
		if s.present {
			s.value = value
		}
	case mapmodel.Delete, mapmodel.Evict:
		s.present, s.value = false, 0
	}
	return s
}

// hash mixes the state into 64 bits (the finalizer of MurmurHash3). Equal states hash equally.
func (s keyState) hash() uint64 {
	h := uint64(s.value) << 2
	if s.present {
		h |= 1
	}
	if s.known {
		h |= 2
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	return h
}

// budget bounds the memory of one search. porcupine keeps an entry for each successful step that
// reaches a new configuration and has no bound of its own but time.
type budget struct {
	words    atomic.Int64 // 8-byte words left
	perEntry int64        // words that one entry takes
	spent    atomic.Bool  // a step was refused for want of words: "illegal" means nothing any more
}

// entryWords is what an entry takes besides its bit set: map cell with slack, slice, boxed state
// and the stack of calls.
const entryWords = 24

func newBudget(words int64, ops int) *budget {
	b := &budget{perEntry: entryWords + int64(ops+63)/64}
	b.words.Store(words)
	return b
}

// take reports whether one more entry fits. After the first refusal it refuses everything, so the
// search ends in at most operations squared steps.
func (b *budget) take() bool {
	if b == nil {
		return true
	}
	if b.words.Add(-b.perEntry) < 0 {
		b.spent.Store(true)
		return false
	}
	return true
}

// mapModel is the specification as porcupine wants it. It is whole: it judges histories of many
// keys as well as of one. A nil budget is unbounded.
func mapModel(initial map[uint32]uint32, b *budget) porcupine.Model {
	return porcupine.Model{
		Partition: byKey,
		Init:      func() any { return keyState{} },
		Step: func(state, input, _ any) (bool, any) {
			s, op := state.(keyState), input.(*mapmodel.Op)
			if !s.known {
				s = initially(initial, op.Request.Key)
			}
			ok, after := s.step(op)
			if !ok || !b.take() {
				return false, nil
			}
			return true, after
		},
		Equal: func(a, b any) bool { return a.(keyState) == b.(keyState) },
		Hash:  func(state any) uint64 { return state.(keyState).hash() },
		DescribeOperation: func(input, _ any) string {
			op := input.(*mapmodel.Op)
			if op.Pending {
				return op.Request.String() + " killed: may or may not have happened"
			}
			return op.Request.String() + " -> " + op.Result.String()
		},
		DescribeState: func(state any) string { return state.(keyState).String() },
	}
}

// byKey splits the operations by key, in the order in which the keys occur.
func byKey(ops []porcupine.Operation) [][]porcupine.Operation {
	var parts [][]porcupine.Operation
	index := make(map[uint32]int)
	for _, op := range ops {
		key := op.Input.(*mapmodel.Op).Request.Key
		i, seen := index[key]
		if !seen {
			i = len(parts)
			index[key] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], op)
	}
	return parts
}

// keyOf is the key of all operations of a part.
func keyOf(part []porcupine.Operation) uint32 { return part[0].Input.(*mapmodel.Op).Request.Key }

// operations hands the history to porcupine. Pending operations end at the given time, which must
// be later than every call and return.
func operations(h mapmodel.History, end int64) []porcupine.Operation {
	ops := make([]porcupine.Operation, len(h))
	for i := range h {
		op := &h[i]
		ops[i] = porcupine.Operation{
			ClientId: op.Client, Input: op, Call: op.Call, Return: op.Return,
		}
		if op.Pending {
			ops[i].Return = end
		}
	}
	return ops
}

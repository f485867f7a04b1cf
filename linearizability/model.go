package linearizability

import (
	"fmt"
	"hash/maphash"
	"slices"
	"time"
	"unsafe"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/internal/history"
)

// Spec is a sequential specification: what an object with states of type S does when its clients call
// one after the other. Init and Step are needed, Pending for histories with killed clients; the other
// functions make searches faster, messages better, or bounds tighter. All of them must be functions of
// their arguments alone.
//
// States are compared with ==. What a slice or a map would hold belongs in a string or an array.
// A state of a type with a method String is printed by it.
type Spec[Q, R history.Value, S comparable] struct {
	// Init returns the state before the first operation. With a Key it is the state of the part that q
	// belongs to; without one q has no meaning.
	Init func(q Q) S

	// Step reports whether the object in the state s may answer the request q with r, and the state
	// after it. What it returns with false is ignored.
	Step func(s S, q Q, r R) (after S, ok bool)

	// Pending returns every state that the request q may leave behind if it happens in the state s and nobody
	// learns its result, because its client was killed. If it returns none, the request cannot happen in s.
	// The case in which the request never happens is always allowed, and need not be listed.
	Pending func(s S, q Q) []S

	// Key divides a history into parts that do not influence one another, such as the keys of a map. The
	// requests with equal (==) keys are one part, and a state is the state of one part. A history is
	// linearizable exactly when each part is (Herlihy and Wing 1990, locality), and parts are searched much
	// faster than the whole. nil: the whole history is one part.
	Key func(q Q) any

	// ReadOnly reports whether the request q that was answered with *r has left each state unchanged. For a
	// pending operation r is nil, and the question is whether q changes no state, whatever its answer would
	// have been. Short evidence leaves out such operations, and searches need not decide when they happened.
	// nil, or false if it is not known, means that nothing is read-only.
	ReadOnly func(q Q, r *R) bool

	// Hash returns equal numbers for equal states. nil: a hash of the bytes of the state.
	Hash func(s S) uint64

	// Bytes returns the size of the memory to which a state refers, such as that of a string, without its own
	// words. It counts against Limits.Words. nil means that states refer to nothing.
	Bytes func(s S) int
}

// Model is a Spec with its type of states hidden, so that verdicts and judges need not name it.
type Model[Q, R history.Value] interface {
	// Porcupine returns the specification as porcupine wants it. The input of an operation is a
	// *history.Op[Q, R], its output is not used; see Operations.
	Porcupine() porcupine.Model

	porcupine(b *budget) porcupine.Model
	walk(part []porcupine.Operation, limits Limits, deadline time.Time) (Outcome, error)
	key(q Q) any
	initially(q Q) string
	knowsPending() bool
	readOnly(op *history.Op[Q, R]) bool
	words() int64
}

// Model returns the specification as a Model. It panics if Init or Step is missing.
func (s Spec[Q, R, S]) Model() Model[Q, R] {
	if s.Init == nil || s.Step == nil {
		panic("linearizability: a Spec without Init or without Step says nothing; set both")
	}
	if s.Hash == nil {
		seed := maphash.MakeSeed()
		s.Hash = func(state S) uint64 { return maphash.Comparable(seed, state) }
	}
	return &model[Q, R, S]{s}
}

// model is a Spec that Check can ask.
type model[Q, R history.Value, S comparable] struct{ Spec[Q, R, S] }

// What porcupine carries as a state: nil before the first step, one state, or several of which each is
// possible, because a pending operation may have left any of them behind. Several are at least two, and
// different.
type (
	one[S comparable]     struct{ state S }
	several[S comparable] struct{ states []S }
)

func (m *model[Q, R, S]) key(q Q) any {
	if m.Key == nil {
		return nil
	}
	return m.Key(q)
}

func (m *model[Q, R, S]) initially(q Q) string { return fmt.Sprint(m.Init(q)) }

func (m *model[Q, R, S]) knowsPending() bool { return m.Pending != nil }

func (m *model[Q, R, S]) readOnly(op *history.Op[Q, R]) bool {
	if m.ReadOnly == nil {
		return false
	}
	if op.Pending {
		return m.ReadOnly(op.Request, nil)
	}
	return m.ReadOnly(op.Request, &op.Result)
}

// words is the size of a state without what it refers to, in words of eight bytes.
func (m *model[Q, R, S]) words() int64 {
	var s S
	return int64(unsafe.Sizeof(s)+7) / 8
}

// beyond is the size of what the state refers to, in words of eight bytes.
func (m *model[Q, R, S]) beyond(s S) int64 {
	if m.Bytes == nil {
		return 0
	}
	return int64(m.Bytes(s)+7) / 8
}

// Porcupine is the specification without a bound of memory. It is whole: it judges histories of many
// keys as well as of one.
func (m *model[Q, R, S]) Porcupine() porcupine.Model { return m.porcupine(nil) }

func (m *model[Q, R, S]) porcupine(b *budget) porcupine.Model {
	return porcupine.Model{
		Partition: func(ops []porcupine.Operation) [][]porcupine.Operation { return parts(m, ops) },
		Init:      func() any { return nil },
		Step: func(state, input, _ any) (bool, any) {
			return m.step(state, input.(*history.Op[Q, R]), b)
		},
		Equal: m.equal,
		Hash:  m.hash,
		DescribeOperation: func(input, _ any) string {
			op := input.(*history.Op[Q, R])
			if op.Pending {
				return text(op.Request) + " killed: may or may not have happened"
			}
			return text(op.Request) + " -> " + text(op.Result)
		},
		DescribeState: m.describe,
	}
}

// step is porcupine's. The step of a pending operation is allowed in every state and does what the
// operation does where it can. Its interval has no end, so that it may be placed after all other
// operations, where nobody sees its effect: that is the case in which it did not happen. One step
// therefore covers both cases, provided that it is allowed in every state.
func (m *model[Q, R, S]) step(state any, op *history.Op[Q, R], b *budget) (bool, any) {
	var from [1]S
	states := from[:]
	switch s := state.(type) {
	case nil:
		from[0] = m.Init(op.Request)
	case one[S]:
		from[0] = s.state
	case several[S]:
		states = s.states
	}
	if len(states) == 1 && !op.Pending {
		after, ok := m.Step(states[0], op.Request, op.Result)
		if !ok || !b.take(m.beyond(after)) {
			return false, nil
		}
		return true, one[S]{after}
	}
	var next, buf []S
	size := int64(0)
	for _, s := range states {
		buf = m.after(buf[:0], s, op)
		for _, after := range buf {
			if !slices.Contains(next, after) {
				next = append(next, after)
				size += m.words() + m.beyond(after)
			}
		}
	}
	switch {
	case len(next) == 0 || !b.take(size):
		return false, nil
	case len(next) == 1:
		return true, one[S]{next[0]}
	}
	return true, several[S]{next}
}

// after appends every state that the operation may leave behind in s, where a pending one leaves s if it
// cannot happen.
func (m *model[Q, R, S]) after(all []S, s S, op *history.Op[Q, R]) []S {
	if op.Pending {
		if some := m.Pending(s, op.Request); len(some) > 0 {
			return append(all, some...)
		}
		return append(all, s)
	}
	if after, ok := m.Step(s, op.Request, op.Result); ok {
		all = append(all, after)
	}
	return all
}

func (m *model[Q, R, S]) equal(a, b any) bool {
	switch a := a.(type) {
	case one[S]:
		b, ok := b.(one[S])
		return ok && a == b
	case several[S]:
		b, ok := b.(several[S])
		return ok && len(a.states) == len(b.states) &&
			!slices.ContainsFunc(a.states, func(s S) bool { return !slices.Contains(b.states, s) })
	}
	return b == nil
}

func (m *model[Q, R, S]) hash(state any) uint64 {
	switch s := state.(type) {
	case one[S]:
		return m.Hash(s.state)
	case several[S]:
		sum := uint64(len(s.states)) // the order of the states does not count
		for _, state := range s.states {
			sum += m.Hash(state)
		}
		return sum
	}
	return 0
}

func (m *model[Q, R, S]) describe(state any) string {
	switch s := state.(type) {
	case one[S]:
		return fmt.Sprint(s.state)
	case several[S]:
		out := fmt.Sprint(s.states[0])
		for _, state := range s.states[1:] {
			out += " or " + fmt.Sprint(state)
		}
		return out
	}
	return "initial"
}

// text is the text of a request or a result.
func text[T history.Value](v T) string { return string(v.Append(nil)) }

// parts splits the operations by the model's key, in the order in which the keys occur.
func parts[Q, R history.Value](m Model[Q, R], ops []porcupine.Operation) [][]porcupine.Operation {
	var all [][]porcupine.Operation
	index := make(map[any]int)
	for _, op := range ops {
		key := m.key(op.Input.(*history.Op[Q, R]).Request)
		i, seen := index[key]
		if !seen {
			i = len(all)
			index[key] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], op)
	}
	return all
}

// Operations hands the history to porcupine. Pending operations end at the given time, which must be
// later than every call and return, such as history.Forever.
func Operations[Q, R history.Value](h history.History[Q, R], end int64) []porcupine.Operation {
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

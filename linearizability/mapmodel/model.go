package mapmodel

import (
	"fmt"
	"maps"
	"time"

	"github.com/samecycle/samecycle/linearizability"
)

// The sequential specification of the map, one key at a time:
//
//	operation       key absent            key present with v
//	add(k, w)       added, present w      exists
//	add(k, w)       full                  full
//	get(k)          absent                found v
//	update(k, w)    absent                updated v, present w
//	delete(k)       absent                deleted, absent
//	crop, restore   tended                tended
//	lookup(k)       absent                found v
//	still(k)        void                  void, or same v if that is the ticket's
//	swap(k, w)      void                  void, or updated v, present w if v is the ticket's
//	discard(k)      void                  void, or discarded v, absent if v is the ticket's
//	evict(k)        -                     evicted v, absent
//
// An eviction is no call of a client. It is recorded as an operation of its own, within the
// interval of the add that was handed the value.
//
// A history does not say which ticket a still, a swap or a discard is about: what it answers must be true of
// the key, and void is always an answer.
//
// Full is allowed at any time and changes nothing: the specification does not know how much room a
// map has. A caller that expects room counts the Full results of a history itself.

// keyState is what the map holds for one key.
type keyState struct {
	present bool
	value   uint32
}

// String prints the state for pictures.
func (s keyState) String() string {
	if s.present {
		return fmt.Sprint(s.value)
	}
	return "absent"
}

// step returns the state after the request, and whether the map may answer it so in the state s.
func step(s keyState, q Request, r Result) (keyState, bool) {
	switch r.Outcome {
	case Full, Tended, Void:
		return s, true
	case Exists:
		return s, s.present
	case Absent:
		return s, !s.present
	case Found, Same:
		return s, s.present && s.value == r.Value
	case Added:
		return s.after(q), !s.present
	case Updated, Discarded, Evicted:
		return s.after(q), s.present && s.value == r.Value
	case Deleted:
		return s.after(q), s.present
	}
	panic("the history was validated, so its outcomes are known: " + r.String())
}

// after is the state after a request that does what it can.
func (s keyState) after(q Request) keyState {
	switch {
	case q.Kind == Add && !s.present, q.Kind == Update && s.present, q.Kind == Swap && s.present:
		return keyState{true, q.Value}
	case q.Kind == Delete, q.Kind == Discard, q.Kind == Evict:
		return keyState{}
	}
	return s
}

// readOnly is linearizability.Spec's: an update to the value that was there changes nothing, either.
func readOnly(q Request, r *Result) bool {
	switch {
	case q.Kind == Get, q.Kind == Crop, q.Kind == Restore, q.Kind == Lookup, q.Kind == Still:
		return true
	case r == nil:
		return false
	case r.Outcome == Updated:
		return r.Value == q.Value
	}
	return r.Outcome == Exists || r.Outcome == Full || r.Outcome == Absent || r.Outcome == Void
}

// hash mixes the state into 64 bits (the finalizer of MurmurHash3). Equal states hash equally.
func (s keyState) hash() uint64 {
	h := uint64(s.value) << 1
	if s.present {
		h |= 1
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	return h
}

// Model returns the model of a map that held the initial contents. They must not change while it is used.
func Model(initial map[uint32]uint32) linearizability.Model[Request, Result] {
	return linearizability.Spec[Request, Result, keyState]{
		Init: func(q Request) keyState {
			value, present := initial[q.Key]
			return keyState{present, value}
		},
		Step:     step,
		Pending:  func(s keyState, q Request) []keyState { return []keyState{s.after(q)} },
		Key:      func(q Request) any { return q.Key },
		ReadOnly: readOnly,
		Hash:     keyState.hash,
	}.Model()
}

// What package linearizability makes of the requests and results of a map.
type (
	// Verdict is the answer of Check. Its Key is a uint32.
	Verdict = linearizability.Verdict[Request, Result]
	// Judge judges many histories, and each like one once.
	Judge = linearizability.Judge[Request, Result]
)

// Check judges the history of a map that held the initial contents; see linearizability.Check.
func Check(h History, timeout time.Duration, initial map[uint32]uint32) Verdict {
	return linearizability.Check(Model(initial), h, timeout)
}

// CheckWithin is Check with all limits given.
func CheckWithin(h History, limits linearizability.Limits, initial map[uint32]uint32) Verdict {
	return linearizability.CheckWithin(Model(initial), h, limits)
}

// NewJudge returns a judge of histories of a map that held the initial contents, which it copies.
func NewJudge(timeout time.Duration, initial map[uint32]uint32) *Judge {
	return linearizability.NewJudge(Model(maps.Clone(initial)), timeout)
}

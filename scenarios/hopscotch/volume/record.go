package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/stress"
)

// The words of a record of the log:
//
//	word     request                       result     note                extra
//	0        mapmodel.Kind or callReclaim   outcome    key or 0, flags     marks, bucket of a member
//	1        key, value                    value      value, dead owner
const (
	valueBits = 32
	markBits  = 32
)

// callReclaim is the call of a client that changes no key: it takes back what the dead have left, and is no
// part of the history.
const callReclaim = uint64(mapmodel.Evict) + 1

// Flags of a note of a reclaim.
const (
	noteLeaves = 1 << (valueBits + iota)
	noteCertain
)

func requestWords(r mapmodel.Request) stress.Words {
	return stress.Words{uint64(r.Kind), uint64(r.Key)<<valueBits | uint64(r.Value)}
}

// request reads the words. One that has no value loses whatever stands in its place.
func request(w stress.Words) mapmodel.Request {
	r := mapmodel.Request{Kind: mapmodel.Kind(w[0]), Key: uint32(w[1] >> valueBits)}
	if r.Kind.HasValue() {
		r.Value = uint32(w[1])
	}
	return r
}

func resultWords(r mapmodel.Result) stress.Words {
	return stress.Words{uint64(r.Outcome), uint64(r.Value)}
}

func result(w stress.Words) mapmodel.Result {
	r := mapmodel.Result{Outcome: mapmodel.Outcome(w[0])}
	if r.Outcome.HasValue() {
		r.Value = uint32(w[1])
	}
	return r
}

// leaving is an element that left by an operation; key 0 if it had been deleted before.
type leaving struct {
	key, value uint32

	// owner is the dead client by whose last operation the element left; 0 if it left by the call itself.
	// That client may have been told of the value, unless certain says that it was not.
	owner   uint32
	certain bool
	nothing bool // nothing left by the dead one's last operation
}

func reclaimedOf(x hopscotch.Reclaimed) leaving {
	return leaving{x.Left.Key, x.Left.Value, x.Owner.Number(), x.Certain, !x.Leaves}
}

func (l leaving) words() stress.Words {
	w := stress.Words{uint64(l.key), uint64(l.value) | uint64(l.owner)<<valueBits}
	if !l.nothing {
		w[0] |= noteLeaves
	}
	if l.certain {
		w[0] |= noteCertain
	}
	return w
}

func leavingOf(w stress.Words) leaving {
	return leaving{uint32(w[0]), uint32(w[1]), uint32(w[1] >> valueBits), w[0]&noteCertain != 0,
		w[0]&noteLeaves == 0}
}

func (m marking) words() uint64 { return uint64(m.states) | uint64(m.bucket)<<markBits }

func markingOf(w uint64) marking { return marking{uint32(w), uint32(w >> markBits)} }

// event is an operation of a window.
type event struct {
	mapmodel.Op
	marking
	left []leaving
}

// decode reads what the driver has kept of an operation. Errors: a kind that no client writes.
func decode(x *stress.Event) (event, error) {
	e := event{Op: mapmodel.Op{ID: x.ID, Client: int(x.Owner), Request: request(x.Request), Call: x.Call,
		Return: x.Return, Pending: x.Pending}}
	if x.Request[0] > uint64(mapmodel.Discard) || !e.Request.Kind.Known() {
		return e, fmt.Errorf("an operation of client %d has the kind %d, which nobody writes", x.Owner,
			x.Request[0])
	}
	for _, w := range x.Notes {
		e.left = append(e.left, leavingOf(w))
	}
	if e.Pending {
		e.Return = history.Forever
		return e, nil
	}
	e.Result, e.marking = result(x.Result), markingOf(x.Extra)
	return e, nil
}

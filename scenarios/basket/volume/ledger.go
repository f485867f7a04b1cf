package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/stress"
)

// ledger follows each value from its set: at the end of a round each one is there, or was told once, or a
// death has hidden that.
type ledger map[uint64]*life

// life is what is known of a value.
type life struct {
	key  uint32
	sure bool // it was there for certain
	told int
	dead int // the same, with ReasonDead
}

// gone is a value that is not there and was not told.
type gone struct {
	key   uint32
	value uint64
}

// window enters a round, and returns what deaths have hidden. It forgets what is settled.
func (l ledger) window(x *window, f *stress.Faults) (lost []gone) {
	for i := range x.Events {
		e := &x.Events[i]
		if kindOf(e.Request) == kindSet && (e.Pending || e.Result[0] != gaveUp) {
			l[e.Request[1]] = &life{key: keyOf(e.Request), sure: !e.Pending}
		}
	}
	for i := range x.Events {
		e := &x.Events[i]
		if k := kindOf(e.Request); (k == kindGet || k == kindMark) && !e.Pending && e.Result[1] != 0 {
			l.seen(keyOf(e.Request), e.Result[1], fmt.Sprintf("a %v has found", k), f)
		}
		for _, n := range e.Notes {
			l.told(e, n, f)
		}
	}
	for _, n := range x.settled {
		l.told(nil, n, f)
	}
	for key, value := range x.now {
		l.seen(key, value, "at rest is", f)
	}
	for value, v := range l {
		there := x.now[v.key] == value
		switch {
		case there && v.told+v.dead > 0:
			f.Add("told: value %#x of key %d is there, and was told", value, v.key)
		case v.told > 1 || v.told+v.dead > 1 && x.deaths == 0:
			f.Add("told: value %#x of key %d was told %d times", value, v.key, v.told+v.dead)
		case there || v.told+v.dead > 0:
		case x.deaths == 0 && v.sure:
			f.Add("told: value %#x of key %d is gone, and nobody was told", value, v.key)
		default:
			lost = append(lost, gone{v.key, value})
		}
	}
	if n := l.count(lost); n > x.lossMost {
		f.Add("told: %d values are gone, and nobody was told; %d deaths hide %d at most", n, x.deaths,
			x.lossMost)
	}
	for value, v := range l {
		if x.now[v.key] != value {
			delete(l, value)
		}
	}
	return lost
}

// count is how many of those have been there for certain.
func (l ledger) count(lost []gone) (n int) {
	for _, x := range lost {
		if l[x.value].sure {
			n++
		}
	}
	return n
}

// seen enters a value that was found.
func (l ledger) seen(key uint32, value uint64, how string, f *stress.Faults) {
	if v := l[value]; v == nil || v.key != key {
		f.Add("return: %s value %#x of key %d, which was never set, or was gone in an earlier round", how,
			value, key)
	} else {
		v.sure = true
	}
}

// told enters a note of an operation; of nil: of the parent.
func (l ledger) told(e *stress.Event, n stress.Words, f *stress.Faults) {
	key, reason, v := keyOf(n), reasonOf(n), l[n[1]]
	switch {
	case v == nil || v.key != key:
		f.Add("told: %v of value %#x of key %d, which was never set, or has left in an earlier round", reason,
			n[1], key)
		return
	case reason == basket.ReasonDead:
		v.dead++
		return
	case reason == basket.ReasonReplaced && !is(e, kindSet, key),
		reason == basket.ReasonDeleted && !is(e, kindRemove, key):
		f.Add("told: value %#x of key %d was %v by a call that did not do that", n[1], key, reason)
	}
	v.told++
}

// is tells whether the operation is that.
func is(e *stress.Event, k kind, key uint32) bool {
	return e != nil && kindOf(e.Request) == k && keyOf(e.Request) == key
}

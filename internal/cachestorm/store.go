package cachestorm

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
)

// store is Options.Overflow of a process: it journals the entries that it is given, and refuses some of
// them.
type store struct {
	board       *board
	slot        int
	fault       string
	begun, done atomic.Uint64 // calls of Put
}

// errStore is the error with which it refuses.
var errStore = errors.New("a store of the storm refuses this entry")

// refuses reports whether the store refuses a value.
func refuses(number uint64) bool { return mixed(number)%16 == 0 }

// Put implements cache.Store.
func (s *store) Put(key, value []byte, ttl time.Duration) error {
	s.begun.Add(1)
	defer s.done.Add(1)
	k := keyNumber(key)
	number, whole, _ := numberOf(value, k, nil)
	switch {
	case s.fault == "drops" && mixed(number)%64 == 1:
		return nil
	case s.fault == "hoards" && mixed(number)%64 == 1:
		number++ // a number that no value of this key has
	}
	if e := s.board.enter(journalStore, s.slot); e != nil {
		e[1].Store(number)
		e[2].Store(s.board.tick())
		e[3].Store(flag(!whole || k < 0))
		e[4].Store(uint64(ttl))
		e[0].Store(entryIs | uint64(max(k, 0)))
	}
	if refuses(number) {
		return errStore
	}
	return nil
}

// wrong reports whether the cache says that it has given the store another number of entries. A janitor may
// be between the call of the store and its count.
func (s *store) wrong(before uint64, x cache.Stats, janitor bool) bool {
	counted := x.Overflowed + x.OverflowErrors
	return counted > s.begun.Load() || counted+flag(janitor) < before
}

// given is an entry that a store was given.
type given struct {
	slot   int
	moment uint64
	ttl    int64
}

// stores reads the journals of stores.
func (j *judge) stores(b *board) (n uint64) {
	for s := range b.slots + 1 {
		if n := b.length(journalStore, s).Load(); n > uint64(journalSizes[journalStore].room) {
			j.fault("store: the journal of slot %d has no room for %d entries: make it larger", s, n)
		}
		for e := range b.entries(journalStore, s) {
			n++
			key, number := int(e[0].Load()&^entryIs), e[1].Load()
			x := given{s, e[2].Load(), int64(e[4].Load())}
			l := j.lives[number]
			switch {
			case e[3].Load() != 0:
				j.fault("store: slot %d was given a value that nobody has set, for key %d", s, key)
			case l == nil || l.key != key:
				j.fault("store: slot %d was given value %#x of key %d, which has left in an earlier round, "+
					"or was never set%s", s, number, key, j.doubts[number])
			case x.moment < l.begin:
				j.fault("store: slot %d was given value %#x of key %d ahead of its set", s, number, key)
			case l.mortal == 0 && x.ttl != 0 && x.ttl < ttlLeast*int64(time.Millisecond)/2,
				l.mortal != 0 && (x.ttl <= 0 || x.ttl > l.mortal+2*int64(time.Millisecond)):
				j.fault("store: slot %d was given value %#x of key %d for %v, and it was set for %v", s,
					number, key, time.Duration(x.ttl), time.Duration(l.mortal))
			default:
				l.given = append(l.given, x)
			}
		}
	}
	return n
}

// stored judges the entries of one value that stores were given. A process that tells that a value left for
// want of room has given it to its store before, unless its time to live was over. A value that was given
// was told, unless the process has died in between.
func (j *judge) stored(l *life, there bool, deaths []*death) {
	if len(l.given) > 1 {
		j.fault("store: value %#x of key %d was given %d times: %v", l.number, l.key, len(l.given), l.given)
	}
	for _, x := range l.told {
		if x.reason != basket.ReasonEvicted && x.reason != basket.ReasonIndexFull || x.slot == j.bare {
			continue
		}
		if len(l.given) == 0 && !l.over(j.limit) {
			j.fault("store: value %#x of key %d was %v, and no store was given it", l.number, l.key, x)
		}
	}
	for _, x := range l.given {
		switch {
		case there:
			j.fault("store: value %#x of key %d is there, and slot %d was given it at %d", l.number, l.key,
				x.slot, x.moment)
		case !l.toldBy(x) && !hidden(x, deaths):
			j.fault("store: value %#x of key %d was given to the store of slot %d at %d, which has not told "+
				"it: %v", l.number, l.key, x.slot, x.moment, l.told)
		}
	}
}

// toldBy reports whether the process that was given the value has told it afterwards, for want of room.
func (l *life) toldBy(x given) bool {
	for _, t := range l.told {
		if t.slot == x.slot && t.moment > x.moment &&
			(t.reason == basket.ReasonEvicted || t.reason == basket.ReasonIndexFull) {
			return true
		}
	}
	return false
}

// hidden reports whether the process died afterwards.
func hidden(x given, deaths []*death) bool {
	for _, d := range deaths {
		if d.slot == x.slot && d.moment > x.moment {
			return true
		}
	}
	return false
}

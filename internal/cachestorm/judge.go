package cachestorm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// never is a number of the clock that is never reached.
const never = math.MaxUint64

// life is what is known of one value.
type life struct {
	number     uint64
	key        int
	begin, end uint64 // of the call that set it; end is never if there was no answer
	from, to   int64  // the same, in nanoseconds
	mortal     int64  // nanoseconds for which it was to live; 0: for ever
	certain    uint64 // it is or was there at this number; never if that is not known
	gone       uint64 // it was no longer there at this number
	told       []telling
	given      []given // to stores
	not        bool    // the client of a service was told that it was not set
	excused    bool    // it has no reason, and a death may have taken it
	unsure     bool    // it has expired in an earlier round, in which a death may have taken it out
}

// telling is an event.
type telling struct {
	slot   int
	reason basket.Reason
	moment uint64
}

// sight is what a call has found: a value, or that the key was absent.
type sight struct {
	begin, end uint64
	value      uint64 // 0: absent
	not        bool   // the key did not have that value
	time       int64
	slot       int
	kind       kind
}

// history is what is known of a key in a round.
type history struct {
	sights []sight
	lives  []*life
	delete []sight // calls that may delete
	asks   []sight // calls of Ask
}

// judge keeps what is known of all values from round to round.
type judge struct {
	keys  []history
	lives map[uint64]*life
	calls uint64
	news  uint64
	// calls through a service
	bySlots uint64
	fault   func(format string, args ...any)
	// Further results of the calls of the round.
	askers askers
	asks   []asked
	counts counted
	unmade []unmade
	server func(slot int) int // slot of the process that makes the calls of a slot
	bare   int                // a slot whose events of baskets come from below a cache
	// doubts are values that deaths have excused in earlier rounds, and what was known of them.
	doubts map[uint64]string
	limit  int64 // nanoseconds of the system's clock after the last look
}

func newJudge(keys int) *judge {
	return &judge{keys: make([]history, keys), lives: map[uint64]*life{}, doubts: map[uint64]string{},
		server: func(slot int) int { return slot }, bare: -1}
}

// live adds a value to the known ones.
func (j *judge) live(x *life) {
	j.lives[x.number] = x
	h := &j.keys[x.key]
	h.lives = append(h.lives, x)
}

// read reads the journals of calls.
func (j *judge) read(b *board) {
	for s := range b.slots + 1 {
		for t := range b.threads {
			words := b.calls(s, t)
			for i := range min(b.slot(s, slotCalls+t).Load(), callRoom) {
				if e := call(words[i*callWords : (i+1)*callWords]); e[callBegin].Load() != 0 {
					j.call(s, e)
				}
			}
		}
	}
}

// call adds one call.
func (j *judge) call(slot int, e call) {
	k, key := kind(e[callWhat].Load()&0xFF), int(e[callWhat].Load()>>8)
	if key >= len(j.keys) {
		j.fault("whole: a call on key %d, and there are %d", key, len(j.keys))
		return
	}
	x := sight{begin: e[callBegin].Load(), end: e[callEnd].Load(), time: int64(e[callTime].Load()),
		slot: j.server(slot), kind: k}
	found, h := e[callFound].Load(), &j.keys[key]
	j.calls++
	if j.server(slot) != slot {
		j.bySlots++
	}
	if k.changes() {
		j.news++
	}
	j.counts.call(k, x.end != 0, found, answered(e[callAsk].Load()))
	if found&(foundNot|foundUnknown) != 0 {
		j.unmade = append(j.unmade, unmade{slot, k, found, x.begin, e[callSeen].Load()})
	}
	not := found&foundNot != 0
	switch {
	case k == kindAsk:
		h.asks = append(h.asks, x)
		j.asks = append(j.asks, asked{slot, key, x.time, int64(e[callDone].Load()),
			answered(e[callAsk].Load())})
	case (k == kindDelete || k == kindRemove) && !not:
		h.delete = append(h.delete, x)
	}
	if value := e[callNew].Load(); value != 0 {
		l := &life{number: value, key: key, begin: x.begin, end: never, from: x.time, to: math.MaxInt64,
			mortal: int64(e[callLife].Load()), certain: never, gone: never, not: not}
		if x.end != 0 {
			l.end = x.end
		}
		if x.end != 0 && k == kindSetTTL && !not {
			l.to = int64(e[callSeen].Load())
		}
		j.live(l)
	}
	if x.end != 0 && !not {
		j.see(h, key, x, found, [2]uint64{e[callSeen].Load(), e[callNew].Load()})
	}
}

// see adds what a call has found: the value callSeen, or callNew.
func (j *judge) see(h *history, key int, x sight, found uint64, is [2]uint64) {
	seen := is[0]
	add := func(value uint64, not bool) {
		y := x
		y.value, y.not = value, not
		h.sights = append(h.sights, y)
	}
	if found&foundTorn != 0 {
		j.fault("whole: a %v of slot %d on key %d has found a value that nobody has set; it begins with %#x",
			x.kind, x.slot, key, seen)
	}
	if found&foundSeen != 0 {
		add(seen, false)
	}
	if found&foundNew != 0 {
		add(is[1], false)
	}
	if found&foundAbsent != 0 {
		add(0, false)
	}
	if found&foundOther != 0 {
		add(seen, true)
	}
}

// look adds what the parent has found when all processes were at rest.
func (j *judge) look(key int, value uint64, begin, end uint64, now int64) {
	h := &j.keys[key]
	h.sights = append(h.sights, sight{begin: begin, end: end, value: value, time: now, slot: -1,
		kind: kindPeek})
	j.limit = now
}

// hear reads the journals of events.
func (j *judge) hear(b *board, told map[string]uint64) {
	for s := range b.slots + 1 {
		if n := b.length(journalEvents, s).Load(); n > uint64(journalSizes[journalEvents].room) {
			j.fault("told: the journal of slot %d has no room for %d events: make it larger", s, n)
		}
		for e := range b.entries(journalEvents, s) {
			what := e[0].Load()
			x := telling{s, basket.Reason(what & 0xFF), e[2].Load()}
			key, value := int(what&^entryIs>>8), e[1].Load()
			told[x.reason.String()]++
			if s != j.bare {
				j.counts.left[x.reason]++
			}
			l := j.lives[value]
			switch {
			case e[3].Load() != 0:
				j.fault("whole: an event of slot %d has a value that nobody has set, for key %d: %v", s, key,
					x.reason)
			case l == nil || l.key != key:
				j.fault("told: %v of value %#x of key %d, which has left in an earlier round, or was never "+
					"set%s", x.reason, value, key, j.doubts[value])
			case x.moment < l.begin:
				j.fault("told: %v of value %#x of key %d ahead of its set", x.reason, value, key)
			default:
				l.told = append(l.told, x)
			}
		}
	}
}

// settle computes, for each value, from when on it is certain, and from when on it is gone.
func (j *judge) settle() {
	for k := range j.keys {
		h := &j.keys[k]
		for _, x := range h.sights {
			if l := j.lives[x.value]; l != nil && !x.not && x.value != 0 {
				l.certain = min(l.certain, x.end)
			}
		}
		slices.SortFunc(h.sights, func(a, b sight) int { return cmp.Compare(a.begin, b.begin) })
		all, values := j.soonest(h.sights, true), j.soonest(h.sights, false)
		for _, l := range h.lives {
			for _, x := range l.told {
				l.gone = min(l.gone, x.moment)
			}
			for _, x := range l.given {
				l.gone = min(l.gone, x.moment)
			}
			if l.certain == never {
				continue
			}
			from, _ := slices.BinarySearchFunc(h.sights, l.certain+1, func(a sight, n uint64) int {
				return cmp.Compare(a.begin, n)
			})
			if l.mortal != 0 {
				l.gone = min(l.gone, values[from].of(l.number))
			} else {
				l.gone = min(l.gone, all[from].of(l.number))
			}
		}
		for _, x := range h.sights {
			l := j.lives[x.value]
			if x.not && l != nil && l.mortal == 0 && l.certain < x.begin {
				l.gone = min(l.gone, x.end)
			}
		}
	}
}

// two are the two earliest ends of calls that have found different things.
type two struct {
	end   [2]uint64
	value [2]uint64
}

// of returns the earliest end of a call that has found something other than the value.
func (x two) of(value uint64) uint64 {
	if x.value[0] != value {
		return x.end[0]
	}
	return x.end[1]
}

// soonest returns, for each call, the earliest ends of it and of the calls that began later. Absence counts
// if absent is true: one process may find a value with an end when another one, whose clock is slightly
// ahead, no longer does.
func (j *judge) soonest(sights []sight, absent bool) []two {
	all := make([]two, len(sights)+1)
	best := two{end: [2]uint64{never, never}}
	all[len(sights)] = best
	for i := len(sights) - 1; i >= 0; i-- {
		if x := sights[i]; !x.not && (absent || x.value != 0) {
			switch {
			case x.value == best.value[0] && best.end[0] != never:
				best.end[0] = min(best.end[0], x.end)
			case x.end < best.end[0]:
				best = two{[2]uint64{x.end, best.end[0]}, [2]uint64{x.value, best.value[0]}}
			case x.end < best.end[1]:
				best.end[1], best.value[1] = x.end, x.value
			}
		}
		all[i] = best
	}
	return all
}

// slackMost is the largest difference between the clocks of two processes about whether a value has expired.
const slackMost = int64(20 * time.Millisecond)

// returns judges what calls have found.
func (j *judge) returns() {
	for k := range j.keys {
		for _, x := range j.keys[k].sights {
			if x.value == 0 || x.not {
				continue
			}
			l := j.lives[x.value]
			switch {
			case l == nil || l.key != k:
				j.fault("return: a %v of slot %d has found value %#x of key %d, which was gone in an "+
					"earlier round, or was never set%s", x.kind, x.slot, x.value, k, j.doubts[x.value])
			case l.not:
				j.fault("slots: a %v of slot %d has found value %#x of key %d, which was said not to be set",
					x.kind, x.slot, x.value, k)
			case x.end < l.begin:
				j.fault("return: a %v of slot %d has found value %#x of key %d ahead of its set", x.kind,
					x.slot, x.value, k)
			case x.begin > l.gone:
				j.fault("return: a %v of slot %d, begun at %d, has found value %#x of key %d, which was "+
					"gone at %d; told %v", x.kind, x.slot, x.begin, x.value, k, l.gone, l.told)
			case l.mortal != 0 && l.to != math.MaxInt64 && x.time > l.to+l.mortal+slackMost:
				j.fault("return: a %v of slot %d has found value %#x of key %d, %.1f ms after its end",
					x.kind, x.slot, x.value, k, float64(x.time-l.to-l.mortal)/1e6)
			}
		}
	}
}

// String returns a text for a person.
func (x telling) String() string {
	return fmt.Sprintf("%v by slot %d at %d", x.reason, x.slot, x.moment)
}

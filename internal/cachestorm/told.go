package cachestorm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/impl/basket"
)

// callMost is the largest number of values that one call takes out before it tells them. A Replace walks
// over up to four portions of 8 records. The first call of a writer, and a call that finds no free basket,
// walks over some baskets.
const callMost = 32 + 4*recordsMost

// janitorMost is the same for a janitor, which tells after each portion.
const janitorMost = 64 + basket.ChainMax

// most is the number of values that the death can excuse.
func (d *death) most() int {
	n := len(d.calls) * callMost
	if d.janitor {
		n += janitorMost
	}
	return n
}

// since returns when the calls began in which the process died. For a janitor that is not known.
func (d *death) since() uint64 {
	if d.janitor || len(d.calls) == 0 {
		return 0
	}
	return slices.Min(d.calls)
}

// ended is the result for the values of a round.
type ended struct {
	values  uint64 // number of values that were there
	doubt   int
	twice   uint64
	missing []*life // values without a reason
}

// tells judges the told events. present is the value of each key at the end of the round, 0 for none.
func (j *judge) tells(present []uint64, deaths []*death) (e ended) {
	for k := range j.keys {
		h := &j.keys[k]
		last := j.expired(h, present[k])
		for _, l := range h.lives {
			if l.certain != never || len(l.told) > 0 {
				e.values++
			}
			j.tellings(h, l)
			there := present[k] == l.number
			j.stored(l, there, deaths)
			switch {
			case there && len(l.told) > 0:
				j.fault("told: value %#x of key %d is there, and was told: %v", l.number, k, l.told)
			case there || len(l.told) > 0 || l.certain == never:
				e.twice += uint64(max(0, len(l.told)-1))
			case len(l.given) > 0: // its process died before it told this, or stored has found a fault
				l.excused = true
			case l == last || l.over(j.limit) && present[k] == 0 && (l.unsure || len(deaths) > 0):
				l.unsure = l.unsure || len(deaths) > 0 // otherwise no walk has passed its record yet
			case l.unsure:
				l.excused = true
				e.doubt++
			default:
				e.missing = append(e.missing, l)
			}
		}
	}
	e.doubt += j.excuse(e.missing, deaths)
	return e
}

// aheadMost is how far the clock of a process may be ahead, in nanoseconds.
const aheadMost = 1_000_000

// over reports whether the value has an end that has passed.
func (l *life) over(now int64) bool { return l.mortal != 0 && now+aheadMost >= l.from+l.mortal }

// expired returns the value of an absent key that has expired, and whose record may still be there. It must
// be one that no death can have taken out; there is at most one.
func (j *judge) expired(h *history, present uint64) *life {
	for _, l := range h.lives {
		if present == 0 && l.over(j.limit) && !l.unsure && l.certain != never && len(l.told) == 0 {
			return l
		}
	}
	return nil
}

// tellings judges the events of one value.
func (j *judge) tellings(h *history, l *life) {
	sure := 0
	for _, x := range l.told {
		if x.reason != basket.ReasonDead {
			sure++
		}
		switch {
		case l.not:
			j.fault("slots: value %#x of key %d was said not to be set, and has left: %v", l.number, l.key,
				l.told)
		case x.reason == basket.ReasonExpelled:
			j.expelled(h, l, x)
		case x.reason == basket.ReasonExpired && l.mortal == 0:
			j.fault("told: value %#x of key %d has expired, and has no end: %v", l.number, l.key, l.told)
		case x.reason == basket.ReasonDeleted && !slices.ContainsFunc(h.delete, func(d sight) bool {
			return d.slot == x.slot && within(d, x.moment)
		}):
			j.fault("told: value %#x of key %d was deleted, and slot %d was in no delete of it: %v", l.number,
				l.key, x.slot, l.told)
		}
	}
	if sure > 1 {
		j.fault("told: value %#x of key %d has left twice: %v", l.number, l.key, l.told)
	}
}

// excuse assigns each value that is missing without a reason to a death: to the first one that can have
// taken it. Values that were gone early have fewer possible deaths, so they come first.
func (j *judge) excuse(missing []*life, deaths []*death) (doubt int) {
	slices.SortFunc(missing, func(a, b *life) int { return cmp.Compare(a.gone, b.gone) })
	slices.SortFunc(deaths, func(a, b *death) int { return cmp.Compare(a.moment, b.moment) })
	for _, l := range missing {
		for _, d := range deaths {
			if l.begin < d.moment && l.gone > d.since() && d.taken < d.most() {
				d.taken++
				l.excused = true
				doubt++
				break
			}
		}
		if !l.excused {
			j.fault("told: value %#x of key %d was there at %d, is gone at %d, and nobody was told why; no "+
				"death of the round can have hidden that; calls on the key: %s", l.number, l.key, l.certain,
				l.gone, j.story(l))
		}
	}
	return doubt
}

// next keeps what is there, and forgets the rest. A value that is seen later and not known is a fault.
func (j *judge) next(present []uint64) {
	old := j.lives
	j.lives = map[uint64]*life{}
	for k := range j.keys {
		h := &j.keys[k]
		was := h.lives
		*h = history{sights: h.sights[:0], delete: h.delete[:0], asks: h.asks[:0]}
		for _, l := range was {
			if l.not {
				continue
			}
			kept := l.number == present[k]
			if !kept && present[k] == 0 && l.mortal != 0 && !l.excused && len(l.told) == 0 {
				kept = true // it has expired, and its record may be there
				// No process has seen it: the call that set it may have died before the swap.
				l.unsure = l.unsure || l.certain == never
			}
			if l.excused {
				j.doubts[l.number] = fmt.Sprintf("; excused by a death: begun %d, certain %d, gone %d, to "+
					"live %d ns, unsure %v", l.begin, l.certain, l.gone, l.mortal, l.unsure)
			}
			if !kept {
				continue
			}
			x := *old[l.number]
			// It was there before everything that comes.
			x.begin, x.end, x.certain, x.gone, x.told, x.given = 0, 0, 0, never, nil, nil
			j.live(&x)
		}
	}
}

// storyMost is the largest number of calls of a story.
const storyMost = 12

// story tells what calls have found for the key, from the last call on that has found the value.
func (j *judge) story(l *life) (text string) {
	h, from := &j.keys[l.key], 0
	for i, x := range h.sights {
		if x.value == l.number && !x.not {
			from = i
		}
	}
	for _, x := range h.sights[from:min(from+storyMost, len(h.sights))] {
		text += fmt.Sprintf("%v of slot %d, %d to %d: %#x", x.kind, x.slot, x.begin, x.end, x.value)
		if y := j.lives[x.value]; y != nil {
			text += fmt.Sprintf(" (told %v)", y.told)
		}
		text += "; "
	}
	return text
}

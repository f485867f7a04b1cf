package cachestorm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/impl/basket"
)

// callMost is how many values one call takes out at most before it tells them: a Replace walks over a portion
// of four times 8 records, the first call of a writer, or one that finds no free basket, over some baskets.
const callMost = 32 + 4*recordsMost

// janitorMost is the same of a janitor, which tells after each portion.
const janitorMost = 64 + basket.ChainMax

// most is how many values the death excuses.
func (d *death) most() int {
	n := len(d.calls) * callMost
	if d.janitor {
		n += janitorMost
	}
	return n
}

// since is when the calls began that the dead was in. Of a janitor nobody knows.
func (d *death) since() uint64 {
	if d.janitor || len(d.calls) == 0 {
		return 0
	}
	return slices.Min(d.calls)
}

// ended is what comes of the values of a round.
type ended struct {
	values  uint64 // that were there
	doubt   int
	twice   uint64
	missing []*life // without a reason
}

// tells judges what was told. present is the value of each key at the end of the round, 0 for none.
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
			case len(l.given) > 0: // and its process died ahead of the telling, or stored has found a fault
				l.excused = true
			case l == last || l.over(j.limit) && present[k] == 0 && (l.unsure || len(deaths) > 0):
				l.unsure = l.unsure || len(deaths) > 0 // else nobody has come by its record yet
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

// aheadMost is by how much the clock of a process may be ahead, in nanoseconds.
const aheadMost = 1_000_000

// over reports whether the value has an end, and that is over.
func (l *life) over(now int64) bool { return l.mortal != 0 && now+aheadMost >= l.from+l.mortal }

// expired is the value of a key that is absent which has expired, and whose record may be there still: of
// those that no death can have taken out, since there is one at most.
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

// excuse holds each value that is missing without a reason against the deaths: each of them goes to the first
// death that can have taken it. Values that were gone early have fewer deaths to go to, so they come first.
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

// next keeps what is there, and forgets the rest: a value that is seen later and not known is a fault.
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
				kept = true // has expired, and its record may be there
				// Nobody has seen it: the call that brought it may have died ahead of the swap.
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
			// It was there ahead of all that comes.
			x.begin, x.end, x.certain, x.gone, x.told, x.given = 0, 0, 0, never, nil, nil
			j.live(&x)
		}
	}
}

// storyMost is how many calls a story has.
const storyMost = 12

// story tells what calls have found of the key from the last one on that has found the value.
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

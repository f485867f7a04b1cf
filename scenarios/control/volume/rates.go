package volume

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"
	"time"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/stress"
)

// charges are what was asked for of one identity in a round. All are of one instant, or a little before it.
type charges struct {
	events []charge
	begun  sums // those that may be in the cells
	ended  sums // those that must be
}

// charge is a call of an operation.
type charge struct {
	*stress.Event
	call int
}

// answer is what the call was told, if it was judged or has taken something.
func (c charge) answer() uint64 { return c.Result[0] >> (8 * c.call) & 255 }

// offences is the number of them that a caller was told of.
func (c charge) offences() int { return int(c.answer() >> bitsOfEnd) }

// sums are of units, by moments of the run's clock.
type sums struct {
	at    []int64
	units []uint64
}

// add makes the sums of some operations.
func (s *sums) add(events []charge, at func(e charge) int64, units func(e charge) uint64) {
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b charge) int { return cmp.Compare(at(a), at(b)) })
	total := uint64(0)
	for _, e := range events {
		total += units(e)
		s.at, s.units = append(s.at, at(e)), append(s.units, total)
	}
}

// before is the sum of all whose moment is before one.
func (s *sums) before(at int64) uint64 {
	if i := sort.Search(len(s.at), func(i int) bool { return s.at[i] >= at }); i > 0 {
		return s.units[i-1]
	}
	return 0
}

// all is the sum of all.
func (s *sums) all() uint64 { return s.before(1 << 62) }

// round is the charges of a round, and what there was at its begin.
type round struct {
	*memory
	instant, first uint64
	ids            map[uint32]*charges
	old            map[uint32]penalties // of identities, at the begin
	events         []stress.Event
}

// charged is what a call has charged, or may have.
func (r *round) charged(e charge) uint64 {
	switch k := kindOf(e.Request); {
	case k == kindCharge:
		return calls * r.units(e.Request[1]) // all calls are of one identity
	case k == kindTake && !e.Pending && e.answer() != 0:
		return 0
	}
	return r.units(e.Request[1])
}

// roundOf sums up the charges of a window.
func (w *world) roundOf(x *stress.Window) *round {
	r := &round{memory: w.memory, instant: w.run[wordInstant].Load(), first: w.run[wordFirst].Load(),
		ids: map[uint32]*charges{}, old: w.penalties, events: x.Events}
	for i := range x.Events {
		e := &x.Events[i]
		for call := range calls {
			if r.spent(e.Request[1]-r.first) || r.share && call > 0 {
				break
			}
			id := r.identity(e.Request[1]-r.first, call)
			if r.ids[id] == nil {
				r.ids[id] = &charges{}
			}
			r.ids[id].events = append(r.ids[id].events, charge{e, call})
		}
	}
	for _, c := range r.ids {
		c.begun.add(c.events, func(e charge) int64 { return e.Call }, r.charged)
		c.ended.add(slices.DeleteFunc(slices.Clone(c.events), func(e charge) bool { return e.Pending }),
			func(e charge) int64 { return e.Return }, r.charged)
	}
	return r
}

// marks counts the races of the state.
func (r *round) marks() (n uint64) {
	for _, c := range r.ids {
		ends := map[uint64]bool{}
		admitted := r.full
		for _, e := range c.events {
			switch k := kindOf(e.Request); {
			case e.Pending:
			case k == kindCharge:
				n += e.Extra & seenOther / seenOther
			case k == kindJudge:
				ends[e.answer()] = true
			case k == kindTake && e.answer() == 0:
				admitted++
			}
		}
		if r.state == 8 {
			n += max(admitted, r.limits.Burst) - r.limits.Burst
		}
		n += uint64(max(len(ends), 1) - 1)
	}
	return n
}

// Operations is how many there are.
func (r *round) Operations() int { return len(r.events) }

// Decide holds each answer against its bounds.
func (r *round) Decide(time.Duration, int) error {
	for id, c := range r.ids {
		for _, e := range c.events {
			if e.Pending {
				continue
			}
			if why := r.odd(id, c, e); why != "" {
				return fmt.Errorf("no order of the charges accounts for it: %s: %s, call %d", why,
					r.line(e.Event), e.call)
			}
		}
	}
	return nil
}

// odd says what is wrong with an answer.
func (r *round) odd(id uint32, c *charges, e charge) string {
	own := r.charged(e)
	least := r.full + c.ended.before(e.Call) + own
	most := r.full + c.begun.before(e.Return) // some rows are not shared
	switch kindOf(e.Request) {
	case kindCharge:
		level := e.Result[0] - r.lag(e.Request[1])
		if level < least*r.unit() || level > most*r.unit() {
			return fmt.Sprintf("level: %d ns, where at least %d and at most %d units were charged", level,
				least, most)
		}
	case kindJudge:
		return r.oddPenalty(id, e, most)
	case kindTake:
		return r.oddTake(e.answer(), least, most)
	}
	return ""
}

// oddPenalty says what is wrong with a ruling. Each charge is above the limit.
func (r *round) oddPenalty(id uint32, e charge, most uint64) string {
	n, quarter := r.offences(id), r.limits.Retry/4
	shortest := wait(r.limits, n) / quarter
	longest := (max(wait(r.limits, n), (most-r.limits.Burst)*r.unit()) + 7) / quarter
	switch end := e.answer() & endMost; {
	case e.answer() == 0:
		return "once: the identity is above its limit, and no suspect"
	case e.offences() != n:
		return fmt.Sprintf("once: the caller was told of %d offences, it is number %d", e.offences(), n)
	case end < min(shortest, endMost) || end > min(longest, endMost):
		return fmt.Sprintf("bound: the penalty is to end between %d and %d, and ends at %d", shortest,
			longest, end)
	}
	return ""
}

// oddTake says what is wrong with an admission, by what the caller was told: 0, or when to ask again.
func (r *round) oddTake(told, least, most uint64) string {
	switch burst := r.limits.Burst; {
	case told == 0 && least > burst:
		return fmt.Sprintf("admitted: unit %d of %d", least, burst)
	case told > 0 && most+1 <= burst:
		return fmt.Sprintf("refused: with %d units of %d", most, burst)
	case told > 0 && told > most+1-burst:
		return fmt.Sprintf("refused: for the time of %d units, %d are enough", told, most+1-burst)
	}
	return ""
}

// Write writes the operations, one a line.
func (r *round) Write(w io.Writer, note string) error {
	return stress.WriteLines(w, note, len(r.events), func(i int) string { return r.line(&r.events[i]) })
}

// line is an operation as a text.
func (r *round) line(e *stress.Event) string {
	what := fmt.Sprintf("%x", e.Result[0])
	if e.Pending {
		what = "killed"
	}
	return fmt.Sprintf("client %d %v, %d times from identity %d on, %d units: %s [%d, %d]", e.Owner,
		kindOf(e.Request), calls, r.identity(e.Request[1]-r.first, 0), r.units(e.Request[1]), what, e.Call,
		e.Return)
}

// wait is how long a penalty lasts, with so many offences.
func wait(l quota.Limits, offences int) uint64 { return l.Retry << (offences - 1) }

// penalties are those of an identity, by row.
type penalties [quota.Depth]quota.Penalty

// low is the one that counts.
func (p penalties) low() quota.Penalty { return slices.Min(p[:]) }

// remembered is how many offences of a penalty count at the instant of the round. One is forgotten each time
// that 8 waits have gone by without one.
func (r *round) remembered(p quota.Penalty) int {
	return max(p.Offences()-int(min((r.instant-min(p.End(), r.instant))/(8*r.limits.Retry), 7)), 0)
}

// offences is the number of the offence that an identity commits in the round. 7 are counted.
func (r *round) offences(id uint32) int { return min(r.remembered(r.old[id].low())+1, 7) }

// rest holds the cells against all charges.
func (r *round) rest(f *stress.Faults) {
	type cell struct {
		row    int
		column uint32
	}
	type sum struct{ ended, begun uint64 }
	cells := map[cell]sum{}
	for id, c := range r.ids {
		for row := range quota.Depth {
			at := cell{row, r.column(id, row)}
			s := cells[at]
			cells[at] = sum{s.ended + c.ended.all(), s.begun + c.begun.all()}
		}
	}
	for at, s := range cells {
		level := r.level(at.row, at.column).Load() - r.instant - r.full*r.unit()
		if level < s.ended*r.unit() || level > s.begun*r.unit() || level%r.unit() != 0 {
			f.Add("sum: cell %d of row %d has %d ns more than at the begin; %d units were charged, and up "+
				"to %d by the dead, of %d ns each", at.column, at.row, level, s.ended, s.begun-s.ended,
				r.unit())
			return
		}
	}
	for id, c := range r.ids {
		r.restPenalties(id, c, f)
	}
}

// restPenalties holds the penalties of an identity against what the callers were told.
func (r *round) restPenalties(id uint32, c *charges, f *stress.Faults) {
	told, n := uint64(0), r.offences(id)
	for _, e := range c.events {
		if kindOf(e.Request) == kindJudge && !e.Pending {
			told = max(told, r.instant+e.answer()&endMost*(r.limits.Retry/4))
		}
	}
	for row := range quota.Depth {
		p, old := quota.Penalty(r.penalty(row, r.column(id, row)).Load()), r.old[id][row]
		n := max(n, r.remembered(old)) // one of the dead may have marked a part of the rows
		switch {
		case r.state != 7 && p != 0:
			f.Add("penalty: identity %d has one of %v, and nobody was judged", id, p)
		case told > 0 && (p.End() < told || p.Offences() != n):
			f.Add("penalty: row %d of identity %d has %v; callers were told until %d, of offence %d", row,
				id, p, told, n)
		case told == 0 && p != old && p.Offences() != n:
			f.Add("penalty: row %d of identity %d has %v, offence %d by the dead alone", row, id, p, n)
		}
	}
}

package quota

import "math"

// Judge charges the identity with so many units (at least 1), and says whether it is a suspect. The identity
// becomes a suspect when its level is above Burst. It remains one for Retry, twice as long with each further
// offence, up to 2^(OffencesMax-1) times Retry and up to WaitMax; longer if its level needs more time to
// come down to Burst. It is also charged during that time. So an identity that goes on asking too often
// commits another offence at the end of that time, and an identity that has slowed down is OK. An offence is
// forgotten after 8 times Retry without another one.
//
// The sketch must have penalties. Progress: lock-free.
func (s *Sketch) Judge(id, now, units uint64, l Limits) Ruling {
	level := s.charge(id, now, l.cost(units), l.most())
	p := s.penalty(id, now, l)
	if p.End() <= now && level > l.tolerance() {
		p = s.mark(id, now, p, level-l.tolerance(), l)
	}
	return l.ruling(p, now)
}

// Look says whether the identity is a suspect, without a charge. Progress: lock-free.
func (s *Sketch) Look(id, now uint64, l Limits) Ruling { return l.ruling(s.penalty(id, now, l), now) }

// Clear reports whether the identity has no penalty at all, not even one that is over. It needs no clock,
// and looks at one cell in most cases. Progress: wait-free.
func (s *Sketch) Clear(id uint64) bool {
	for row := range Depth {
		if s.penaltyLoad(s.cell(id, row)) == 0 {
			return true
		}
	}
	return false
}

// ruling is the meaning of a penalty at an instant.
func (l Limits) ruling(p Penalty, now uint64) Ruling {
	if p.End() <= now {
		return Ruling{}
	}
	v := Suspect
	if l.Deny > 0 && p.Offences() >= l.Deny {
		v = Denied
	}
	return Ruling{v, p.End() - now, p.Offences()}
}

// penalty is the lowest penalty in the cells of the identity. A penalty that no call can have made is
// shortened.
func (s *Sketch) penalty(id, now uint64, l Limits) Penalty {
	low, longest := Penalty(math.MaxUint64), l.longest()
	for row := range Depth {
		at := s.cell(id, row)
		p := s.penaltyLoad(at)
		if short := p.bounded(now, longest); short != p {
			s.penaltySwap(at, p, short) // if this fails, another call has shortened it
			p = short
		}
		low = min(low, p)
	}
	return low
}

// mark counts an offence of an identity whose penalty was seen to be over, and whose level is too high by
// over. All calls that have seen the same penalty compute the same number of offences.
func (s *Sketch) mark(id, now uint64, seen Penalty, over uint64, l Limits) Penalty {
	offences := min(seen.remembered(now, l.forget())+1, OffencesMax)
	p := MakePenalty(now+max(l.wait(offences), over)+offencesMask, offences)
	for row := range Depth {
		s.markCell(s.cell(id, row), now, p, l)
	}
	return p
}

// markCell raises one cell to the penalty. It keeps what other identities have there.
func (s *Sketch) markCell(at int, now uint64, p Penalty, l Limits) {
	for range triesMost {
		old := s.penaltyLoad(at)
		new := MakePenalty(max(p.End(), old.End()), max(p.Offences(), old.remembered(now, l.forget())))
		if new == old || s.penaltySwap(at, old, new) {
			return
		}
	}
}

// penaltyLoad loads a penalty.
func (s *Sketch) penaltyLoad(at int) Penalty { return Penalty(s.words[at+1].Load()) }

// penaltySwap changes a penalty. LP: of a mark, in its row.
func (s *Sketch) penaltySwap(at int, old, new Penalty) bool {
	return s.words[at+1].CompareAndSwap(uint64(old), uint64(new))
}

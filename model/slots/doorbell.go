package slots

import "github.com/samecycle/samecycle/model/search"

// services is the set of all actors that are services.
func (m *Machine) services() (set search.Set) {
	for a := m.p.Clients; a < len(m.p.Calls); a++ {
		set |= search.One(uint8(a + 1))
	}
	return set
}

// bell makes the steps of the doorbell, and of the word that says that the service sleeps.
func (x *stepper) bell(l Local) {
	waits := l.at(SlotLook)
	waits.phase = waiting
	switch l.PC {
	case BellRing:
		x.take(l.at(BellCheck)).Bell++
	case BellCheck:
		if x.s.Sleeps {
			waits = l.at(BellWake)
		}
		x.take(waits)
	case BellWake:
		x.take(waits).Asleep &^= x.m.services()
	case BellSleep:
		x.take(l.at(BellLook)).Sleeps = true
	case BellLook:
		l.seen = x.s.Bell
		if x.m.rule(ruleAgain) {
			x.take(x.scan(l, again))
		} else {
			x.take(l.at(BellWait))
		}
	case BellWait:
		x.sleep(l.at(BellRise), x.s.Bell == l.seen)
	case BellRise:
		next := first
		if l.phase == tidying {
			next = tidying
		}
		l.seen = 0
		x.take(x.scan(l, next)).Sleeps = false
	}
}

// sleep adds a step of the system's wait, in which the actor falls asleep if the word is what it was.
func (x *stepper) sleep(l Local, same bool) {
	next := x.take(l)
	if same {
		next.Asleep |= search.One(uint8(x.a + 1))
	}
}

package cachestorm

// unmade is a call through a service whose client was told that the call was not made, or that its outcome
// is unknown.
type unmade struct {
	slot       int // of the client
	kind       kind
	found      uint64
	begin, end uint64
}

// why is the reason that the client was told.
func (u unmade) why() int { return int(u.found >> whyShift) }

// unmades judges what clients were told of their services. If a client was told that its service has died,
// or that there is none, the service must have died in the round. For a request whose outcome is unknown,
// the death must come after its begin.
func (w *world) unmades() {
	r := w.storm.report
	for _, u := range w.judge.unmade {
		if u.found&foundUnknown != 0 {
			r.Unknown++
		} else {
			r.NotMade++
		}
		if u.why() != whyDied && u.why() != whyService {
			continue
		}
		died := false
		for _, d := range w.deaths {
			died = died || d.slot == w.server(u.slot) && d.from < u.end &&
				(u.why() == whyService || d.moment > u.begin)
		}
		if !died {
			r.fault("slots: a %v of slot %d, from %d to %d, was told that its service has died, and it "+
				"lived; seed %d, round %d", u.kind, u.slot, u.begin, u.end, w.storm.o.Seed, r.Rounds)
		}
	}
}

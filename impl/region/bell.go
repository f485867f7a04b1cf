package region

import "github.com/samecycle/samecycle/internal/seam"

// The bell: one word by which whoever makes work for the services of a table wakes those that sleep,
// in whatever process.
//
//	bits    field
//	63..32  spare, zero
//	31..1   rings so far, modulo 2^31
//	0       somebody sleeps, or did: nobody has rung since
//
// It has a cache line of its own, which changes when somebody goes to sleep or is woken, and is only
// read by who has work to tell of while the services are busy. Nothing depends on it but how soon a
// sleep ends.

// Bell states.
const (
	bellAsleep = 1
	bellRing   = 2
	bellMask   = 1<<32 - 1
)

func (r *Region) bell() *seam.Uint64 {
	return &r.words[r.layout.Offset(SectionBell)/WordBytes]
}

// Ring wakes who sleeps in SleepUntilRung. Progress: wait-free; while nobody sleeps it is one load of a
// word that others only read. An observer (Observe) rings nobody: it has stored nothing to tell of.
// Of a region that is closed nobody is rung.
func (r *Region) Ring() {
	if r.words == nil {
		return // closed
	}
	w := r.bell()
	s := w.Load()
	if s&bellAsleep == 0 || r.readOnly {
		return
	}
	// Whoever fails was too late: somebody else has rung since.
	if w.CompareAndSwap(s, (s&^bellAsleep+bellRing)&bellMask) {
		r.Wake(w)
	}
}

// SleepUntilRung sleeps until somebody rings, but no longer than bound, and reports whether anybody has. It
// asks awake when a ring can be heard already, and does not sleep if that says so: what awake knows by
// something that was stored before a Ring is not slept through. awake may be nil. Progress: that of Await.
//
// An observer (Observe) cannot say that it sleeps. It hears a ring that is for somebody else who does, and
// sleeps until bound otherwise.
func (r *Region) SleepUntilRung(bound seam.Duration, awake func() bool) bool {
	if r.words == nil {
		return false // closed
	}
	w := r.bell()
	s := w.Load()
	if s&bellAsleep == 0 && !r.readOnly {
		if !w.CompareAndSwap(s, s|bellAsleep) {
			return true // rung, or somebody else goes to sleep: look for work once more
		}
		s |= bellAsleep
	}
	if awake != nil && awake() {
		return false
	}
	return r.Await(w, uint32(s), bound)
}

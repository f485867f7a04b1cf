package region

import "github.com/samecycle/samecycle/internal/seam"

// The bell: one word by which whoever makes work for the services of a table wakes those that sleep,
// in whatever process.
//
//	bits    field
//	63..32  spare, zero
//	31..1   rings so far, modulo 2^31
//	0       somebody listens, and may sleep, or did: nobody has rung since
//
// It has a cache line of its own, which changes when somebody begins to listen or is rung for, and is only
// read by who has work to tell of when that is known. Nothing depends on it but how soon a
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

// Ring wakes who sleeps in SleepUntilRung. Progress: wait-free; while nobody listens it is one load of a
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

// Listen is ahead of a look for work that a sleep follows if there is none: whoever rings from here on ends
// that sleep, and one who rings before it begins leaves none. What it returns is for SleepUntilRung.
// Progress: wait-free.
//
// An observer (Observe) cannot say that it listens. It hears a ring that is for somebody else.
func (r *Region) Listen() (heard uint32) {
	if r.words == nil {
		return 0 // closed
	}
	w := r.bell()
	s := w.Load()
	if r.readOnly {
		return uint32(s)
	}
	// Whoever fails was overtaken by another one who listens, which is as good, or by a ring after that: then
	// the word is another one.
	if s&bellAsleep == 0 {
		w.CompareAndSwap(s, s|bellAsleep)
	}
	return uint32(s | bellAsleep)
}

// SleepUntilRung sleeps until somebody rings, but no longer than bound, and reports whether anybody has since
// the Listen that returned heard. It does not sleep if awake says so: what awake knows by something that was
// stored before a Ring is not slept through. awake may be nil. It may be called again with the same heard
// until it reports a ring. Progress: that of Await.
func (r *Region) SleepUntilRung(heard uint32, bound seam.Duration, awake func() bool) bool {
	if r.words == nil || awake != nil && awake() {
		return false // closed, or awake
	}
	return r.Await(r.bell(), heard, bound)
}

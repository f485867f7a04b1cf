package region

import "github.com/samecycle/samecycle/internal/seam"

// The bell is an eventcount: one word by which an actor that makes work for the services of a table wakes
// those that sleep, in any process. Specification: spec/tla/hopscotch/Bell.tla.
//
//	bits    field
//	63..33  spare, zero
//	32      somebody has rung, and is not known to have woken those who slept
//	31..1   rings so far, modulo 2^31
//	0       somebody listens, and may sleep, or did: nobody has rung since
//
// It has a cache line of its own. The word changes when a service begins to listen, and when it is rung
// while a service listens. An actor with work otherwise only reads it. Only the end of a sleep depends on
// it.

// Bell states. A sleep compares the low half, which bellWaking is not in.
const (
	bellAsleep = 1
	bellRing   = 2
	bellMask   = 1<<32 - 1
	bellWaking = 1 << 32
)

func (r *Region) bell() *seam.Uint64 {
	return &r.words[r.spans[ownBell].offset/WordBytes]
}

// Ring wakes all actors that sleep in SleepUntilRung. This includes actors that another process should have
// woken, if that process died before it did so. Progress: wait-free; if nobody listens, it is one load of a
// word that others only read. An observer (Observe) rings nobody, because it has stored nothing. On a closed
// region Ring does nothing.
func (r *Region) Ring() {
	if r.words == nil {
		return // closed
	}
	w := r.bell()
	s := w.Load()
	if s&(bellAsleep|bellWaking) == 0 || r.readOnly {
		return
	}
	if s&bellAsleep != 0 {
		rung := (s&^bellAsleep+bellRing)&bellMask | bellWaking
		if !w.CompareAndSwap(s, rung) {
			// Too late: another actor has rung since. That actor may die before it wakes anybody.
			r.wakeSleepers(w)
			return
		}
		s = rung
	}
	r.wakeSleepers(w)
	// If this fails, the flag stays for the next ring, which wakes once more.
	w.CompareAndSwap(s, s&bellMask)
}

// wakeSleepers ends all sleeps on the bell. In an exploration nobody sleeps; there it is one step, a look at
// the word, before which an actor may die.
func (r *Region) wakeSleepers(w *seam.Uint64) {
	if seam.Exploring() {
		w.Load()
	}
	r.Wake(w)
}

// Listen is called before a look for work, if a sleep follows when there is none. A ring after Listen ends
// that sleep, or prevents it if the ring comes before the sleep begins. The result is for SleepUntilRung.
// Progress: lock-free; on processors without an atomic operation for this step, an actor that is overtaken
// tries again.
//
// An observer (Observe) cannot store that it listens. It hears only rings that wake somebody else.
func (r *Region) Listen() (heard uint32) {
	if r.words == nil {
		return 0 // closed
	}
	w := r.bell()
	s := w.Load()
	if r.readOnly {
		return uint32(s)
	}
	// In one step with the number of rings that is heard. A compare-and-swap that fails because a ring has
	// ended would leave a number that fits as soon as another one listens, whoever has rung meanwhile.
	if s&bellAsleep == 0 {
		s = w.Or(bellAsleep)
	}
	return uint32(s | bellAsleep)
}

// SleepUntilRung sleeps until somebody rings, but no longer than bound. It reports whether anybody has rung
// since the Listen that returned heard. It does not sleep if awake returns true: if awake reads something
// that was stored before a Ring, the sleep does not miss it. awake may be nil. SleepUntilRung may be called
// again with the same heard until it reports a ring. Progress: that of Await.
func (r *Region) SleepUntilRung(heard uint32, bound seam.Duration, awake func() bool) bool {
	if r.words == nil || awake != nil && awake() {
		return false // closed, or awake
	}
	return r.Await(r.bell(), heard, bound)
}

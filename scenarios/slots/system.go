package slots

import (
	"unsafe"

	impl "github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
	model "github.com/samecycle/samecycle/model/slots"
)

// The system's locks and sleeps, as doubles. A sleep compares the word and falls asleep in one step, and is
// over in another one. That of a client which may give up times out at any time. Any other one is over when
// somebody wakes the actor, or times out because a process has died. So a wake-up that is lost is a deadlock.

// system is what the slots ask of the operating system.
type system struct{ w *world }

// Sleep implements impl.System.
func (x system) Sleep(word *seam.Uint64, seen uint32, _ seam.Duration) bool {
	w := x.w
	same := false
	if word == w.word(bellOffset) {
		same = bellWait(word) == seen
	} else {
		same = slotWait(word) == seen
	}
	if actor := w.x.Actor() + 1; same {
		w.sleep(actor, word)
	} else {
		w.timedOut[actor-1] = false
	}
	return true
}

// bellWait and slotWait are the steps in which the system compares a word.
func bellWait(word *seam.Uint64) uint32 { return uint32(word.Load()) }

func slotWait(word *seam.Uint64) uint32 { return uint32(word.Load()) }

// endOfService ends the rounds of a service in its sleep, when all clients have ended.
type endOfService struct{}

// sleep is that of an actor who has just seen the word that it waits for to change.
func (w *world) sleep(actor int, word *seam.Uint64) {
	bit := uint64(1) << actor
	w.sleepsAt[actor-1] = word
	w.own[asleepWord] |= bit
	if w.blocks(actor) {
		w.blocked |= bit
	}
	hook.Active.Wait(hook.Await, w.ownAt(asleepWord), hook.Condition{Word: &w.blocked, Mask: bit})
	old := w.own[asleepWord]
	timedOut := old&bit != 0
	w.timedOut[actor-1] = timedOut
	if timedOut && !w.client(actor) && !w.tidies[actor-1] {
		serviceEnds(w.ownAt(asleepWord), old)
		panic(endOfService{})
	}
	w.own[asleepWord] &^= bit
	sleepEnds(w.ownAt(asleepWord), old, w.own[asleepWord])
}

func sleepEnds(at unsafe.Pointer, old, now uint64) { hook.Active.After(hook.Await, at, old, now, true) }

func serviceEnds(at unsafe.Pointer, old uint64) { hook.Active.After(hook.Await, at, old, old, true) }

// blocks reports whether nothing but a wake-up, a death or the end of all clients ends the sleep that an
// actor begins.
func (w *world) blocks(actor int) bool {
	if w.client(actor) {
		return w.now[actor-1].kind == model.Ask && w.lock[impl.ServiceRole] != 0
	}
	return !w.over && !w.tidies[actor-1]
}

// Wake implements impl.System.
func (x system) Wake(word *seam.Uint64) {
	if word == x.w.word(bellOffset) {
		x.w.bellWake(word)
	} else {
		x.w.slotWake(word)
	}
}

func (w *world) bellWake(word *seam.Uint64) {
	hook.Active.Before(hook.And, w.ownAt(asleepWord))
	old := w.wakes(word)
	hook.Active.After(hook.And, w.ownAt(asleepWord), old, w.own[asleepWord], true)
}

func (w *world) slotWake(word *seam.Uint64) {
	hook.Active.Before(hook.And, w.ownAt(asleepWord))
	old := w.wakes(word)
	hook.Active.After(hook.And, w.ownAt(asleepWord), old, w.own[asleepWord], true)
}

// wakes ends all sleeps at a word, and returns who slept anywhere before.
func (w *world) wakes(word *seam.Uint64) (old uint64) {
	old = w.own[asleepWord]
	for i, at := range w.sleepsAt {
		if bit := uint64(1) << (i + 1); at == word && !w.deaf {
			w.own[asleepWord] &^= bit
			w.blocked &^= bit
		}
	}
	return old
}

// Lives implements impl.System.
func (x system) Lives(r impl.Role) (bool, error) { return x.w.lock[r] != 0, nil }

// peerLock takes the lock of a role for an actor's process, and reports whether nobody had it.
func (w *world) peerLock(r impl.Role, actor int) (bool, error) {
	at := (*seam.Uint64)(w.ownAt(lockWord + int(r)))
	return seam.TryLock(at, func() (bool, error) {
		if w.lock[r] != 0 {
			return false, nil
		}
		w.lock[r] = w.Processes[actor-1]
		return true, nil
	})
}

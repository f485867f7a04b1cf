package shardmap

import (
	_ "sync/atomic" // Not used, but without it no access of seam's types is inlined: half the speed.

	"github.com/samecycle/samecycle/internal/seam"
)

// Lock is a readers-writer lock in one word that spins, with writer preference. Its zero value is free. It
// must not be copied after its first use.
//
// The word:
//
//	bits   meaning
//	31     a writer has the lock, or waits for readers to leave
//	0-30   readers inside, and readers about to take their count back
//
// A reader counts itself and has the lock unless it finds the writer's bit. A writer sets the bit, which
// keeps new readers out, and waits until those inside have left. So readers that keep coming cannot starve a
// writer; writers that keep coming can starve a reader, and another writer.
//
// Nobody makes progress while the holder does not run: the lock blocks. A goroutine that has it must not take
// it again, not even for reading: a writer that waits in between keeps it out for ever.
type Lock struct{ word seam.Uint32 }

const (
	writer  = 1 << 31
	readers = writer - 1
)

// RLock takes the lock for reading. It waits for as long as a writer has the lock or wants it.
func (l *Lock) RLock() {
	if l.readEnter()&writer == 0 {
		return
	}
	l.rlockSlow()
}

// rlockSlow goes on behind a count that found a writer.
func (l *Lock) rlockSlow() {
	for {
		l.readRetreat()
		for spins := 0; l.readWait()&writer != 0; spins++ {
			relax(spins)
		}
		if l.readEnter()&writer == 0 {
			return
		}
	}
}

// RUnlock gives the lock back that RLock has taken. It panics if there is no reader.
func (l *Lock) RUnlock() {
	if l.readLeave()&readers == readers {
		panic("shardmap: RUnlock of a lock that has no reader; call it once for each RLock")
	}
}

// Lock takes the lock for writing. It waits for the writer before it, and then for the readers inside.
func (l *Lock) Lock() {
	for l.writeClaim()&writer != 0 {
		for spins := 0; l.writeWait()&writer != 0; spins++ {
			relax(spins)
		}
	}
	for spins := 0; l.writeDrain()&readers != 0; spins++ {
		relax(spins)
	}
}

// Unlock gives the lock back that Lock has taken. It panics if there is no writer.
func (l *Lock) Unlock() {
	if l.writeLeave()&writer == 0 {
		panic("shardmap: Unlock of a lock that has no writer; call it once for each Lock")
	}
}

// How a goroutine waits. It looks so often with a pause of the processor in between, then so often with
// other goroutines running in between. Then it sleeps between two looks, each time twice as long. Whoever
// has a lock for longer than the pauses take has probably lost its processor: to another goroutine, which
// the yields help with, or to another process, which only sleep helps with. On a machine whose processors
// are wanted by others, mixed operations of the map take half the time that they take without sleep
// (results/shardmap/bench, "yields for ever").
const (
	pauses     = 30
	yields     = 10
	sleepFirst = seam.Millisecond / 50
	sleepMost  = seam.Millisecond
)

// relax lets a while pass between two looks of a loop that waits; looks is how many there were.
func relax(looks int) {
	switch {
	case !seam.Explored && looks < pauses:
		seam.Pause()
	case seam.Explored || looks < pauses+yields:
		seam.Gosched()
	default:
		seam.Sleep(min(sleepFirst<<min(looks-pauses-yields, 8), sleepMost))
	}
}

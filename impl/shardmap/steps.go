package shardmap

import "github.com/samecycle/samecycle/internal/seam"

// The accesses of shared words. Each function is the action of its name in spec/tla/shardmap and makes
// exactly one access; internal/lint holds that, and that no other function of the package makes one.
//
// The steps on the contents of a shard are none in a build without the explorer. They ask for the build
// themselves: a package that uses the map does not import seam, so the compiler would not inline its methods.

// readEnter counts a reader and returns the word as it found it: without the writer's bit the reader has the
// lock.
func (l *Lock) readEnter() uint32 { return l.word.Add(1) - 1 }

// readRetreat takes the count of a reader back that found a writer.
func (l *Lock) readRetreat() { l.word.Add(^uint32(0)) }

// readWait looks whether the writer has gone.
func (l *Lock) readWait() uint32 { return l.word.Load() }

// readLeave gives the lock back that a reader has, and returns the word as it leaves it.
func (l *Lock) readLeave() uint32 { return l.word.Add(^uint32(0)) }

// writeClaim sets the writer's bit and returns the word as it found it: if the bit was clear the caller owns
// it.
func (l *Lock) writeClaim() uint32 { return l.word.Or(writer) }

// writeWait looks whether the writer before has gone.
func (l *Lock) writeWait() uint32 { return l.word.Load() }

// writeDrain looks whether readers are inside.
func (l *Lock) writeDrain() uint32 { return l.word.Load() }

// writeLeave clears the writer's bit and returns the word as it found it. It leaves the counts alone: a
// reader may be about to take its own back.
func (l *Lock) writeLeave() uint32 { return l.word.And(readers) }

// shardLook begins to read the contents of a shard, which the caller has locked for reading or writing.
func (s *shard[K, V, M]) shardLook() {
	if seam.Explored {
		s.guard.Look(s.digest)
	}
}

// shardChange changes the contents of a shard, which the caller has locked for writing.
func (s *shard[K, V, M]) shardChange(apply func()) {
	if !seam.Explored {
		apply()
		return
	}
	s.guard.Change(apply, s.digest)
}

// cleanupClaim takes the flag and returns what it found: 0 if it was free, and is the caller's now.
func (m *Map[K, V, M]) cleanupClaim() uint32 { return m.cleaning.Swap(1) }

// cleanupWait looks whether the cleanup in progress has ended.
func (m *Map[K, V, M]) cleanupWait() uint32 { return m.cleaning.Load() }

// cleanupNext moves the rotation on and returns where it was.
func (m *Map[K, V, M]) cleanupNext() uint32 { return m.cursor.Add(1) - 1 }

// cleanupLeave gives the flag back.
func (m *Map[K, V, M]) cleanupLeave() { m.cleaning.Store(0) }

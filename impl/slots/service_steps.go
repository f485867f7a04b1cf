package slots

import (
	"encoding/binary"

	"github.com/samecycle/samecycle/internal/seam"
)

// The service's steps, by the names of the specification. Each is one access of shared memory, but for
// SlotCopy and SlotAnswer. What they load may be anything at any time: nothing in the file keeps the client
// from writing there.

// bellLook loads the doorbell, between bellSleep and one more scan.
func (m *mailbox) bellLook() uint32 { return uint32(m.bell.Load()) }

// slotScan loads a state.
func (s *slot) slotScan() Word { return Word(s.state.Load()) }

// slotTake takes a request that was seen published.
func (s *slot) slotTake(w Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(w.in(Taken))) }

// requestSize loads the length of the request, once: it is bounded, and not loaded again.
func (s *slot) requestSize() uint64 { return s.request[0].Load() }

// slotCopy copies so many bytes of the request, which the area has. They are interpreted in the copy.
func (s *slot) slotCopy(dst []byte) { seam.CopyOut(dst, s.request, wordBytes) }

// slotAnswer writes the answer, which fits, ahead of it its length.
func (s *slot) slotAnswer(answer []byte) {
	var size [wordBytes]byte
	binary.NativeEndian.PutUint64(size[:], uint64(len(answer)))
	seam.CopyIn(s.response, 0, size[:])
	seam.CopyIn(s.response, wordBytes, answer)
}

// slotDone hands the answer to the client. It fails if the client has abandoned the slot.
func (s *slot) slotDone(w Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(w.in(Done))) }

// slotDrop ends the life of an abandoned slot.
func (s *slot) slotDrop(w Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(w.freed())) }

// slotWake wakes the client that waits for the slot.
func (s *slot) slotWake(system System) { system.Wake(&s.state) }

// slotReclaim changes a slot that a dead process has left, or that is damaged.
func (s *slot) slotReclaim(w, to Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(to)) }

// bellSleep says that the service is about to sleep: whoever rings from here on wakes it. bellLook and
// one more scan follow, ahead of the sleep.
func (m *mailbox) bellSleep() { m.sleeps.Store(1) }

// bellRise says that it does not.
func (m *mailbox) bellRise() { m.sleeps.Store(0) }

// bellWait sleeps while the doorbell is what it was ahead of the scan.
func (m *mailbox) bellWait(heard uint32, most seam.Duration) bool {
	return m.system.Sleep(&m.bell, heard, most)
}

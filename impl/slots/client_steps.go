package slots

import (
	"encoding/binary"

	"github.com/samecycle/samecycle/internal/seam"
)

// The client's steps, by the names of the specification. Each is one access of shared memory, but for
// SlotWrite and SlotRead, which copy words that the slot's state gives to the client alone.

// slotLook loads the state.
func (s *slot) slotLook() Word { return Word(s.state.Load()) }

// slotClaim takes a slot that was seen free.
func (s *slot) slotClaim(w Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(w.claimed())) }

// slotWrite writes the request, which fits, ahead of it its length.
func (s *slot) slotWrite(request []byte) {
	var size [wordBytes]byte
	binary.NativeEndian.PutUint64(size[:], uint64(len(request)))
	seam.CopyIn(s.request, 0, size[:])
	seam.CopyIn(s.request, wordBytes, request)
}

// slotPublish hands the request to the service.
func (s *slot) slotPublish(w Word) bool {
	return s.state.CompareAndSwap(uint64(w), uint64(w.in(Published)))
}

// bellRing changes the doorbell, so that a service which is about to sleep does not. It comes behind the
// publication.
func (m *mailbox) bellRing() { m.bell.Add(1) }

// bellCheck reports whether the service sleeps, or is about to. It comes behind the ring.
func (m *mailbox) bellCheck() bool { return m.sleeps.Load() != 0 }

// bellWake wakes the service.
func (m *mailbox) bellWake() { m.system.Wake(&m.bell) }

// slotWait sleeps while the state is w.
func (s *slot) slotWait(system System, w Word, most seam.Duration) bool {
	return system.Sleep(&s.state, uint32(w), most)
}

// answerSize loads the length of the answer, once: it is bounded, and not loaded again.
func (s *slot) answerSize() uint64 { return s.response[0].Load() }

// slotRead copies so many bytes of the answer, which the area has.
func (s *slot) slotRead(dst []byte) { seam.CopyOut(dst, s.response, wordBytes) }

// slotFree ends the life of a slot that is the client's.
func (s *slot) slotFree(w Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(w.freed())) }

// slotWithdraw takes back a request that nobody has taken.
func (s *slot) slotWithdraw(w Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(w.freed())) }

// slotAbandon leaves the slot to the service, which is performing the request.
func (s *slot) slotAbandon(w Word) bool {
	return s.state.CompareAndSwap(uint64(w), uint64(w.in(Abandoned)))
}

// slotFail ends a request that a dead service had taken.
func (s *slot) slotFail(w Word) bool { return s.state.CompareAndSwap(uint64(w), uint64(w.in(Failed))) }

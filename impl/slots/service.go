package slots

import (
	"github.com/samecycle/samecycle/internal/seam"
)

// Service is the side of a slot file that performs requests. Make one with Create. One goroutine at a time
// may use it; Ring may be called by any.
type Service struct {
	mailbox
	counts Counts
	copied []byte // of the request that is being performed
	answer []byte
	next   int // the first slot of the next scan, so that no slot is always served last
	empty  int // wakes in a row without a request
}

// Counts says what a service has done so far.
type Counts struct {
	Requests  uint64 `json:"requests"`  // performed
	Oversized uint64 `json:"oversized"` // requests with an impossible length; answered as an empty request
	Damaged   uint64 `json:"damaged"`   // slots with an impossible state, which were reset
	Dropped   uint64 `json:"dropped"`   // answers whose client had given up
	Reclaimed uint64 `json:"reclaimed"` // slots that a dead client or service had in use
	Sleeps    uint64 `json:"sleeps"`
	Late      uint64 `json:"late"`  // requests found only at the time limit of a sleep: lost wake-ups
	Empty     uint64 `json:"empty"` // rests because the client woke it again and again without a request
}

// Perform does what a request asks for, and appends the answer to dst, which has room for the longest answer.
// A longer answer is cut off. request is the service's copy, and is valid until Perform returns.
type Perform func(request, dst []byte) (answer []byte)

// Over makes a slot file in memory that is all zero, or opens the one that is there, for a service. The
// caller ensures that the memory has one service at a time. Errors: ErrFile, ErrOptions.
func Over(memory []byte, o Options, s System) (*Service, error) {
	o = o.complete()
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := aligned(memory, o.geometry().size()); err != nil {
		return nil, err
	}
	x := newService(over(memory, o.geometry(), s))
	if x.fixed[0] == 0 {
		x.fixed = x.header()
	}
	if err := x.checkHeader("clear the memory when nobody uses it any more"); err != nil {
		return nil, err
	}
	x.inherit()
	return x, nil
}

func newService(m mailbox) *Service {
	return &Service{mailbox: m, copied: make([]byte, m.request),
		answer: make([]byte, 0, m.response-wordBytes)}
}

// Counts returns the counts so far.
func (s *Service) Counts() Counts { return s.counts }

// AnswerMax is the largest number of bytes of an answer.
func (s *Service) AnswerMax() int { return int(s.response) - wordBytes }

// inherit ends the requests that the previous service had taken. That service is dead, because this one has
// its lock.
func (s *Service) inherit() {
	for i := range s.slots {
		s.judge(&s.slots[i], s.slots[i].slotScan())
	}
}

// judge repairs a slot in a state that this service, which performs one request at a time, cannot have left
// itself: a dead service had taken its request, or the client has made the state up. If the client changes
// the slot at the same time, for example by abandoning it, judge looks again: otherwise the service would
// sleep while there is a slot that only it can free.
func (s *Service) judge(x *slot, w Word) {
	for range reclaimTries {
		switch {
		case !w.Sound():
			if x.slotReclaim(w, w.freed()) {
				s.counts.Damaged++
				x.slotWake(s.system)
				return
			}
		case w.State() == Abandoned:
			if x.slotDrop(w) {
				s.counts.Reclaimed++
				return
			}
		case w.State() == Taken:
			if x.slotReclaim(w, w.in(Failed)) {
				s.counts.Reclaimed++
				x.slotWake(s.system)
				return
			}
		default:
			return
		}
		w = x.slotScan()
	}
}

// Turn performs the requests that are published, each at most once. If there is none, it sleeps until the
// client rings or most has passed, and returns 0. Errors: ErrCorrupt if the file was truncated; the service
// can then do nothing more for this client. Progress: apart from the calls of perform, of which there are at
// most as many as slots, it blocks for at most the bound.
func (s *Service) Turn(perform Perform, most seam.Duration) (performed int, err error) {
	err = s.guard(func() {
		if performed = s.scan(perform); performed > 0 {
			s.empty = 0
			return
		}
		// Whoever publishes behind this scan rings, and then sees that the service sleeps; or the doorbell is
		// loaded behind the ring, and then the second scan sees the request. So no wake-up is lost.
		s.bellSleep()
		heard := s.bellLook()
		if performed = s.scan(perform); performed > 0 {
			s.empty = 0
		} else {
			s.rest(heard, most)
		}
		s.bellRise()
	})
	return performed, err
}

// scan looks at each slot once and performs what is published.
func (s *Service) scan(perform Perform) (performed int) {
	first := s.next
	for i := range s.slots {
		at := (first + i) % len(s.slots)
		x := &s.slots[at]
		w := x.slotScan()
		if w.State() != Published || !w.Sound() {
			s.judge(x, w)
			continue
		}
		if x.slotTake(w) {
			s.serve(x, w.in(Taken), perform)
			performed++
			s.next = at + 1
		}
	}
	return performed
}

// serve performs the request in a slot that it has taken.
func (s *Service) serve(x *slot, w Word, perform Perform) {
	size := x.requestSize()
	if size > s.request-wordBytes {
		s.counts.Oversized++
		size = 0
	}
	request := s.copied[:size]
	x.slotCopy(request)
	answer := perform(request, s.answer[:0])
	x.slotAnswer(answer[:min(len(answer), s.AnswerMax())])
	s.counts.Requests++
	if x.slotDone(w) {
		x.slotWake(s.system)
		return
	}
	if x.slotDrop(w.in(Abandoned)) {
		s.counts.Dropped++
		return
	}
	s.counts.Damaged++ // the client has changed the state; the next scan judges what is there
}

// A client may wake its service again and again without a request. The service then sleeps for a while, so
// that such a client does not use a whole processor.
const (
	emptyFree = 16 // in a row that are answered at once
	emptyMost = 16 * seam.Millisecond
)

// rest sleeps until the client rings.
func (s *Service) rest(heard uint32, most seam.Duration) {
	s.counts.Sleeps++
	end := seam.Within(most)
	if !s.bellWait(heard, most) {
		seam.Sleep(min(most, seam.PollFirst)) // a system that cannot sleep on a word
	}
	if seam.Exploring() {
		return
	}
	rung, early := s.bellLook() != heard, end.Left() > 0
	switch {
	case !rung && !early:
		s.empty = 0 // nobody wants anything
		return
	case rung && !early:
		s.counts.Late++
	}
	// Somebody has rung, or has woken the service without a ring. If the next scans find nothing, that was
	// for nothing.
	if s.empty++; s.empty > emptyFree {
		s.counts.Empty++
		seam.Sleep(min(most, emptyMost))
	}
}

// Tidy frees the slots that a client has left, if the client is dead. The service calls it from time to time,
// so that slots do not keep requests for which nobody waits. Errors: ErrSystem, ErrCorrupt.
func (s *Service) Tidy() error {
	for i := range s.slots {
		x := &s.slots[i]
		var w Word
		if err := s.guard(func() { w = x.slotScan() }); err != nil {
			return err
		}
		if st := w.State(); st != Claimed && st != Done && st != Failed {
			continue
		}
		// The look comes ahead of the question: whoever has written what was seen is dead if nobody lives
		// then.
		lives, err := s.peerLook(ClientRole)
		if lives || err != nil {
			return err
		}
		err = s.guard(func() {
			if x.slotReclaim(w, w.freed()) {
				s.counts.Reclaimed++
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Ring ends a sleep of the service, as a request does. It may be called by any goroutine of the service's
// process, until Close.
func (s *Service) Ring() error {
	return s.guard(func() {
		s.bellRing()
		s.bellWake()
	})
}

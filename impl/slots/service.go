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
	next   int // the slot to begin a scan with, so that none is served last for ever
	empty  int // wakes in a row without a request
}

// Counts are what a service has done so far.
type Counts struct {
	Requests  uint64 `json:"requests"`  // performed
	Oversized uint64 `json:"oversized"` // requests whose length is none; answered as an empty request
	Damaged   uint64 `json:"damaged"`   // slots with a state that cannot be, reset
	Dropped   uint64 `json:"dropped"`   // answers that nobody waits for any more
	Reclaimed uint64 `json:"reclaimed"` // slots that a dead client or service had left
	Sleeps    uint64 `json:"sleeps"`
	Late      uint64 `json:"late"`  // requests that a sleep found at its bound: lost wake-ups
	Empty     uint64 `json:"empty"` // rests, for a client that wakes it again and again for nothing
}

// Perform does what a request asks for, and appends the answer to dst, which has room for the longest one. An
// answer that is longer is cut off. The request is the caller's copy, good until Perform returns.
type Perform func(request, dst []byte) (answer []byte)

// Over makes a slot file in memory that is all zero, or takes the one that is there, for a service. The
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

// Counts are those so far.
func (s *Service) Counts() Counts { return s.counts }

// AnswerMax is how many bytes an answer may have.
func (s *Service) AnswerMax() int { return int(s.response) - wordBytes }

// inherit ends what a service before this one has left, which is dead: this one has its lock.
func (s *Service) inherit() {
	for i := range s.slots {
		s.judge(&s.slots[i], s.slots[i].slotScan())
	}
}

// judge ends what this service, which performs one request at a time, cannot have left in the slot itself:
// what a dead service had, or what the client has made up. If the client changes the slot meanwhile, as by
// abandoning it, it looks again: the service would otherwise sleep with a slot that only it can free.
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
// client rings or most has passed, and returns 0. Errors: ErrCorrupt when the file was truncated: the service
// can do nothing more for this client. Progress: it blocks for at most the bound, besides the calls of
// perform, of which there are at most as many as slots.
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

// How a service meets a client that wakes it without a request: it sleeps for a while, so that such a client
// does not take a processor.
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

// Tidy frees what a dead client has left, if the client is dead. The service calls it now and then, so that
// the slots do not keep requests which nobody waits for. Errors: ErrSystem, ErrCorrupt.
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

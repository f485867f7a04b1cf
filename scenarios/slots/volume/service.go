package volume

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/slots"
)

// A request has the kind, the key, and its number, which is the value that it puts; an answer the number, and
// what was there.
const (
	requestBytes = 24
	answerBytes  = 16
)

func appendRequest(b []byte, k kind, key uint32, number uint64) []byte {
	b = binary.NativeEndian.AppendUint64(b, uint64(k))
	b = binary.NativeEndian.AppendUint64(b, uint64(key))
	return binary.NativeEndian.AppendUint64(b, number)
}

// server serves the file of a place.
type server struct {
	*memory
	recipe
	at    int
	core  *slots.Service
	fault fault
	tries int
	stop  chan struct{} // closed: it is to end
	ended chan error

	// Of the question whether the client lives.
	seen  slots.Word // what the slot had when it was asked
	other bool       // the slot has had another life since, and is in use
}

// newServer takes the role, which nobody has, and the file.
func newServer(m *memory, r recipe, at int, f fault) (*server, error) {
	s := &server{memory: m, recipe: r, at: at, fault: f, stop: make(chan struct{}),
		ended: make(chan error, 1)}
	sys := &system{memory: m, at: at, fault: f}
	if r.linger > 0 {
		sys.linger = s.lingers
	}
	var err error
	if s.core, err = slots.Over(m.file(at), m.options(), sys); err != nil {
		return nil, err
	}
	return s, nil
}

// lingers waits, when the client is dead, until another one has the slot, or not.
func (s *server) lingers(slots.Role) {
	s.seen = s.state(s.at, 0)
	for end := time.Now().Add(s.linger); time.Now().Before(end); time.Sleep(20 * time.Microsecond) {
		select {
		case <-s.stop:
			return
		default:
		}
		if w := s.state(s.at, 0); w.Serial() > s.seen.Serial() && w.State() != slots.Free {
			s.other = true
			return
		}
	}
}

// run serves until it is stopped.
func (s *server) run() {
	err := error(nil)
	late := uint64(0)
	for err == nil {
		select {
		case <-s.stop:
			s.ended <- nil
			return
		default:
		}
		n := 0
		n, err = s.core.Turn(s.perform, s.idle)
		if err == nil && s.idle != asleep && (n == 0 || s.fault.dead) {
			err = s.tidy()
		}
		if now := s.core.Counts().Late; now != late {
			s.place(s.at, placeLate).Add(now - late)
			late = now
		}
	}
	s.ended <- err
}

// tidy frees what a dead client has left, and nothing of another one.
func (s *server) tidy() error {
	s.other = false
	before := s.core.Counts().Reclaimed
	if err := s.core.Tidy(); err != nil || !s.other {
		return err
	}
	if s.fault.stale { // as a compare-and-swap without serials would
		s.files[s.stateAt(s.at, 0)].Store(uint64(s.seen.Serial()+1) << 8)
		before--
	}
	if s.core.Counts().Reclaimed != before {
		return fmt.Errorf("a service has freed a slot that a client has: it was %v with serial %d when it "+
			"was looked at", s.seen.State(), s.seen.Serial())
	}
	s.words[wordReuse].Add(1)
	return nil
}

// perform is a slots.Perform.
func (s *server) perform(request, dst []byte) []byte {
	if len(request) != requestBytes {
		return dst
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(request[8*i:]) }
	k, key, number := kind(word(0)), word(1)%keys, word(2)
	e, register := s.entry(number), &s.words[wordRegister+key]
	times := 1
	if s.tries++; s.fault.more && s.tries%64 == 0 {
		times = 2
	}
	old := uint64(0)
	s.spin()
	for range times {
		e[doneNumber].Store(number)
		e[doneCount].Add(1)
		if old = register.Load(); k != kindGet {
			old = register.Swap(number)
		}
		e[doneOld].Store(old + 1)
	}
	s.spin()
	dst = binary.NativeEndian.AppendUint64(dst, number)
	return binary.NativeEndian.AppendUint64(dst, old)
}

// spin lingers within a request, so that others give up, or die, meanwhile.
func (s *server) spin() {
	for end := time.Now().Add(s.work / 2); time.Now().Before(end); {
	}
}

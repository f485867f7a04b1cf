package slots

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/internal/seam"
)

// Client is the side of a slot file that writes requests. Make one with Dial. All goroutines may call its
// methods at once, each with a Held of its own. Close must come after every other use.
type Client struct{ mailbox }

// Held is a slot that the client has claimed, with the last word that was seen in it. It belongs to one
// goroutine.
type Held struct {
	index int
	word  Word
}

// Outcome says what happened to a request.
type Outcome uint8

// The outcomes.
const (
	Pending  Outcome = iota // nothing yet
	Answered                // it was performed, once; the answer has been read
	NotDone                 // it was not performed, and never will be
	Unknown                 // it may have been performed, may be performed later, or never; once at most
)

// String is the outcome's name.
func (o Outcome) String() string {
	return [...]string{"pending", "answered", "not done", "unknown"}[o&3]
}

// OverClient makes a client on memory that the caller has mapped, and in which Over has made a slot file. The
// caller ensures that the memory has one client at a time. Errors: ErrFile, ErrOptions.
func OverClient(memory []byte, o Options, s System) (*Client, error) {
	o = o.complete()
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := aligned(memory, o.geometry().size()); err != nil {
		return nil, err
	}
	c := &Client{over(memory, o.geometry(), s)}
	if err := c.checkHeader("use the options that the service has"); err != nil {
		return nil, err
	}
	c.inherit()
	return c, nil
}

// RequestMax is the largest number of bytes of a request.
func (c *Client) RequestMax() int { return int(c.request) - wordBytes }

// AnswerMax is the largest number of bytes of an answer.
func (c *Client) AnswerMax() int { return int(c.response) - wordBytes }

// Slots is the number of requests that can be in flight at once.
func (c *Client) Slots() int { return len(c.slots) }

// ServiceLives reports whether a service has the file open. Errors: ErrSystem.
func (c *Client) ServiceLives() (bool, error) { return c.peerLook(ServiceRole) }

// inherit frees the slots of the previous client, which is dead, because this client has its lock.
func (c *Client) inherit() {
	for i := range c.slots {
		s := &c.slots[i]
		for range reclaimTries {
			w := s.slotLook()
			if w.State() == Free && w.Sound() || w.State() == Abandoned || s.slotReclaim(w, leftByClient(w)) {
				break
			}
		}
	}
}

// reclaimTries bounds how often a slot that others change is tried again. In one life a slot changes at most
// five times.
const reclaimTries = 8

// leftByClient is the next word of a slot that a dead client has left.
func leftByClient(w Word) Word {
	if w.State() == Taken {
		return w.in(Abandoned)
	}
	return w.freed()
}

// Claim takes a free slot, or reports that there is none. It looks at each slot once. Errors: ErrCorrupt when
// the file was truncated. Progress: wait-free.
func (c *Client) Claim() (h Held, ok bool, err error) {
	err = c.guard(func() {
		for i := range c.slots {
			w := c.slots[i].slotLook()
			if w.State() == Free && w.Sound() && c.slots[i].slotClaim(w) {
				h, ok = Held{i, w.claimed()}, true
				return
			}
		}
	})
	return h, ok, err
}

// Send writes a request of at most RequestMax bytes into the slot, publishes it and wakes the service.
// Errors: ErrTooLarge, and the slot is free again; ErrCorrupt. Progress: wait-free.
func (c *Client) Send(h *Held, request []byte) (err error) {
	if len(request) > c.RequestMax() {
		err = &Error{Reason: ErrTooLarge, File: c.path, Field: "request",
			Found: fmt.Sprintf("%d bytes", len(request)), Want: fmt.Sprintf("at most %d", c.RequestMax()),
			Do: "send less at once, or let the service create the file with larger request areas"}
		return errors.Join(err, c.guard(func() { c.slots[h.index].slotFree(h.word) }))
	}
	bad := c.guard(func() {
		s := &c.slots[h.index]
		s.slotWrite(request)
		if !s.slotPublish(h.word) {
			err = c.overwritten(h, s.slotLook())
			return
		}
		h.word = h.word.in(Published)
		c.bellRing()
		if c.bellCheck() {
			c.bellWake()
		}
	})
	return errors.Join(err, bad)
}

// overwritten is the error that another process has changed a slot that only this client may change.
func (c *Client) overwritten(h *Held, found Word) error {
	return &Error{Reason: ErrCorrupt, File: c.path, Field: fmt.Sprintf("slot %d", h.index),
		Found: fmt.Sprintf("%v with serial %d", found.State(), found.Serial()),
		Want:  fmt.Sprintf("%v with serial %d, or a later state", h.word.State(), h.word.Serial()),
		Do:    "find out who else writes to the file; only one client may"}
}

// Poll checks the outcome of the request. If it was answered, Poll appends the answer to dst and frees the
// slot. Unless the outcome is Pending, the slot no longer belongs to the caller. Errors: ErrCorrupt, with
// Unknown. Progress: wait-free.
func (c *Client) Poll(h *Held, dst []byte) (o Outcome, answer []byte, err error) {
	bad := c.guard(func() { o, answer, err = c.poll(h, dst) })
	if err = errors.Join(bad, err); err != nil {
		return Unknown, dst, err
	}
	return o, answer, nil
}

func (c *Client) poll(h *Held, dst []byte) (Outcome, []byte, error) {
	s := &c.slots[h.index]
	w := s.slotLook()
	if w.Serial() != h.word.Serial() {
		return Unknown, dst, c.overwritten(h, w)
	}
	switch w.State() {
	case Published, Taken:
		h.word = w
		return Pending, dst, nil
	case Failed:
		s.slotFree(w)
		return Unknown, dst, nil
	case Done:
		return c.read(h, w, dst)
	}
	return Unknown, dst, c.overwritten(h, w)
}

// read takes the answer and frees the slot.
func (c *Client) read(h *Held, w Word, dst []byte) (Outcome, []byte, error) {
	s := &c.slots[h.index]
	size := s.answerSize()
	if size > uint64(c.AnswerMax()) {
		s.slotFree(w)
		return Unknown, dst, &Error{Reason: ErrCorrupt, File: c.path, Field: "length of the answer",
			Found: fmt.Sprint(size), Want: fmt.Sprintf("at most %d", c.AnswerMax()),
			Do: "the request was performed, but its answer is damaged"}
	}
	from := len(dst)
	dst = append(dst, make([]byte, size)...)
	s.slotRead(dst[from:])
	if !s.slotFree(w) { // so nobody has changed it meanwhile
		return Unknown, dst[:from], c.overwritten(h, s.slotLook())
	}
	return Answered, dst, nil
}

// Sleep waits until the slot's word differs from the one that was last seen, for at most so long. It may
// return earlier for no reason, so call Poll afterwards. Progress: it blocks for no longer than the bound and
// what the scheduler adds.
func (c *Client) Sleep(h *Held, most seam.Duration) error {
	return c.guard(func() {
		if !c.slots[h.index].slotWait(c.system, h.word, most) {
			seam.Sleep(min(most, seam.PollFirst)) // a system that cannot sleep on a word
		}
	})
}

// GiveUp ends the wait for a request. The outcome is NotDone if the service had not taken it, Unknown if the
// service has it, and Answered, as in Poll, if it was just answered. Errors: those of Poll. Progress:
// wait-free.
func (c *Client) GiveUp(h *Held, dst []byte) (o Outcome, answer []byte, err error) {
	bad := c.guard(func() {
		s := &c.slots[h.index]
		for range reclaimTries {
			o, answer, err = c.poll(h, dst)
			switch {
			case o != Pending || err != nil:
				return
			case h.word.State() == Published && s.slotWithdraw(h.word):
				o = NotDone
				return
			case h.word.State() == Taken && s.slotAbandon(h.word):
				o = Unknown
				return
			}
		}
		o, err = Unknown, c.overwritten(h, h.word)
	})
	if err = errors.Join(bad, err); err != nil {
		return Unknown, dst, err
	}
	return o, answer, nil
}

// Mourn checks whether a service has the file open. If not, it ends the wait for a request: NotDone or
// Unknown, or Answered as in Poll. If a service lives, it is Poll. Errors: those of Poll; ErrSystem, with
// Pending.
func (c *Client) Mourn(h *Held, dst []byte) (o Outcome, answer []byte, err error) {
	// The look comes ahead of the question. So whoever had taken the request is dead if nobody lives then.
	if o, answer, err = c.Poll(h, dst); o != Pending || err != nil {
		return o, answer, err
	}
	lives, err := c.ServiceLives()
	if lives || err != nil {
		return Pending, dst, err
	}
	if h.word.State() == Taken {
		bad := c.guard(func() { c.slots[h.index].slotFail(h.word) }) // or the next service has failed it
		if bad != nil {
			return Unknown, dst, bad
		}
		return c.Poll(h, dst)
	}
	return c.GiveUp(h, dst)
}

// Wake ends a Sleep for the slot in this process, so that the goroutine that sleeps checks its conditions.
func (c *Client) Wake(h *Held) { c.slots[h.index].slotWake(c.system) }

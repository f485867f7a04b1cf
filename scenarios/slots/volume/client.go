package volume

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/stress"
)

// The words of an operation:
//
//	request  kind<<32 | key; number
//	result   outcome; what the register had
const wordKind = 32

func request(k kind, key uint32, number uint64) stress.Words {
	return stress.Words{uint64(k)<<wordKind | uint64(key), number}
}

func kindOf(w stress.Words) kind  { return kind(w[0] >> wordKind) }
func keyOf(w stress.Words) uint32 { return uint32(w[0]) }

// Bits of what After keeps.
const (
	seenGaveUp = 1 << iota // the service had the request when the client gave up
	seenDied               // the service died with the request
	seenSleep              // the service fell asleep as the request was published
)

// client is one actor of a run: a goroutine, or a process; with its service beside it.
type client struct {
	*memory
	recipe
	subject *subject
	at      int // of the file whose client it is
	core    *slots.Client
	server  *server
	random  *rand.Rand
	seen    uint64
	buffer  []byte
	answer  []byte
}

// takeTime bounds how long a newcomer waits for a place. The roles of a dead one are free when it is started.
const takeTime = 10 * time.Second

// newClient takes a place in the ring whose service is dead, or nobody yet, and the role of the client beside
// it, which is of the same one.
func newClient(s *subject, state int, m *memory, owner uint32) (*client, error) {
	c := &client{memory: m, recipe: recipes[state], subject: s,
		random: rand.New(rand.NewPCG(uint64(owner), 5))}
	for end := time.Now().Add(takeTime); ; time.Sleep(100 * time.Microsecond) {
		for i := range m.places {
			ok, err := m.take(i, placeService)
			if err != nil {
				return nil, err
			}
			if ok {
				return c, c.begin(i, owner)
			}
		}
		if time.Now().After(end) {
			return nil, errors.New("no place in the ring is free")
		}
	}
}

// begin takes the files.
func (c *client) begin(place int, owner uint32) (err error) {
	c.at = (place + 1) % c.places
	if c.server, err = newServer(c.memory, c.recipe, place, c.subject.fault); err != nil {
		return err
	}
	go c.server.run()
	ok := false
	for end := time.Now().Add(takeTime); !ok; time.Sleep(20 * time.Microsecond) {
		if ok, err = c.take(c.at, placeClient); err != nil {
			return err
		}
		if !ok && time.Now().After(end) {
			return fmt.Errorf("file %d has a client already", c.at)
		}
	}
	// The file may be new: then its own service makes it.
	c.core, err = slots.OverClient(c.file(c.at), c.options(), &system{memory: c.memory, at: c.at,
		fault: c.subject.fault})
	c.place(place, placeOwner).Store(uint64(owner))
	return err
}

// end ends the service of a goroutine's client.
func (c *client) end() error {
	close(c.server.stop)
	if err := c.server.core.Ring(); err != nil {
		return err
	}
	return <-c.server.ended
}

func (*client) Begin(uint64) {}

// Next draws an operation.
func (c *client) Next(rng *rand.Rand) stress.Words {
	mix := c.mix
	for k := range mix {
		mix[k]++
	}
	return request(kind(stress.Draw(rng, mix[:])), rng.Uint32N(keys), c.words[wordNext].Add(1))
}

func (c *client) Before(stress.Words) { c.seen = 0 }

func (c *client) After(stress.Words, stress.Words, []stress.Words) stress.Seen {
	return stress.Seen{Extra: c.seen}
}

// Call makes the operation.
func (c *client) Call(req stress.Words) (res stress.Words, notes []stress.Words, err error) {
	select {
	case err := <-c.server.ended:
		return res, nil, fmt.Errorf("the service has ended by itself: %w", err)
	default:
	}
	o, old, err := c.ask(kindOf(req), keyOf(req), req[1])
	if err != nil {
		return res, nil, fmt.Errorf("%v of register %d: %w", kindOf(req), keyOf(req), err)
	}
	res = stress.Words{uint64(o), old}
	if c.subject.fault.lie != nil {
		c.subject.fault.lie(req, &res)
	}
	return res, nil, nil
}

// ask makes a request, and waits for what becomes of it.
func (c *client) ask(k kind, key uint32, number uint64) (o slots.Outcome, old uint64, err error) {
	h, ok, err := c.core.Claim()
	if err != nil || !ok {
		return slots.NotDone, 0, err // an abandoned one is to be dropped first
	}
	c.buffer = appendRequest(c.buffer[:0], k, key, number)
	awake := !c.sleeps(c.at)
	if err := c.core.Send(&h, c.buffer); err != nil {
		return slots.Unknown, 0, err
	}
	slept := awake && c.sleeps(c.at)
	begun := time.Now()
	wait := lookEvery
	if k == kindTry {
		wait = time.Duration(1 + c.random.Int64N(int64(c.short)))
	}
	for {
		o, c.answer, err = c.core.Poll(&h, c.answer[:0])
		if o != slots.Pending || err != nil {
			break
		}
		if err := c.core.Sleep(&h, wait); err != nil {
			return slots.Unknown, 0, err
		}
		if time.Since(begun) < wait {
			continue
		}
		if o, c.answer, err = c.turn(k, &h); o != slots.Pending || err != nil {
			break
		}
		if time.Since(begun) > patience {
			return slots.Unknown, 0, fmt.Errorf("the request waits for %v, and the service lives: the slot "+
				"is %v", time.Since(begun), c.state(c.at, 0).State())
		}
	}
	if o != slots.Answered || err != nil {
		return o, 0, err
	}
	if len(c.answer) != answerBytes || binary.NativeEndian.Uint64(c.answer) != number {
		return o, 0, fmt.Errorf("whole: request %d has an answer of another one: %x", number, c.answer)
	}
	if slept {
		c.seen |= seenSleep
	}
	return o, binary.NativeEndian.Uint64(c.answer[8:]), nil
}

// turn ends the wait, if that is due: of a try in any case, else if the service is dead.
func (c *client) turn(k kind, h *slots.Held) (o slots.Outcome, answer []byte, err error) {
	if k == kindTry {
		if o, answer, err = c.core.GiveUp(h, c.answer[:0]); o == slots.Unknown && err == nil {
			c.seen |= seenGaveUp
		}
		return o, answer, err
	}
	if o, answer, err = c.core.Mourn(h, c.answer[:0]); o == slots.Unknown && err == nil {
		c.seen |= seenDied
	}
	return o, answer, err
}

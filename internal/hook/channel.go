package hook

import "fmt"

// A Channel is the word of a channel. It holds the length of its buffer, how many actors wait in its queues
// to send and to receive, whether it is closed, and whether a send and a receive would have to wait now. It
// is the value of the steps on the channel.
type Channel uint64

// The parts of the word. CannotSend and CannotReceive are masks for a [Condition].
const (
	CannotSend    Channel = 1 << 63
	CannotReceive Channel = 1 << 62
	closedBit     Channel = 1 << 61

	// Turn changes with each step that changes what goes with a channel but not the channel, as whether a
	// timer will send.
	Turn Channel = 1 << 60

	lengthBits  = 32
	waitingBits = 14
)

// NewChannel makes the word of a channel. More than 2^14-1 that wait, or 2^32-1 elements, are as many modulo
// these numbers plus one.
func NewChannel(length, senders, receivers int, closed bool) Channel {
	const waiting = 1<<waitingBits - 1
	c := Channel(length)&(1<<lengthBits-1) | Channel(senders)&waiting<<lengthBits |
		Channel(receivers)&waiting<<(lengthBits+waitingBits)
	if closed {
		c |= closedBit
	}
	return c
}

// String renders the length, then what else there is to say.
func (c Channel) String() string {
	part := func(from, bits int) uint64 { return uint64(c) >> from & (1<<bits - 1) }
	s := fmt.Sprint("len ", part(0, lengthBits))
	if n := part(lengthBits, waitingBits); n > 0 {
		s += fmt.Sprintf(", %d wait to send", n)
	}
	if n := part(lengthBits+waitingBits, waitingBits); n > 0 {
		s += fmt.Sprintf(", %d wait to receive", n)
	}
	if c&closedBit != 0 {
		s += ", closed"
	}
	return s
}

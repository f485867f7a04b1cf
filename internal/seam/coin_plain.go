//go:build !explore

package seam

import "math/rand/v2"

// Coin gives random bits, 63 for one call of the runtime's generator. The zero value is ready. One goroutine
// at a time may use it.
type Coin struct{ bits uint64 } // those that are left, and above them a 1

// Toss returns 0 or 1 with equal probability.
func (c *Coin) Toss() uint32 {
	if c.bits <= 1 {
		c.bits = rand.Uint64() | 1<<63
	}
	bit := uint32(c.bits) & 1
	c.bits >>= 1
	return bit
}

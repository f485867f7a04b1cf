package volume

import (
	"fmt"
	"time"

	"github.com/samecycle/samecycle/stress"
)

// wishClock is the clock of who wants a writer, or hears that one is wanted. It may linger behind the
// reading, until the word is another one.
func (c *client) wishClock() uint32 {
	c.clock = true
	now := uint32(c.run[wordClock].Load())
	c.lingerAtWish()
	return now
}

// lingerAtWish returns, now and then, only when the word of the handover is another one, or after some time.
func (c *client) lingerAtWish() {
	if c.random.IntN(lingerEvery) != 0 {
		return
	}
	word := c.wish[0].Load()
	for start := time.Now(); time.Since(start) < c.linger && c.wish[0].Load() == word; {
	}
}

// want says that a writer is wanted.
func (c *client) want() (res stress.Words) {
	if c.wishes.Want() {
		res[0] = 1
	}
	return res
}

// ask asks whether one is wanted. A wish that it could not take, and whose time is not over behind that, was
// taken by another one: nobody says another one in that time.
func (c *client) ask() (res stress.Words) {
	c.turn = turn{}
	seen := c.wishes.Look()
	c.word = uint64(seen)
	if seen == 0 {
		return res
	}
	c.lingerAtWish()
	switch {
	case c.wishes.Hear(seen):
		res[0] = 1
	case !c.clock && seen.Holds(uint32(c.run[wordClock].Load()), c.lasts):
		c.seen |= seenOther
	}
	return res
}

// wish is what the judge knows of a wish: its time is over at a moment between two of the clock. It is zero
// if there is none.
type wish struct{ least, most uint64 }

// String names the moments.
func (w wish) String() string {
	if w == (wish{}) {
		return "none"
	}
	return fmt.Sprintf("until %d to %d", w.least, w.most)
}

// wishOf is the wish of a word, at rest. This is a second text of handover.Wish, on purpose.
func wishOf(word uint64) wish {
	if word>>32 != 1 {
		return wish{}
	}
	return wish{word & (1<<32 - 1), word & (1<<32 - 1)}
}

// wished is the wish behind an act, and whether the act may end so. Between its begin and its end the answer
// may be one of any moment.
func (b *began) wished(w wish, q asked, r given) (wish, bool) {
	may, must := w.most > q.n, w.least > r.n
	said := wish{q.n + uint64(b.lasts), r.n + uint64(b.lasts)}
	switch {
	case q.act == actWant && r.held && may && !must: // said, or seen
		return wish{min(w.least, said.least), max(w.most, said.most)}, true
	case q.act == actWant && r.held && !may:
		return said, true
	case q.act == actWant: // it is there, or somebody came between
		return w, true
	case q.act == actAsk && r.held:
		return wish{}, may
	case q.act == actAsk:
		return wish{}, !must
	}
	return w, w.least <= r.rest.least && r.rest.most <= w.most || r.rest == wish{} && !must
}

package explore

import (
	"fmt"
	"math/bits"
)

// guideKill is the smallest byte of Options.Guide that kills, at a decision where a death is possible.
const guideKill = 0xF0

// A guide is the drawer of Options.Guide. Each decision with alternatives takes one byte. A byte below
// guideKill chooses the actor that is so many places behind the one that would continue, in turn. A byte
// from guideKill on chooses the death of an actor, if an actor can die now. After the last byte the first
// option is taken, and no actor dies. So every sequence of bytes decides one execution, and every execution
// of a program whose decisions have at most 240 alternatives has such a sequence.
type guide struct {
	left []byte // bytes left for the running execution
}

func (g *guide) begin(e *engine) { g.left = e.o.Guide }

func (*guide) step(*engine, *actor) {}

func (g *guide) pick(_ *engine, a *actor, opts uint64) int {
	c := first(a, opts)
	b, ok := g.next()
	kills := opts &^ (1<<killBit - 1)
	switch steps := opts &^ kills; {
	case !ok:
		return c
	case b >= guideKill && kills != 0:
		return nth(kills, b%bits.OnesCount64(kills))
	case steps == 0:
		return c
	default:
		before := bits.OnesCount64(steps & (1<<uint(c) - 1))
		return nth(steps, (before+b)%bits.OnesCount64(steps))
	}
}

func (g *guide) data(opts uint64) int {
	b, _ := g.next()
	return nth(opts, b%bits.OnesCount64(opts))
}

func (g *guide) next() (b int, ok bool) {
	if len(g.left) == 0 {
		return 0, false
	}
	b = int(g.left[0])
	g.left = g.left[1:]
	return b, true
}

func (*guide) end(*engine) {}

func (*guide) clause(e *engine) string {
	return fmt.Sprintf("decided by %d given bytes, then by first options", len(e.o.Guide))
}

// checkGuide refuses options that a guide cannot decide.
func (o Options) checkGuide() error {
	if o.Guide != nil && (o.Walks != 1 || o.Strategy != Plain) {
		return fmt.Errorf("%w: Guide with %d Walks of strategy %v; it decides one plain one: use Walks 1",
			ErrOptions, o.Walks, o.Strategy)
	}
	return nil
}

// newDrawer returns the drawer of random executions, or that of the given guide.
func newDrawer(o Options) drawer {
	if o.Guide != nil {
		return &guide{}
	}
	return newWalk(o)
}

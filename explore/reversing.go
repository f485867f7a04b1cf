package explore

import (
	"fmt"
	"math/bits"
)

// reversingWalk is the strategy Reversing.
type reversingWalk struct{ c *Coverage }

// The weights of an actor at a decision, by what its next access would add to the coverage.
const (
	newOrder   = 32 // another actor has yet to make a conflicting access, and has never come second
	noMatter   = 8
	knownOrder = 1 // the other actor has yet to come, but only its coming first would be new
)

func (*reversingWalk) begin(*walk, *engine) {}
func (*reversingWalk) step(*engine, *actor) {}
func (*reversingWalk) end(*walk, *engine)   {}

func (r *reversingWalk) pick(w *walk, e *engine, opts uint64) int {
	sum := 0
	for m := opts; m != 0; m &= m - 1 {
		sum += r.weight(e, bits.TrailingZeros64(m))
	}
	at := w.IntN(sum)
	for m := opts; ; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if at -= r.weight(e, i); at < 0 {
			return i
		}
	}
}

// weight examines the pairs of the access that actor i stands at.
func (r *reversingWalk) weight(e *engine, i int) int {
	x := r.c.next(e.actors[i])
	if x < 0 {
		return noMatter
	}
	weight := noMatter
	for _, y := range r.c.partners[x] {
		if r.c.made[y] == r.c.epoch || e.live>>uint(r.c.at[y].actor)&1 == 0 {
			continue
		}
		if !r.c.seen(x, y) {
			return newOrder
		}
		if !r.c.seen(y, x) {
			weight = knownOrder
		}
	}
	return weight
}

func (r *reversingWalk) clause(*walk, *engine) string {
	both, oneWay := r.c.Pairs()
	return fmt.Sprintf("drawn with a preference for orders not seen yet: %d pairs of conflicting "+
		"accesses were seen in both orders, %d in one", both, len(oneWay))
}

// stand notes which access a stands at.
func (e *engine) stand(a *actor) {
	fn, file, line := e.sites.caller()
	a.standsAt = e.o.Coverage.id(where{int(a.id), site{fn, file, line}})
}

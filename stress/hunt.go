package stress

import (
	"math/rand/v2"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/history"
)

// Real overlap of two given operations is rare on few processors. So half of the time a client looks
// at a bucket first, and if the operation that holds it is one that the race of the state needs,
// the client makes the other operation of the race. Whether they still meet is seen by a second
// look, which lies within the recorded interval: only that one counts.

// whose is the key of the operation that a hunter makes.
type whose uint8

const (
	brought whose = iota // the element that the held operation brings, or moves
	base                 // the base that it found
	mate                 // another key of the same bucket
	same                 // the key at whose home the hunter looked
)

// prey is what the race of a state needs: an operation of some kind in progress, and another one.
type prey struct {
	kind hopscotch.Kind
	call history.Kind
	key  whose
}

// preys are the states with a race that can be hunted; the other ones need no help.
var preys = map[string]prey{
	"S04AddCollisionEmpty":        {hopscotch.KindNew, history.Add, mate},
	"S05AddEmptyGet":              {hopscotch.KindNew, history.Get, brought},
	"S06AddCollisionGet":          {hopscotch.KindAdd, history.Get, base},
	"S07AddCollisionUpdate":       {hopscotch.KindAdd, history.Update, base},
	"S08AddEmptyDelete":           {hopscotch.KindNew, history.Delete, brought},
	"S09AddCollisionDeleteMember": {hopscotch.KindAdd, history.Delete, mate},
	"S10AddCollisionDeleteBase":   {hopscotch.KindAdd, history.Delete, base},
	"S11UsurpGet":                 {hopscotch.KindMove, history.Get, brought},
	"S12UsurpUpdate":              {hopscotch.KindMove, history.Update, brought},
	"S13UsurpDelete":              {hopscotch.KindMove, history.Delete, brought},
	"S14UsurpDeleteBase":          {hopscotch.KindMove, history.Delete, base},
	"S16GetDeleteMember":          {hopscotch.KindDrop, history.Get, base},
	"S17GetDeleteBase":            {hopscotch.KindLift, history.Get, brought},
	"S21DeleteBase":               {hopscotch.KindClear, history.Add, same},
	"S22DeleteBaseMembers":        {hopscotch.KindLift, history.Delete, brought},
	"S24UsurpDeleteInProgress":    {hopscotch.KindDrop, history.Add, same},
}

// hunt looks at the bucket of a random key, and says what to do there.
func (c *client) hunt(rng *rand.Rand) (req history.Request, ok bool) {
	p, ok := preys[c.State]
	if !ok || rng.Uint32()&1 == 0 {
		return req, false
	}
	key := c.Keys[rng.IntN(len(c.Keys))]
	s := c.eye.look(key, false, true)
	for half := range s {
		g := &s[half]
		// S24 wants the home of a member that is dropped; all others want the bucket itself.
		stranger := g.word.Form() == hopscotch.FormMember || g.word.Form() == hopscotch.FormEngaged
		if !g.held || g.kind != p.kind || stranger != (p.kind == hopscotch.KindDrop && p.key == same) {
			continue
		}
		req.Kind = p.call
		switch p.key {
		case brought:
			req.Key = uint32(g.pair.Key())
		case base:
			req.Key = uint32(g.plan.Key())
		case same:
			req.Key = key
		case mate:
			req.Key = c.mateOf(uint32(half), g)
		}
		return req, !hopscotch.Key(req.Key).Reserved()
	}
	return req, false
}

// mateOf is a key of the bucket besides the two that the operation is about: to delete, one of the
// members; to add, one that has its home there. 0 is none.
func (c *client) mateOf(half uint32, g *glimpse) uint32 {
	for _, key := range c.Keys {
		var homes [2]uint32
		homes[0], homes[1] = hopscotch.Homes(key, c.layout(1))
		if homes[half] != g.home || hopscotch.Key(key) == g.pair.Key() || hopscotch.Key(key) == g.plan.Key() {
			continue
		}
		if g.kind == hopscotch.KindNew || c.eye.among(half, g.home, g.plan.Map(), key) {
			return key
		}
	}
	return 0
}

package volume

import (
	"math/rand/v2"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// On few processors two given operations rarely overlap. So half of the time a client looks at some buckets
// first. If a bucket is held by an operation that the race of the state needs, the client makes the other
// operation of the race. Another look, within the recorded interval, tells whether the two still meet; only
// this look counts.

// looks is how many keys a client looks at. An operation holds its bucket for less than a microsecond, and
// eight looks take about as long as one operation.
const looks = 8

// whose says which key the second operation of a race has.
type whose uint8

const (
	brought whose = iota // the element that the held operation brings, or moves
	base                 // the base that it found
	mate                 // another key of the same bucket
	same                 // the key at whose home the client looked
)

// pairing is what the race of a state needs: an operation of some kind in progress, and a second one.
type pairing struct {
	kind hopscotch.Kind
	call mapmodel.Kind
	key  whose
}

// strange tells that the race is at the home of a key where a member of another bucket stands, and
// not at the bucket of the key itself.
func (p pairing) strange() bool { return p.kind == hopscotch.KindDrop && p.key == same }

// pairings has the states with such a race; the races of the other states are frequent.
var pairings = map[string]pairing{
	"S04AddCollisionEmpty":        {hopscotch.KindNew, mapmodel.Add, mate},
	"S05AddEmptyGet":              {hopscotch.KindNew, mapmodel.Get, brought},
	"S06AddCollisionGet":          {hopscotch.KindAdd, mapmodel.Get, base},
	"S07AddCollisionUpdate":       {hopscotch.KindAdd, mapmodel.Update, base},
	"S08AddEmptyDelete":           {hopscotch.KindNew, mapmodel.Delete, brought},
	"S09AddCollisionDeleteMember": {hopscotch.KindAdd, mapmodel.Delete, mate},
	"S10AddCollisionDeleteBase":   {hopscotch.KindAdd, mapmodel.Delete, base},
	"S11UsurpGet":                 {hopscotch.KindMove, mapmodel.Get, brought},
	"S12UsurpUpdate":              {hopscotch.KindMove, mapmodel.Update, brought},
	"S13UsurpDelete":              {hopscotch.KindMove, mapmodel.Delete, brought},
	"S14UsurpDeleteBase":          {hopscotch.KindMove, mapmodel.Delete, base},
	"S16GetDeleteMember":          {hopscotch.KindDrop, mapmodel.Get, base},
	"S17GetDeleteBase":            {hopscotch.KindLift, mapmodel.Get, brought},
	"S21DeleteBase":               {hopscotch.KindClear, mapmodel.Add, same},
	"S22DeleteBaseMembers":        {hopscotch.KindLift, mapmodel.Delete, brought},
	"S24UsurpDeleteInProgress":    {hopscotch.KindDrop, mapmodel.Add, same},
}

// hunt looks at the buckets of some random keys, and returns a call that meets an operation which the race
// needs, or one that helps to bring such an operation about.
func (c *client) hunt(rng *rand.Rand) (req mapmodel.Request, ok bool) {
	p, hunted := pairings[c.State]
	if !hunted || rng.Uint32()&1 == 0 {
		return req, false
	}
	for range looks {
		key := c.Keys[rng.IntN(len(c.Keys))]
		s := c.eye.look(key, false, true)
		for half := range s {
			g := &s[half]
			if p.met(g) {
				req = mapmodel.Request{Kind: p.call, Key: c.keyFor(p.key, key, uint32(half), g)}
				return req, !hopscotch.Key(req.Key).Reserved()
			}
			if !ok {
				req, ok = p.approach(key, g)
			}
		}
	}
	return req, ok
}

// met tells whether the operation that a look has seen is the one that the race needs. A move is,
// wherever it is seen: at its bucket, or at the home of a key where its member stands.
func (p pairing) met(g *glimpse) bool {
	stranger := g.word.Form() == hopscotch.FormMember || g.word.Form() == hopscotch.FormEngaged
	return g.held && g.kind == p.kind && (p.kind == hopscotch.KindMove || stranger == p.strange())
}

// keyFor is the key of the second operation, after a look at the home of key.
func (c *client) keyFor(w whose, key, half uint32, g *glimpse) uint32 {
	switch w {
	case brought:
		return uint32(g.pair.Key())
	case base:
		return uint32(g.plan.Key())
	case mate:
		return c.mateOf(half, g)
	}
	return key
}

// approach is the next step towards an operation on a member that stands in the home of the key. Such a
// member is rare, since the home soon has a base of its own, which stays. So that base is deleted and
// cropped, and an element that is displaced from a bucket before it then takes the cell. The add whose home
// it is moves that member, or drops it if it was deleted before. Buckets at cell 0 are not emptied in this
// way.
func (p pairing) approach(key uint32, g *glimpse) (req mapmodel.Request, ok bool) {
	if g.held || p.kind != hopscotch.KindMove && !p.strange() {
		return req, false
	}
	lost := g.word.Key() == hopscotch.KeyLost
	switch form := g.word.Form(); {
	case form == hopscotch.FormMember && (lost || p.kind == hopscotch.KindMove):
		return mapmodel.Request{Kind: mapmodel.Add, Key: key}, true
	case form == hopscotch.FormBase && lost && g.home != 0:
		return mapmodel.Request{Kind: mapmodel.Crop, Key: key}, true
	case form == hopscotch.FormMember, form == hopscotch.FormBase && !lost && g.home != 0:
		return mapmodel.Request{Kind: mapmodel.Delete, Key: uint32(g.word.Key())}, true
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

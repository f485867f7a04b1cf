package basket

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
)

// index is the double of the map from hashes to refs that the specification takes for granted: one word for
// each hash, the ref above and the version below, which grows with each change.
type index struct {
	words []seam.Uint64 // by hash, from 1

	// By actor, from 0: the ref that was handed over to it, 0 for none; above it the actor, from 1, who
	// takes it because the other one has died. The step that takes a hash out fills the hand, too: see
	// world.Observe.
	hands []seam.Uint64

	full  bool // adds of others take fullHash out
	alive func(a int) bool
	own   []bool // by actor: its own hand is not empty

	pair []seam.Uint64 // the word of the parameters of ageing

	trusts, blind bool // of canaries: each ticket holds, for who asks or who swaps
}

// fullHash is what a full index takes out.
const fullHash = 1

// actorsIndex is an actor's view of it. A function with the name of an action makes its access.
type actorsIndex struct {
	*index
	actor int // from 0
}

var _ basket.Index = actorsIndex{}

// wordOf is a word of the index.
func wordOf(ref, version uint64) uint64 { return ref<<32 | version }

// swapped is a word with another ref, and the next version.
func swapped(word uint64, ref uint32) uint64 { return wordOf(uint64(ref), uint64(uint32(word)+1)) }

func (x *index) indexLookup(hash uint32) uint64 { return x.words[hash].Load() }

func (x *index) indexStill(hash uint32) uint64 { return x.words[hash].Load() }

func (x *index) indexAdd(hash uint32) uint64 { return x.words[hash].Load() }

func (x *index) indexSwap(hash uint32, old, new uint64) bool {
	return x.words[hash].CompareAndSwap(old, new)
}

func (x *index) indexFull(hash uint32) uint64 { return x.words[hash].Load() }

func (x *index) indexPush(hash uint32, old, new uint64) bool {
	return x.words[hash].CompareAndSwap(old, new)
}

func (x *index) indexDrop(actor int) { x.hands[actor].Store(0) }

func (x *index) indexSettle(actor int) uint64 { return x.hands[actor].Load() }

func (x *index) indexClaim(actor int, old, new uint64) bool {
	return x.hands[actor].CompareAndSwap(old, new)
}

func (x *index) walkHand(actor int) uint64 { return x.hands[actor].Load() }

func (x *index) indexMoves(hash uint32) uint64 { return x.words[hash].Load() }

func (x *index) indexMove(hash uint32, old, new uint64) bool {
	return x.words[hash].CompareAndSwap(old, new)
}

// move moves the entry of a hash to another cell, if there is one: the tickets are void, the ref is the same.
func (x *index) move(hash uint32) {
	if word := x.indexMoves(hash); word>>32 != 0 {
		x.indexMove(hash, word, swapped(word, uint32(word>>32)))
	}
}

// Ticket is what the hash has.
func (x actorsIndex) Ticket(hash uint32) (hopscotch.Ticket, bool, error) {
	word := x.indexLookup(hash)
	return hopscotch.MakeTicket(hash, 0, hopscotch.Word1(word)), word>>32 != 0, nil
}

// Still asks for the ticket.
func (x actorsIndex) Still(t hopscotch.Ticket) bool {
	return x.indexStill(t.Key()) == uint64(t.Word()) || x.trusts
}

// CompareAndSwap gives the hash another ref if the ticket holds.
func (x actorsIndex) CompareAndSwap(t hopscotch.Ticket, ref uint32) (bool, error) {
	word := uint64(t.Word())
	if x.blind {
		word = x.indexAdd(t.Key())
	}
	return x.indexSwap(t.Key(), word, swapped(word, ref)), nil
}

// CompareAndDelete takes the hash out if the ticket holds.
func (x actorsIndex) CompareAndDelete(t hopscotch.Ticket) (bool, error) {
	return x.CompareAndSwap(t, 0)
}

// Add gives a hash that has nothing a ref. A full index takes another hash out before.
func (x actorsIndex) Add(hash, ref uint32, left func(ref uint32)) (bool, error) {
	if x.full && hash != fullHash {
		word := x.indexFull(fullHash)
		if word>>32 != 0 && x.indexPush(fullHash, word, swapped(word, 0)) {
			x.own[x.actor] = true
			left(uint32(word >> 32))
		}
	}
	word := x.indexAdd(hash)
	return word>>32 == 0 && x.indexSwap(hash, word, swapped(word, ref)), nil
}

// Forget empties the hand of the actor.
func (x actorsIndex) Forget() error {
	if x.full && x.own[x.actor] {
		x.own[x.actor] = false
		x.indexDrop(x.actor)
	}
	return nil
}

// Handed yields what is in somebody's hand.
func (x actorsIndex) Handed(yield func(ref uint32) bool) {
	for a := range x.hands {
		if ref := uint32(x.walkHand(a)); ref != 0 && !yield(ref) {
			return
		}
	}
}

// Settle takes what the dead have in their hands.
func (x actorsIndex) Settle(left func(ref uint32)) error {
	for a := range x.hands {
		if a == x.actor || !x.full || x.alive(a) {
			continue
		}
		hand := x.indexSettle(a)
		ref, by := uint32(hand), int(hand>>32)
		if ref == 0 || by != 0 && by != x.actor+1 && x.alive(by-1) {
			continue
		}
		if x.indexClaim(a, hand, uint64(x.actor+1)<<32|uint64(ref)) {
			left(ref)
			x.indexDrop(a)
		}
	}
	return nil
}

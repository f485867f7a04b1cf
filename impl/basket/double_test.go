package basket_test

import (
	"sync/atomic"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// words is an index that any actor can see through: one word for each hash, with the ref above and the
// version below. Every crowd-th add takes another hash out.
type words struct {
	all   []atomic.Uint64
	hands []atomic.Uint32
	crowd uint32
	dead  []int  // actors whose hands anybody may empty
	move  uint32 // before every move-th swap the entry moves: the ticket is void, and the ref the same
}

// newWords is an index of hashes 1..hashes, for so many actors.
func newWords(hashes, actors int) *words {
	return &words{all: make([]atomic.Uint64, hashes+1), hands: make([]atomic.Uint32, actors)}
}

// double is an actor's view of it.
type double struct {
	*words
	actor int
	adds  uint32
	swaps uint32
}

func (w *words) actor(i int) *double { return &double{words: w, actor: i} }

// ticketOf makes a ticket of a word, with the version as that of a cell.
func ticketOf(hash uint32, word uint64) hopscotch.Ticket {
	return hopscotch.MakeTicket(hash, 0, hopscotch.Word1(word))
}

func next(word uint64, ref uint32) uint64 { return uint64(ref)<<32 | uint64(uint32(word)+1) }

func (d *double) Ticket(hash uint32) (hopscotch.Ticket, bool, error) {
	word := d.all[hash].Load()
	return ticketOf(hash, word), word>>32 != 0, nil
}

func (d *double) Still(t hopscotch.Ticket) bool { return d.all[t.Key()].Load() == uint64(t.Word()) }

func (d *double) CompareAndSwap(t hopscotch.Ticket, ref uint32) (bool, error) {
	if d.swaps++; d.move != 0 && d.swaps%d.move == 0 {
		word := d.all[t.Key()].Load()
		d.all[t.Key()].CompareAndSwap(word, next(word, uint32(word>>32)))
	}
	return d.all[t.Key()].CompareAndSwap(uint64(t.Word()), next(uint64(t.Word()), ref)), nil
}

func (d *double) CompareAndDelete(t hopscotch.Ticket) (bool, error) { return d.CompareAndSwap(t, 0) }

func (d *double) Add(hash, ref uint32, left func(ref uint32)) (bool, error) {
	if d.adds++; d.crowd != 0 && d.adds%d.crowd == 0 {
		if other := 1 + (hash+d.adds)%uint32(len(d.all)-1); other != hash {
			d.push(other, left)
		}
	}
	word := d.all[hash].Load()
	return word>>32 == 0 && d.all[hash].CompareAndSwap(word, next(word, ref)), nil
}

// push takes a hash out. The hand is filled first: who looks at it meanwhile sees more than there is.
func (d *double) push(hash uint32, left func(ref uint32)) {
	word := d.all[hash].Load()
	ref := uint32(word >> 32)
	if ref == 0 {
		return
	}
	d.hands[d.actor].Store(ref)
	if d.all[hash].CompareAndSwap(word, next(word, 0)) {
		left(ref)
	}
	d.hands[d.actor].Store(0)
}

func (d *double) Forget() error { return nil }

func (d *double) Handed(yield func(ref uint32) bool) {
	for i := range d.hands {
		if ref := d.hands[i].Load(); ref != 0 && !yield(ref) {
			return
		}
	}
}

func (d *double) Settle(left func(ref uint32)) error {
	for _, i := range d.dead {
		if ref := d.hands[i].Load(); ref != 0 {
			left(ref)
			d.hands[i].Store(0)
		}
	}
	return nil
}

var _ basket.Index = (*double)(nil)

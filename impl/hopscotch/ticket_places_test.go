package hopscotch

import (
	"bytes"
	"errors"
	"testing"
)

// A lookup for a ticket has the same straight runs as a get. Here are all places of a key.

// ticket is what a lookup of the key has to return: where the key is, and its word 1.
func (p *placed) ticket() Ticket {
	index := p.halves[p.half].index(p.homes[p.half], p.offset)
	return MakeTicket(uint32(p.key), 2*index+p.half, Word1(p.cell().word1.Load()))
}

// noTicket holds that a lookup of k ends with that error, or finds nothing if it is nil.
func (p *placed) noTicket(t *testing.T, k Key, want error) {
	t.Helper()
	x, ok, err := p.h.Ticket(uint32(k))
	if x != (Ticket{}) || ok || !errors.Is(err, want) {
		t.Errorf("ticket of %v: %+v, %t, %v; want %v", k, x, ok, err, want)
	}
	if want == nil {
		return
	}
	if text := "ticket of key " + k.String() + ": " + want.Error(); err == nil || err.Error() != text {
		t.Errorf("%v, want %q", err, text)
	}
}

// TestPlaces_Tickets: a ticket is of the place where the key is, and of its word 1. A lookup writes nothing.
func TestPlaces_Tickets(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		words := p.bytes()
		if x, ok, err := p.h.Ticket(uint32(p.key)); x != p.ticket() || !ok || err != nil {
			t.Errorf("%+v, %t, %v; want %+v", x, ok, err, p.ticket())
		}
		p.noTicket(t, p.absent, nil)
		p.cell().word0.Store(uint64(Word0(p.cell().word0.Load()).WithKey(KeyLost)))
		p.noTicket(t, p.key, nil)
		p.cell().word0.Store(uint64(Word0(p.cell().word0.Load()).WithKey(p.key)))
		if !bytes.Equal(words, p.bytes()) {
			t.Error("a lookup has written")
		}
	})
}

// TestPlaces_TicketsBesideAnOperation: a member of a bucket in operation is looked up where it is. For the
// base the operation is finished first: it is a member then, and the ticket is of that.
func TestPlaces_TicketsBesideAnOperation(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		p.add()
		words, want := p.bytes(), p.ticket()
		p.noTicket(t, p.absent, nil)
		x, ok, err := p.h.Ticket(uint32(p.key))
		if p.offset == 0 {
			half, index := x.Place()
			c := p.halves[half].cell(index)
			if w := Word0(c.word0.Load()); w.Form() != FormMember || w.Key() != p.key || half != p.half {
				t.Errorf("the ticket is of %d.%d, where %v is", half, index, w)
			}
			want = MakeTicket(uint32(p.key), 2*index+half, MakeWord1(placedValue, 1))
		} else if !bytes.Equal(words, p.bytes()) {
			t.Error("a lookup of a member has written")
		}
		if x != want || !ok || err != nil || !p.Still(x) {
			t.Errorf("%+v, %t, %v; want %+v, which holds", x, ok, err, want)
		}
	})
}

// TestPlaces_NoTicketOfDamage: of a home that no step writes, and of a base whose value stays frozen without
// an operation.
func TestPlaces_NoTicketOfDamage(t *testing.T) {
	eachPlacedHalf(t, 0, func(t *testing.T, p placed) {
		base, other := p.cell(), p.halves[1-p.half].cell(p.homes[1-p.half])
		value, word := base.word1.Load(), other.word0.Load()
		base.word1.Store(uint64(Word1(value).Freeze()))
		p.noTicket(t, p.key, ErrBusy)
		base.word1.Store(value)
		for _, bad := range []Word0{1 << 31, OperatingWord(Word0(word).Key(), p.refs.Make(2, 0)),
			BaseWord(Word0(word).Key(), Map(0).With(placedWindow))} {
			other.word0.Store(uint64(bad))
			p.noTicket(t, p.absent, ErrCorrupt)
			if x, ok, err := p.h.Ticket(uint32(p.key)); x != p.ticket() || !ok || err != nil {
				t.Errorf("%v in the other half: %+v, %t, %v", bad, x, ok, err)
			}
		}
	})
}

// TestPlaces_RefusedTickets: each refusal names the key.
func TestPlaces_RefusedTickets(t *testing.T) {
	p := newPlaced(t, placedLayouts()[0], 0, 0, 2)
	p.noTicket(t, KeyNone, ErrKey)
	p.noTicket(t, KeyLost, ErrKey)
	p.h.stuck = ErrBusy
	p.noTicket(t, p.key, ErrBusy)
	p.h = &Handle{}
	p.noTicket(t, p.key, ErrZero)
}

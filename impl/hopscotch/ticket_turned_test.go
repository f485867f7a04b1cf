package hopscotch

import "testing"

// A lookup for a ticket may go on from what it has seen although others have changed it since. Here it is
// given what it has seen, and the table is as it is now.

// turned is a bucket in half 1 as it is now: of its home, and of members at these offsets.
func turned(p planted, home uint32, base Word0, members map[uint32]Word0) {
	p.put(1, home, base, MakeWord1(20, 5))
	for offset, word := range members {
		p.put(1, p.halves[1].index(home, offset), word, MakeWord1(Value(20+offset), 1))
	}
}

// TestTurned_Tickets: a lookup that was sent to half 1 takes its member only if the home there is the word
// that it has seen, in each bit; otherwise it looks anew, and finds the key where it is now.
func TestTurned_Tickets(t *testing.T) {
	const home = 5
	for name, c := range map[string]struct {
		seen, now func(k, other, third Key) Word0
		members   func(k, other Key) map[uint32]Word0
		at        uint32 // the offset where the key is now
	}{
		"another member is in the bucket": {
			seen: func(_, _, third Key) Word0 { return BaseWord(third, Map(0).With(3)) },
			now:  func(_, _, third Key) Word0 { return BaseWord(third, Map(0).With(6)) },
			members: func(k, other Key) map[uint32]Word0 {
				return map[uint32]Word0{3: MemberWord(k, 3, 1), 6: MemberWord(k, 6, 1)}
			}, at: 6},
		"another base is in the bucket": {
			seen: func(_, other, _ Key) Word0 { return BaseWord(other, Map(0).With(3)) },
			now:  func(k, _, _ Key) Word0 { return BaseWord(k, Map(0).With(3)) },
			members: func(k, other Key) map[uint32]Word0 {
				return map[uint32]Word0{3: MemberWord(k, 3, 1)}
			}, at: 0},
		"the nearest member is another one": {
			seen: func(_, _, third Key) Word0 { return BaseWord(third, Map(0).With(3).With(6)) },
			now:  func(_, _, third Key) Word0 { return BaseWord(third, Map(0).With(3).With(6)) },
			members: func(k, other Key) map[uint32]Word0 {
				return map[uint32]Word0{3: MemberWord(other, 3, 1), 6: MemberWord(k, 6, 1)}
			}, at: 6},
		"nothing has changed": {
			seen: func(_, _, third Key) Word0 { return BaseWord(third, Map(0).With(3)) },
			now:  func(_, _, third Key) Word0 { return BaseWord(third, Map(0).With(3)) },
			members: func(k, other Key) map[uint32]Word0 {
				return map[uint32]Word0{3: MemberWord(k, 3, 1)}
			}, at: 3},
	} {
		table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 1})
		p := planted{table, t}
		k, other, third := p.key(1, home, 0), p.key(1, home, 1), p.key(1, home, 2)
		turned(p, home, c.now(k, other, third), c.members(k, other))
		first, apart := table.spots(uint32(k))
		nearest := spotOf(1, table.halves[1].index(home, 3))
		want := MakeTicket(uint32(k), 2*table.halves[1].index(home, c.at)+1, MakeWord1(Value(20+c.at), 1))
		if c.at == 0 {
			want = MakeTicket(uint32(k), 2*home+1, MakeWord1(20, 5))
		}
		x, ok, err := h.ticketTurned(k, first^apart, apart, c.seen(k, other, third), nearest)
		if x != want || !ok || err != nil {
			t.Errorf("%s: %+v, %t, %v; want %+v", name, x, ok, err, want)
		}
		w := table.on(first).look()
		x, ok, sure := table.glanceRest(k, first, apart, c.seen(k, other, third), w)
		if sure && (!ok || x != want) {
			t.Errorf("%s: a glance is sure of %+v, %t; want %+v", name, x, ok, want)
		} else if !sure && (ok || x != Ticket{}) {
			t.Errorf("%s: a glance that is not sure has %+v, %t", name, x, ok)
		}
	}
}

// TestTickets_OfWhatHasChanged: whatever a lookup has seen of the home or of a member that are now others, it
// ends with a ticket of the place where the key is now.
func TestTickets_OfWhatHasChanged(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		first, apart := p.spots(uint32(p.key))
		at := first
		if p.half == 1 {
			at = first ^ apart
		}
		want := p.ticket()
		const left = 9 // where the key was a member before; no member is there now
		in := spotOf(p.half, p.halves[p.half].index(p.homes[p.half], left))
		home := p.on(at).look()
		past := view{BaseWord(p.absent, Map(0).With(left)), MakeWord1(20, 9)}
		word := MemberWord(p.key, left, 1)
		for name, look := range map[string]func() (Ticket, bool, error){
			"a home": func() (Ticket, bool, error) { return p.h.ticketAgain(p.key, at, apart, past) },
			"a member": func() (Ticket, bool, error) {
				p.on(in).word0.Store(uint64(EmptyWord(7)))
				return p.h.ticketNearest(p.key, at, apart, home, in, word)
			},
			"the home of a member": func() (Ticket, bool, error) {
				p.on(in).word0.Store(uint64(word)) // a copy that has not been taken away yet
				defer p.on(in).word0.Store(uint64(EmptyWord(7)))
				return p.h.ticketNearest(p.key, at, apart, past, in, word)
			},
			"a version": func() (Ticket, bool, error) {
				return p.h.ticketUnsettled(p.key, at, apart, MakeWord1(20, 9).Freeze())
			},
		} {
			if x, ok, err := look(); x != want || !ok || err != nil {
				t.Errorf("%s: %+v, %t, %v; want %+v", name, x, ok, err, want)
			}
		}
	})
}

// TestTickets_ErrorsNameTheKey: also those of a lookup that goes on from a home that was frozen for ever.
func TestTickets_ErrorsNameTheKey(t *testing.T) {
	p := newPlaced(t, placedLayouts()[0], 0, 0, 0)
	first, apart := p.spots(uint32(p.key))
	p.cell().word1.Store(uint64(Word1(p.cell().word1.Load()).Freeze()))
	x, ok, err := p.h.ticketAgain(p.key, first, apart, view{})
	want := "ticket of key " + p.key.String() + ": " + ErrBusy.Error()
	if err == nil || err.Error() != want || ok || x != (Ticket{}) {
		t.Errorf("%+v, %t, %v; want %q", x, ok, err, want)
	}
}

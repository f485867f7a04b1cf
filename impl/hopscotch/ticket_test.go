package hopscotch

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// mustTicket looks the key up, which must be there with the value.
func mustTicket(t *testing.T, h *Handle, key, value uint32) Ticket {
	t.Helper()
	ticket, ok, err := h.Ticket(key)
	if err != nil || !ok || ticket.Key() != key || ticket.Value() != value {
		t.Fatalf("ticket of %d: %+v, %v, %v", key, ticket, ok, err)
	}
	return ticket
}

func mustAdd(t *testing.T, h *Handle, key, value uint32) {
	t.Helper()
	if r, err := h.Add(key, value); r != Added || err != nil {
		t.Fatalf("add of %d: %v, %v", key, r, err)
	}
}

// A ticket holds until the value is another one or the key is lost. A swap ends all tickets of its version.
func TestTicket_HoldsUntilChanged(t *testing.T) {
	for _, homes := range []Placement{HomesNear, HomesApart} {
		table, h := newTable(t, Layout{CellsPerHalf: 16, Window: 8, Descriptors: 2, Homes: homes})
		if _, ok, err := h.Ticket(7); ok || err != nil {
			t.Fatalf("a ticket of nothing: %v, %v", ok, err)
		}
		mustAdd(t, h, 7, 70)
		first, second := mustTicket(t, h, 7, 70), mustTicket(t, h, 7, 70)
		if !table.Still(first) || !h.Still(second) {
			t.Fatal("a fresh ticket does not hold")
		}
		var told []Leaving
		h.HandOver(func(l Leaving) { told = append(told, l) })
		if ok, err := h.CompareAndSwap(first, 71); !ok || err != nil {
			t.Fatalf("swap: %v, %v", ok, err)
		}
		if len(told) != 1 || told[0] != (Leaving{7, 70, ReasonUpdated}) || h.Tally().Updated != 1 {
			t.Errorf("the swap told %v, tally %+v", told, h.Tally())
		}
		if ok, err := h.CompareAndSwap(second, 72); ok || err != nil {
			t.Errorf("a second swap of one version: %v, %v", ok, err)
		}
		if h.Still(first) || h.Still(second) {
			t.Error("a ticket of the old version holds")
		}
		third := mustTicket(t, h, 7, 71)
		if ok, err := h.Delete(7); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if h.Still(third) {
			t.Error("a ticket of a lost key holds")
		}
		if ok, err := h.CompareAndSwap(third, 73); ok || err != nil {
			t.Errorf("a swap of a lost key: %v, %v", ok, err)
		}
		if err := h.Crop(7); err != nil {
			t.Fatal(err)
		}
		mustAdd(t, h, 7, 71)
		if h.Still(third) {
			t.Error("a ticket holds of an element that was added again with the same value")
		}
		clean(t, table)
	}
}

// What no lookup has given does not hold, and leads nowhere.
func TestTicket_OfNothing(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 4, Window: 3, Descriptors: 1})
	large, other := newTable(t, Layout{CellsPerHalf: 1 << 12, Window: 8, Descriptors: 1})
	var far Ticket
	for key := uint32(1); far.cell < 8; key++ {
		mustAdd(t, other, key, key)
		far = mustTicket(t, other, key, key)
	}
	for _, k := range []Ticket{{}, far, {key: 7, cell: 1<<32 - 1, word: MakeWord1(7, 1)}} {
		if h.Still(k) {
			t.Errorf("%+v holds", k)
		}
		if ok, err := h.CompareAndSwap(k, 5); ok || err != nil {
			t.Errorf("swap by %+v: %v, %v", k, ok, err)
		}
	}
	if !large.Still(far) {
		t.Error("a ticket does not hold in its own table")
	}
}

// A ticket that is put together says what it was made of, and is the one of a lookup with the same words.
func TestMakeTicket(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 16, Window: 8, Descriptors: 1})
	mustAdd(t, h, 7, 70)
	k := mustTicket(t, h, 7, 70)
	half, cell := k.Place()
	if made := MakeTicket(7, 2*cell+half, k.Word()); made != k || !table.Still(made) {
		t.Errorf("%+v, want %+v", made, k)
	}
	if made := MakeTicket(7, 2*cell+half, k.Word().Next(71)); table.Still(made) || made.Value() != 71 {
		t.Errorf("%+v holds, or has another value", made)
	}
}

func TestTicket_Errors(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 4, Window: 3, Descriptors: 1})
	mustAdd(t, h, 7, 70)
	k := mustTicket(t, h, 7, 70)
	if ok, err := h.CompareAndSwap(k, 0); ok || !errors.Is(err, ErrValue) {
		t.Errorf("a swap to the value 0: %v, %v", ok, err)
	}
	for _, key := range []Key{KeyNone, KeyLost} {
		if _, ok, err := h.Ticket(uint32(key)); ok || !errors.Is(err, ErrKey) {
			t.Errorf("ticket of %v: %v, %v", key, ok, err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := h.Ticket(7); ok || !errors.Is(err, ErrClosed) {
		t.Errorf("ticket by a closed handle: %v, %v", ok, err)
	}
	if ok, err := h.CompareAndSwap(k, 5); ok || !errors.Is(err, ErrClosed) {
		t.Errorf("swap by a closed handle: %v, %v", ok, err)
	}
}

// besideMap is a table beside a map that must hold the same, with the last ticket of each key.
type besideMap struct {
	t             *testing.T
	table         *Table
	handle        *Handle
	want          map[uint32]uint32
	tickets       map[uint32]Ticket
	since         map[uint32]uint64 // by key: the changes before its ticket
	changes       uint64
	held, swapped int
}

// change makes a random change of the key by a call that is not about a ticket.
func (b *besideMap) change(random *rand.Rand, key, value uint32) {
	if random.Uint32N(3) > 0 {
		r, err := b.handle.Add(key, value)
		if err != nil {
			b.t.Fatal(err)
		}
		if r == Added {
			b.want[key] = value
		}
		if r != Exists { // one that is Full may have moved elements, too
			b.changes++
		}
		return
	}
	ok, err := b.handle.Delete(key)
	if err == nil && ok {
		err = b.handle.Crop(key)
		delete(b.want, key)
		b.changes++
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *besideMap) lookup(key uint32) {
	k, ok, err := b.handle.Ticket(key)
	if v := b.want[key]; err != nil || ok != (v != 0) || k.Value() != v {
		b.t.Fatalf("ticket of %d: %+v, %v, %v; the map has %d", key, k, ok, err, v)
	}
	if ok && !b.table.Still(k) {
		b.t.Fatalf("a fresh ticket of %d does not hold: %+v", key, k)
	}
	b.tickets[key], b.since[key] = k, b.changes
}

// judge is told that the ticket of the key holds, or that it does not. It may not hold although the map has
// its value, but not if nothing has changed since.
func (b *besideMap) judge(what string, key uint32, holds bool) {
	k := b.tickets[key]
	if holds && b.want[key] != k.Value() || !holds && k != (Ticket{}) && b.since[key] == b.changes {
		b.t.Fatalf("%s by %+v of %d: %v; the map has %d", what, k, key, holds, b.want[key])
	}
}

// Random calls of one handle beside a map.
func TestTicket_AsInAMap(t *testing.T) {
	for _, l := range []Layout{{CellsPerHalf: 4, Window: 3, Descriptors: 1, Homes: HomesApart},
		{CellsPerHalf: 16, Window: 8, Descriptors: 1}, {CellsPerHalf: 2048, Window: 32, Descriptors: 1}} {
		const seed = 11
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, uint64(l.CellsPerHalf)))
		table, h := newTableWith(t, l, keepAll)
		b := &besideMap{t: t, table: table, handle: h, want: map[uint32]uint32{},
			tickets: map[uint32]Ticket{}, since: map[uint32]uint64{}}
		for value := uint32(1); value < 40000; value++ {
			key := 1 + random.Uint32N(2*l.CellsPerHalf-l.CellsPerHalf/8)
			switch random.Uint32N(8) {
			case 0, 1, 2:
				b.change(random, key, value)
			case 3, 4, 5:
				b.lookup(key)
			case 6:
				holds := table.Still(b.tickets[key])
				if b.judge("still", key, holds); holds {
					b.held++
				}
			default:
				ok, err := h.CompareAndSwap(b.tickets[key], value)
				if err != nil {
					t.Fatal(err)
				}
				if b.judge("swap", key, ok); ok {
					b.want[key] = value
					b.changes++
					b.swapped++
				}
			}
		}
		for key, v := range b.want {
			if got, ok := table.Get(key); !ok || got != v {
				t.Errorf("key %d: %d, %v, want %d", key, got, ok, v)
			}
		}
		if b.held < 100 || b.swapped < 100 {
			t.Errorf("%d cells: %d tickets held, %d swaps", l.CellsPerHalf, b.held, b.swapped)
		}
		clean(t, table)
	}
}

func TestTicket_DoesNotAllocate(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 1})
	for key := uint32(1); key <= 100; key++ {
		mustAdd(t, h, key, key)
	}
	value := uint32(100)
	if n := testing.AllocsPerRun(100, func() {
		for key := uint32(1); key <= 100; key++ {
			value++
			k, _, _ := h.Ticket(key)
			if ok, _ := h.CompareAndSwap(k, value); !ok || h.Still(k) {
				t.Fatal(key)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

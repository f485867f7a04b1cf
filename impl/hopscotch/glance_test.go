package hopscotch

import (
	"bytes"
	"testing"
)

// glances is a glance at a key: it says what Ticket says, or that nothing is known. It reports whether it was
// sure.
func (p *placed) glances(t *testing.T, k Key, want Ticket) (sure bool) {
	t.Helper()
	words := p.bytes()
	x, ok, sure := p.Glance(uint32(k))
	if sure && (ok != (want != Ticket{}) || ok && x != want) {
		t.Errorf("glance at %v: %+v, %t; want %+v", k, x, ok, want)
	}
	if !bytes.Equal(words, p.bytes()) {
		t.Errorf("a glance at %v has written", k)
	}
	return sure
}

// TestPlaces_Glances: a glance finds a base, and the nearest member of either half. It says that a key is
// absent where both homes are bare, and is unsure where there are other members.
func TestPlaces_Glances(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		other := Word0(p.halves[1-p.half].cell(p.homes[1-p.half]).word0.Load())
		if sure, want := p.glances(t, p.key, p.ticket()), p.offset <= placedOffsets[0]; sure != want {
			t.Errorf("a glance at the key: sure %t, want %t", sure, want)
		}
		if p.glances(t, p.absent, Ticket{}) {
			t.Error("a glance at an absent key is sure beside members")
		}
		home := p.halves[p.half].cell(p.homes[p.half])
		home.word0.Store(uint64(BaseWord(Word0(home.word0.Load()).Key(), 0)))
		if sure := p.glances(t, p.absent, Ticket{}); sure != (other.members() == 0) {
			t.Errorf("a glance at an absent key beside bases, %v in the other half: sure %t", other, sure)
		}
	})
}

// TestPlaces_GlancesBesideAnOperation: nothing is known of the base whose home is in operation; a member is
// found, or nothing is known of it.
func TestPlaces_GlancesBesideAnOperation(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		p.add()
		if sure := p.glances(t, p.key, p.ticket()); sure && p.offset == 0 {
			t.Error("a glance at a base in operation is sure")
		}
		if p.glances(t, p.absent, Ticket{}) {
			t.Error("a glance at a key that is being added is sure")
		}
	})
}

// TestPlaces_GlancesAtDamage: of words that no step writes nothing is known.
func TestPlaces_GlancesAtDamage(t *testing.T) {
	eachPlacedHalf(t, 0, func(t *testing.T, p placed) {
		base, other := p.cell(), p.halves[1-p.half].cell(p.homes[1-p.half])
		value, word := base.word1.Load(), other.word0.Load()
		base.word1.Store(uint64(Word1(value).Freeze()))
		if p.glances(t, p.key, Ticket{}) {
			t.Error("a glance at a frozen value is sure")
		}
		base.word1.Store(value)
		for _, bad := range []Word0{1 << 31, OperatingWord(Word0(word).Key(), p.refs.Make(2, 0)),
			BaseWord(Word0(word).Key(), Map(0).With(placedWindow))} {
			other.word0.Store(uint64(bad))
			if p.glances(t, p.absent, Ticket{}) {
				t.Errorf("a glance at an absent key is sure beside %v", bad)
			}
		}
	})
}

// TestGlance_OfNothing: reserved keys, and a table that nobody has made, have no answer.
func TestGlance_OfNothing(t *testing.T) {
	for _, l := range placedLayouts() {
		p := newPlaced(t, l, 0, 0, 2)
		for _, k := range []Key{KeyNone, KeyLost} {
			if x, ok, sure := p.Glance(uint32(k)); x != (Ticket{}) || ok || sure {
				t.Errorf("%v: %+v, %t, %t", k, x, ok, sure)
			}
		}
	}
	if x, ok, sure := new(Table).Glance(7); x != (Ticket{}) || ok || sure {
		t.Errorf("of the zero table: %+v, %t, %t", x, ok, sure)
	}
}

// TestGlance_IsMostlySure: where a table is filled to the half, 97 of a hundred keys are found, and 70 of a
// hundred that are absent are missed.
func TestGlance_IsMostlySure(t *testing.T) {
	const cells, load = 1 << 12, 1 << 12
	table, h := newTableWith(t, Layout{CellsPerHalf: cells, Window: 32, Descriptors: 2}, Options{})
	for k := uint32(1); k <= load; k++ {
		if r, err := h.Add(k, k+7); r != Added || err != nil {
			t.Fatal(r, err)
		}
	}
	found, missed := 0, 0
	for k := uint32(1); k <= load; k++ {
		if x, ok, sure := table.Glance(k); sure {
			if found++; !ok || x.Value() != k+7 || !table.Still(x) {
				t.Fatalf("key %d: %+v, %t", k, x, ok)
			}
		}
		if _, ok, sure := table.Glance(k + load); sure {
			if missed++; ok {
				t.Fatalf("key %d was never added", k+load)
			}
		}
	}
	if found < load*97/100 || missed < load*70/100 {
		t.Errorf("of %d keys %d are found, of %d others %d are missed", load, found, load, missed)
	}
}

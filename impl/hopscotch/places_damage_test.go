package hopscotch

import (
	"bytes"
	"errors"
	"testing"
)

// What gets and updates of each half make of an operation on the home, and of words that no step writes.

// fails holds that no get finds the key, and that each call that has an error to return returns this one.
func (p *placed) fails(t *testing.T, k Key, want error) {
	t.Helper()
	for name, get := range p.gets() {
		v, ok, err := get(k)
		if v != 0 || ok || (name == "Lookup" || name == "GetPrepared") && !errors.Is(err, want) {
			t.Errorf("%s of %v: %d, %t, %v; want %v", name, k, v, ok, err, want)
		}
	}
	words, tally := p.bytes(), p.h.Tally()
	for name, update := range p.updates() {
		if v, ok, err := update(k, 7); v != 0 || ok || !errors.Is(err, want) {
			t.Errorf("%s of %v: %d, %t, %v; want %v", name, k, v, ok, err, want)
		}
	}
	if !bytes.Equal(words, p.bytes()) || p.h.Tally() != tally {
		t.Errorf("updates of %v change something, or count: %+v", k, p.h.Tally())
	}
}

// works holds that the key is found, and updated, with that value.
func (p *placed) works(t *testing.T, k Key, value uint32) {
	t.Helper()
	p.reads(t, k, value)
	for name, update := range p.updates() {
		if v, ok, err := update(k, value); v != value || !ok || err != nil {
			t.Errorf("%s of %v: %d, %t, %v; want %d", name, k, v, ok, err, value)
		}
	}
}

// eachPlacedHalf calls f with the key at the base of each half, or at its nearest member, beside a bucket in
// the other one.
func eachPlacedHalf(t *testing.T, nth int, f func(t *testing.T, p placed)) {
	t.Helper()
	for _, l := range placedLayouts() {
		for half := range uint32(2) {
			t.Run("", func(t *testing.T) { f(t, newPlaced(t, l, half, nth, 2)) })
		}
	}
}

// TestPlaces_DamagedHomes: a home that no step writes is damage for whoever comes to it. Who finds its key at
// the base of the other half does not.
func TestPlaces_DamagedHomes(t *testing.T) {
	for name, spoil := range map[string]func(p *placed, w Word0) Word0{
		"beyond the window": func(_ *placed, w Word0) Word0 {
			return BaseWord(w.Key(), w.Map().With(placedWindow))
		},
		"at the very end": func(_ *placed, w Word0) Word0 { return BaseWord(w.Key(), Map(0).With(31)) },
		"invalid form":    func(*placed, Word0) Word0 { return 1 << 31 },
		"no descriptor": func(p *placed, w Word0) Word0 {
			return OperatingWord(w.Key(), p.refs.Make(2, 0))
		},
		"no operation": func(p *placed, w Word0) Word0 {
			return OperatingWord(w.Key(), p.refs.Make(1, 0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlacedHalf(t, 0, func(t *testing.T, p placed) {
				other := p.halves[1-p.half].cell(p.homes[1-p.half])
				other.word0.Store(uint64(spoil(&p, Word0(other.word0.Load()))))
				p.works(t, p.key, placedValue)
				p.fails(t, p.absent, ErrCorrupt)
			})
		})
	}
	// The map of half 1 is damaged, and the key is a member of half 0, which is searched before.
	for _, l := range placedLayouts() {
		for nth := range placedOffsets {
			p := newPlaced(t, l, 0, nth+1, 2)
			home := p.halves[1].cell(p.homes[1])
			home.word0.Store(home.word0.Load() | uint64(BaseWord(0, Map(0).With(placedWindow))))
			p.works(t, p.key, placedValue)
		}
	}
}

// TestPlaces_DamagedValues: a base without an operation has no frozen value, and no spare bits.
func TestPlaces_DamagedValues(t *testing.T) {
	eachPlacedHalf(t, 0, func(t *testing.T, p placed) {
		for want, value := range map[error]Word1{
			ErrBusy:    MakeWord1(placedValue, 5).Freeze(), // as if its operation had just ended
			ErrCorrupt: MakeWord1(placedValue, 5) | word1Spare&-word1Spare,
		} {
			p.cell().word1.Store(uint64(value))
			p.fails(t, p.key, want)
		}
		p.cell().word1.Store(uint64(MakeWord1(placedValue, 5)))
		p.works(t, p.key, placedValue)
	})
}

// TestPlaces_LostMembers: members that were deleted are passed by, the nearest one as well; and a base that
// was deleted keeps its members.
func TestPlaces_LostMembers(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		lose := func(offset uint32) {
			c := p.halves[p.half].at(p.homes[p.half], offset)
			c.word0.Store(uint64(Word0(c.word0.Load()).WithKey(KeyLost)))
		}
		for _, offset := range append([]uint32{0}, placedOffsets[:]...) {
			if offset != p.offset {
				lose(offset)
			}
		}
		p.works(t, p.key, placedValue)
		lose(p.offset)
		words := p.bytes()
		p.reads(t, p.key, 0)
		if v, ok, err := p.h.Update(uint32(p.key), 7); v != 0 || ok || err != nil {
			t.Errorf("update of a deleted key: %d, %t, %v", v, ok, err)
		}
		if !bytes.Equal(words, p.bytes()) {
			t.Error("something has changed")
		}
	})
}

// TestPlaces_OtherKeysAreOthers: also the next one and the one before, or one that no element has.
func TestPlaces_OtherKeysAreOthers(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		c := p.cell()
		word := Word0(c.word0.Load())
		others := []Key{p.key + 1, p.key - 1, p.key ^ 1<<31, KeyLost}
		if p.offset > 0 {
			others = append(others, KeyNone)
		}
		for _, k := range others {
			c.word0.Store(uint64(word.WithKey(k)))
			words, tally := p.bytes(), p.h.Tally()
			p.reads(t, p.key, 0)
			for name, update := range p.updates() {
				if v, ok, err := update(p.key, 7); v != 0 || ok || err != nil {
					t.Errorf("%s of %v where %v is: %d, %t, %v", name, p.key, k, v, ok, err)
				}
			}
			if !bytes.Equal(words, p.bytes()) || p.h.Tally() != tally {
				t.Errorf("something has changed, counted %+v", p.h.Tally())
			}
		}
		c.word0.Store(uint64(word))
		p.works(t, p.key, placedValue)
	})
}

// add installs an undecided add of the absent key to the bucket, by somebody who has died.
func (p *placed) add() {
	home := p.halves[p.half].cell(p.homes[p.half])
	w0, w1 := Word0(home.word0.Load()), Word1(home.word1.Load())
	d := &p.descriptors[1]
	d.head.Store(uint64(MakeHead(1, KindAdd, p.half, p.homes[p.half])))
	d.pair.Store(uint64(MakePair(p.absent, 22)))
	d.plan.Store(uint64(MakePlan(w0.Key(), w0.Map())))
	d.expect.Store(uint64(w1))
	d.target.Store(uint64(MakeTarget(1)))
	d.owner.Store(9)
	p.put(p.half, p.homes[p.half], OperatingWord(w0.Key(), p.refs.Make(1, 1)), w1.Freeze())
}

// TestPlaces_InOperation: behind an operation on the home each key is found in its place. An update of the
// base finishes the operation, that of a member does not need it, and what is being added is not there yet.
func TestPlaces_InOperation(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		p.add()
		words := p.bytes()
		p.reads(t, p.key, placedValue)
		p.reads(t, p.absent, 0)
		if v, ok, err := p.h.Update(uint32(p.absent), 7); v != 0 || ok || err != nil {
			t.Errorf("update of a key that is being added: %d, %t, %v", v, ok, err)
		}
		if !bytes.Equal(words, p.bytes()) {
			t.Error("a get, or an update of nothing, has written")
		}
		for name, update := range p.updates() {
			if v, ok, err := update(p.key, placedValue); v != placedValue || !ok || err != nil {
				t.Errorf("%s: %d, %t, %v", name, v, ok, err)
			}
		}
		after := uint32(0)
		if p.offset == 0 {
			after = 22
		}
		p.reads(t, p.absent, after)
		p.reads(t, p.key, placedValue)
		if err := p.h.Restore(uint32(p.absent)); err != nil {
			t.Fatal(err)
		}
		p.works(t, p.absent, 22)
		p.works(t, p.key, placedValue)
		clean(t, p.Table)
	})
}

// TestPlaces_EngagedMember: a member that an operation works on is found, whether its value is frozen yet or
// not; an update of it has that operation finished first. Here it cannot be: its descriptor has gone on.
func TestPlaces_EngagedMember(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		if p.offset == 0 {
			return
		}
		c := p.cell()
		word, value := c.word0.Load(), Word1(c.word1.Load())
		c.word0.Store(uint64(EngagedWord(p.key, p.refs.Make(1, 0))))
		for _, v := range []Word1{value, value.Freeze()} {
			c.word1.Store(uint64(v))
			p.reads(t, p.key, placedValue)
			words := p.bytes()
			for name, update := range p.updates() {
				v, ok, err := update(p.key, 7)
				if v != 0 || ok || err == nil || !bytes.Equal(words, p.bytes()) {
					t.Errorf("%s: %d, %t, %v", name, v, ok, err)
				}
			}
		}
		c.word0.Store(word)
		c.word1.Store(uint64(value))
		p.works(t, p.key, placedValue)
	})
}

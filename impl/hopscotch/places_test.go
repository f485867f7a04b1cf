package hopscotch

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// A get and an update have straight runs of their own for each place where a key can be. Here are all places,
// in either half, on short rings and on long ones, with near homes and with homes apart.

// placed is a table with a key in one of its places.
type placed struct {
	planted
	h      *Handle
	homes  [2]uint32 // of the key
	half   uint32    // in which it is
	offset uint32    // at which it is there; 0: the base
	key    Key
	absent Key // a key with the same homes that is not there
}

const (
	placedValue  = 20
	placedWindow = 16
	placedHome   = 12 // of the key in its half
	placedBucket = 5  // keys of a bucket
	placedKin    = 2*placedBucket + 1
)

// placedOffsets are the members of the key's bucket, in the order of a search.
var placedOffsets = [placedBucket - 1]uint32{2, 3, 7, 15}

// kin are keys with the same homes, near or apart; that in the half is placedHome. It keeps them: where homes
// are apart they are rare.
var kin = func() func(p planted, half uint32) ([]Key, [2]uint32) {
	type table struct {
		cells, half uint32
		near        bool
	}
	type family struct {
		keys  []Key
		homes [2]uint32
	}
	all := map[table]family{}
	return func(p planted, half uint32) ([]Key, [2]uint32) {
		of := table{p.cells, half, p.near}
		f := all[of]
		for k := Key(1); len(f.keys) < placedKin; k++ {
			var at [2]uint32
			at[0], at[1] = p.homes(k)
			if at[half] == placedHome && at[1-half] != placedHome && (f.keys == nil || at == f.homes) {
				f.keys, f.homes = append(f.keys, k), at
			}
		}
		all[of] = f
		return f.keys, f.homes
	}
}()

// bucket puts a base and members with these keys.
func (p planted) bucket(half, home uint32, keys []Key, offsets []uint32) {
	var members Map
	for i, offset := range offsets {
		members = members.With(offset)
		p.put(half, p.halves[half].index(home, offset), MemberWord(keys[i+1], offset, 1),
			MakeWord1(placedValue, 1))
	}
	p.put(half, home, BaseWord(keys[0], members), MakeWord1(placedValue, 5))
}

// newPlaced makes a table whose nth key of the bucket in that half is the one: 0 is the base. The other half
// has an empty home, a base, or a bucket with members there.
func newPlaced(t *testing.T, l Layout, half uint32, nth, other int) placed {
	t.Helper()
	table, h := newTableWith(t, l, Options{Patience: 100})
	p := placed{planted: planted{table, t}, h: h, half: half}
	keys, homes := kin(p.planted, half)
	p.bucket(half, homes[half], keys, placedOffsets[:])
	switch other {
	case 1:
		p.bucket(1-half, homes[1-half], keys[placedBucket:], nil)
	case 2:
		p.bucket(1-half, homes[1-half], keys[placedBucket:], placedOffsets[:])
	}
	p.homes, p.key, p.absent = homes, keys[nth], keys[placedKin-1]
	if nth > 0 {
		p.offset = placedOffsets[nth-1]
	}
	return p
}

// cell is where the key is.
func (p *placed) cell() *cell { return p.halves[p.half].at(p.homes[p.half], p.offset) }

// placedLayouts are short rings and long ones, near homes and homes apart.
func placedLayouts() (all []Layout) {
	for _, cells := range []uint32{64, longRing} {
		for _, homes := range []Placement{HomesNear, HomesApart} {
			all = append(all, Layout{CellsPerHalf: cells, Window: placedWindow, Descriptors: 2,
				Homes: homes})
		}
	}
	return all
}

// eachPlace calls f with each place of a key.
func eachPlace(t *testing.T, f func(t *testing.T, p placed)) {
	t.Helper()
	for _, l := range placedLayouts() {
		for half := range uint32(2) {
			for nth := range placedBucket {
				for other := range 3 {
					name := fmt.Sprintf("%d cells, %v, key %d of half %d, other half %d", l.CellsPerHalf,
						l.Homes, nth, half, other)
					t.Run(name, func(t *testing.T) { f(t, newPlaced(t, l, half, nth, other)) })
				}
			}
		}
	}
}

// gets are the ways to look for one key.
func (p *placed) gets() map[string]func(k Key) (uint32, bool, error) {
	return map[string]func(k Key) (uint32, bool, error){
		"Get": func(k Key) (uint32, bool, error) {
			v, ok := p.Get(uint32(k))
			return v, ok, nil
		},
		"Handle.Get": func(k Key) (uint32, bool, error) {
			v, ok := p.h.Get(uint32(k))
			return v, ok, nil
		},
		"Lookup": func(k Key) (uint32, bool, error) { return p.Lookup(uint32(k)) },
		"GetPrepared": func(k Key) (uint32, bool, error) {
			x, err := p.Prepare(uint32(k))
			if err != nil {
				return 0, false, err
			}
			return p.GetPrepared(x)
		},
		"GetBatch": func(k Key) (uint32, bool, error) {
			values, found := make([]uint32, 1), make([]bool, 1)
			_, err := p.GetBatch([]uint32{uint32(k)}, values, found)
			return values[0], found[0], err
		},
	}
}

// updates are the ways to update one key.
func (p *placed) updates() map[string]func(k Key, v uint32) (uint32, bool, error) {
	return map[string]func(k Key, v uint32) (uint32, bool, error){
		"Update": func(k Key, v uint32) (uint32, bool, error) { return p.h.Update(uint32(k), v) },
		"UpdatePrepared": func(k Key, v uint32) (uint32, bool, error) {
			x, err := p.Prepare(uint32(k))
			if err != nil {
				return 0, false, err
			}
			return p.h.UpdatePrepared(x, v)
		},
	}
}

// reads holds what each get says against a value; 0 is absent.
func (p *placed) reads(t *testing.T, k Key, want uint32) {
	t.Helper()
	for name, get := range p.gets() {
		if v, ok, err := get(k); v != want || ok != (want != 0) || err != nil {
			t.Errorf("%s of %v: %d, %t, %v; want %d", name, k, v, ok, err, want)
		}
	}
}

// TestPlaces_AreFound: a key is found in its place, and is updated there: the value alone changes, and its
// version by one; the old value is returned, handed over, and counted once.
func TestPlaces_AreFound(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		p.reads(t, p.key, placedValue)
		p.reads(t, p.absent, 0)
		value := uint32(placedValue)
		for name, update := range p.updates() {
			var given []Leaving
			p.h.HandOver(func(l Leaving) { given = append(given, l) })
			before, tally, words := Word1(p.cell().word1.Load()), p.h.Tally(), p.bytes()
			p.h.left = append(p.h.left, Leaving{Key: 1, Value: 1})
			old, ok, err := update(p.key, value+1)
			if old != value || !ok || err != nil || len(p.h.Left()) != 0 {
				t.Fatalf("%s: %d, %t, %v, left %v; want %d", name, old, ok, err, p.h.Left(), value)
			}
			tally.Updated++
			if want := []Leaving{{uint32(p.key), value, ReasonUpdated}}; !slices.Equal(given, want) ||
				p.h.Tally() != tally {
				t.Errorf("%s: handed over %v, counted %+v; want %v, %+v", name, given, p.h.Tally(), want,
					tally)
			}
			value++
			if got := Word1(p.cell().word1.Load()); got != before.Next(Value(value)) {
				t.Errorf("%s: the cell has %v after %v", name, got, before)
			}
			p.reads(t, p.key, value)
			after := Word1(p.cell().word1.Load())
			p.cell().word1.Store(uint64(before))
			if !bytes.Equal(words, p.bytes()) {
				t.Errorf("%s: more has changed than the value", name)
			}
			p.cell().word1.Store(uint64(after))
			p.h.HandOver(nil)
		}
	})
}

// TestPlaces_RefusedUpdatesChangeNothing: of a key that is not there, to the value that means none, by a
// handle that is closed, or stuck.
func TestPlaces_RefusedUpdatesChangeNothing(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		words, tally := p.bytes(), p.h.Tally()
		p.h.HandOver(func(l Leaving) { t.Errorf("%v is handed over", l) })
		refused := func(what string, want error, k Key, v uint32) {
			t.Helper()
			for name, update := range p.updates() {
				p.h.left = nil
				if !k.Reserved() {
					p.h.left = []Leaving{{Key: 1, Value: 1}}
				}
				old, ok, err := update(k, v)
				if old != 0 || ok || !errors.Is(err, want) || len(p.h.Left()) != 0 {
					t.Errorf("%s, %s: %d, %t, %v, left %v; want %v", what, name, old, ok, err, p.h.Left(),
						want)
				}
			}
			if !bytes.Equal(words, p.bytes()) || p.h.Tally() != tally {
				t.Errorf("%s: something has changed, counted %+v", what, p.h.Tally())
			}
		}
		refused("absent", nil, p.absent, 7)
		refused("no value", ErrValue, p.key, 0)
		refused("no value, absent", ErrValue, p.absent, 0)
		refused("reserved", ErrKey, KeyLost, 7)
		refused("none", ErrKey, KeyNone, 7)
		p.h.stuck = ErrBusy
		refused("stuck", ErrBusy, p.key, 7)
		p.h.stuck = ErrClosed
		refused("closed", ErrClosed, p.key, 7)
	})
}

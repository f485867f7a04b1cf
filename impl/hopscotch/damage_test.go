package hopscotch

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"
)

// garbage fills the table with random words: wholly random, or of a form that exists with random
// fields, or sound ones with some bits flipped.
func garbage(t *Table, random *rand.Rand) {
	n := uint32(len(t.descriptors)) + 1
	for half := range t.halves {
		for i := range t.rows {
			c := t.halves[half].cell(uint32(i))
			c.word0.Store(uint64(garbageWord0(t, random, n)))
			w1 := random.Uint64() &^ (random.Uint64() & word1Spare)
			if random.Uint32N(2) == 0 {
				w1 &= 0xF<<32 | word1Z | 3
			}
			c.word1.Store(w1)
		}
	}
	for i := range t.descriptors {
		garbageDescriptor(t, &t.descriptors[i], random)
	}
}

func garbageWord0(t *Table, random *rand.Rand, descriptors uint32) Word0 {
	k := Key(random.Uint32N(2 * t.cells))
	r := t.refs.Make(random.Uint32N(descriptors), Generation(random.Uint32N(3)))
	g := Version(random.Uint32N(3))
	if random.Uint32N(8) == 0 {
		k = KeyLost
	}
	switch random.Uint32N(10) {
	case 0:
		return Word0(random.Uint64())
	case 1:
		return EmptyWord(g)
	case 2:
		return ClaimedWord(r)
	case 3, 4:
		return BaseWord(k, Map(random.Uint32N(1<<t.window)))
	case 5:
		return OperatingWord(k, r)
	case 6, 7:
		return MemberWord(k, random.Uint32N(t.window+1), g)
	case 8:
		return EngagedWord(k, r)
	}
	return BaseWord(k, 0) ^ 1<<random.Uint32N(64)
}

func garbageDescriptor(t *Table, d *descriptor, random *rand.Rand) {
	g := Generation(random.Uint32N(3))
	d.head.Store(uint64(MakeHead(g, Kind(random.Uint32N(8)), random.Uint32(),
		random.Uint32N(t.cells+1))))
	d.source.Store(uint64(MakeSource(random.Uint32N(t.window+1), Version(g), Version(g))))
	d.pair.Store(uint64(MakePair(Key(random.Uint32N(2*t.cells)), Value(random.Uint32N(3)))))
	k0 := Key(random.Uint32N(2 * t.cells))
	if random.Uint32N(4) == 0 {
		k0 = KeyLost
	}
	d.plan.Store(uint64(MakePlan(k0, Map(random.Uint32N(1<<t.window)&^1))))
	d.expect.Store(random.Uint64() & 0xF80000003)
	tg := MakeTarget(g).Decide(Status(random.Uint32N(4)))
	if random.Uint32N(2) == 0 {
		tg = tg.Propose(random.Uint32N(t.window+1), Version(random.Uint32N(3)))
	}
	d.target.Store(uint64(tg))
	if random.Uint32N(4) == 0 {
		for _, w := range []interface{ Store(uint64) }{&d.head, &d.pair, &d.plan, &d.target, &d.source} {
			if random.Uint32N(2) == 0 {
				w.Store(random.Uint64())
			}
		}
	}
}

// TestTable_SurvivesGarbage: whatever the words are, each call returns, and soon.
func TestTable_SurvivesGarbage(t *testing.T) {
	layouts := []Layout{{CellsPerHalf: 4, Window: 3, Descriptors: 3},
		{CellsPerHalf: 9, Window: 6, Descriptors: 2}}
	var corrupt, busy, results int
	start := time.Now()
	for seed := range uint64(3000) {
		table, h := newTableWith(t, layouts[seed%2], Options{KeepAll: seed%4 < 2, Patience: 300})
		random := rand.New(rand.NewPCG(seed, 9))
		garbage(table, random)
		h.Rewind()
		for range 6 {
			for _, err := range callAll(table, h, 1+random.Uint32N(3*table.cells)) {
				switch {
				case err == nil:
					results++
				case errors.Is(err, ErrCorrupt):
					corrupt++
				case errors.Is(err, ErrBusy):
					busy++
				default:
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		}
		Check(table, CheckOptions{Live: seed%3 == 0})
		if err := Dump(io.Discard, table, DumpOptions{Empty: true}); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d corrupt, %d busy, %d results in %v", corrupt, busy, results, time.Since(start))
	if corrupt == 0 || busy == 0 || results == 0 {
		t.Errorf("%d corrupt, %d busy, %d results: want some of each", corrupt, busy, results)
	}
}

// callAll makes every call once, and returns what each had to say.
func callAll(t *Table, h *Handle, key uint32) (errs [7]error) {
	_, _, errs[0] = t.Lookup(key)
	_, errs[1] = h.Add(key, 7)
	_, _, errs[2] = h.Update(key, 8)
	_, errs[3] = h.Delete(key)
	errs[4] = h.Crop(key)
	errs[5] = h.Restore(key)
	errs[6] = h.CropAll(nil)
	return errs
}

// TestTable_FullPatienceIsBounded: with the bound of the shipped table, too, garbage that never
// holds still is given up.
func TestTable_FullPatienceIsBounded(t *testing.T) {
	p := newPlanted(t)
	k := p.key(0, 2, 0)
	p.put(0, 2, BaseWord(k, 0), MakeWord1(1, 1).Freeze()) // read as: the operation has just ended
	start := time.Now()
	if _, ok, err := p.Lookup(uint32(k)); ok || !errors.Is(err, ErrBusy) {
		t.Errorf("%v, %v", ok, err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("gave up after %v", took)
	}
	small, err := NewWith(p.region, Options{Patience: 10})
	if err != nil {
		t.Fatal(err)
	}
	if small.patience != 10 || p.patience != patience {
		t.Errorf("patience is %d and %d", small.patience, p.patience)
	}
}

// TestTable_NamesTheDamage: a word that is plainly wrong is ErrCorrupt for Lookup and Add, and
// absent for Get.
func TestTable_NamesTheDamage(t *testing.T) {
	for name, plant := range map[string]func(p planted, k Key){
		"invalid form":   func(p planted, k Key) { p.put(0, 5, 1<<31, 0) },
		"window":         func(p planted, k Key) { p.put(0, 5, BaseWord(9, Map(0).With(4)), 0) },
		"spare bits":     func(p planted, k Key) { p.put(0, 5, BaseWord(k, 0), 1<<30) },
		"no descriptor":  func(p planted, k Key) { p.put(0, 5, OperatingWord(9, p.refs.Make(3, 0)), 0) },
		"idle reference": func(p planted, k Key) { p.put(0, 5, OperatingWord(9, p.refs.Make(1, 0)), 0) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlanted(t)
			h, err := p.NewHandle(5)
			if err != nil {
				t.Fatal(err)
			}
			k := p.key(0, 5, 0)
			plant(p, k)
			if _, ok, err := p.Lookup(uint32(k)); ok || !errors.Is(err, ErrCorrupt) {
				t.Errorf("lookup: %v, %v", ok, err)
			}
			if _, ok := p.Get(uint32(k)); ok {
				t.Error("get found it")
			}
			if r, err := h.Add(uint32(k), 1); r != 0 || !errors.Is(err, ErrCorrupt) {
				t.Errorf("add: %v, %v", r, err)
			}
			if _, ok, err := h.Update(uint32(k), 1); ok || !errors.Is(err, ErrCorrupt) {
				t.Errorf("update: %v, %v", ok, err)
			}
		})
	}
}

// TestHandle_IsLostWithItsOperation: a descriptor whose operation could not be finished is not
// given to anybody else.
func TestHandle_IsLostWithItsOperation(t *testing.T) {
	p := newPlanted(t)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	// An owner that finds its own generation gone: the descriptor was overwritten under it.
	k := p.key(0, 5, 0)
	w := work{kind: KindNew, half: 0, home: 5, base: view{EmptyWord(0), EmptyWord1(0)}}
	if !h.install(&w, MakePair(k, 1)) {
		t.Fatal("not installed")
	}
	h.d.target.Store(0)
	if err := h.drive(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("drive: %v", err)
	}
	if r, err := h.Add(1, 1); r != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("add: %v, %v", r, err)
	}
	if err := h.Close(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("close: %v", err)
	}
	if h.d != nil || p.descriptors[1].owner.Load() != 5 {
		t.Error("the descriptor was given back")
	}
}

// TestHelp_FinishesForTheDead: an operation whose owner has died in any of these places is
// finished by the next add to the bucket, and by no get.
func TestHelp_FinishesForTheDead(t *testing.T) {
	for name, halfway := range map[string]func(p planted){
		"installed": func(p planted) { p.put(0, 2, p.word0(0, 2), MakeWord1(20, 5)) },
		"frozen":    func(planted) {},
		"decided":   func(p planted) { p.decided() },
		"reserved":  func(p planted) { p.decided(); p.put(0, 4, ClaimedWord(p.refs.Make(1, 1)), 0) },
		"copied": func(p planted) {
			p.decided()
			p.put(0, 4, MemberWord(p.key(0, 2, 0), 2, 1), MakeWord1(20, 1))
		},
		"flipped": func(p planted) {
			p.decided()
			p.put(0, 4, MemberWord(p.key(0, 2, 0), 2, 1), MakeWord1(20, 1))
			p.put(0, 2, OperatingWord(p.key(0, 2, 2), p.refs.Make(1, 1)),
				MakeWord1(20, 5).Freeze())
		},
		"hole lost": func(p planted) { p.decided(); p.occupy() },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlanted(t)
			p.operate(2)
			halfway(p)
			if found := Check(p.Table, CheckOptions{Live: true}); found != nil {
				t.Fatal(found.Err())
			}
			words := bytes.Clone(p.bytes())
			olds := []Key{p.key(0, 2, 0), p.key(0, 2, 1)}
			for i, k := range olds {
				if v, ok, err := p.Lookup(uint32(k)); !ok || v != uint32(20+i) || err != nil {
					t.Errorf("while it is down: key %v is %d, %v, %v", k, v, ok, err)
				}
			}
			if !bytes.Equal(words, p.bytes()) {
				t.Error("a get has written")
			}
			h, err := p.NewHandle(5)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := h.Add(uint32(p.key(0, 2, 2)), 99); r != Exists || err != nil {
				t.Fatalf("add of the key of the dead one: %v, %v", r, err)
			}
			// An add that finds the new key in the base has nothing to wait for; then the rest
			// is left to the next who wants the bucket.
			if e := h.op.help(p.Table, p.refs.Make(1, 1)); e != over {
				t.Errorf("help: ending %d", e)
			}
			for i, k := range append(olds, p.key(0, 2, 2)) {
				if v, ok := p.Get(uint32(k)); !ok || v != uint32(20+i) {
					t.Errorf("key %v: %d, %v", k, v, ok)
				}
			}
			clean(t, p.Table)
		})
	}
}

func (p planted) word0(half, cell uint32) Word0 {
	return Word0(p.halves[half].cell(cell).word0.Load())
}

// decided commits the operation of operate, with the hole 0.4.
func (p planted) decided() {
	p.descriptors[1].target.Store(
		uint64(MakeTarget(1).Decide(StatusCommitted).Propose(2, 0)))
}

// occupy puts a base into the hole 0.4.
func (p planted) occupy() { p.put(0, 4, BaseWord(p.key(0, 4, 0), 0), MakeWord1(1, 1)) }

// bytes is all of the region.
func (p planted) bytes() []byte {
	var b []byte
	for _, w := range p.region.Words().Plain() {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return b
}

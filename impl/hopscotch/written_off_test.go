package hopscotch

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// hasLeft plants in descriptor 1, whose owner is 9, an operation of that kind that is over and was committed,
// as its owner has left it.
func (p planted) hasLeft(k Kind) {
	d := &p.descriptors[1]
	plan := MakePlan(p.key(0, 2, 0), Map(0).With(1))
	switch k {
	case KindNew:
		plan = 0
	case KindLift:
		plan = MakePlan(KeyLost, Map(0).With(1))
	case KindClear:
		plan = MakePlan(KeyLost, 0)
	}
	d.head.Store(uint64(MakeHead(1, k, 0, 2)))
	d.pair.Store(uint64(MakePair(p.key(0, 2, 1), 21)))
	d.plan.Store(uint64(plan))
	d.expect.Store(uint64(MakeWord1(20, 4)))
	d.source.Store(uint64(MakeSource(1, 1, 1)))
	d.target.Store(uint64(MakeTarget(1).Decide(StatusCommitted)))
	d.owner.Store(9)
}

const anyWord = -1

// words are those of a descriptor.
func (p planted) words(i int) []uint64 {
	all := make([]uint64, DescriptorWords)
	d := &p.descriptors[i]
	for i, w := range []interface{ Load() uint64 }{&d.head, &d.pair, &d.plan, &d.expect, &d.target, &d.owner,
		&d.source, &d.spare} {
		all[i] = w.Load()
	}
	return all
}

// senseless are words of an operation that is over which no owner leaves there, each with the word that the
// finding names; anyWord where no word disagrees with another one.
var senseless = []struct {
	name  string
	kind  Kind
	spoil func(d *descriptor)
	word  int
}{
	{"key of a new base", KindNew, func(d *descriptor) { d.pair.Store(5) }, DescriptorPair},
	{"key of an add of another home", KindAdd, func(d *descriptor) {
		d.pair.Add(1 << keyShift)
	}, DescriptorPair},
	{"key of a drop", KindDrop, func(d *descriptor) { d.pair.Store(5) }, DescriptorPair},
	{"plan of a lift", KindLift, func(d *descriptor) { d.plan.Store(0) }, DescriptorPlan},
	{"plan of a clear", KindClear, func(d *descriptor) { d.plan.Add(2) }, DescriptorPlan},
	{"plan beyond the window", KindReplace, func(d *descriptor) {
		d.plan.Store(d.plan.Load() | 1<<9)
	}, DescriptorPlan},
	{"source of a move", KindMove, func(d *descriptor) { d.source.Store(0) }, DescriptorSource},
	{"source that the plan does not name", KindDrop, func(d *descriptor) {
		d.source.Store(uint64(MakeSource(2, 1, 1)))
	}, DescriptorSource},
	{"spare bits of the source", KindDrop, func(d *descriptor) {
		d.source.Store(d.source.Load() | 1<<63)
	}, anyWord},
	{"spare bits of the base", KindClear, func(d *descriptor) { d.expect.Store(1 << 30) }, anyWord},
	{"half a hole", KindAdd, func(d *descriptor) { d.target.Add(1) }, anyWord},
	{"a hole beyond the window", KindAdd, func(d *descriptor) {
		d.target.Store(uint64(Target(d.target.Load()).Propose(4, 0)))
	}, anyWord},
}

// TestReclaim_WritesOff: an operation that is over, and whose words make no sense, is a finding of Check once
// its owner is dead. The descriptor is written off by the first reclaim, and used as any other one.
func TestReclaim_WritesOff(t *testing.T) {
	for _, c := range senseless {
		t.Run(c.name, func(t *testing.T) {
			p := newPlanted(t)
			p.hasLeft(c.kind)
			h := newHandle(t, p.Table, 5)
			alive := p.Table.alive
			deadNine(p.Table)
			clean(t, p.Table)
			c.spoil(&p.descriptors[1])
			found := Check(p.Table, CheckOptions{Live: true})
			if len(found) != 1 || found[0].Descriptor != 1 || found[0].Want != WantLast {
				t.Fatalf("before: %v", found)
			}
			if !strings.HasPrefix(found[0].Word, "of the last operation, which is over, ") ||
				strings.Contains(found[0].Word, "undecided") { // what is found was decided
				t.Errorf("%v", found)
			}
			if c.word != anyWord {
				raw := p.words(1)[c.word]
				text := DescriptorText(c.word, raw)
				if f := found[0]; f.Raw != Raw(raw) || !strings.HasSuffix(f.Word, text) {
					t.Errorf("%v, want the word %s", f, text)
				}
			}
			p.Table.alive = alive
			for _, f := range Check(p.Table, CheckOptions{Live: true}) {
				if f.Want == WantLast {
					t.Errorf("its owner lives: %v", f)
				}
			}
			deadNine(p.Table)
			got, err := h.Reclaim()
			want := Reclaimed{Descriptor: 1, Owner: 9, Kind: c.kind, WrittenOff: true}
			if err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("reclaimed %v, %v, want %v", got, err, want)
			}
			clean(t, p.Table)
			if w := Head(p.descriptors[1].head.Load()); w != MakeHead(2, KindNone, 0, 0) {
				t.Errorf("the head is %v, want no operation of the next generation", w)
			}
			for i, w := range p.words(1)[DescriptorPair:] {
				if w != 0 {
					t.Errorf("word %d is %v still", i+DescriptorPair, Raw(w))
				}
			}
			next := newHandle(t, p.Table, 6)
			if next.index != 1 {
				t.Fatalf("the next handle has descriptor %d", next.index)
			}
			if r, err := next.Add(uint32(p.key(0, 6, 0)), 60); r != Added || err != nil {
				t.Errorf("an add with it: %v, %v", r, err)
			}
			clean(t, p.Table)
		})
	}
}

// TestNewHandle_InheritsWhatIsWrittenOff: a newcomer takes such a descriptor, too, and is told.
func TestNewHandle_InheritsWhatIsWrittenOff(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2, Homes: HomesApart})
	dead := newHandle(t, table, 9)
	planted{table, t}.hasLeft(KindNew)
	dead.d.pair.Store(5)
	deadNine(table)
	next, err := table.NewHandle(6)
	if err != nil {
		t.Fatal(err)
	}
	x, ok := next.Inherited()
	if !ok || !x.WrittenOff || x.Leaves || x.Kind != KindNew || next.index != dead.index {
		t.Errorf("inherited %v, %t", x, ok)
	}
	if x, ok := h.Inherited(); ok {
		t.Errorf("the first one inherited %v", x)
	}
	clean(t, table)
}

// TestReclaim_WritesOffWhatNobodyRefersTo: while a cell of any form and generation refers to the descriptor,
// it stays the dead owner's, and Check tells of the cell.
func TestReclaim_WritesOffWhatNobodyRefersTo(t *testing.T) {
	for form, word := range map[Form]func(p planted, r Ref) Word0{
		FormClaimed:   func(_ planted, r Ref) Word0 { return ClaimedWord(r) },
		FormOperating: func(p planted, r Ref) Word0 { return OperatingWord(p.key(1, 5, 0), r) },
		FormEngaged:   func(p planted, r Ref) Word0 { return EngagedWord(p.key(1, 5, 0), r) },
	} {
		for _, generation := range []Generation{0, 1, 7} {
			p := newPlanted(t)
			p.hasLeft(KindNew)
			p.descriptors[1].pair.Store(5)
			p.put(1, 5, word(p, p.refs.Make(1, generation)), MakeWord1(1, 1))
			h := newHandle(t, p.Table, 5)
			deadNine(p.Table)
			if got, err := h.Reclaim(); !errors.Is(err, ErrCorrupt) || len(got) != 0 {
				t.Errorf("%v, generation %d: %v, %v", form, generation, got, err)
			}
			if w := Owner(p.descriptors[1].owner.Load()); w != 9 {
				t.Errorf("%v: the descriptor is %v's", form, w)
			}
			told := Check(p.Table, CheckOptions{Live: true})
			if !slices.ContainsFunc(told, func(f Finding) bool { return f.Half == 1 && f.Cell == 5 }) {
				t.Errorf("%v: %v", form, told)
			}
			p.put(1, 5, word(p, p.refs.Make(2, generation)), MakeWord1(1, 1)) // another one's
			if got, err := h.Reclaim(); err != nil || len(got) != 1 || !got[0].WrittenOff {
				t.Errorf("%v, of another descriptor: %v, %v", form, got, err)
			}
		}
	}
}

// TestReclaim_ATargetOfAnotherGeneration: an operation that is installed has the target of its generation; if
// it has not, nothing was finished, and the descriptor must not be free while a cell refers to it.
func TestReclaim_ATargetOfAnotherGeneration(t *testing.T) {
	p := newPlanted(t)
	p.operate(2)
	p.descriptors[1].target.Store(uint64(MakeTarget(3)))
	h := newHandle(t, p.Table, 5)
	deadNine(p.Table)
	if got, err := h.Reclaim(); !errors.Is(err, ErrCorrupt) || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if w := Owner(p.descriptors[1].owner.Load()); w != 9 {
		t.Errorf("the descriptor is %v's", w)
	}
	if found := Check(p.Table, CheckOptions{Live: true}); len(found) != 1 || found[0].Want != "generation 1" {
		t.Errorf("%v", found)
	}
}

// TestCheck_FindsWhatAReclaimFailsOf: of words of a descriptor that are overwritten at random, whether its
// operation is installed or over, whatever a reclaim cannot take back or writes off is found before, and
// nothing of it is found after a reclaim that says that all is well.
func TestCheck_FindsWhatAReclaimFailsOf(t *testing.T) {
	kinds := []Kind{KindNew, KindAdd, KindReplace, KindMove, KindDrop, KindLift, KindClear}
	plant := []func(p planted){
		func(p planted) { p.operate(2) }, func(p planted) { p.operate(2); p.decided() },
		func(p planted) { p.move() }, func(p planted) { p.move(); p.copied() },
		func(p planted) { p.lift(false) },
		func(p planted) { p.claims(KindNew); p.descriptors[1].owner.Store(9) }}
	for _, k := range kinds {
		plant = append(plant, func(p planted) { p.hasLeft(k) })
	}
	failed, off, well := 0, 0, 0
	for seed := range uint64(20_000) {
		random := rand.New(rand.NewPCG(seed, 5))
		p := newPlanted(t)
		p.patience = 100
		plant[random.IntN(len(plant))](p)
		h := newHandle(t, p.Table, 5)
		spoil(&p.descriptors[1], random)
		deadNine(p.Table)
		before := Check(p.Table, CheckOptions{Live: true})
		got, err := h.Reclaim()
		switch {
		case err != nil:
			failed++
			if len(before) == 0 {
				t.Fatalf("seed %d: reclaim says %v, and Check nothing", seed, err)
			}
		case len(got) != 1:
			t.Fatalf("seed %d: reclaimed %v", seed, got)
		case got[0].WrittenOff:
			off++
			if !slices.ContainsFunc(before, func(f Finding) bool { return f.Want == WantLast }) {
				t.Fatalf("seed %d: %v, and Check says %v", seed, got[0], before)
			}
			clean(t, p.Table)
		default:
			well++
		}
	}
	if t.Logf("%d fail, %d are written off, %d go well", failed, off, well); min(failed, off, well) < 500 {
		t.Error("want some hundreds of each")
	}
}

// spoil overwrites one word of the descriptor, the owner apart: one bit, some bits, or all of it.
func spoil(d *descriptor, random *rand.Rand) {
	words := []interface {
		Load() uint64
		Store(uint64)
	}{&d.head, &d.pair, &d.plan, &d.expect, &d.source, &d.target}
	w := words[random.IntN(len(words))]
	switch random.IntN(3) {
	case 0:
		w.Store(w.Load() ^ 1<<random.IntN(64))
	case 1:
		w.Store(w.Load() ^ random.Uint64()&random.Uint64())
	default:
		w.Store(random.Uint64())
	}
}

// TestCheck_BesideAReclaim: an owner is seen to be dead, and then its descriptor is reclaimed and taken by
// the next one, whose operation is in transit. None of that is damage.
func TestCheck_BesideAReclaim(t *testing.T) {
	for _, reclaimed := range []bool{false, true} {
		p := newPlanted(t)
		p.hasLeft(KindNew)
		d := &p.descriptors[1]
		p.Table.alive = func(w Owner) bool {
			if w.Number() == 9 && reclaimed {
				d.owner.Store(6)
			}
			return w.Number() != 9
		}
		d.pair.Store(5)
		if found := Check(p.Table, CheckOptions{Live: true}); (len(found) == 0) != reclaimed {
			t.Errorf("reclaimed beside the check: %t; found %v", reclaimed, found)
		}
	}
}

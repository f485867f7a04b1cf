package hopscotch

import (
	"bytes"
	"errors"
	"testing"
)

// A helper acts on what it finds in a descriptor. So it must find every word in order first: what
// makes no sense is an error, what is of another generation is nobody's, and neither is touched.

// installations are sound operations of each kind, undecided, in descriptor 1 with generation 1.
var installations = map[string]func(p planted){
	"new": func(p planted) {
		p.operate(2)
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1)), MakeWord1(20, 5))
		p.put(0, 5, ClaimedWord(p.refs.Make(1, 1)), EmptyWord1(3))
		d := &p.descriptors[1]
		d.head.Store(uint64(MakeHead(1, KindNew, 0, 5)))
		d.pair.Store(uint64(MakePair(p.key(0, 5, 0), 22)))
		d.expect.Store(uint64(EmptyWord1(3)))
	},
	"add":     func(p planted) { p.operate(2); p.unfreeze() },
	"replace": func(p planted) { p.operate(2); p.unfreeze(); p.ofKind(KindReplace) },
	"move":    func(p planted) { p.aboutMember(KindMove) },
	"drop":    func(p planted) { p.aboutMember(KindDrop) },
	"lift":    func(p planted) { p.lost(); p.aboutMember(KindLift) },
	"clear": func(p planted) {
		p.lost()
		p.put(0, 3, EmptyWord(2), EmptyWord1(2))
		p.operate(2)
		p.unfreeze()
		p.ofKind(KindClear)
		p.descriptors[1].plan.Store(uint64(MakePlan(KeyLost, 0)))
	},
}

func (p planted) lost()      { p.put(0, 2, BaseWord(KeyLost, Map(0).With(1)), MakeWord1(20, 5)) }
func (p planted) unfreeze()  { p.put(0, 2, p.word0(0, 2), MakeWord1(20, 5)) }
func (p planted) of() Head   { return Head(p.descriptors[1].head.Load()) }
func (p planted) ref() Ref   { return p.refs.Make(1, 1) }
func (p planted) tg() Target { return MakeTarget(1) }

func (p planted) ofKind(k Kind) { p.descriptors[1].head.Store(uint64(MakeHead(1, k, 0, 2))) }

// aboutMember installs an operation on the member 0.3, undecided.
func (p planted) aboutMember(k Kind) {
	p.operate(2)
	p.unfreeze()
	p.ofKind(k)
	p.descriptors[1].pair.Store(uint64(MakePair(p.key(0, 2, 1), 21)))
	p.descriptors[1].source.Store(uint64(MakeSource(1, 1, 1)))
}

// misfits are what is wrong with a descriptor: in one word, for all kinds but some.
var misfits = []struct {
	name   string
	spoil  func(p planted, d *descriptor)
	except string // kinds that have no such word, or may have it so
	search bool   // who searches behind an O cannot use it either
}{
	{"spare bit of the head", func(p planted, d *descriptor) {
		d.head.Store(uint64(p.of()) | 1<<63)
	}, "", true},
	{"home beyond the half", func(p planted, d *descriptor) {
		d.head.Store(uint64(MakeHead(1, p.of().Kind(), 0, 8)))
	}, "", true},
	{"home of other keys", func(p planted, d *descriptor) {
		d.head.Store(uint64(MakeHead(1, p.of().Kind(), 0, p.of().Home()+1)))
	}, "drop clear", false},
	{"no kind", func(p planted, d *descriptor) { p.ofKind(KindNone) }, "", true},
	{"spare bit of the expected word", func(p planted, d *descriptor) {
		d.expect.Store(d.expect.Load() | 1<<30)
	}, "", false},
	{"plan without a key", func(p planted, d *descriptor) { d.plan.Store(2) }, "new", true},
	{"bit 0 of the plan", func(p planted, d *descriptor) { d.plan.Store(d.plan.Load() | 1) }, "new", true},
	{"plan beyond the window", func(p planted, d *descriptor) {
		d.plan.Store(d.plan.Load() | 1<<4)
	}, "new", true},
	{"lift to a live base of another bucket, clear of one", func(p planted, d *descriptor) {
		k := Key(1)
		for p.belongs(k, place{0, p.of().Home()}) {
			k++
		}
		d.plan.Store(uint64(MakePlan(k, Plan(d.plan.Load()).Map())))
	}, "new add replace move drop", false},
	{"clear of a base with a member", func(p planted, d *descriptor) {
		d.plan.Store(uint64(MakePlan(KeyLost, 2)))
	}, "new add replace move drop lift", true},
	{"no key", func(p planted, d *descriptor) { d.pair.Store(uint64(MakePair(0, 5))) }, "clear", false},
	{"lost key", func(p planted, d *descriptor) {
		d.pair.Store(uint64(MakePair(KeyLost, 5)))
	}, "clear drop", false},
	{"spare bit of the source", func(p planted, d *descriptor) {
		d.source.Store(d.source.Load() | 1<<63)
	}, "new add replace clear lift", true},
	{"no source", func(p planted, d *descriptor) {
		d.source.Store(uint64(MakeSource(0, 1, 1)))
	}, "new add replace clear lift", true},
	{"no source of a lift", func(p planted, d *descriptor) {
		d.source.Store(uint64(MakeSource(0, 1, 1)))
	}, "new add replace clear move drop", false},
	{"source that is no member", func(p planted, d *descriptor) {
		d.source.Store(uint64(MakeSource(2, 1, 1)))
	}, "new add replace clear", false},
	{"hole without an offset", func(p planted, d *descriptor) {
		d.target.Store(uint64(p.tg()) | 1<<targetHasShift)
	}, "", true},
	{"offset without a hole", func(p planted, d *descriptor) {
		d.target.Store(uint64(p.tg()) | 1<<targetOffsetShift)
	}, "", true},
	{"hole beyond the window", func(p planted, d *descriptor) {
		d.target.Store(uint64(p.tg().Decide(StatusCommitted).Propose(4, 0)))
	}, "", false},
}

// TestHelp_RefusesWhatMakesNoSense: for each kind and each word of its descriptor.
func TestHelp_RefusesWhatMakesNoSense(t *testing.T) {
	for kind, install := range installations {
		for _, c := range misfits {
			if bytes.Contains([]byte(c.except), []byte(kind)) {
				continue
			}
			t.Run(kind+"/"+c.name, func(t *testing.T) {
				p := newPlanted(t)
				p.patience = 100
				install(p)
				c.spoil(p, &p.descriptors[1])
				h, err := p.NewHandle(5)
				if err != nil {
					t.Fatal(err)
				}
				h.op.target = MakeTarget(1) // of an operation before; nothing of it counts
				before := p.bytes()
				if err := h.help(p.ref()); !errors.Is(err, ErrCorrupt) {
					t.Errorf("help: %v", err)
				}
				if !c.search || kind == "new" {
					if !bytes.Equal(before, p.bytes()) {
						t.Error("the helper has written")
					}
					return
				}
				if _, ok, err := p.Lookup(uint32(p.key(0, 2, 7))); ok || !errors.Is(err, ErrCorrupt) {
					t.Errorf("lookup behind it: %v, %v", ok, err)
				}
				if !bytes.Equal(before, p.bytes()) {
					t.Error("somebody has written")
				}
			})
		}
	}
}

// TestHelp_LeavesOtherGenerationsAlone: the descriptor or its target has moved on, or is not there yet.
// Then all words of it may be anything.
func TestHelp_LeavesOtherGenerationsAlone(t *testing.T) {
	for kind, install := range installations {
		for name, spoil := range map[string]func(p planted, d *descriptor){
			"head": func(p planted, d *descriptor) {
				d.head.Store(uint64(MakeHead(2, p.of().Kind(), p.of().Half(), p.of().Home())))
			},
			"head without a kind": func(p planted, d *descriptor) {
				d.head.Store(uint64(MakeHead(2, 0, 0, 9)))
			},
			"target": func(p planted, d *descriptor) { d.target.Store(uint64(MakeTarget(2))) },
			"target of before, undone": func(p planted, d *descriptor) {
				d.target.Store(uint64(MakeTarget(0).Decide(StatusAborted)))
			},
			"target that makes no sense": func(p planted, d *descriptor) {
				d.target.Store(uint64(MakeTarget(2).Propose(7, 0)))
			},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				p := newPlanted(t)
				install(p)
				spoil(p, &p.descriptors[1])
				h, err := p.NewHandle(5)
				if err != nil {
					t.Fatal(err)
				}
				h.op.target = MakeTarget(1)
				before := p.bytes()
				if e := h.op.help(p.Table, p.ref()); e != gone {
					t.Errorf("help ends with %d, want that the operation is gone", e)
				}
				if err := h.help(p.ref()); err != nil {
					t.Errorf("help: %v", err)
				}
				if !bytes.Equal(before, p.bytes()) {
					t.Error("the helper has written")
				}
			})
		}
	}
}

// TestHelp_FinishesEachKind: the installations themselves are sound, and end as their kind says.
func TestHelp_FinishesEachKind(t *testing.T) {
	for kind, want := range map[string]map[int]uint32{ // nth key of home 0.2 -> value
		"new":     {0: 20, 1: 21, 2: 0},
		"add":     {0: 20, 1: 21, 2: 22},
		"replace": {0: 0, 1: 21, 2: 22},
		"move":    {0: 20, 1: 21, 2: 0},
		"drop":    {0: 20, 1: 0, 2: 0},
		"lift":    {0: 0, 1: 21, 2: 0},
		"clear":   {0: 0, 1: 0, 2: 0},
	} {
		t.Run(kind, func(t *testing.T) {
			p := newPlanted(t)
			installations[kind](p)
			h, err := p.NewHandle(5)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.help(p.ref()); err != nil {
				t.Fatal(err)
			}
			if got := Target(p.descriptors[1].target.Load()).Status(); got != StatusCommitted {
				t.Errorf("status %v", got)
			}
			for nth, value := range want {
				v, ok, err := p.Lookup(uint32(p.key(0, 2, nth)))
				if v != value || ok != (v != 0) || err != nil {
					t.Errorf("key %d: %d, %v, %v; want %d", nth, v, ok, err, value)
				}
			}
			switch kind {
			case "new":
				if v, ok := p.Get(uint32(p.key(0, 5, 0))); !ok || v != 22 {
					t.Errorf("the new element: %d, %v", v, ok)
				}
			case "move":
				if w := p.word0(0, 3); w != EmptyWord(2) {
					t.Errorf("the old place of the member is %v", w)
				}
			case "clear":
				if w := p.word0(0, 2); w != EmptyWord(6) {
					t.Errorf("the base is %v", w)
				}
			}
			clean(t, p.Table)
		})
	}
}

// TestAdd_RefusesAMemberBeyondItsWindow: where a member of another bucket is to be moved, or to leave,
// its distance decides which base is engaged.
func TestAdd_RefusesAMemberBeyondItsWindow(t *testing.T) {
	for name, c := range map[string]struct {
		cell  uint32
		owner Map // of the base that would own it
	}{"in the home cell": {0, 1 << 3}, "in the window": {1, 1 << 3}, "of nobody": {0, 0}} {
		cell := c.cell
		t.Run(name, func(t *testing.T) {
			table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 3, Descriptors: 2},
				Options{Patience: 1000})
			p := planted{table, t}
			k := p.key(0, 2, 0)
			_, h1 := table.homes(k)
			homes := [2]uint32{2, h1}
			for half, home := range homes {
				for offset := range uint32(3) {
					at := (home + offset) % 8
					p.put(uint32(half), at, BaseWord(p.key(uint32(half), at, 5+half), 0), MakeWord1(1, 1))
				}
				p.put(uint32(half), (home+cell)%8, MemberWord(p.key(uint32(half), home, 9), 3, 1),
					MakeWord1(1, 1))
				// A base that would own it, were the window larger.
				owner := (home + cell + 8 - 3) % 8
				p.put(uint32(half), owner, BaseWord(p.key(uint32(half), owner, 11), c.owner),
					MakeWord1(1, 1))
			}
			if r, err := h.Add(uint32(k), 50); r != 0 || !errors.Is(err, ErrCorrupt) {
				t.Errorf("add: %v, %v", r, err)
			}
			for half, home := range homes {
				if w := p.word0(uint32(half), (home+cell)%8); w.Form() != FormMember || w.Distance() != 3 {
					t.Errorf("the member in half %d is %v now", half, w)
				}
			}
		})
	}
}

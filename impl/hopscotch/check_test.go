package hopscotch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// planted is a table that is written word by word.
type planted struct {
	*Table
	tb testing.TB
}

// newPlanted makes the sound table that the damage is done to: 8 cells, window 4. In half 0 cell
// 2 is a base with the member 3, in half 1 the base 7 has the member 0, around the end.
func newPlanted(tb testing.TB) planted {
	table, _ := newTable(tb, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3,
		Homes: HomesApart})
	p := planted{table, tb}
	p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1)), MakeWord1(20, 5))
	p.put(0, 3, MemberWord(p.key(0, 2, 1), 1, 1), MakeWord1(21, 1))
	p.put(1, 7, BaseWord(p.key(1, 7, 0), Map(0).With(1)), MakeWord1(70, 3))
	p.put(1, 0, MemberWord(p.key(1, 7, 1), 1, 1), MakeWord1(71, 1))
	return p
}

func (p planted) put(half, cell uint32, w0 Word0, w1 Word1) {
	c := p.halves[half].cell(cell)
	c.word0.Store(uint64(w0))
	c.word1.Store(uint64(w1))
}

// key is the nth key whose home in half is cell.
func (p planted) key(half, cell uint32, nth int) Key {
	for k := uint32(1); ; k++ {
		h := [2]uint32{}
		h[0], h[1] = p.homes(Key(k))
		if h[half] == cell {
			if nth--; nth < 0 {
				return Key(k)
			}
		}
	}
}

// operate installs an add of the nth key at 0.2, undecided, with its value frozen.
func (p planted) operate(nth int) {
	d := &p.descriptors[1]
	old := Word0(p.halves[0].cell(2).word0.Load())
	d.head.Store(uint64(MakeHead(1, KindAdd, 0, 2)))
	d.pair.Store(uint64(MakePair(p.key(0, 2, nth), 22)))
	d.plan.Store(uint64(MakePlan(old.Key(), old.Map())))
	d.expect.Store(uint64(MakeWord1(20, 5)))
	d.target.Store(uint64(MakeTarget(1)))
	d.owner.Store(9) // who has died
	p.put(0, 2, OperatingWord(old.Key(), p.refs.Make(1, 1)), MakeWord1(20, 5).Freeze())
}

// move installs a move of the member 0.3 to the hole 0.4, committed, with everything frozen.
func (p planted) move() {
	p.operate(1)
	d := &p.descriptors[1]
	d.head.Store(uint64(MakeHead(1, KindMove, 0, 2)))
	d.pair.Store(uint64(MakePair(p.key(0, 2, 1), 21)))
	d.source.Store(uint64(MakeSource(1, 1, 1)))
	d.target.Store(uint64(MakeTarget(1).Decide(StatusCommitted).Propose(2, 0)))
	p.put(0, 3, EngagedWord(p.key(0, 2, 1), p.refs.Make(1, 1)), MakeWord1(21, 1).Freeze())
}

// copied lets the move have its copy in the hole.
func (p planted) copied() {
	p.put(0, 4, MemberWord(p.key(0, 2, 1), 2, 1), MakeWord1(21, 1))
}

// thawed lets the move have its base thawed: the copy counts from here on.
func (p planted) thawed() { p.put(0, 2, p.word0(0, 2), MakeWord1(20, 6)) }

// damage is done to the sound table. A want is the invariant and the place.
type damage struct {
	name   string
	live   bool
	damage func(p planted)
	want   []string
}

// damages are the canaries: each invariant is seen to fail, and nothing else with it but what must.
var damages = []damage{
	{"none", false, func(planted) {}, nil},
	{"operation in flight", true, func(p planted) { p.operate(2) }, nil},
	{"base without a key", false, func(p planted) {
		p.put(0, 5, 1, 0)
	}, []string{"I1NoEmptyKey 0.5"}},
	{"empty cell with a value", false, func(p planted) {
		p.put(1, 4, EmptyWord(3), MakeWord1(9, 3))
	}, []string{"I2EmptyWord 1.4"}},
	{"empty cell of another version", false, func(p planted) {
		p.put(1, 4, EmptyWord(3), EmptyWord1(4))
	}, []string{"I2EmptyWord 1.4"}},
	{"reference to a later generation", true, func(p planted) {
		p.operate(2)
		p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(1, 2)), MakeWord1(20, 5))
	}, []string{"I3RefsLive 0.2"}},
	{"reference to no descriptor", true, func(p planted) {
		p.put(0, 5, ClaimedWord(p.refs.Make(3, 1)), 0)
	}, []string{"I3RefsLive 0.5"}},
	{"hole that its operation does not name", true, func(p planted) {
		p.operate(2)
		p.put(0, 4, ClaimedWord(p.refs.Make(1, 1)), 0)
	}, []string{"I3RefsLive 0.4"}},
	{"frozen idle base", false, func(p planted) {
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1)), MakeWord1(20, 5).Freeze())
	}, []string{"I4FrozenIsHeld 0.2"}},
	{"member that no base names", false, func(p planted) {
		p.put(0, 4, MemberWord(p.key(0, 2, 2), 2, 1), MakeWord1(1, 1))
	}, []string{"I5MembersOwned 0.4"}},
	{"base that names an empty cell", false, func(p planted) {
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(2)), MakeWord1(20, 5))
	}, []string{"I6MapsExact 0.4"}},
	{"base with the key of another bucket", false, func(p planted) {
		p.put(1, 3, BaseWord(p.key(1, 4, 5), 0), MakeWord1(1, 1))
	}, []string{"I7InItsBucket 1.3"}},
	{"member with the key of another bucket", false, func(p planted) {
		p.put(0, 3, MemberWord(p.key(0, 6, 3), 1, 1), MakeWord1(21, 1))
	}, []string{"I7InItsBucket 0.3"}},
	{"key in base and member", false, func(p planted) {
		p.put(0, 3, MemberWord(p.key(0, 2, 0), 1, 1), MakeWord1(21, 1))
	}, []string{"I8KeysUnique 0.3"}},
	{"key in both halves", false, func(p planted) {
		k, h1 := Key(0), uint32(0)
		for nth := 2; h1 != 4; nth++ {
			k = p.key(0, 2, nth)
			_, h1 = p.homes(k)
		}
		p.put(0, 2, BaseWord(k, Map(0).With(1)), MakeWord1(20, 5))
		p.put(1, 4, BaseWord(k, 0), MakeWord1(1, 1))
	}, []string{"I8KeysUnique 1.4"}},
	{"element without a value", false, func(p planted) {
		p.put(0, 3, MemberWord(p.key(0, 2, 1), 1, 1), MakeWord1(0, 1))
	}, []string{"I9MemoryIsMap 0.3"}},
	{"operation left over", false, func(p planted) { p.operate(2) }, []string{"I10NothingLeft 0.2"}},
	{"descriptor that holds four cells", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].target.Store(uint64(MakeTarget(1).Decide(StatusCommitted).Propose(2, 0)))
		p.put(0, 4, ClaimedWord(p.refs.Make(1, 1)), 0)
		p.put(0, 5, ClaimedWord(p.refs.Make(1, 1)), 0)
		p.put(0, 6, ClaimedWord(p.refs.Make(1, 1)), 0)
	}, []string{"I11HeldOnce 0.6", "I3RefsLive 0.5", "I3RefsLive 0.6"}},
	{"spare bits", false, func(p planted) {
		p.put(0, 6, EmptyWord(0), 1<<29)
	}, []string{"Decode 0.6", "I2EmptyWord 0.6"}},
	{"reserved bit of a base in operation", true, func(p planted) {
		p.operate(2)
		p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(1, 1))|1<<30, MakeWord1(20, 5))
	}, []string{"Decode 0.2", "I5MembersOwned 0.3"}},
	{"member at distance 0", false, func(p planted) {
		p.put(0, 6, MemberWord(p.key(0, 6, 0), 0, 1), MakeWord1(1, 1))
	}, []string{"Decode 0.6"}},
	{"member beyond the window", false, func(p planted) {
		p.put(0, 6, MemberWord(p.key(0, 2, 2), 4, 1), MakeWord1(1, 1))
	}, []string{"Decode 0.6", "I5MembersOwned 0.6"}},
	{"lost base and member", false, func(p planted) {
		p.put(0, 2, p.word0(0, 2).WithKey(KeyLost), MakeWord1(20, 5))
		p.put(0, 3, p.word0(0, 3).WithKey(KeyLost), MakeWord1(21, 1))
	}, nil},
	{"lost element without a value", false, func(p planted) {
		p.put(0, 3, p.word0(0, 3).WithKey(KeyLost), MakeWord1(0, 1))
	}, []string{"I9MemoryIsMap 0.3"}},
	{"move in flight", true, func(p planted) { p.move() }, nil},
	{"move, copied", true, func(p planted) { p.move(); p.copied() }, nil},
	{"move, thawed", true, func(p planted) { p.move(); p.copied(); p.thawed() }, nil},
	{"move left over", false, func(p planted) { p.move() },
		[]string{"I10NothingLeft 0.2", "I10NothingLeft 0.3"}},
	{"engaged member of an operation on another one", true, func(p planted) {
		p.move()
		p.descriptors[1].source.Store(uint64(MakeSource(2, 1, 1)))
	}, []string{"Decode descriptor 1", "I3RefsLive 0.3"}},
	{"engaged member of an operation without one", true, func(p planted) {
		p.move()
		p.descriptors[1].head.Store(uint64(MakeHead(1, KindAdd, 0, 2)))
	}, []string{"I3RefsLive 0.3"}},
	{"engaged member of an idle base", true, func(p planted) {
		p.move()
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1)), MakeWord1(20, 5))
	}, []string{"I5MembersOwned 0.3", "I6MapsExact 0.3"}},
	{"engaged member without a descriptor", true, func(p planted) {
		p.put(0, 3, EngagedWord(p.key(0, 2, 1), p.refs.Make(3, 1)), MakeWord1(21, 1))
	}, []string{"I3RefsLive 0.3", "I6MapsExact 0.3"}},
	{"copy of another member's key", true, func(p planted) {
		p.move()
		p.copied()
		p.thawed()
		p.put(0, 4, MemberWord(p.key(0, 2, 0), 2, 1), MakeWord1(21, 1))
	}, []string{"I8KeysUnique 0.4"}},
	{"two bases of one descriptor", true, func(p planted) {
		p.operate(2)
		p.put(0, 6, OperatingWord(p.key(0, 6, 0), p.refs.Make(1, 1)), MakeWord1(1, 1))
	}, []string{"I11HeldOnce 0.6", "I3RefsLive 0.6"}},
	{"members beyond the window", false, func(p planted) {
		p.put(0, 6, BaseWord(p.key(0, 6, 0), Map(0).With(9)), MakeWord1(1, 1))
	}, []string{"Decode 0.6"}},
	{"plan of another kind", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].head.Store(uint64(MakeHead(1, KindLift, 0, 2)))
	}, []string{"Decode descriptor 1"}},
	{"plan without a key", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].plan.Store(uint64(MakePlan(0, Map(0).With(1))))
	}, []string{"Decode descriptor 1"}},
	{"each word of a descriptor", false, func(p planted) {
		d := &p.descriptors[0]
		d.head.Store(1<<63 | 8)
		d.target.Store(uint64(MakeTarget(1).Propose(4, 0)))
		d.expect.Store(1 << 30)
		d.source.Store(1)
		d.spare.Store(1)
	}, slices.Repeat([]string{"Decode descriptor 0"}, 6)},
	{"generations that the references have no room for", false, func(p planted) {
		p.refs = RefLayoutOf(64) // of 23 bits
		p.descriptors[0].head.Store(uint64(MakeHead(1<<23, KindNone, 0, 0)))
		p.descriptors[0].target.Store(uint64(MakeTarget(1 << 23)))
		p.descriptors[1].head.Store(uint64(MakeHead(1<<23-1, KindNone, 0, 0)))
		p.descriptors[1].target.Store(uint64(MakeTarget(1<<23 - 1)))
	}, slices.Repeat([]string{"Decode descriptor 0"}, 2)},
	{"half a hole", false, func(p planted) {
		p.descriptors[0].target.Store(1)
	}, []string{"Decode descriptor 0"}},
	{"several at once", false, func(p planted) {
		p.put(0, 5, 1, 0)
		p.put(0, 6, EmptyWord(3), EmptyWord1(4))
		p.put(1, 0, 0, 0)
		p.descriptors[1].spare.Store(7)
	}, []string{"I1NoEmptyKey 0.5", "I2EmptyWord 0.6", "I6MapsExact 1.0", "Decode descriptor 1"}},
}

func TestCheck_FindsEachDamage(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range slices.Concat(damages, subtle) {
		t.Run(d.name, func(t *testing.T) {
			p := newPlanted(t)
			d.damage(p)
			found := Check(p.Table, CheckOptions{Live: d.live})
			var got []string
			for _, f := range found {
				seen[f.Invariant] = true
				if f.Descriptor >= 0 {
					got = append(got, fmt.Sprintf("%s descriptor %d", f.Invariant, f.Descriptor))
				} else {
					got = append(got, fmt.Sprintf("%s %d.%d", f.Invariant, f.Half, f.Cell))
				}
			}
			want := slices.Sorted(slices.Values(d.want))
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("found %v, want %v\n%v", got, want, found.Err())
			}
			if err := found.Err(); (err != nil) != (len(want) > 0) || err != nil &&
				!errors.Is(err, ErrCorrupt) {
				t.Errorf("error: %v", err)
			}
		})
	}
	for _, name := range []string{Decode, I1NoEmptyKey, I2EmptyWord, I3RefsLive, I4FrozenIsHeld,
		I5MembersOwned, I6MapsExact, I7InItsBucket, I8KeysUnique, I9MemoryIsMap, I10NothingLeft,
		I11HeldOnce} {
		if !seen[name] {
			t.Errorf("%s was never seen to fail", name)
		}
	}
}

func TestCheck_StopsAtItsLimit(t *testing.T) {
	p := newPlanted(t)
	for i := range uint32(8) {
		p.put(0, i, 1, 0)
	}
	if found := Check(p.Table, CheckOptions{Limit: 3}); len(found) != 3 {
		t.Errorf("%d findings, want 3", len(found))
	}
	all := Check(p.Table, CheckOptions{})
	if err := all.Err(); len(all) != 8 || err == nil || strings.Contains(err.Error(), "more") {
		t.Errorf("%d findings: %v", len(all), err)
	}
	p.put(1, 5, 1, 0)
	if err := Check(p.Table, CheckOptions{}).Err(); !strings.Contains(err.Error(), "and 1 more") {
		t.Error(err)
	}
}

// TestDump_ReadsWell compares with a page that a person has read.
func TestDump_ReadsWell(t *testing.T) {
	p := newPlanted(t)
	p.operate(2)
	p.put(1, 5, 1<<31, 0)
	var out bytes.Buffer
	if err := Dump(&out, p.Table, DumpOptions{}); err != nil {
		t.Fatal(err)
	}
	k := func(half, cell uint32, nth int) string {
		return fmt.Sprintf("%10d", p.key(half, cell, nth))
	}
	want := `table of 2 x 8 cells, window 4, homes apart; elements: 4, load 0.250
bases: 2, members: 2, lost: 0, empty: 11, held: 1, frozen: 1, invalid: 1

cell         form        key      value   version  bucket
0.2          O    ` + k(0, 2, 0) + `         20         5z descriptor 1#1
0.3          M    ` + k(0, 2, 1) + `         21         1  -1, base 0.2
1.0          M    ` + k(1, 7, 1) + `         71         1  -1, base 1.7 wraps
1.5          ?             -          0         0  word 0x0000000080000000
1.7          B    ` + k(1, 7, 0) + `         70         3  +1 wraps

descriptors in use: 2 of 3
0#0 idle, owner 1: none key - value 0, home 0.0
    target undecided gen=0; expect value=00000000 n=0
1#1 installed, owner 9: add key ` + strings.TrimSpace(k(0, 2, 2)) + ` value 22, home 0.2
    target undecided gen=1; expect value=00000014 n=5
    plan key=` + strings.TrimSpace(k(0, 2, 0)) + ` map={1}
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestSnapshot_IsJSON(t *testing.T) {
	p := newPlanted(t)
	text, err := json.Marshal(Snapshot(p.Table, DumpOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	var back Picture
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Cells) != 4 || back.Cells[0].Members[0] != 1 || *back.Cells[2].Base != 7 ||
		back.Count != Measure(p.Table) {
		t.Errorf("%s", text)
	}
	if all := Snapshot(p.Table, DumpOptions{Empty: true}); len(all.Cells) != 16 {
		t.Errorf("%d cells with the empty ones, want 16", len(all.Cells))
	}
	if some := Snapshot(p.Table, DumpOptions{Empty: true, Limit: 5}); len(some.Cells) != 5 {
		t.Errorf("%d cells, want 5", len(some.Cells))
	}
}

func TestDump_StaysWithinItsColumns(t *testing.T) {
	var members []uint32
	for o := uint32(1); o < WindowMax; o += 2 {
		members = append(members, o)
	}
	p := Picture{CellsPerHalf: 1 << 31, Window: 32, Cells: []CellPicture{{Half: 1, Cell: 1<<31 - 1,
		Form: "B", Key: 1<<32 - 2, Value: 1<<32 - 1, Version: versionMask, Members: members}}}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > 101 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if s := offsets([]uint32{1, 2, 3, 7, 9, 10}); s != "+1-3,7,9-10" {
		t.Error(s)
	}
}

package hopscotch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// told are damages, and what is said of them, in this order: the place, and what should be there.
var told = []struct {
	name   string
	live   bool
	damage func(p planted)
	want   []string
}{
	{"no such descriptor", true, func(p planted) {
		p.put(0, 5, ClaimedWord(p.refs.Make(3, 1)), 0)
	}, []string{"I3RefsLive: cell 0.5, want a descriptor below 3"}},
	{"another generation and another cell", true, func(p planted) {
		p.operate(2)
		p.put(0, 4, ClaimedWord(p.refs.Make(1, 2)), 0)
	}, []string{"I3RefsLive: cell 0.4, want generation 1",
		"I3RefsLive: cell 0.4, want held by an operation on this cell, not by " +
			MakeHead(1, KindAdd, 0, 2).String()}},
	{"more cells than an operation holds, and another generation", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].target.Store(uint64(MakeTarget(1).Propose(2, 0)))
		for _, cell := range []uint32{4, 5, 6} {
			p.put(0, cell, ClaimedWord(p.refs.Make(1, 2)), 0)
		}
	}, []string{"I3RefsLive: cell 0.4, want generation 1", "I3RefsLive: cell 0.5, want generation 1",
		"I3RefsLive: cell 0.5, want held by an operation on this cell, not by " +
			MakeHead(1, KindAdd, 0, 2).String(),
		"I11HeldOnce: cell 0.6, want a descriptor that holds one base and three cells at most",
		"I3RefsLive: cell 0.6, want generation 1",
		"I3RefsLive: cell 0.6, want held by an operation on this cell, not by " +
			MakeHead(1, KindAdd, 0, 2).String()}},
	{"plan beyond the window, without a value", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].plan.Store(uint64(MakePlan(p.key(0, 2, 0), Map(0).With(1).With(4))))
		p.put(0, 2, p.word0(0, 2), MakeWord1(20, 5).Freeze()|1<<29)
	}, []string{"Decode: cell 0.2, want spare bits zero",
		"Decode: descriptor 1, want the key of a base, as the kind has it, and members in the window"}},
	{"key of another home", false, func(p planted) {
		p.put(0, 3, MemberWord(p.key(0, 6, 3), 1, 1), MakeWord1(21, 1))
	}, []string{"I7InItsBucket: cell 0.3, want a key whose home is 0.2, not 0.6"}},
	{"maps", false, func(p planted) {
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(2)), MakeWord1(20, 5))
		p.put(0, 6, BaseWord(p.key(0, 6, 0), Map(0).With(9)), MakeWord1(1, 1))
	}, []string{"I6MapsExact: cell 0.4, want a member 2 after the base 0.2 that names it",
		"Decode: cell 0.6, want members in the window of 4"}},
	{"member beyond the window", false, func(p planted) {
		p.put(0, 6, MemberWord(p.key(0, 2, 2), 4, 1), MakeWord1(1, 1))
	}, []string{"Decode: cell 0.6, want a distance below the window of 4",
		"I5MembersOwned: cell 0.6, want named by a base in cell 0.2, which is SOUND"}},
	{"member beyond the window, without a value, of half 1", false, func(p planted) {
		p.put(1, 3, MemberWord(p.key(1, 7, 2), 4, 1), MakeWord1(0, 1))
	}, []string{"Decode: cell 1.3, want a distance below the window of 4",
		"I9MemoryIsMap: cell 1.3, want a value other than 0",
		"I5MembersOwned: cell 1.3, want named by a base in cell 1.7, which is SOUND1"}},
	{"what is left of another generation, with a key of another home", false, func(p planted) {
		p.operate(2)
		p.put(0, 2, OperatingWord(p.key(0, 6, 0), p.refs.Make(1, 2)), MakeWord1(20, 5).Freeze())
	}, []string{"I3RefsLive: cell 0.2, want generation 1",
		"I7InItsBucket: cell 0.2, want a key whose home is 0.2, not 0.6",
		"I10NothingLeft: cell 0.2, want idle: all operations have ended"}},
	{"plan of the last generation", true, func(p planted) {
		p.operate(2)
		last := p.refs.wrap(^Generation(0))
		p.descriptors[1].head.Store(uint64(MakeHead(last, KindAdd, 0, 2)))
		p.descriptors[1].plan.Store(uint64(MakePlan(p.key(0, 2, 0), Map(0).With(1).With(4))))
		p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(1, last)), MakeWord1(20, 5).Freeze())
	}, []string{
		"Decode: descriptor 1, want the key of a base, as the kind has it, and members in the window"}},
	{"plan of generation 0", true, func(p planted) {
		p.operate(2)
		d := &p.descriptors[1]
		d.head.Store(uint64(MakeHead(0, KindAdd, 0, 2)))
		d.target.Store(uint64(MakeTarget(0)))
		d.plan.Store(uint64(MakePlan(p.key(0, 2, 0), Map(0).With(1).With(4))))
		p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(1, 0)), MakeWord1(20, 5).Freeze())
	}, []string{
		"Decode: descriptor 1, want the key of a base, as the kind has it, and members in the window"}},
	{"key of an add of another home", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].pair.Store(uint64(MakePair(p.key(0, 6, 0), 22)))
	}, []string{"Decode: descriptor 1, want a key whose home is 0.2"}},
	{"base of a lift of another home", true, func(p planted) {
		p.lift(true)
		p.descriptors[1].plan.Store(uint64(MakePlan(p.key(0, 6, 0), Map(0).With(1))))
	}, []string{"Decode: descriptor 1, want a key whose home is 0.2, or a lost one"}},
	{"lost member that takes a lost base", true, func(p planted) {
		p.lift(false)
		p.put(0, 3, EngagedWord(KeyLost, p.refs.Make(1, 1)), MakeWord1(21, 1).Freeze())
		p.descriptors[1].pair.Store(uint64(MakePair(KeyLost, 21)))
	}, []string{"Decode: descriptor 1, want a key whose home is 0.2"}},
	{"target of another generation", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].target.Store(uint64(MakeTarget(3)))
	}, []string{"Decode: descriptor 1, want generation 1"}},
	{"empty cell", false, func(p planted) {
		p.put(1, 4, EmptyWord(3), EmptyWord1(4).Freeze()|1<<29)
	}, []string{"Decode: cell 1.4, want spare bits zero",
		"I4FrozenIsHeld: cell 1.4, want not frozen: its cell is in no operation",
		"I2EmptyWord: cell 1.4, want " + EmptyWord1(3).String()}},
	{"words that are no form", false, func(p planted) {
		p.put(0, 5, 1, 0)
		p.put(0, 6, Word0(KeyLost)<<keyShift|1<<30, 0)
	}, []string{"I1NoEmptyKey: cell 0.5, want a key, or the control bits of E or C",
		"Decode: cell 0.6, want one of the forms E, C, B, O, M, U"}},
	{"what is left, and no value", false, func(p planted) {
		p.operate(2)
		p.put(1, 7, p.word0(1, 7), MakeWord1(0, 3))
	}, []string{"I10NothingLeft: cell 0.2, want idle: all operations have ended",
		"I9MemoryIsMap: cell 1.7, want a value other than 0"}},
	{"keys come before descriptors", false, func(p planted) {
		p.put(0, 3, MemberWord(p.key(0, 2, 0), 1, 1), MakeWord1(21, 1))
		p.descriptors[0].spare.Store(1)
	}, []string{"I8KeysUnique: cell 0.3, want a key of its own: cell 0.2 has it too",
		"Decode: descriptor 0, want zero"}},
	{"each word of a descriptor", false, func(p planted) {
		p.refs = RefLayoutOf(64) // of 23 bits
		d := &p.descriptors[2]
		d.head.Store(uint64(MakeHead(1<<23, KindNone, 0, 8)))
		d.target.Store(uint64(MakeTarget(1 << 23)))
		d.expect.Store(1 << 30)
		d.source.Store(uint64(MakeSource(4, 1, 1)))
		d.owner.Store(uint64(MakeOwner(0, 3)))
		d.spare.Store(1)
		p.descriptors[1].target.Store(uint64(MakeTarget(1).Propose(4, 0)))
	}, []string{"Decode: descriptor 1, want an offset below 4",
		"Decode: descriptor 2, want a generation of 23 bits, the bits above it zero",
		"Decode: descriptor 2, want a home below 8",
		"Decode: descriptor 2, want a generation of 23 bits, a whole hole or none",
		"Decode: descriptor 2, want spare bits zero",
		"Decode: descriptor 2, want spare bits zero, an offset of 1 to 3",
		"Decode: descriptor 2, want nobody, or a number other than 0",
		"Decode: descriptor 2, want zero"}},
}

// TestFindings_SayWhatShouldBeThere: of each damage all findings, in the order that Check promises, with the
// words that were planted.
func TestFindings_SayWhatShouldBeThere(t *testing.T) {
	for _, c := range told {
		t.Run(c.name, func(t *testing.T) {
			p := newPlanted(t)
			sound := strings.NewReplacer("SOUND1", p.refs.Text(p.word0(1, 7)),
				"SOUND", p.refs.Text(p.word0(0, 2)))
			c.damage(p)
			var got []string
			for _, f := range Check(p.Table, CheckOptions{Live: c.live}) {
				got = append(got, p.without(t, f))
			}
			var want []string
			for _, w := range c.want {
				want = append(want, sound.Replace(w))
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// without is what a finding says but for the word and its number, which are one of those in memory there.
func (p planted) without(t *testing.T, f Finding) string {
	t.Helper()
	at, words := p.place(f)
	word := fmt.Sprintf("%s (%v)", f.Word, f.Raw)
	if !slices.Contains(words, word) {
		t.Errorf("%s: the word is %s, want one of %q", at, word, words)
	}
	if f.Descriptor >= 0 && (f.Half != -1 || f.Cell != -1) || f.Descriptor < 0 && f.Descriptor != -1 {
		t.Errorf("of a cell or of a descriptor: %+v", f)
	}
	want, ok := strings.CutPrefix(f.String(), f.Invariant+": "+at+" is "+word+", want ")
	if !ok {
		t.Errorf("a finding at %s: %s", at, f)
	}
	return f.Invariant + ": " + at + ", want " + want
}

// ofWord1 are the invariants, and what is wanted, that are about the second word of a cell.
var ofWord1 = map[string]bool{
	I2EmptyWord: true, I4FrozenIsHeld: true, I9MemoryIsMap: true, "spare bits zero": true}

// place is where a finding is, and the word that is meant, of a descriptor those that are there.
func (p planted) place(f Finding) (at string, words []string) {
	add := func(raw uint64, text string) { words = append(words, fmt.Sprintf("%s (%v)", text, Raw(raw))) }
	if f.Descriptor < 0 {
		c := p.halves[f.Half].cell(uint32(f.Cell))
		if w0, w1 := c.word0.Load(), c.word1.Load(); ofWord1[f.Want] || ofWord1[f.Invariant] {
			add(w1, Word1(w1).String())
		} else {
			add(w0, p.refs.Text(Word0(w0)))
		}
		return fmt.Sprintf("cell %d.%d", f.Half, f.Cell), words
	}
	d := &p.descriptors[f.Descriptor]
	plan := Plan(d.plan.Load())
	add(uint64(plan), fmt.Sprintf("plan key=%v map=%v", plan.Key(), plan.Map()))
	add(d.pair.Load(), "pair "+Pair(d.pair.Load()).String())
	add(d.target.Load(), "target "+Target(d.target.Load()).String())
	add(d.head.Load(), Head(d.head.Load()).String())
	add(d.target.Load(), Target(d.target.Load()).String())
	add(d.expect.Load(), Word1(d.expect.Load()).String())
	add(d.source.Load(), Source(d.source.Load()).String())
	add(d.owner.Load(), Owner(d.owner.Load()).String())
	add(d.spare.Load(), "a spare word")
	return fmt.Sprintf("descriptor %d", f.Descriptor), words
}

// TestCheck_StopsAnywhere: the limit counts in the midst of keys that are not unique, and of descriptors.
func TestFindings_FirstAndHowManyMore(t *testing.T) {
	var all Findings
	for cell := range int64(10) {
		all = append(all, Finding{Invariant: Decode, Cell: cell, Descriptor: -1, Word: "WORD", Want: "WANT"})
		text := strings.Split(all.Err().Error(), "\n")
		want := []string{fmt.Sprintf("%v: %d findings:", ErrCorrupt, len(all))}
		for _, f := range all[:min(len(all), 8)] {
			want = append(want, f.String())
		}
		if len(all) > 8 {
			want = append(want, fmt.Sprintf("and %d more", len(all)-8))
		}
		if !slices.Equal(text, want) {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

func TestCheck_StopsAnywhere(t *testing.T) {
	p := newPlanted(t)
	p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(2)), MakeWord1(20, 5))
	p.put(0, 3, MemberWord(p.key(0, 2, 0), 1, 1), MakeWord1(21, 1))
	p.put(0, 4, MemberWord(p.key(0, 2, 0), 2, 1), MakeWord1(22, 1))
	for i := range p.descriptors {
		p.descriptors[i].spare.Store(1)
	}
	for limit := 1; limit <= 5; limit++ {
		if found := Check(p.Table, CheckOptions{Limit: limit}); len(found) != limit {
			t.Errorf("%d findings, want %d: %v", len(found), limit, found)
		}
	}
	if found := Check(p.Table, CheckOptions{}); len(found) != 5 {
		t.Errorf("%d findings, want two keys and three descriptors: %v", len(found), found)
	}
}

// TestCheck_FindsKeysThatAreApart: of three that stand for keys k, k+1 and k.
func TestCheck_FindsKeysThatAreApart(t *testing.T) {
	p := newPlanted(t)
	k := p.key(0, 4, 0)
	for cell, key := range map[uint32]Key{4: k, 5: k + 1, 6: k} {
		p.put(0, cell, BaseWord(key, 0), MakeWord1(1, 1))
	}
	found := Check(p.Table, CheckOptions{})
	late := func(f Finding) bool { return f.Invariant == I8KeysUnique && f.Cell == 6 }
	if !slices.ContainsFunc(found, late) {
		t.Errorf("key %d is in 0.4 and in 0.6: %v", k, found)
	}
}

// TestFindings_OfTheWholeWindow: a hole may be behind the front of a window, and not behind the window.
func TestFindings_OfTheWholeWindow(t *testing.T) {
	long, _ := newTable(t, Layout{CellsPerHalf: longRing, Window: 16, Descriptors: 3})
	p := planted{long, t}
	for offset, want := range map[uint32][]string{
		8: nil, 15: nil, 16: {"Decode: descriptor 1, want an offset below 16"}} {
		p.descriptors[1].target.Store(uint64(MakeTarget(1).Propose(offset, 0)))
		var got []string
		for _, f := range Check(long, CheckOptions{}) {
			got = append(got, p.without(t, f))
		}
		if !slices.Equal(got, want) {
			t.Errorf("a hole at %d: %q, want %q", offset, got, want)
		}
	}
}

// TestCheck_KnowsWhereHomesAre: the windows of a long ring go the other way in half 1, and where homes are
// near a row that is of no whole line is nobody's home.
func TestCheck_KnowsWhereHomesAre(t *testing.T) {
	long, _ := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 3})
	p := planted{long, t}
	const home, offset = 100, 9
	p.kinds(KindAdd, 1, home)
	d, k := &p.descriptors[1], p.key(1, home, 0)
	d.pair.Store(uint64(MakePair(p.key(1, home, 1), 22)))
	d.plan.Store(uint64(MakePlan(k, 0)))
	d.target.Store(uint64(MakeTarget(1).Propose(offset, 0)))
	p.put(1, home, OperatingWord(k, p.refs.Make(1, 1)), MakeWord1(20, 5).Freeze())
	p.put(1, p.halves[1].index(home, offset), ClaimedWord(p.refs.Make(1, 1)), 0)
	if found := Check(long, CheckOptions{Live: true}); len(found) != 0 {
		t.Errorf("a sound add in half 1 of a long ring: %v", found)
	}
	near, _ := newTable(t, Layout{CellsPerHalf: 9, Window: 4, Descriptors: 3})
	p = planted{near, t}
	for home, want := range map[uint32]int{7: 0, 8: 1} {
		p.kinds(KindNone, 0, home)
		found := Check(near, CheckOptions{})
		if len(found) != want || want == 1 && found[0].Want != "a home below 8" {
			t.Errorf("a descriptor of home %d: %v, want %d findings", home, found, want)
		}
	}
}

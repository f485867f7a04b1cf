package hopscotch

import (
	"fmt"
	"slices"
	"testing"
)

func TestDescriptorWords_LiteralsAndText(t *testing.T) {
	head := MakeHead(17, KindAdd, 1, 42)
	source, target := MakeSource(3, 5, 7), MakeTarget(17).Propose(3, 5)
	cases := []struct {
		name      string
		got, want uint64
		text      fmt.Stringer
		prints    string
	}{
		{"head", uint64(head), 17<<36 | 2<<33 | 1<<32 | 42, head, "add gen=17 home=1.42"},
		{"head of the last kind", uint64(MakeHead(0, KindClear, 0, 0)), 0x0000000E_00000000,
			Head(7 << 33), "clear gen=0 home=0.0"},
		{"head with a spare bit", 1 << 63, 1 << 63, Head(1 << 63), "? none gen=0 home=0.0"},
		{"head of the last generation", uint64(MakeHead(1<<27-1, KindNone, 0, 0)), 1<<63 - 1<<36,
			Head(1<<63 - 1<<36), "none gen=134217727 home=0.0"},
		{"pair", uint64(MakePair(7, 9)), 0x00000007_00000009, MakePair(7, 9),
			"key=00000007 value=00000009"},
		{"plan", uint64(MakePlan(7, Map(0).With(2))), 7<<32 | 1<<2, MakePlan(7, Map(0).With(2)),
			"key=00000007 map={2}"},
		{"source", uint64(source), 3<<53 | 5<<29 | 7, source, "+3/5 n=7"},
		{"source of a generation that is too large", uint64(MakeSource(31, 1<<24+1, 1<<29+2)),
			31<<53 | 1<<29 | 2, MakeSource(31, 1, 2), "+31/1 n=2"},
		{"source without an offset", 1 << 29, 1 << 29, Source(1 << 29), "? +0/1 n=0"},
		{"target", uint64(target), 17<<37 | 1<<34 | 3<<29 | 5, target, "undecided gen=17 hole=+3/5"},
		{"committed", uint64(target.Decide(StatusCommitted)), 17<<37 | 1<<35 | 1<<34 | 3<<29 | 5,
			target.Decide(StatusCommitted), "committed gen=17 hole=+3/5"},
		{"withdrawn", uint64(target.Withdraw()), 17 << 37, target.Withdraw(), "undecided gen=17"},
		{"full", uint64(MakeTarget(1).Decide(StatusFull)), 1<<37 | 3<<35,
			MakeTarget(1).Decide(StatusFull), "full gen=1"},
		{"aborted", uint64(MakeTarget(1).Decide(StatusAborted)), 1<<37 | 2<<35,
			MakeTarget(1).Decide(StatusAborted), "aborted gen=1"},
		{"target of the last generation", uint64(MakeTarget(1<<27 - 1)), 1<<64 - 1<<37,
			MakeTarget(1<<27 - 1), "undecided gen=134217727"},
		{"half a hole", 1 << 29, 1 << 29, Target(1 << 29), "? undecided gen=0"},
	}
	for _, c := range cases {
		if c.got != c.want || c.text.String() != c.prints {
			t.Errorf("%s: %016x %q, want %016x %q", c.name, c.got, c.text, c.want, c.prints)
		}
	}
}

func TestDescriptorWords_SmallFieldsExhaustive(t *testing.T) {
	for _, g := range []Generation{0, 1, 8191, 65536, 131071, 131072, 1<<26 + 5, 1<<27 - 1} {
		for kind := Kind(0); kind < 8; kind++ {
			for half := uint32(0); half < 2; half++ {
				h := MakeHead(g, kind, half, 0xFFFFFFFE)
				if h.Generation() != g || h.Kind() != kind || h.Half() != half ||
					h.Home() != 0xFFFFFFFE || !h.Valid() {
					t.Fatalf("head %v of gen %d kind %d half %d", h, g, kind, half)
				}
			}
		}
		for status := Status(0); status < 4; status++ {
			for offset := uint32(1); offset < 32; offset++ {
				v := Version(offset) * 17318416 % (1 << 29)
				w := MakeTarget(g).Decide(status).Propose(offset, v)
				if w.Generation() != g || w.Status() != status || !w.Has() ||
					w.Offset() != offset || w.Version() != v || !w.Valid() {
					t.Fatalf("target %v of gen %d %v +%d/%d", w, g, status, offset, v)
				}
				if w.Propose(32-offset, 1) != MakeTarget(g).Decide(status).Propose(32-offset, 1) ||
					w.Decide(3-status) != MakeTarget(g).Decide(3-status).Propose(offset, v) {
					t.Fatalf("target %v keeps bits of what it replaces", w)
				}
				if u := w.Withdraw(); u != MakeTarget(g).Decide(status) || !u.Valid() {
					t.Fatalf("target %v withdrawn is %v", w, u)
				}
			}
		}
	}
	for _, w := range []Target{1 << 34, 1 << 29, 1} {
		if w.Valid() {
			t.Errorf("target %016x is valid", uint64(w))
		}
	}
	if Head(1 << 63).Valid() {
		t.Error("a head with a spare bit is valid")
	}
}

func TestSource_SmallFieldsExhaustive(t *testing.T) {
	for offset := uint32(1); offset < 32; offset++ {
		for _, g := range []Version{0, 1, 1<<23 + 5, 1<<24 - 1, 1<<29 - 1} {
			for _, n := range []Version{0, 1, 1<<28 + 3, 1<<29 - 1} {
				s := MakeSource(offset, g, n)
				if s.Offset() != offset || s.Generation() != g%(1<<24) || s.Version() != n || !s.Valid() {
					t.Fatalf("source %v of +%d/%d n=%d", s, offset, g, n)
				}
			}
		}
	}
	for _, s := range []Source{0, 1 << 58, 1<<63 | 1<<53, 1<<53 - 1} {
		if s.Valid() {
			t.Errorf("source %016x is valid", uint64(s))
		}
	}
}

// An undo puts the base back from the plan alone.
func TestPlan_KeepsTheBase(t *testing.T) {
	for _, k := range []Key{7, KeyLost} {
		base := BaseWord(k, Map(0).With(1).With(31))
		p := MakePlan(base.Key(), base.Map())
		if BaseWord(p.Key(), p.Map()) != base {
			t.Errorf("plan %016x is of base %v, want %v", uint64(p), BaseWord(p.Key(), p.Map()), base)
		}
	}
}

func TestPlan_IsValidForItsKind(t *testing.T) {
	live, lost, alone := MakePlan(7, 2), MakePlan(KeyLost, 2), MakePlan(KeyLost, 0)
	bare := MakePlan(7, 0)
	none, odd, nobody := Plan(0), MakePlan(7, 1), MakePlan(KeyNone, 2)
	want := map[Kind][]Plan{
		KindNone: {none}, KindNew: {none},
		KindAdd: {live, lost, alone, bare}, KindReplace: {live, lost, alone, bare},
		KindMove: {live, lost, alone, bare}, KindDrop: {live, lost, alone, bare},
		KindLift: {live, lost, alone, bare}, KindClear: {alone, bare},
	}
	for kind := KindNone; kind < kindCount; kind++ {
		for _, p := range []Plan{live, lost, alone, bare, none, odd, nobody} {
			if got := p.Valid(kind); got != slices.Contains(want[kind], p) {
				t.Errorf("%v of plan %016x: valid is %v", kind, uint64(p), got)
			}
		}
	}
}

func TestKind_NamesAndSets(t *testing.T) {
	want := map[Kind]string{0: "none", 1: "new", 2: "add", 3: "replace", 4: "move", 5: "drop",
		6: "lift", 7: "clear", 8: "kind8"}
	for k, name := range want {
		if k.String() != name {
			t.Errorf("kind %d is %v, want %s", uint8(k), k, name)
		}
	}
	for name, c := range map[string]struct {
		set  kindSet
		want []Kind
	}{
		"member": {kindsOfMember, []Kind{KindMove, KindDrop, KindLift}},
		"base":   {kindsAdding, []Kind{KindNew, KindAdd, KindReplace}},
		"hole":   {kindsToHole, []Kind{KindAdd, KindMove}},
		"flip":   {kindsThatFlip, []Kind{KindAdd, KindReplace, KindLift}},
		"away":   {kindsAway, []Kind{KindMove, KindDrop}},
	} {
		for k := KindNone; k < kindCount; k++ {
			if c.set.has(k) != slices.Contains(c.want, k) {
				t.Errorf("%s: %v is %v", name, k, c.set.has(k))
			}
		}
	}
}

// TestDescriptorText: each word by its own name, and no word as another one.
func TestDescriptorText(t *testing.T) {
	const word = 5<<36 | 2<<33 | 9<<29 | 42
	for index, want := range map[int]fmt.Stringer{DescriptorHead: Head(word), DescriptorPair: Pair(word),
		DescriptorPlan: Plan(word), DescriptorExpect: Word1(word), DescriptorTarget: Target(word),
		DescriptorOwner: Owner(word), DescriptorSource: Source(word),
		-1: Raw(word), DescriptorWords: Raw(word)} {
		if got := DescriptorText(index, word); got != want.String() {
			t.Errorf("word %d: %q, want %q", index, got, want)
		}
	}
	texts := map[string]bool{}
	for index := range DescriptorWords {
		texts[DescriptorText(index, word)] = true
	}
	if len(texts) != DescriptorWords {
		t.Errorf("the canary: %d texts of %d words: %v", len(texts), DescriptorWords, texts)
	}
}

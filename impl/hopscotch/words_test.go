package hopscotch

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// The constants of this test are written out by hand from the layout tables, never computed by
// the code under test.

func TestWords_SizesPinned(t *testing.T) {
	for name, got := range map[string]uintptr{
		"Word0":  unsafe.Sizeof(Word0(0)),
		"Word1":  unsafe.Sizeof(Word1(0)),
		"Head":   unsafe.Sizeof(Head(0)),
		"Pair":   unsafe.Sizeof(Pair(0)),
		"Plan":   unsafe.Sizeof(Plan(0)),
		"Source": unsafe.Sizeof(Source(0)),
		"Target": unsafe.Sizeof(Target(0)),
	} {
		if got != 8 {
			t.Errorf("%s takes %d bytes, want 8", name, got)
		}
	}
	if CellWords*8 != 16 || DescriptorWords*8 != 64 {
		t.Errorf("a cell takes %d bytes and a descriptor %d, want 16 and 64",
			CellWords*8, DescriptorWords*8)
	}
	if WindowMax != 32 || DescriptorsMax != 4096 || DescriptorOwner != 5 || DescriptorSource != 6 {
		t.Errorf("geometry changed: window %d, descriptors %d, owner word %d, source word %d",
			WindowMax, DescriptorsMax, DescriptorOwner, DescriptorSource)
	}
}

// wide and narrow are the two ends: a region with as many descriptors as there can be, and one with
// a few.
var wide, narrow = RefLayoutOf(4096), RefLayoutOf(3)

// word0Cases: the literal, its form, what it prints.
var word0Cases = []struct {
	word   Word0
	made   Word0
	form   Form
	prints string
}{
	{0x00000000_00000000, EmptyWord(0), FormEmpty, "E g=0"},
	{0x00000000_0000000A, EmptyWord(5), FormEmpty, "E g=5"},
	{0x00000000_3FFFFFFE, EmptyWord(1<<29 - 1), FormEmpty, "E g=536870911"},
	{0x00000000_40000000, ClaimedWord(wide.Make(0, 0)), FormClaimed, "C ref=00000000"},
	{0x00000000_400C0022, ClaimedWord(wide.Make(3, 17)), FormClaimed, "C ref=00060011"},
	{0x00000000_7FFFFFFE, ClaimedWord(wide.Make(4095, 131071)), FormClaimed, "C ref=1fffffff"},
	{0x00000007_0000000B, BaseWord(7, Map(0xA)), FormBase, "B key=00000007 map={1,3}"},
	{0x00000007_00000001, BaseWord(7, 0), FormBase, "B key=00000007 map={}"},
	{0xFFFFFFFF_80000001, BaseWord(KeyLost, Map(0).With(31)), FormBase, "B key=LOST map={31}"},
	{0x00000007_000C0022, OperatingWord(7, wide.Make(3, 17)), FormOperating,
		"O key=00000007 ref=00060011"},
	{0xFFFFFFFF_000C0022, OperatingWord(KeyLost, wide.Make(3, 17)), FormOperating,
		"O key=LOST ref=00060011"},
	{0x00000001_00000000, OperatingWord(1, wide.Make(0, 0)), FormOperating,
		"O key=00000001 ref=00000000"},
	{0x00000008_8600000A, MemberWord(8, 3, 5), FormMember, "M key=00000008 distance=3 g=5"},
	{0xFFFFFFFF_BFFFFFFE, MemberWord(KeyLost, 31, 1<<24-1), FormMember,
		"M key=LOST distance=31 g=16777215"},
	{0x00000009_C00C0022, EngagedWord(9, wide.Make(3, 17)), FormEngaged, "U key=00000009 ref=00060011"},
	{0xFFFFFFFF_FFFFFFFE, EngagedWord(KeyLost, wide.Make(4095, 131071)), FormEngaged,
		"U key=LOST ref=1fffffff"},
	// Whatever no row of the table allows.
	{0x00000000_00000001, 0x00000000_00000001, FormInvalid, "? key=NONE cbits=00000001"},
	{0x00000000_80000000, 0x00000000_80000000, FormInvalid, "? key=NONE cbits=80000000"},
	{0x00000000_C0000002, 0x00000000_C0000002, FormInvalid, "? key=NONE cbits=c0000002"},
	{0x00000000_40000001, 0x00000000_40000001, FormInvalid, "? key=NONE cbits=40000001"},
	{0x00000007_8000000A, 0x00000007_8000000A, FormInvalid, "? key=00000007 cbits=8000000a"},
	{0x00000007_400C0022, 0x00000007_400C0022, FormInvalid, "? key=00000007 cbits=400c0022"},
}

func TestWord0_LiteralsFormsAndText(t *testing.T) {
	for _, c := range word0Cases {
		t.Run(c.prints, func(t *testing.T) {
			if c.made != c.word {
				t.Errorf("the constructor gives %016x, the layout table %016x",
					uint64(c.made), uint64(c.word))
			}
			if got := c.word.Form(); got != c.form {
				t.Errorf("form %v, want %v", got, c.form)
			}
			if got := c.word.String(); got != c.prints {
				t.Errorf("prints %q, want %q", got, c.prints)
			}
			if err := checkWord0(c.word, encodeWord0); err != nil {
				t.Error(err)
			}
		})
	}
}

// rowsOf lists every row of Word0's layout table that w fits, in the words of the table.
func rowsOf(w uint64) (rows []Form) {
	bit := func(i int) bool { return w>>i&1 == 1 }
	hasKey := w>>32 != 0
	if !hasKey && !bit(31) && !bit(30) && !bit(0) {
		rows = append(rows, FormEmpty)
	}
	if !hasKey && !bit(31) && bit(30) && !bit(0) {
		rows = append(rows, FormClaimed)
	}
	if hasKey && bit(0) {
		rows = append(rows, FormBase)
	}
	if hasKey && !bit(31) && !bit(30) && !bit(0) {
		rows = append(rows, FormOperating)
	}
	distance := bit(25) || bit(26) || bit(27) || bit(28) || bit(29)
	if hasKey && bit(31) && !bit(30) && !bit(0) && distance {
		rows = append(rows, FormMember)
	}
	if hasKey && bit(31) && bit(30) && !bit(0) {
		rows = append(rows, FormEngaged)
	}
	return rows
}

// encodeWord0 takes w apart with the accessors of its form and packs it again.
func encodeWord0(w Word0) Word0 {
	switch w.Form() {
	case FormEmpty:
		return EmptyWord(w.Version())
	case FormClaimed:
		return ClaimedWord(wide.Make(wide.Index(w.Ref()), wide.Generation(w.Ref())))
	case FormBase:
		return BaseWord(w.Key(), w.Map())
	case FormOperating:
		return OperatingWord(w.Key(), w.Ref())
	case FormMember:
		return MemberWord(w.Key(), w.Distance(), w.MemberVersion())
	case FormEngaged:
		return EngagedWord(w.Key(), w.Ref())
	}
	return w
}

var errCodec = errors.New("codec")

// checkWord0 judges one word: one form at most, the code's form, and w again after encode.
func checkWord0(w Word0, encode func(Word0) Word0) error {
	rows := rowsOf(uint64(w))
	want := FormInvalid
	switch len(rows) {
	case 0:
	case 1:
		want = rows[0]
	default:
		return fmt.Errorf("%w: %016x fits %v", errCodec, uint64(w), rows)
	}
	if got := w.Form(); got != want {
		return fmt.Errorf("%w: %016x is %v, the table says %v", errCodec, uint64(w), got, want)
	}
	if got := encode(w); got != w {
		return fmt.Errorf("%w: %016x (%v) comes back as %016x", errCodec, uint64(w), w, uint64(got))
	}
	return nil
}

func TestWord0_CheckerRefusesWrongCodecs(t *testing.T) {
	for name, encode := range map[string]func(Word0) Word0{
		"drops bit 30":    func(w Word0) Word0 { return encodeWord0(w) &^ (1 << 30) },
		"drops bit 25":    func(w Word0) Word0 { return encodeWord0(w) &^ (1 << 25) },
		"drops the key":   func(w Word0) Word0 { return encodeWord0(w) & (1<<32 - 1) },
		"sets bit 0":      func(w Word0) Word0 { return encodeWord0(w) | 1 },
		"loses bit 31":    func(w Word0) Word0 { return encodeWord0(w) &^ (1 << 31) },
		"shifts by a bit": func(w Word0) Word0 { return encodeWord0(w) << 1 },
	} {
		refused := 0
		for _, c := range word0Cases {
			if checkWord0(c.word, encode) != nil {
				refused++
			}
		}
		if refused == 0 {
			t.Errorf("a codec that %s passes", name)
		}
	}
}

func TestWord0_SmallFieldsExhaustive(t *testing.T) {
	check := func(w Word0) {
		t.Helper()
		if err := checkWord0(w, encodeWord0); err != nil {
			t.Fatal(err)
		}
	}
	versions := []Version{0, 1, 2, 1<<24 - 1, 1 << 24, 1<<29 - 1}
	for key := range []Key{1, 7, 0x80000000, KeyLost} {
		for d := uint32(1); d < 32; d++ {
			for _, g := range versions {
				w := MemberWord(Key(key+1), d, g)
				check(w)
				if w.Distance() != d || w.MemberVersion() != g%(1<<24) || w.Key() != Key(key+1) {
					t.Fatalf("M(%d,%d,%d) reads %v", key+1, d, g, w)
				}
			}
		}
	}
	for index := uint32(0); index < 4096; index++ {
		for _, g := range []Generation{0, 1, 65536, 131071} {
			r := wide.Make(index, g)
			check(ClaimedWord(r))
			check(OperatingWord(5, r))
			check(OperatingWord(KeyLost, r))
			check(EngagedWord(5, r))
		}
	}
	for cbits := uint64(0); cbits < 1<<16; cbits++ { // every value of the two ends of the cbits
		w := cbits&0xFF | cbits>>8<<24
		check(Word0(w))
		check(Word0(7<<32 | w))
		check(Word0(0xFFFFFFFF<<32 | w))
	}
}

// TestWords_FieldsDoNotOverlap gives each field all its bits, and far too many, in turn: no bit
// may belong to two fields, and together they fill what the table says.
func TestWords_FieldsDoNotOverlap(t *testing.T) {
	const all = 1<<32 - 1
	cases := []struct {
		name   string
		fields []uint64
		fill   uint64
	}{
		{"E", []uint64{uint64(EmptyWord(all))}, 0x3FFFFFFE},
		{"C", []uint64{uint64(ClaimedWord(all)) &^ (1 << 30), 1 << 30}, 0x7FFFFFFE},
		{"B", []uint64{uint64(BaseWord(all, 0)) &^ 1, uint64(BaseWord(0, all&^1)) &^ 1, 1}, 1<<64 - 1},
		{"O", []uint64{uint64(OperatingWord(all, 0)), uint64(OperatingWord(0, all))},
			0xFFFFFFFF_3FFFFFFE},
		{"M", []uint64{uint64(MemberWord(all, 0, 0)) &^ (1 << 31), 1 << 31,
			uint64(MemberWord(0, all, 0)) &^ (1 << 31),
			uint64(MemberWord(0, 0, all)) &^ (1 << 31)}, 0xFFFFFFFF_BFFFFFFE},
		{"U", []uint64{uint64(EngagedWord(all, 0)) &^ (3 << 30), 3 << 30,
			uint64(EngagedWord(0, all)) &^ (3 << 30)}, 0xFFFFFFFF_FFFFFFFE},
		{"Word1", []uint64{uint64(MakeWord1(all, 0)), uint64(MakeWord1(0, all)),
			uint64(Word1(0).Freeze())}, 0xFFFFFFFF_9FFFFFFF},
		{"Head", []uint64{uint64(MakeHead(all, 0, 0, 0)), uint64(MakeHead(0, 255, 0, 0)),
			uint64(MakeHead(0, 0, all, 0)), uint64(MakeHead(0, 0, 0, all))}, 1<<63 - 1},
		{"Pair", []uint64{uint64(MakePair(all, 0)), uint64(MakePair(0, all))}, 1<<64 - 1},
		{"Plan", []uint64{uint64(MakePlan(all, 0)), uint64(MakePlan(0, all&^1))}, 1<<64 - 2},
		{"Source", []uint64{uint64(MakeSource(all, 0, 0)), uint64(MakeSource(0, all, 0)),
			uint64(MakeSource(0, 0, all))}, 1<<58 - 1},
		{"Target", []uint64{uint64(MakeTarget(all)), uint64(Target(0).Decide(255)), 1 << 34,
			uint64(Target(0).Propose(all, 0)) &^ (1 << 34),
			uint64(Target(0).Propose(0, all)) &^ (1 << 34)}, 1<<64 - 1},
	}
	for _, c := range cases {
		var or uint64
		for i, f := range c.fields {
			if or&f != 0 {
				t.Errorf("%s: field %d overlaps its neighbours in %016x", c.name, i, or&f)
			}
			or |= f
		}
		if or != c.fill {
			t.Errorf("%s: the fields fill %016x, want %016x", c.name, or, c.fill)
		}
	}
}

func TestWords_CountersWrap(t *testing.T) {
	if v := Version(1<<29 - 1).Next(); v != 0 {
		t.Errorf("version after 2^29-1 is %d", v)
	}
	if v := Version(1<<24 - 1).Next(); v != 1<<24 || v.Low() != 0 {
		t.Errorf("after the last one that a member can tell comes %d", v)
	}
	if v := Version(0).Next(); v != 1 {
		t.Errorf("after 0 comes version %d", v)
	}
	if got := Version(1<<24 + 3).Low(); got != 3 {
		t.Errorf("low part of 2^24+3 is %d", got)
	}
	last := MakeWord1(9, 1<<29-1).Freeze()
	if got := last.Thaw(); got != 0x00000009_1FFFFFFF {
		t.Errorf("thawed %v is %v: value and version stay", last, got)
	}
	if got := last.Next(4); got != 0x00000004_00000000 {
		t.Errorf("next of %v is %v: the spare bits and z stay clear", last, got)
	}
}

func TestWord1_LiteralsAndText(t *testing.T) {
	cases := []struct {
		word, made Word1
		prints     string
		valid      bool
	}{
		{0x00000009_00000005, MakeWord1(9, 5), "value=00000009 n=5", true},
		{0x00000009_80000005, MakeWord1(9, 5).Freeze(), "value=00000009 n=5 z", true},
		{0x00000000_00000005, EmptyWord1(5), "value=00000000 n=5", true},
		{0x0000000A_00000006, MakeWord1(9, 5).Freeze().Next(10), "value=0000000a n=6", true},
		{0x00000009_00000005, MakeWord1(9, 5).Freeze().Thaw(), "value=00000009 n=5", true},
		{0x00000001_40000002, 0x00000001_40000002, "value=00000001 n=2 ?spare=2", false},
	}
	for _, c := range cases {
		if c.made != c.word || c.word.String() != c.prints || c.word.Valid() != c.valid {
			t.Errorf("%016x made %016x prints %q valid %v, want %q %v", uint64(c.word),
				uint64(c.made), c.word, c.word.Valid(), c.prints, c.valid)
		}
	}
	for _, g := range []Version{0, 1, 1<<29 - 1} { // the invariant of empty cells
		w0, w1 := EmptyWord(g), EmptyWord1(g)
		if w0.Version() != w1.Version() || w1.Value() != 0 || w1.Frozen() || !w1.Valid() {
			t.Errorf("empty cell %v / %v", w0, w1)
		}
	}
}

func TestMap_Members(t *testing.T) {
	var m Map
	for offset := uint32(1); offset < 32; offset++ {
		m = m.With(offset)
		if !m.Has(offset) || m.Count() != int(offset) || m.With(offset) != m {
			t.Fatalf("map %v after %d", m, offset)
		}
	}
	if m != 0xFFFFFFFE || m.Without(31).Has(31) || m.With(32) != m {
		t.Errorf("full map %08x", uint32(m))
	}
	want := uint32(1)
	for r := m; r != 0; r = r.Rest() {
		if r.First() != want {
			t.Fatalf("member %d follows %d", r.First(), want-1)
		}
		want++
	}
	if got := BaseWord(3, m).WithKey(KeyLost); got != 0xFFFFFFFF_FFFFFFFF || got.Map() != m {
		t.Errorf("full base of a lost key is %v", got)
	}
	if got := MemberWord(KeyLost, 3, 5).WithKey(8); got != MemberWord(8, 3, 5) {
		t.Errorf("a member with another key is %v: the old key must leave no bits", got)
	}
}

func TestKey_Reserved(t *testing.T) {
	for k, want := range map[Key]bool{0: true, 1: false, 0xFFFFFFFE: false, 0xFFFFFFFF: true} {
		if k.Reserved() != want {
			t.Errorf("reserved(%v) is %v", k, !want)
		}
	}
}

func TestWord0_RandomWords(t *testing.T) {
	const seed = 20
	r := rand.New(rand.NewPCG(seed, 0))
	seen := map[Form]int{}
	for range 200_000 {
		w := Word0(r.Uint64())
		if r.IntN(4) == 0 {
			w &= 1<<32 - 1
		}
		if r.IntN(4) == 0 {
			w &^= 31 << 25
		}
		if err := checkWord0(w, encodeWord0); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		seen[w.Form()]++
	}
	if len(seen) != int(formCount) {
		t.Errorf("seed %d: only the forms %v were met", seed, seen)
	}
}

func FuzzWord0(f *testing.F) {
	for _, c := range word0Cases {
		f.Add(uint64(c.word))
	}
	f.Fuzz(func(t *testing.T, w uint64) {
		if err := checkWord0(Word0(w), encodeWord0); err != nil {
			t.Fatal(err)
		}
	})
}

// TestWord0_Silent: silent, bare, excludes, empty, base and emptyOrBase are shortcuts; form and map say the
// same.
func TestWord0_Silent(t *testing.T) {
	check := func(w Word0) {
		form := w.Form()
		silent := form == FormEmpty || form == FormClaimed || form == FormMember || form == FormEngaged ||
			form == FormBase && w.Map() == 0
		if w.silent() != silent || w.base() != (form == FormBase) {
			t.Fatalf("%016x, %v: silent %v, base %v", uint64(w), w, w.silent(), w.base())
		}
		bare := silent && form != FormClaimed
		if w.bare() != bare {
			t.Fatalf("%016x, %v: bare %v", uint64(w), w, w.bare())
		}
		for _, k := range []Key{w.Key(), w.Key() + 1} {
			excludes := bare && (form != FormBase || w.Key() != k)
			if got := (view{word0: w}).excludes(k); got != excludes {
				t.Fatalf("%016x, %v: excludes %v: %v", uint64(w), w, k, got)
			}
		}
		if empty := form == FormEmpty; w.empty() != empty || w.emptyOrBase() != (empty || w.base()) {
			t.Fatalf("%016x, %v: empty %v, empty or base %v", uint64(w), w, w.empty(), w.emptyOrBase())
		}
	}
	for _, c := range word0Cases {
		check(c.word)
	}
	for _, key := range []Word0{0, 1, 0x80000000, 0xFFFFFFFF} { // the ends of each field
		for _, cbits := range []Word0{0, 1, 1 << 30, 1 << 31, 3 << 30, 1<<31 | 1, 1<<30 | 1, 3<<30 | 1} {
			for payload := Word0(1); payload < 1<<29; payload <<= 1 {
				check(key<<keyShift | cbits | payload<<1)
				check(key<<keyShift | cbits | (payload-1)<<1)
				check(key<<keyShift | cbits | (1<<29-payload)<<1)
			}
		}
	}
	rng := rand.New(rand.NewPCG(7, 11))
	for range 1 << 16 {
		// Words with little in them: the forms differ in few bits, and in whether there is a key.
		w := Word0(rng.Uint64())
		for _, field := range []Word0{0xFFFFFFFF_00000000, 0x01FFFFFE, 0x3E000000, 1, 1 << 30, 1 << 31} {
			if rng.Uint32()&1 != 0 {
				w &^= field
			}
		}
		check(w)
	}
}

// TestRaw_IsText: a program that reads numbers of 53 bits gets the word as it is, in either direction.
func TestRaw_IsText(t *testing.T) {
	for word, want := range map[Raw]string{0: `"0x0000000000000000"`, 1<<53 + 1: `"0x0020000000000001"`,
		math.MaxUint64: `"0xffffffffffffffff"`} {
		text, err := json.Marshal(word)
		if err != nil || string(text) != want {
			t.Errorf("%d: %s, %v, want %s", uint64(word), text, err, want)
		}
		back := Raw(7)
		if err := json.Unmarshal(text, &back); err != nil || back != word {
			t.Errorf("%s comes back as %v, %v", text, back, err)
		}
	}
	kept := Raw(7)
	if err := json.Unmarshal([]byte(`"0x10000000000000000"`), &kept); err == nil || kept != 7 {
		t.Errorf("65 bits: %v, %v", kept, err)
	}
}

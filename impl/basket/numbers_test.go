package basket

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// onHeap is a store on the heap.
func onHeap(t *testing.T, l Layout) *Store {
	t.Helper()
	r, err := region.Heap(region.Layout{l.Part()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestHead_EachStep: what each step of a basket's life makes of its head.
func TestHead_EachStep(t *testing.T) {
	h := MakeHead(StateFree, 0, 5, 0)
	text := fmt.Sprint(h, "; ", h.opened(2, 9, 1), "; ", h.opened(2, 9, 1).sealed(), "; ",
		h.opened(2, 9, 1).sealed().aged(), "; ", h.opened(2, 9, 1).sealed().taken(3, 11), "; ",
		h.opened(2, 9, 1).sealed().taken(3, 11).renumbered(12), "; ",
		h.opened(2, 9, 1).sealed().taken(3, 11).freed(), "; ", h.opened(1, 0, 0), "; ", Head(1))
	want := "free generation 5; open generation 5 sequence 9 tier 1 writer 1; sealed generation 5 " +
		"sequence 9 " +
		"tier 1; sealed generation 5 sequence 9 tier 2; retiring generation 5 sequence 11 tier 1 writer 2; " +
		"sealed generation 5 sequence 12 tier 1; free generation 6; open generation 5 sequence 0 writer 0; " +
		"? open generation 0 sequence 0"
	if text != want {
		t.Errorf("the heads are\n%s\nwant\n%s", text, want)
	}
	if last := MakeHead(StateRetiring, 1, generationMask, 7); last.freed() != 0 {
		t.Errorf("behind the last generation is %v", last.freed())
	}
	numbered := func(n uint64) Head { return MakeHead(StateSealed, 0, 0, n) }
	for _, x := range []struct {
		a, b uint64
		want bool
	}{{1, 2, true}, {2, 1, false}, {1, 1, false}, {sequenceMask, 0, true}, {0, sequenceMask, false},
		{0, 1<<30 - 1, true}, {0, 1<<30 + 1, false}} {
		if got := numbered(x.a).olderThan(numbered(x.b)); got != x.want {
			t.Errorf("%d is older than %d: %v", x.a, x.b, got)
		}
	}
	for h, valid := range map[Head]bool{0: true, 1: false, 2: true, 3: false, 1<<2 | 1: true, 1<<2 | 2: false,
		1<<2 | 3: true, 1 << 2: false} {
		if h.Valid() != valid {
			t.Errorf("%v is valid: %v", h, h.Valid())
		}
	}
}

// TestHint_Numbers: what a hint says, and what is left of it when records die.
func TestHint_Numbers(t *testing.T) {
	h := MakeHint(3, 20, 12)
	text := fmt.Sprint(h.Generation(), h.Used(), h.Live(), h.Dead(), "; ", h.lower(5) == MakeHint(3, 20,
		7), " ",
		h.lower(12) == MakeHint(3, 20, 0), " ", h.lower(13) == MakeHint(3, 20, 0), " ",
		MakeHint(0, 4, 9).Dead(), " ", MakeHint(1<<16, 1<<24, 1<<24) == 0)
	if want := "3 20 12 8; true true true 0 true"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestRecordWords_Numbers: the two words of a record, and the sizes that follow from them.
func TestRecordWords_Numbers(t *testing.T) {
	w := MakeKeyWord(7, 5, FlagExpires, 3)
	text := fmt.Sprint(w.Next(), w.Key(), w.Flags(), w.Padding(), w.words(), "; ", w.before(9).Next(),
		w.before(9)&(1<<32-1) == w&(1<<32-1), "; ", w.marked(true).Flags(), w.marked(true).words(),
		w.marked(true).marked(false) == w, w.marked(false) == w,
		w.marked(true).marked(true) == w.marked(true),
		"; ", MakeKeyWord(7, 5, FlagSuspect, 3).words(), "; ", MakeKeyWord(0, 1<<16, 1<<13, 8) == 0)
	if want := "7 5 1 3 3; 9 true; 3 3 true true true; 2; true"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	r := record{unit: 10, size: MakeSizeWord(77, 6), word: w, expires: 8}
	text = fmt.Sprint(r.size.Hash(), r.size.Units(), r.keyAt(), r.valueAt(), r.valueBytes(), r.meta(), "; ",
		refOf(10), Ref(11).unit())
	if want := "77 6 104 109 16 {8 16 false 0}; 11 10"; text != want { // 13 words are ahead of the key
		t.Errorf("%s, want %s", text, want)
	}
	text = ""
	for _, n := range [][2]int{{0, 0}, {1, 0}, {8, 0}, {4, 4}, {8, 1}, {7, 10}} {
		text += fmt.Sprint(unitsOf(n[0], n[1], 0), unitsOf(n[0], n[1], 1), " ")
	}
	if want := "2 3 3 4 3 4 3 4 4 5 5 6 "; text != want {
		t.Errorf("records of %sunits, want %s", text, want)
	}
	if a := (link{record: r}); unitsOfLinks([]link{a, a}) != 12 || unitsOfLinks(nil) != 0 {
		t.Errorf("two links of 6 units are %d", unitsOfLinks([]link{a, a}))
	}
}

// TestRecord_Fits: where a record may be, and which words may be those of one.
func TestRecord_Fits(t *testing.T) {
	s := onHeap(t, Layout{Baskets: 3, BasketBytes: 64, Writers: 1}) // of 8 units
	for _, x := range []struct {
		unit, units uint32
		want        bool
	}{{0, 8, true}, {0, 9, false}, {0, 2, true}, {0, 1, false}, {0, 0, false}, {6, 2, true}, {6, 3, false},
		{7, 2, false}, {8, 8, true}, {14, 2, true}, {14, 3, false}} {
		if got := s.fits(x.unit, x.units); got != x.want {
			t.Errorf("%v: %v", x, got)
		}
	}
	put := func(unit uint32, hash, units uint32, w KeyWord, expires uint64) {
		s.appendSize(unit, MakeSizeWord(hash, units))
		s.appendHead(unit+1, w)
		s.appendExpiry(unit+2, expires)
	}
	for _, x := range []struct {
		units uint32
		word  KeyWord
		hash  uint32
		sound bool
	}{{3, MakeKeyWord(0, 8, 0, 0), 5, true}, {3, MakeKeyWord(0, 9, 0, 0), 5, false},
		{3, MakeKeyWord(0, 7, 0, 1), 5, true}, {3, MakeKeyWord(0, 7, 0, 2), 5, false},
		{3, MakeKeyWord(0, 0, FlagExpires, 0), 5, true}, {3, MakeKeyWord(0, 1, FlagExpires, 0), 5, false},
		{2, MakeKeyWord(0, 0, 0, 0), 5, true}, {2, MakeKeyWord(0, 0, FlagExpires, 0), 5, false},
		{3, MakeKeyWord(0, 8, 0, 0), 6, false}, {9, MakeKeyWord(0, 8, 0, 0), 5, false}} {
		put(8, 5, x.units, x.word, 99)
		r, sound := s.look(9, x.hash)
		if sound != x.sound {
			t.Errorf("%v is sound: %v", x, sound)
		}
		if expires := x.word.Flags()&FlagExpires != 0; sound && (r.unit != 8 ||
			expires != (r.expires == 99) ||
			!expires && r.expires != 0) {
			t.Errorf("%v is %+v", x, r)
		}
	}
	for _, ref := range []Ref{0, 25, 1 << 31} {
		if r, sound := s.look(ref, 0); sound || r != (record{}) {
			t.Errorf("at ref %d of 24 units there is %+v", ref, r)
		}
	}
}

// TestTouch_Numbers: where the marks of a record are, and what becomes of them.
func TestTouch_Numbers(t *testing.T) {
	text := ""
	for _, unit := range []uint32{0, 1, 60, 61, 62, 63, 64, 130} {
		word, shift, marks := touchOf(unit)
		text += fmt.Sprint(word, shift, marks == 7<<shift, " ")
	}
	if want := "0 0 true 0 1 true 0 60 true 0 61 true 0 61 true 0 61 true 1 0 true 2 2 true "; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	s := onHeap(t, Layout{Baskets: 3, BasketBytes: 1024, Writers: 1})
	all := func() (list []uint64) {
		for w := range 2 {
			list = append(list, s.touchRead(uint32(w)))
		}
		return list
	}
	wants := func(want ...uint64) {
		t.Helper()
		if got := all(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the marks are %b, want %b", got, want)
		}
	}
	for n := range 5 {
		if got := s.touches(67).uses(); got != min(n, 3) {
			t.Errorf("after %d uses there are %d", n, got)
		}
		s.touched(67)
	}
	wants(0, 7<<3)
	s.touched(71)
	s.touchAs(67, given(1))
	wants(0, 4<<3|1<<7)
	s.touchAs(67, given(2))
	s.touchAs(0, given(3))
	wants(7, 6<<3|1<<7)
	s.touchAs(71, 0)
	wants(7, 6<<3)
}

// TestOptions_Numbers: what options that are left out, or too large, stand for.
func TestOptions_Numbers(t *testing.T) {
	l := Layout{Baskets: 64, BasketBytes: 4096, Writers: 1}
	text := ""
	for _, n := range []uint32{3, 63, 64, 255, 256, 1000, 1023, 1024, 5000} {
		text += fmt.Sprint(ReserveOf(Layout{Baskets: n, Lanes: 1}), ReserveOf(Layout{Baskets: n,
			Lanes: 2}), " ")
	}
	if want := "1 1 1 1 1 2 1 2 2 2 7 7 7 7 8 8 8 8 "; text != want {
		t.Errorf("reserves of %s, want %s", text, want)
	}
	text = fmt.Sprint(WriterOptions{Reserve: -1}.reserveOf(l), WriterOptions{}.reserveOf(l),
		WriterOptions{Reserve: 1}.reserveOf(l), WriterOptions{Reserve: 63}.reserveOf(l),
		WriterOptions{Reserve: 64}.reserveOf(l), WriterOptions{}.portionOf(),
		WriterOptions{Portion: -1}.portionOf(),
		WriterOptions{Portion: 1}.portionOf(), percentOf(0, 10), percentOf(1, 10), percentOf(100, 10),
		percentOf(101, 10))
	if want := "0 1 1 63 63 8 8 1 10 1 100 100"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	s := onHeap(t, l)
	if s.ValueMax(0) != 4072 || s.ValueMax(72) != 4000 || s.ValueMax(5000) != -928 {
		t.Errorf("values of %d, %d and %d bytes", s.ValueMax(0), s.ValueMax(72), s.ValueMax(5000))
	}
	says := func(err, reason error, want string) {
		t.Helper()
		if !errors.Is(err, reason) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	says(s.fit(make([]byte, KeyMax+1), nil), ErrKey, "key of 65536 bytes: ")
	says(s.fit(make([]byte, 72), make([]byte, 4001)), ErrTooLarge, "value of 4001 bytes with a key of 72 in "+
		"baskets of 4096, at most 4000: ")
	says(s.fit(make([]byte, 5000), nil), ErrTooLarge, "key of 5000 bytes in baskets of 4096, which have no "+
		"room for it: ")
	for _, n := range []int{0, 72, 4072} {
		if err := s.fit(make([]byte, n), make([]byte, 4072-n)); err != nil {
			t.Error(err)
		}
	}
}

// TestReasons_HaveNames, and a tally has a count of each.
func TestReasons_HaveNames(t *testing.T) {
	text := ""
	for r := range reasonCount + 2 {
		text += r.String() + ", "
	}
	if want := "reason0, replaced, deleted, expired, evicted, index full, taken back from the dead, " +
		"expelled, " +
		"reason8, reason9, "; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	var all Tally
	for r := range all {
		all[r] = uint64(r) + 10
	}
	if all.Of(ReasonExpelled) != 17 || all.Of(0) != 10 || all.Of(reasonCount) != 0 || all.Of(255) != 0 {
		t.Errorf("the counts are %d, %d, %d", all.Of(ReasonExpelled), all.Of(0), all.Of(reasonCount))
	}
	if f := (Finding{"B2Whole", "x"}); f.String() != "B2Whole: x" {
		t.Errorf("a finding is %v", f)
	}
	text = fmt.Sprint(StateFree, StateOpen, StateSealed, StateRetiring, State(4))
	if want := "free open sealed retiring free"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestStats_Numbers: what is told of a store whose words a test has written.
func TestStats_Numbers(t *testing.T) {
	l := Layout{Baskets: 6, BasketBytes: 64, Writers: 3, Tiers: 3, Lanes: 2}
	s := onHeap(t, l)
	s.entries[1].owner.Store(uint64(hopscotch.MakeOwner(4, 0)))
	s.common.sequence.Store(30)
	for b, x := range []struct {
		head         Head
		live         uint32
		opened, life uint64
	}{
		{MakeHead(StateOpen, 2, 1, 20).In(1), 3, 500, 1}, {MakeHead(StateSealed, 0, 2, 21).In(1), 5, 400, 2},
		{MakeHead(StateRetiring, 2, 3, 22).In(2), 1, 0, 3}, {MakeHead(StateFree, 0, 4, 0), 8, 900, 4},
		{MakeHead(StateSealed, 0, 5, 23).In(1), 2, 600, 5}, {MakeHead(StateSealed, 0, 6, 24).In(0), 2,
			700, 5},
	} {
		s.baskets[b].head.Store(uint64(x.head))
		s.baskets[b].hintBegin(MakeHint(uint32(x.life), 8, x.live))
		s.timeSet(uint32(b), x.opened)
	}
	got := s.Stats()
	want := Stats{Baskets: 6, Free: 1, Open: 1, Sealed: 3, Retiring: 1, Writers: 1, Bytes: 384, FreeBytes: 64,
		LiveBytes: 152, DeadBytes: 168, Policy: "ageing", Tiers: []TierStats{
			{Baskets: 1, LiveBytes: 64, DeadBytes: 0, Oldest: 700, Youngest: 700},
			// of another life: all lives
			{Baskets: 3, LiveBytes: 80, DeadBytes: 112, Oldest: 400, Youngest: 600},
			{Baskets: 1, LiveBytes: 8, DeadBytes: 56}}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the numbers are\n%+v\nwant\n%+v", got, want)
	}
	text := ""
	for x := range s.All() {
		text += fmt.Sprintf("%v\n", x)
	}
	if want := "{open 1 2 1 500 10 24 40}\n{sealed 1 0 2 400 9 40 24}\n{retiring 2 2 3 0 8 8 56}\n" +
		"{free 0 0 4 0 0 0 0}\n{sealed 1 0 5 600 7 16 48}\n{sealed 0 0 6 700 6 64 0}\n"; text != want {
		t.Errorf("the baskets are\n%swant\n%s", text, want)
	}
	n := 0
	for range s.All() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d baskets behind a break", n)
	}
	text = fmt.Sprint(s.TierAt(0), s.TierAt(1), s.TierAt(8), s.TierAt(17), s.TierAt(24), s.TierAt(48),
		s.TierAt(49), s.TierAt(1<<31))
	if want := "0 1 1 2 2 0 0 0"; text != want {
		t.Errorf("the tiers are %s, want %s", text, want)
	}
	s.baskets[0].head.Store(uint64(MakeHead(StateOpen, 2, 1, 20).In(7))) // damaged: there are three tiers
	if at := s.TierAt(1); at != 2 || s.Stats().Tiers[2].Baskets != 2 {
		t.Errorf("a tier that there is not: %d, %+v", at, s.Stats())
	}
	// A hint that has used more than there is, is damaged, too: all lives.
	s.baskets[1].hintBegin(MakeHint(2, 9, 5))
	if live := s.Stats().Tiers[1].LiveBytes; live != 64+16 {
		t.Errorf("%d bytes live", live)
	}
}

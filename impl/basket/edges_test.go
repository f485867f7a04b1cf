package basket_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// TestLayout_NamesTheFieldThatIsOutOfBounds, and takes the bounds themselves.
func TestLayout_NamesTheFieldThatIsOutOfBounds(t *testing.T) {
	good := basket.Layout{Baskets: 3, BasketBytes: 64, Writers: 1}
	for _, c := range []struct {
		change func(l *basket.Layout)
		field  string
	}{
		{func(*basket.Layout) {}, ""},
		{func(l *basket.Layout) { l.Baskets = 2 }, "baskets"},
		{func(l *basket.Layout) { l.BasketBytes = 32 }, "basket bytes"},
		{func(l *basket.Layout) { l.BasketBytes = 96 }, "basket bytes"},
		{func(l *basket.Layout) { l.BasketBytes = 128 << 20 }, "basket bytes"},
		{func(l *basket.Layout) { l.BasketBytes, l.Baskets = 64<<20, 511 }, ""},
		{func(l *basket.Layout) { l.BasketBytes, l.Baskets = 64<<20, 512 }, "baskets"},
		{func(l *basket.Layout) { l.Writers = 0 }, "writers"},
		{func(l *basket.Layout) { l.Writers = 4094 }, ""},
		{func(l *basket.Layout) { l.Writers = 4095 }, "writers"},
	} {
		l := good
		c.change(&l)
		err := l.Check()
		if c.field == "" {
			if err != nil {
				t.Errorf("%v: %v", l, err)
			}
			continue
		}
		var e *region.Error
		if !errors.As(err, &e) || !errors.Is(err, region.ErrGeometry) || e.Field != c.field {
			t.Errorf("%v: %v, want one of %s", l, err, c.field)
		}
	}
}

// TestLayoutOf_RefusesOtherRegions: what is not a store, or not one of this build.
func TestLayoutOf_RefusesOtherRegions(t *testing.T) {
	l, err := basket.Layout{Baskets: 5, BasketBytes: 128, Writers: 2}.WithPolicy(nil, 1, 0)
	heap := func(p region.Part) *region.Region {
		r, err := region.Heap(region.Layout{p})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if is, bad := basket.LayoutOf(heap(l.Part())); is != l || bad != nil || err != nil {
		t.Errorf("the layout is %v, %v; want %v, %v", is, bad, l, err)
	}
	other := func(change func(p *region.Part)) *region.Region {
		p := l.Part()
		change(&p)
		return heap(p)
	}
	table := heap(hopscotch.Layout{CellsPerHalf: 4, Window: 2, Descriptors: 1}.Part())
	for name, c := range map[string]struct {
		r    *region.Region
		want error
	}{
		"nil":           {nil, region.ErrNil},
		"a table":       {table, region.ErrLayout},
		"a version":     {other(func(p *region.Part) { p.Version++ }), region.ErrLayout},
		"no writers":    {other(func(p *region.Part) { p.Params[2].Value = 0 }), region.ErrHeader},
		"more baskets":  {other(func(p *region.Part) { p.Params[0].Value++ }), region.ErrHeader},
		"2^32 more":     {other(func(p *region.Part) { p.Params[0].Value += 1 << 32 }), region.ErrHeader},
		"fewer records": {other(func(p *region.Part) { p.Sections[6].Bytes -= 8 }), region.ErrHeader},
		"nine tiers":    {other(func(p *region.Part) { p.Params[3].Value = 9 }), region.ErrHeader},
		"two lanes":     {other(func(p *region.Part) { p.Params[4].Value = 2 }), region.ErrHeader},
		"no policy":     {other(func(p *region.Part) { p.Params[5].Value = 'A' }), region.ErrHeader},
		"half a line":   {other(func(p *region.Part) { p.Params[6].Value = 4 }), region.ErrHeader},
		"more words":    {other(func(p *region.Part) { p.Params[6].Value = 8 << 40 }), region.ErrHeader},
	} {
		if _, err := basket.New(c.r); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestWords_KeepTheirFields: each field has its bits alone, and what is too large does not spill.
func TestWords_KeepTheirFields(t *testing.T) {
	h := basket.MakeHead(basket.StateRetiring, 4095, 1<<16-1, 1<<31-1).In(7)
	if h.State() != basket.StateRetiring || h.Owner() != 4095 || h.Generation() != 1<<16-1 ||
		h.Sequence() != 1<<31-1 || h.Tier() != 7 || uint64(h) != ^uint64(0) {
		t.Errorf("a full head is %v", h)
	}
	for i, h := range []basket.Head{basket.MakeHead(basket.StateSealed, 1<<12, 0, 0),
		basket.MakeHead(basket.StateSealed, 0, 1<<16, 0), basket.MakeHead(basket.StateSealed, 0, 0, 1<<31),
		basket.MakeHead(basket.StateSealed, 0, 0, 0).In(8)} {
		if h != basket.MakeHead(basket.StateSealed, 0, 0, 0) || !h.Valid() {
			t.Errorf("head %d of a field that is too large: %v", i, h)
		}
	}
	if h := basket.MakeHead(basket.StateSealed, 1, 0, 0); h.Valid() || !strings.HasPrefix(h.String(), "?") {
		t.Errorf("a sealed basket with an owner is %v", h)
	}
	x := basket.MakeHint(1<<16-1, 1<<24-1, 7)
	if x.Generation() != 1<<16-1 || x.Used() != 1<<24-1 || x.Live() != 7 || x.Dead() != 1<<24-8 {
		t.Errorf("the hint is %#x", x)
	}
	w := basket.MakeKeyWord(1<<32-1, 1<<16-1, 1<<13-1, 7)
	if w.Next() != 1<<32-1 || w.Key() != 1<<16-1 || w.Flags() != 1<<13-1 || w.Padding() != 7 {
		t.Errorf("the key word is %#x", w)
	}
}

// TestSecret_IsSetOnce: whoever comes first sets it, for all who use the region.
func TestSecret_IsSetOnce(t *testing.T) {
	s := newStore(t, basket.Layout{Baskets: 3, BasketBytes: 64, Writers: 1}, 0)
	if x := s.Secret([2]uint64{0, 0}); x != [2]uint64{} {
		t.Errorf("nobody has set it, and it is %v", x)
	}
	first := s.Secret([2]uint64{5, 6})
	other, err := basket.New(s.Region())
	if err != nil {
		t.Fatal(err)
	}
	if again := other.Secret([2]uint64{7, 8}); first != [2]uint64{5, 6} || again != first {
		t.Errorf("the secret is %v, then %v", first, again)
	}
	if s.SetTick(99); other.Tick() != 99 {
		t.Errorf("the tick is %d", other.Tick())
	}
}

// TestReplace_TooLargeKeepsTheOldValue: and the largest that fits is kept whole (C7).
func TestReplace_TooLargeKeepsTheOldValue(t *testing.T) {
	c := checked{newStore(t, basket.Layout{Baskets: 4, BasketBytes: 256, Writers: 1}, 0), newWords(8, 1)}
	w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{})
	key := []byte("a key")
	most := c.ValueMax(len(key))
	set(t, w, 1, key, []byte("old"), basket.RecordOptions{})
	f, _, _ := w.Find(1, key, nil)
	_, err := w.Replace(f, make([]byte, most+1), basket.RecordOptions{})
	limit := fmt.Sprintf("at most %d", most)
	if !errors.Is(err, basket.ErrTooLarge) || !strings.Contains(err.Error(), limit) {
		t.Errorf("a value of %d bytes: %v", most+1, err)
	}
	if v, _, ok, _ := w.Get(1, key, nil); !ok || string(v) != "old" {
		t.Errorf("behind it the key has %q %v", v, ok)
	}
	large := bytes.Repeat([]byte("x"), most)
	set(t, w, 1, key, large, basket.RecordOptions{Expires: 1})
	want := basket.Meta{Expires: 1, Bytes: most}
	if v, m, ok, _ := w.Get(1, key, nil); !ok || !bytes.Equal(v, large) || m != want {
		t.Errorf("of the largest value there are %d bytes: %v %v", len(v), m, ok)
	}
	if _, _, err := w.Find(1, make([]byte, basket.KeyMax+1), nil); !errors.Is(err, basket.ErrKey) {
		t.Errorf("a key of 64 KiB: %v", err)
	}
	c.check(t)
}

// TestErrors_SayWhatToDo: each call that cannot be done says so by its sentinel.
func TestErrors_SayWhatToDo(t *testing.T) {
	c := checked{newStore(t, basket.Layout{Baskets: 3, BasketBytes: 64, Writers: 3}, 0), newWords(8, 3)}
	var all []*basket.Writer
	for i := range 3 { // each has one of the three baskets open
		w := newWriter(t, c.Store, c.actor(i), basket.WriterOptions{Number: uint32(i + 1)})
		set(t, w, uint32(i+1), number(uint64(i), 8), number(1, 8), basket.RecordOptions{})
		set(t, w, uint32(i+1), number(uint64(i), 8), number(2, 8), basket.RecordOptions{})
		all = append(all, w)
	}
	f, _, err := all[0].Find(7, number(7, 8), nil)
	_, err2 := all[0].Replace(f, number(7, 8), basket.RecordOptions{})
	if !errors.Is(err2, basket.ErrNoRoom) {
		t.Errorf("with all baskets open in others' hands: %v %v", err, err2)
	}
	if _, err := c.NewWriter(c.actor(0), basket.WriterOptions{}); !errors.Is(err, basket.ErrWriters) {
		t.Errorf("a fourth writer: %v", err)
	}
	if _, err := c.NewWriter(nil, basket.WriterOptions{}); !errors.Is(err, basket.ErrIndex) {
		t.Errorf("a writer without an index: %v", err)
	}
	if _, err := c.NewReader(nil, basket.ReaderOptions{}); !errors.Is(err, basket.ErrIndex) {
		t.Errorf("a reader without an index: %v", err)
	}
	_, err = new(basket.Store).NewWriter(c.actor(0), basket.WriterOptions{})
	if !errors.Is(err, basket.ErrZero) {
		t.Errorf("a writer of no store: %v", err)
	}
	if _, _, _, err := new(basket.Reader).Get(1, nil, nil); !errors.Is(err, basket.ErrZero) {
		t.Errorf("a get of no reader: %v", err)
	}
	if err := all[1].Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := all[1].Find(1, nil, nil); !errors.Is(err, basket.ErrClosed) {
		t.Errorf("a find of a closed writer: %v", err)
	}
	set(t, all[0], 7, number(7, 8), number(7, 8), basket.RecordOptions{}) // the closed one had a basket
	c.check(t)
}

// TestFound_IsGoodForOneChange: a second one, one of an older find, and one behind somebody else's change do
// nothing.
func TestFound_IsGoodForOneChange(t *testing.T) {
	c := checked{newStore(t, basket.Layout{Baskets: 4, BasketBytes: 256, Writers: 1}, 0), newWords(8, 1)}
	w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{})
	key := []byte("k")
	set(t, w, 1, key, []byte("one"), basket.RecordOptions{})
	old, _, _ := w.Find(1, key, nil)
	f, v, err := w.Find(1, key, []byte{})
	if !f.OK() || string(v) != "one" || err != nil || f.Meta().Bytes != 3 {
		t.Fatalf("found %v %q %v", f, v, err)
	}
	if ok, err := w.Replace(old, []byte("no"), basket.RecordOptions{}); ok || err != nil {
		t.Errorf("a replace of an older find: %v %v", ok, err)
	}
	if ok, err := w.Replace(f, []byte("two"), basket.RecordOptions{}); !ok || err != nil {
		t.Errorf("a replace: %v %v", ok, err)
	}
	if ok, err := w.Remove(f, basket.ReasonDeleted); ok || err != nil {
		t.Errorf("a remove behind it: %v %v", ok, err)
	}
	if v, _, ok, _ := w.Get(1, key, nil); !ok || string(v) != "two" {
		t.Errorf("the key has %q %v", v, ok)
	}
	n := 0
	c.Records(func(r basket.Record) bool { n++; return string(r.Key) == "k" && r.Hash == 1 })
	if n != 2 {
		t.Errorf("%d records lie in the baskets, want the old and the new one", n)
	}
}

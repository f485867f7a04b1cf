package cache

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/region"
)

// Each bad option is an error that names it, what was found, what was wanted, and what to do.
func TestOptions_BadOnesAreNamed(t *testing.T) {
	tests := []struct {
		o           Options
		field, text string
	}{
		{Options{Bytes: 1}, "Bytes", "is 1, want 131072..51539607552"},
		{Options{Bytes: 1 << 50}, "Bytes", "is 1125899906842624, want"},
		{Options{BasketBytes: 1 << 10}, "BasketBytes", "is 1024, want 4096..67108864"},
		{Options{BasketBytes: 5000}, "BasketBytes", "is 5000, want a power of two: choose 4096 or 8192"},
		{Options{Entries: 3}, "Entries", "is 3, want 64..2147483648"},
		{Options{Entries: math.MaxUint64}, "Entries", "is 18446744073709551615, want 64..2147483648"},
		{Options{Bytes: 1 << 63}, "Bytes", "is 9223372036854775808, want 131072..51539607552"},
		{Options{Hash: 9}, "Hash", "is 9, want 1..2"},
		{Options{Writers: -1}, "Writers", "is -1, want 1..256"},
		{Options{Readers: 1000}, "Readers", "is 1000, want 1..256"},
		{Options{Readers: math.MinInt}, "Readers", fmt.Sprintf("is %d, want 1..256", math.MinInt)},
		{Options{TTL: -5}, "TTL", "is -5ns, want 0 or more"},
		{Options{Bytes: 1 << 20, BasketBytes: 1 << 20}, "Bytes", "more Bytes, smaller BasketBytes or fewer"},
		{Options{Bytes: 1 << 20, Entries: 1 << 20}, "Bytes", "is 1048576, want "},
	}
	for _, x := range tests {
		for _, path := range []string{"", t.TempDir() + "/cache"} {
			_, err := Open(path, x.o)
			var e *Error
			if !errors.Is(err, ErrOptions) || !errors.As(err, &e) || e.Field != x.field || e.Do == "" ||
				!strings.Contains(err.Error(), x.text) {
				t.Errorf("%+v: %v, want one about %s with %q", x.o, err, x.field, x.text)
			}
		}
	}
}

// A new cache takes what it was given, and not a byte more; nearly all of it is used.
func TestGeometry_FillsTheBytes(t *testing.T) {
	for _, o := range []Options{
		{}, {Bytes: BytesMin}, {Bytes: 1 << 20}, {Bytes: 1<<20 + 12345}, {Bytes: 100 << 20}, {Bytes: 1 << 30},
		{Bytes: 20 << 30}, {Bytes: BytesMax}, {Bytes: 64 << 20, BasketBytes: 4 << 10},
		{Bytes: 64 << 20, Entries: 64}, {Bytes: 64 << 20, Entries: 1 << 20},
		{Bytes: 1 << 30, BasketBytes: 64 << 20},
	} {
		g, err := geometryOf(o.complete())
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		c := o.complete()
		size := g.layout().Size()
		full := uint64(g.basket.Baskets)*uint64(g.basket.BasketBytes) >= 32<<30-uint64(g.basket.BasketBytes)
		if size > c.Bytes || size+2*uint64(c.BasketBytes)+c.Bytes/512 < c.Bytes && !full {
			t.Errorf("%+v: region of %d bytes, want at most %d, and nearly that", o, size, c.Bytes)
		}
		cells := 2 * uint64(g.index.CellsPerHalf)
		if cells*loadPercent/100+1 < c.Entries {
			t.Errorf("%+v: %d cells for %d entries", o, cells, c.Entries)
		}
		if g.basket.Baskets < basketsMin || g.basket.Writers < 1 || g.basket.Writers*4 > g.basket.Baskets {
			t.Errorf("%+v: %v", o, g.basket)
		}
	}
}

// The zero options have baskets of 2 MiB, so values of 1 MiB fit. Large entries have larger baskets, of which
// there are 24 at least.
func TestGeometry_OfZeroOptions(t *testing.T) {
	o := Options{}.complete()
	if o.Bytes != 256<<20 || o.BasketBytes != 2<<20 || o.Hash != HashXXH3 || o.Entries != 2<<20 {
		t.Errorf("%+v", o)
	}
	for _, c := range []struct {
		bytes, entries uint64
		want           uint32
	}{{1 << 20, 0, 8 << 10}, {BytesMin, 0, 4 << 10}, {8 << 20, 0, 64 << 10}, {16 << 20, 0, 128 << 10},
		{255 << 20, 0, 1 << 20}, {256 << 20, 0, 2 << 20}, {300 << 20, 0, 2 << 20}, {1 << 30, 0, 4 << 20},
		{32 << 30, 0, 4 << 20}, {16 << 20, 1 << 17, 128 << 10}, {16 << 20, 200, 256 << 10},
		{16 << 20, 64, 512 << 10}, {512 << 10, 1000, 4 << 10}, {48 << 30, 64, 64 << 20},
		{24 << 20, 64, 1 << 20}, {24<<20 - 1, 64, 512 << 10}} {
		if got := basketBytesFor(c.bytes, c.entries); got != c.want {
			t.Errorf("baskets of %d bytes for %d and %d entries, want %d", got, c.bytes, c.entries, c.want)
		}
	}
}

// What a region says about itself is the options that it was made with.
func TestOptionsOf_AreThoseOfTheMaker(t *testing.T) {
	for _, o := range []Options{{Bytes: 1 << 20}, {Bytes: 2 << 20, Entries: 999, BasketBytes: 8 << 10,
		Hash: HashSip, hashBits: 4}} {
		o = o.complete()
		g, err := geometryOf(o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := region.Heap(g.layout())
		if err != nil {
			t.Fatal(err)
		}
		if o.hashBits == 0 {
			o.hashBits = 32
		}
		got, err := optionsOf(r, nil)
		if err != nil || got.Bytes != o.Bytes || got.BasketBytes != o.BasketBytes ||
			got.Entries != o.Entries || got.Hash != o.Hash || got.hashBits != o.hashBits {
			t.Errorf("%+v, %v, want %+v", got, err, o)
		}
	}
}

// A region whose parts do not fit one another is refused, and so is one of something else.
func TestOptionsOf_RefusesOthers(t *testing.T) {
	o := Options{Bytes: 1 << 20}.complete()
	g, err := geometryOf(o)
	if err != nil {
		t.Fatal(err)
	}
	other := g
	other.index.CellsPerHalf++
	newer := g
	newer.own.Version++
	lost := g
	lost.own.Params = lost.own.Params[:2]
	foreign := region.Layout{g.index.Part()}
	for name, x := range map[string]struct {
		l    region.Layout
		want error
	}{"another index": {other.layout(), region.ErrHeader},
		"another version": {newer.layout(), region.ErrLayout},
		"a table only":    {foreign, region.ErrLayout},
		"lost parameters": {lost.layout(), region.ErrHeader}} {
		r, err := region.Heap(x.l)
		if err != nil {
			t.Fatal(err)
		}
		_, err = optionsOf(r, nil)
		var e *region.Error
		if !errors.Is(err, x.want) || !errors.As(err, &e) || e.Found == "" || e.Want == "" || e.Do == "" {
			t.Errorf("%s: %v, want %v", name, err, x.want)
		}
	}
}

// Who is told that so many bytes are enough, and chooses them, has a cache; with a fiftieth less he has none.
// That is so whichever of the other options are zero, and so depend on the bytes.
func TestOptions_ToldBytesAreEnough(t *testing.T) {
	for _, o := range []Options{{Bytes: 1 << 20, BasketBytes: 1 << 20}, {Bytes: 1 << 20, Entries: 1 << 20},
		{Bytes: 1 << 20, BasketBytes: 1 << 20, Policy: TinyLFU{}},
		{Bytes: 8 << 20, BasketBytes: 64 << 20, Tiers: 1},
		{Bytes: BytesMin, BasketBytes: 64 << 10, Entries: 64}, {Bytes: BytesMin, Entries: 1 << 30},
		{Bytes: 3 << 20, BasketBytes: 4 << 10, Entries: 1 << 24}, {BasketBytes: 64 << 20}} {
		_, err := geometryOf(o)
		var e *Error
		if !errors.As(err, &e) || e.Field != "Bytes" || e.Found != fmt.Sprint(o.complete().Bytes) {
			t.Fatalf("%+v: %v, want an error of Bytes", o, err)
		}
		var need, baskets, basketBytes, entries uint64
		const want = "%d or more, for %d baskets of %d bytes and an index of %d entries"
		if n, err := fmt.Sscanf(e.Want, want, &need, &baskets, &basketBytes, &entries); n != 4 || err != nil {
			t.Fatalf("%q: %v", e.Want, err)
		}
		for _, bytes := range []uint64{need, need + need/1000, need + need/100, need + need/10} {
			o.Bytes = bytes
			g, err := geometryOf(o)
			if err != nil || g.basket.Baskets < 8 {
				t.Errorf("%d bytes are told to be enough, and %d are not: %v", need, bytes, err)
			}
			if bytes == need && (baskets != 8 || basketBytes != uint64(o.complete().BasketBytes) ||
				entries != o.complete().Entries) {
				t.Errorf("%q, and with so many bytes the options are %+v", e.Want, o.complete())
			}
		}
		o.Bytes = need - need/50
		if _, err := geometryOf(o); err == nil {
			t.Errorf("%d bytes are told to be needed, and %d are enough", need, o.Bytes)
		}
	}
}

// greedy is a policy that needs more memory for each entry than a cache has by default for one.
type greedy struct{ shaped }

func (greedy) Words(records uint64) uint64 { return 64 * records }

// Options that no number of bytes is enough for are refused, too, and nobody is told of a number that a cache
// may have, to be refused again.
func TestOptions_NoBytesAreEnough(t *testing.T) {
	for _, given := range []uint64{BytesMin, 1 << 20, DefaultBytes, 1 << 35} {
		_, err := Open("", Options{Bytes: given, Policy: greedy{shaped{"greedy", 1, 1}}})
		e := (*Error)(nil)
		if !errors.As(err, &e) || e.Field != "Bytes" || e.Found != fmt.Sprint(given) {
			t.Fatalf("%v, want an error of Bytes", err)
		}
		var told uint64
		if n, err := fmt.Sscanf(e.Want, "%d or more,", &told); n != 1 || err != nil || told <= BytesMax {
			t.Errorf("%q: %d bytes are told to be enough, and none are", e.Want, told)
		}
	}
}

// Each view of a cache says with which options the cache was made: that of who has made it, of who opens it
// without saying any, and of who attaches to it; beside them are those of the view itself.
func TestOptions_OfEachView(t *testing.T) {
	for _, made := range []Options{{Bytes: 1 << 20}, {Bytes: 2 << 20, Entries: 999, BasketBytes: 8 << 10,
		Hash: HashSip, hashBits: 4, Policy: Ageing{}, Tiers: 3}} {
		path := cacheFile(t)
		made.NoJanitor, made.Readers, made.TTL = true, 1, time.Hour
		view := Options{NoJanitor: true, Readers: 2, TTL: time.Minute}
		want := made.complete()
		if want.hashBits == 0 {
			want.hashBits = 32
		}
		maker, opens := open(t, path, made), open(t, path, view)
		attached, err := Attach(path, view)
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range map[string]struct {
			c   *Cache
			own Options
		}{"the maker": {maker, made}, "who opens": {opens, view}, "who attaches": {attached, view},
			"one on the heap": {open(t, "", made), made}} {
			got, own := x.c.Options(), x.own
			if got.Bytes != want.Bytes || got.BasketBytes != want.BasketBytes ||
				got.Entries != want.Entries || got.Hash != want.Hash || got.hashBits != want.hashBits ||
				got.Tiers != want.Tiers || got.Policy.Name() != want.Policy.Name() {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
			if got.Readers != own.Readers || got.TTL != own.TTL || !got.NoJanitor {
				t.Errorf("%s: %+v, want the view's own %+v", name, got, own)
			}
		}
		if err := attached.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Baskets by default are the largest power of two that is a 128th of the bytes, or has room for four of the
// entries while there are 24 baskets; and within their bounds.
func TestOptions_BasketBytesByDefault(t *testing.T) {
	around := func(all ...uint64) (some []uint64) {
		for _, n := range all {
			some = append(some, n-1, n, n+1)
		}
		return some
	}
	const least, most, normalMost = 4 << 10, 64 << 20, 4 << 20
	for _, size := range around(128<<10+1, 512<<10, 1<<20, 24<<14, 24<<15, 24<<20, 100<<20, 512<<20, 1<<30,
		24*most, 24*most<<1, 5<<30, 48<<30-1) {
		entries := append(around(64+1, 1<<10, 1<<20, 4*size/(8<<10), 4*size/(16<<10)), 0)
		for p := uint64(least); p <= 2*most; p *= 2 {
			entries = append(entries, around(max(4*size/p, 1))...)
		}
		for _, n := range entries {
			want := uint64(least)
			for p := uint64(2 * least); p <= most; p *= 2 {
				if p <= size/128 && p <= normalMost || n != 0 && n*p <= 4*size && 24*p <= size {
					want = p
				}
			}
			if got := basketBytesFor(size, n); uint64(got) != want {
				t.Errorf("%d bytes for %d entries: baskets of %d bytes, want %d", size, n, got, want)
			}
		}
	}
}

// A value may have as many bytes as fit beside a key, and none beside a key that is longer than any, or has
// fewer bytes than none.
func TestValueMax_OfEachKey(t *testing.T) {
	c := open(t, "", Options{Bytes: 64 << 20, BasketBytes: 1 << 20, NoJanitor: true})
	whole := c.ValueMax(0)
	for key, value := range map[int]int{1: whole - 1, KeyMax: whole - KeyMax, KeyMax + 1: 0, -1: 0,
		math.MinInt: 0, math.MaxInt: 0} {
		if n := c.ValueMax(key); n != value {
			t.Errorf("beside a key of %d bytes a value has up to %d, want %d", key, n, value)
		}
	}
	small := open(t, "", Options{Bytes: BytesMin, NoJanitor: true})
	if n := small.ValueMax(int(small.Options().BasketBytes)); n != 0 {
		t.Errorf("beside a key of a whole basket a value has up to %d bytes", n)
	}
}

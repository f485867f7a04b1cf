package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
)

// newest is a third policy, in this one file: what is used stays, however often it was, and there are three
// tiers, into the last of which goes whatever came back.
type newest struct{}

func (newest) Name() string { return "newest" }

func (newest) Shape(uint32) (tiers, lanes uint32) { return 3, 3 }

func (newest) Words(records uint64) uint64 { return 1 }

func (newest) Order(words region.Words, l basket.Layout) basket.Order {
	return &newestFirst{words: words}
}

type newestFirst struct {
	words region.Words
	moved uint32
}

func (o *newestFirst) Enters(hash, _ uint32) uint32 { return hash % 2 }

func (o *newestFirst) Ages(b *basket.Balance) (uint32, bool) {
	return 0, b.Tiers[0].Baskets > b.All/2
}

func (o *newestFirst) Forgets(uint32) bool { return false }

func (o *newestFirst) Retires(b *basket.Balance) uint32 {
	if b.Tiers[2].Baskets > b.All/3 {
		return 2
	}
	return 1
}

func (o *newestFirst) Walks(_, units uint32) { o.moved = units / 2 }

func (o *newestFirst) Judge(c *basket.Candidate) basket.Verdict {
	if c.Uses == 0 || c.Units > o.moved {
		o.words[0].Add(1)
		return basket.Verdict{}
	}
	o.moved -= c.Units
	return basket.Verdict{Stays: true, Tier: 2, Uses: 0}
}

// A policy of one's own works like those of the package: it is kept by its name, every process passes it, and
// whoever passes another one, or none, is told so.
func TestPolicy_OfOnesOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	c, err := Open(path, Options{Bytes: 1 << 20, Policy: newest{}, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20_000 {
		set(t, c, fmt.Sprint("key ", i), "a value of some bytes, so that they do not all fit")
		if _, _, err := c.Get([]byte(fmt.Sprint("key ", i-i%7)), nil); err != nil {
			t.Fatal(err)
		}
	}
	s := statsOf(t, c)
	if s.Policy != "newest" || len(s.Tiers) != 3 || s.Evicted == 0 {
		t.Errorf("%+v", s)
	}
	entries, baskets := 0, s.FreeBaskets
	var live, hits uint64
	for i, x := range s.Tiers {
		if x.Entries == 0 || x.LiveBytes == 0 || x.Baskets == 0 {
			t.Errorf("tier %d has %+v", i, x)
		}
		entries += x.Entries
		baskets += x.Baskets
		live += x.LiveBytes
		hits += x.Hits
	}
	if entries != s.Entries || baskets != s.Baskets || live != s.LiveBytes || hits != s.All.Hits ||
		hits == 0 {
		t.Errorf("the tiers have %d entries, %d baskets, %d bytes, %d hits: %+v", entries, baskets, live,
			hits, s)
	}
	if again, err := Open(path, Options{Policy: newest{}}); err != nil || again.Close() != nil {
		t.Errorf("another process with the policy: %v", err)
	}
	for says, o := range map[string]Options{"policy is newest, want one of this package": {},
		"policy of cache is newest, want tinylfu":     {Policy: TinyLFU{}},
		"Tiers is 2, want 3, which policy newest has": {Policy: newest{}, Tiers: 2}} {
		if _, err := Open(path, o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("policy %v, %d tiers: %v, want %q", o.Policy, o.Tiers, err, says)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
}

// Each of the package's policies keeps what is promised: see cache_test.go. Here only that it is there, has
// its tiers, and that what it is asked for makes sense.
func TestPolicy_Options(t *testing.T) {
	for _, x := range []struct {
		o     Options
		name  string
		tiers int
		bad   bool
	}{{Options{}, "ageing", 4, false}, {Options{Tiers: 1}, "ageing", 1, false},
		{Options{Tiers: 8, Policy: Ageing{}}, "ageing", 8, false},
		{Options{Policy: TinyLFU{}}, "tinylfu", 2, false},
		{Options{Tiers: 9}, "", 0, true}, {Options{Tiers: -1}, "", 0, true},
		{Options{Policy: TinyLFU{}, Tiers: 4}, "", 0, true}} {
		x.o.Bytes = 1 << 20
		c, err := Open("", x.o)
		if x.bad {
			var e *Error
			if !errors.As(err, &e) || e.Do == "" {
				t.Errorf("%+v: %v", x.o, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if s := statsOf(t, c); s.Policy != x.name || len(s.Tiers) != x.tiers || c.Options().Tiers != x.tiers {
			t.Errorf("%+v: %s with %d tiers", x.o, s.Policy, len(s.Tiers))
		}
		if p := c.Options().Policy; p == nil || p.Name() != x.name {
			t.Errorf("%+v: the options of the view have the policy %T", x.o, p)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

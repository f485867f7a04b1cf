package basket_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
)

// whim is a policy that decides by chance, and breaks the bounds of its answers.
type whim struct{ seed uint64 }

func (whim) Name() string                       { return "whim" }
func (whim) Shape(uint32) (tiers, lanes uint32) { return 3, 2 }
func (whim) Words(uint64) uint64                { return 1 }
func (p whim) Order(region.Words, basket.Layout) basket.Order {
	return &whims{rand.New(rand.NewPCG(p.seed, 1))}
}

type whims struct{ *rand.Rand }

func (o *whims) Enters(_, _ uint32) uint32 { return o.Uint32() }

func (o *whims) Ages(*basket.Balance) (uint32, bool) {
	if o.IntN(50) == 0 {
		return 1<<32 - 1, true
	}
	return o.Uint32N(9), o.IntN(3) == 0
}

func (o *whims) Forgets(uint32) bool { return o.IntN(2) == 0 }

func (o *whims) Retires(*basket.Balance) uint32 { return o.Uint32() }

func (o *whims) Walks(_, _ uint32) {}

func (o *whims) Judge(c *basket.Candidate) basket.Verdict {
	c.Rival(o.Uint32N(10))
	return basket.Verdict{Stays: o.IntN(2) == 0, Tier: o.Uint32N(9), Uses: o.IntN(9) - 3}
}

// policies are those of a test: name, policy, and how many tiers are asked for.
var policies = []struct {
	name   string
	policy basket.Policy
	tiers  uint32
}{{"ageing 1", basket.Ageing{}, 1}, {"ageing 4", basket.Ageing{}, 4}, {"ageing 8", basket.Ageing{}, 8},
	{"tinylfu", basket.TinyLFU{}, 0}, {"whim", whim{5}, 0}}

// withPolicy is a layout with that policy.
func withPolicy(t testing.TB, l basket.Layout, p basket.Policy, tiers uint32, records uint64) basket.Layout {
	t.Helper()
	l, err := l.WithPolicy(p, tiers, records)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestPolicy_IsAMapWithToldRemovals: whatever a policy answers, the store is a map whose removals are told,
// also where keys share chains and records are moved from tier to tier all the time.
func TestPolicy_IsAMapWithToldRemovals(t *testing.T) {
	const bits, keys, rounds = 4, 24, 30_000
	for _, x := range policies {
		t.Run(x.name, func(t *testing.T) {
			l := withPolicy(t, basket.Layout{Baskets: 12, BasketBytes: 256, Writers: 2}, x.policy,
				x.tiers, 32)
			c := checked{newStore(t, l, 0), newWords(1<<bits, 1)}
			m := &told{t, map[string]string{}, map[basket.Reason]int{}}
			w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{Tell: m.tell, Policy: x.policy})
			random := rand.New(rand.NewPCG(21, 22))
			var tiers [basket.TiersMax]int
			for n := range rounds {
				key := fmt.Appendf(nil, "key%d", random.IntN(keys))
				hash := hashOf(key, bits)
				switch random.IntN(4) {
				case 0, 1:
					value := fmt.Sprintf("%s=%d%0*d", key, n, random.IntN(40), 0)
					set(t, w, hash, key, []byte(value), basket.RecordOptions{})
					m.all[string(key)] = value
				case 2:
					if random.IntN(4) == 0 {
						remove(t, w, hash, key)
					}
				default:
					value, _, ok, err := w.Get(hash, key, nil)
					if want, is := m.all[string(key)]; err != nil || ok != is || string(value) != want {
						t.Fatalf("round %d: %s is %q %v %v, want %q", n, key, value, ok, err, want)
					}
				}
				if n%64 == 0 {
					for tier, y := range c.Stats().Tiers {
						tiers[tier] += y.Baskets
					}
				}
			}
			for tier := range l.Tiers {
				if tiers[tier] == 0 {
					t.Errorf("nothing was ever in tier %d: %v", tier, tiers)
				}
			}
			if m.count[basket.ReasonEvicted] == 0 {
				t.Errorf("nothing was evicted: %v", m.count)
			}
			c.check(t)
		})
	}
}

// TestAgeing_Shares: a store that is full has as much in one tier as in the other, the youngest in the top
// one; and a tier whose share is tuned has that.
func TestAgeing_Shares(t *testing.T) {
	l := withPolicy(t, basket.Layout{Baskets: 64, BasketBytes: 1024, Writers: 1}, nil, 4, 0)
	s := newStore(t, l, 1<<11)
	var now uint64 = 1000
	var tuning basket.Tuning
	w := newWriter(t, s, onTable(t, s, 1), basket.WriterOptions{Now: func() uint64 { return now },
		Tuning: func() basket.Tuning { return tuning }})
	fill := func(from int) {
		for i := range 2000 {
			now++
			set(t, w, uint32(from+i)*2654435761>>1+1, number(uint64(from+i), 8), number(0, 64),
				basket.RecordOptions{})
		}
	}
	fill(1)
	tiers := s.Stats().Tiers
	for i, x := range tiers {
		if x.Baskets < 14 || x.Baskets > 18 {
			t.Errorf("tier %d has %d of 64 baskets, want a quarter", i, x.Baskets)
		}
		if i > 0 && x.Youngest >= tiers[i-1].Oldest {
			t.Errorf("tier %d has a basket of %d, the one above one of %d", i, x.Youngest, tiers[i-1].Oldest)
		}
	}
	tuning.Share[0], tuning.Share[1] = 5, 50
	fill(4000)
	if tiers = s.Stats().Tiers; tiers[0].Baskets > 5 || tiers[1].Baskets < 28 || tiers[1].Baskets > 34 {
		t.Errorf("with 5 and 50 percent the tiers have %+v", tiers)
	}
}

// TestAgeing_Ages: what is older than a tier may have it goes down, and leaves the last one, though there is
// room; what was used comes back to the top.
func TestAgeing_Ages(t *testing.T) {
	l := withPolicy(t, basket.Layout{Baskets: 64, BasketBytes: 1024, Writers: 1}, nil, 2, 0)
	s := newStore(t, l, 1<<11)
	var now uint64 = 1000
	left := 0
	tuning := basket.Tuning{Ages: [basket.TiersMax]uint64{100, 300}}
	w := newWriter(t, s, onTable(t, s, 1), basket.WriterOptions{Now: func() uint64 { return now },
		Tell: func(basket.Leaving) { left++ }, Tuning: func() basket.Tuning { return tuning }})
	const all, used = 100, 10
	key := func(i int) (uint32, []byte) { return uint32(i+1) * 2654435, number(uint64(i), 8) }
	for i := range all {
		hash, k := key(i)
		set(t, w, hash, k, number(0, 64), basket.RecordOptions{})
	}
	tend := func(at uint64) {
		t.Helper()
		now = at
		for range 64 {
			if _, err := w.Tend(1000); err != nil {
				t.Fatal(err)
			}
		}
	}
	tend(1050)
	if x := s.Stats().Tiers; x[1].Baskets != 0 || left != 0 {
		t.Errorf("before their time: %+v, %d have left", x, left)
	}
	for i := range used {
		hash, k := key(i)
		if _, _, ok, err := w.Get(hash, k, nil); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	tend(1150)
	if x := s.Stats().Tiers; x[0].Baskets != 1 || x[1].Baskets < 8 || left != 0 { // one is open
		t.Errorf("after 150 ms: %+v, %d have left", x, left)
	}
	tend(1350)
	for i := range used {
		hash, k := key(i)
		if _, _, ok, err := w.Get(hash, k, nil); !ok || err != nil {
			t.Errorf("key %d was used and has left: %v %v", i, ok, err)
		}
	}
	if x := s.Stats().Tiers; x[1].Baskets != 0 || left < all-used-12 { // 12 fit into the open basket
		t.Errorf("after 350 ms: %+v, %d have left", x, left)
	}
}

// TestAge_OneBasket: Age lets the oldest basket above the last tier go down, and says when there is none.
func TestAge_OneBasket(t *testing.T) {
	l := withPolicy(t, basket.Layout{Baskets: 8, BasketBytes: 256, Writers: 1}, nil, 2, 0)
	c := checked{newStore(t, l, 0), newWords(64, 1)}
	w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{Reserve: -1})
	for i := range 12 {
		set(t, w, uint32(i+1), number(uint64(i), 8), number(0, 40), basket.RecordOptions{})
	}
	sealed := c.Stats().Sealed
	for i := range sealed {
		if done, err := w.Age(); !done || err != nil {
			t.Fatalf("basket %d of %d: %v %v", i, sealed, done, err)
		}
	}
	if done, err := w.Age(); done || err != nil || c.Stats().Tiers[1].Baskets != sealed || sealed == 0 {
		t.Errorf("%v %v, and %+v of %d are below", done, err, c.Stats().Tiers, sealed)
	}
	c.check(t)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Age(); !errors.Is(err, basket.ErrClosed) {
		t.Errorf("after the close: %v", err)
	}
}

// TestPolicy_IsThatOfTheStore: a writer with another policy, or without one that is not of the package, is
// refused, and so is a policy that breaks the rules.
func TestPolicy_IsThatOfTheStore(t *testing.T) {
	empty := basket.Layout{Baskets: 8, BasketBytes: 256, Writers: 2}
	own := newStore(t, withPolicy(t, empty, whim{}, 0, 0), 32)
	aged := newStore(t, withPolicy(t, empty, nil, 3, 0), 32)
	for _, x := range []struct {
		name   string
		s      *basket.Store
		policy basket.Policy
		want   error
	}{{"none for one's own", own, nil, basket.ErrPolicy},
		{"another one", own, basket.TinyLFU{}, basket.ErrPolicy},
		{"one's own", own, whim{}, nil}, {"none", aged, nil, nil}, {"the same", aged, basket.Ageing{}, nil}} {
		w, err := x.s.NewWriter(onTable(t, x.s, 1), basket.WriterOptions{Policy: x.policy})
		if !errors.Is(err, x.want) || (err == nil) != (x.want == nil) {
			t.Errorf("%s: %v, want %v", x.name, err, x.want)
		}
		if err == nil {
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, x := range []basket.Policy{named("", 1, 1), named("Upper", 1, 1), named("ninechars", 1, 1),
		named("ok", 0, 0), named("ok", 9, 1), named("ok", 2, 3)} {
		if _, err := empty.WithPolicy(x, 0, 0); err == nil {
			t.Errorf("a policy that breaks the rules is accepted: %+v", x)
		}
	}
}

// named is a policy of that name and shape.
func named(name string, tiers, lanes uint32) basket.Policy { return misfit{whim{}, name, tiers, lanes} }

type misfit struct {
	whim
	name         string
	tiers, lanes uint32
}

func (m misfit) Name() string                  { return m.name }
func (m misfit) Shape(uint32) (uint32, uint32) { return m.tiers, m.lanes }

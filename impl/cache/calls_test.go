package cache

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// nothingTaken reports an error if a handle or a buffer is taken, between two calls of the test.
func nothingTaken(t *testing.T, c *Cache, behind string) {
	t.Helper()
	for i := range c.readers.made.Load() {
		if c.readers.slots[i].word.Load()&slotTaken != 0 {
			t.Fatalf("behind %s reader %d is taken", behind, i)
		}
	}
	for i := range c.writers.made.Load() {
		if c.writers.slots[i].word.Load()&slotTaken != 0 {
			t.Fatalf("behind %s writer %d is taken", behind, i)
		}
	}
	for i := range c.scratch.all {
		if c.scratch.all[i].taken.Load() != 0 {
			t.Fatalf("behind %s buffer %d is taken", behind, i)
		}
	}
}

// Each call gives back what it has borrowed, and gives it back once: of a key that is there, of one that is
// not, of one whose time is over, of a suspect, and where the records are damaged. One that is given back
// twice counts as taken.
func TestCalls_GiveBackOnce(t *testing.T) {
	k := []byte("k")
	states := map[string]func(c *Cache, clock *testClock){
		"there":   func(c *Cache, _ *testClock) { set(t, c, "k", "v") },
		"counter": func(c *Cache, _ *testClock) { set(t, c, "k", "12345678") },
		"swapped": func(c *Cache, _ *testClock) { set(t, c, "k", "k") },
		"absent":  func(*Cache, *testClock) {},
		"over":    func(c *Cache, clock *testClock) { setTTL(t, c, "k", time.Second); clock.ms.Add(2000) },
		"suspect": func(c *Cache, _ *testClock) { set(t, c, "k", "v"); overLimit(t, c, 1, "k") },
		"damaged": func(c *Cache, _ *testClock) {
			set(t, c, "k", "v")
			records, err := c.region.Section(basket.Engine, basket.SectionRecords)
			if err != nil {
				t.Fatal(err)
			}
			for i := range records {
				records[i].Store(math.MaxUint64)
			}
		},
	}
	for name, state := range states {
		for call := range answers(&Cache{}, k, nil) {
			c, clock := timed(t, askStart, Options{Readers: 2, Writers: 1, Quota: perKey})
			state(c, clock)
			nothingTaken(t, c, "what makes a key "+name)
			for range 2 {
				_, err := answers(c, k, nil)[call]()
				if err != nil && name != "damaged" && !errors.Is(err, ErrCounter) {
					t.Errorf("%s of a key that is %s: %v", call, name, err)
				}
				nothingTaken(t, c, call+" of a key that is "+name)
			}
			if err := c.Close(); err != nil && name != "damaged" {
				t.Error(err)
			}
		}
	}
}

// So do the calls that look at the cache as a whole, and a turn of the janitor.
func TestCalls_OfTheWholeGiveBackOnce(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 2, Writers: 1})
	set(t, c, "k", "v")
	j := byHand(c)
	for name, call := range map[string]func() error{
		"Admit":      func() error { _, err := c.Admit(1); return err },
		"Stats":      func() error { _, err := c.Stats(); return err },
		"Parameters": func() error { c.Parameters(); return nil },
		"Tune":       func() error { return c.Tune("compact.gain", 7) },
		"a bad Tune": func() error { _ = c.Tune("compact.gain", 1000); return nil },
		"Check":      func() error { _, err := c.Check(); return err },
		"Processes":  func() error { _, err := c.Processes(); return err },
		"Baskets":    func() error { _, err := c.Baskets(); return err },
		"Len":        func() error { c.Len(); return nil },
		"Keys": func() error {
			for range c.Keys() {
				break
			}
			return nil
		},
		"Values": func() error {
			for range c.Values() {
			}
			return nil
		},
		"a turn": func() error { j.due(); return nil },
		"a look": func() error { j.look(); return nil },
		"a tend": func() error { j.tend(100); return nil },
	} {
		for range 2 {
			if err := call(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			nothingTaken(t, c, name)
		}
	}
}

// The first call of a process that sets leaves as many free baskets as the reserve says, however many records
// it has to walk over for that: more than in one portion.
func TestHandles_FirstCallKeepsTheReserve(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: 2 << 20, BasketBytes: 16 << 10, NoJanitor: true, Writers: 1}
	c := open(t, path, o)
	for i := range 20_000 {
		if err := c.Set(key(i), make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	const reserve = 20
	if n := statsOf(t, c).FreeBaskets; n >= reserve/2 {
		t.Fatalf("%d baskets are free: the test needs a full cache", n)
	}
	tuned(t, c, "janitor.reserve", reserve)
	next := open(t, path, o)
	set(t, next, "first", "v")
	s := statsOf(t, next)
	if s.FreeBaskets < reserve || s.Evicted < 10*tendRecords {
		t.Errorf("%d baskets are free, want %d; %d entries were taken out", s.FreeBaskets, reserve, s.Evicted)
	}
	before := s.Evicted
	tuned(t, c, "janitor.reserve", 2*reserve)
	set(t, next, "second", "v")
	if n := statsOf(t, next).Evicted - before; n > 64 {
		t.Errorf("the second call has taken %d entries out", n)
	}
}

// Each answer of Ask is counted once, as what it is, whatever is done about a suspect.
func TestAsk_EachAnswerIsCountedOnce(t *testing.T) {
	for _, action := range []Action{ActionRefuse, ActionWarn, ActionExpel} {
		for _, rate := range []uint64{100, 20_000} { // each call is a sample, or one of several
			c, k := timed(t, askStart, Options{Quota: Quota{Object: rate / 2, Client: rate, Action: action,
				Burst: 500 * time.Millisecond}})
			set(t, c, "a", "v")
			setTTL(t, c, "b", 3*time.Second)
			want, byClient := map[State]uint64{}, uint64(0)
			for n := range 8 * int(rate) {
				if n%max(int(rate)/200, 1) == 0 {
					k.ms.Add(1)
				}
				if n%(2*int(rate)) == 0 {
					k.ms.Add(5000)
				}
				key := []string{"a", "a", "a", "b", "none"}[n%5]
				_, a, err := c.Ask(uint64(n%8/6), []byte(key), nil)
				if err != nil {
					t.Fatal(err)
				}
				if want[a.State]++; a.ByClient {
					byClient++
				}
			}
			s := statsOf(t, c)
			if s.Hits != want[Hit] || s.Misses != want[Miss] || s.Suspects != want[Suspect] ||
				s.Denied != want[Denied] || s.Sets != 2 {
				t.Errorf("%v at %d a second: %v were answered, and %+v counted", action, rate, want, s.Counts)
			}
			if want[Hit] == 0 || want[Miss] == 0 || want[Suspect] == 0 || byClient == 0 {
				t.Errorf("%v at %d a second: %v, %d by client: the test needs some of each", action, rate,
					want, byClient)
			}
		}
	}
}

// The entries of the tiers are those of the cache, and each is counted in the tier in which its record is.
func TestStats_EntriesOfTiers(t *testing.T) {
	for _, x := range []struct {
		policy      Policy
		tiers, bits int
	}{{Ageing{}, 1, 0}, {Ageing{}, 2, 0}, {Ageing{}, 3, 0}, {TinyLFU{}, 2, 0}, {Ageing{}, 1, 12},
		{Ageing{}, 2, 12}} {
		c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Policy: x.policy, Tiers: x.tiers,
			hashBits: x.bits})
		for i := range 3000 {
			set(t, c, fmt.Sprint(i), string(make([]byte, 400)))
		}
		want := make([]int, x.tiers)
		err := c.table.Walk(func(_, ref uint32) bool { want[c.store.TierAt(ref)]++; return true })
		if err != nil {
			t.Fatal(err)
		}
		s, sum := statsOf(t, c), 0
		for i, tier := range s.Tiers {
			sum += tier.Entries
			if tier.Entries != want[i] || tier.Entries == 0 {
				t.Errorf("%s of %d tiers: %d entries are in tier %d, want %d", x.policy.Name(), x.tiers,
					tier.Entries, i, want[i])
			}
		}
		hashes := map[uint32]bool{} // two of a few thousand keys may have one hash, which counts once
		for k := range c.Keys() {
			hashes[c.hasher.of([]byte(k))] = true
		}
		if sum != s.Entries || len(s.Tiers) != x.tiers || s.Entries != len(hashes) {
			t.Errorf("%s of %d tiers: %d entries in all, %d in tiers, %d by a walk", x.policy.Name(), x.tiers,
				s.Entries, sum, len(hashes))
		}
		if collide := c.Len() > len(hashes); x.bits > 0 && !collide {
			t.Errorf("no two of %d keys have one hash of %d bits", c.Len(), x.bits)
		}
	}
}

// half is a codec that can do only what is told: it has no bytes for bad, and no value for other bytes than
// its own.
type half struct{ bad string }

func (h half) Append(dst []byte, v string) ([]byte, error) {
	if v == h.bad {
		return dst, errCodec
	}
	return append(dst, v...), nil
}

func (h half) Decode(b []byte) (string, error) {
	if bytes.Contains(b, []byte("strange")) {
		return "", errCodec
	}
	return string(b), nil
}

// A call of a view whose codec fails is an error that says for which of the two, and changes nothing.
func TestTyped_WhatTheCodecCannotDo(t *testing.T) {
	c := open(t, "", small())
	m, err := NewTyped[string, string](c, half{"bad key"}, half{"bad value"})
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "k", "v")
	set(t, c, "s", "strange")
	computes := func(v string, op Op) func(string, bool) (string, Op) {
		return func(string, bool) (string, Op) { return v, op }
	}
	said := func(a any, err error) string { return fmt.Sprint(a, " ", err) }
	key, value := "cache: codec of the key: "+errCodec.Error(), "cache: codec of the value: "+errCodec.Error()
	get := func(k string) string { v, ok, err := m.Get(k); return fmt.Sprintf("%q %v %v", v, ok, err) }
	compute := func(k string, f func(string, bool) (string, Op)) string {
		v, ok, err := m.Compute(k, f)
		return fmt.Sprintf("%q %v %v", v, ok, err)
	}
	for i, x := range []struct{ got, want string }{
		{said("", m.Set("bad key", "v")), " " + key}, {said("", m.Set("k", "bad value")), " " + value},
		{said("", m.SetTTL("bad key", "v", 1)), " " + key},
		{said("", m.SetTTL("k", "bad value", 1)), " " + value},
		{said(m.SetIfAbsent("bad key", "v")), "false " + key},
		{said(m.SetIfAbsent("n", "bad value")), "false " + value},
		{said(m.CompareAndSwap("bad key", "v", "w")), "false " + key},
		{said(m.CompareAndSwap("k", "bad value", "w")), "false " + value},
		{said(m.CompareAndSwap("k", "v", "bad value")), "false " + value},
		{said(m.Delete("bad key")), "false " + key}, {said(m.Contains("bad key")), "false " + key},
		{get("bad key"), `"" false ` + key}, {get("s"), `"" false ` + value}, {get("none"), `"" false <nil>`},
		{compute("bad key", computes("w", Write)), `"" false ` + key},
		{compute("k", computes("bad value", Write)), `"" false ` + value},
		{compute("s", computes("w", Write)), `"" false ` + value},
		{compute("none", computes("w", Keep)), `"" false <nil>`},
		{compute("none", computes("w", Remove)), `"" false <nil>`},
		{compute("k", computes("w", Keep)), `"v" true <nil>`},
		{get("k"), `"v" true <nil>`},
	} {
		if x.got != x.want {
			t.Errorf("call %d: %s, want %s", i, x.got, x.want)
		}
	}
	want(t, c, "k", "v")
	want(t, c, "s", "strange")
	const each = 20 // so that some are ahead of others, wherever their hashes are
	for i := range each {
		set(t, c, fmt.Sprint("strange key ", i), "v")
		set(t, c, fmt.Sprint("a key ", i), "strange")
		set(t, c, fmt.Sprint("another key ", i), fmt.Sprint("v", i))
	}
	seen := map[string]string{}
	for k, v := range m.All() {
		seen[k] += v
	}
	for i := range each {
		if k := fmt.Sprint("another key ", i); seen[k] != fmt.Sprint("v", i) {
			t.Errorf("%s, which the codecs can read, has %q", k, seen[k])
		}
	}
	for k, v := range m.All() { // and ends where the loop does
		if seen[k] != v {
			t.Errorf("%s has %q, and %q in another loop", k, v, seen[k])
		}
		break
	}
	if n := c.Len(); n != 3*each+2 || len(seen) != each+1 || seen["k"] != "v" {
		t.Errorf("%d entries, of which the codecs can read %v", n, seen)
	}
}

// Each typed call that sets gives the key the value, and takes it for the key it was given, whatever the key
// has before.
func TestTyped_EachCallSets(t *testing.T) {
	c := open(t, "", small())
	m, err := NewTyped[int64, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	yes := func(did bool, err error) error {
		if !did && err == nil {
			return errors.New("not done")
		}
		return err
	}
	key, value := int64(0x1234), "the value"
	k := []byte{0x34, 0x12, 0, 0, 0, 0, 0, 0}
	for name, x := range map[string]struct {
		before string // that the key has
		call   func() error
	}{
		"set":           {"other", func() error { return m.Set(key, value) }},
		"set for ever":  {"other", func() error { return m.SetTTL(key, value, 0) }},
		"set if absent": {"", func() error { return yes(m.SetIfAbsent(key, value)) }},
		"set for a time if absent": {"", func() error {
			return yes(m.SetIfAbsentTTL(key, value, time.Hour))
		}},
		"expire": {value, func() error { return yes(m.Expire(key, time.Hour)) }},
		"swap":   {"other", func() error { return yes(m.CompareAndSwap(key, "other", value)) }},
		"compute": {"other", func() error {
			got, ok, err := m.Compute(key, func(string, bool) (string, Op) { return value, Write })
			return yes(ok && got == value, err)
		}},
	} {
		if _, err := c.Delete(k); err != nil {
			t.Fatal(err)
		}
		if x.before != "" {
			set(t, c, string(k), x.before)
		}
		if err := x.call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want(t, c, string(k), value)
		if got, ok, err := m.Get(key); got != value || !ok || err != nil {
			t.Errorf("%s: the key has %q, %v, %v", name, got, ok, err)
		}
		if n := c.Len(); n != 1 {
			t.Errorf("%s: %d keys are there", name, n)
		}
	}
}

package cache

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
)

// answers are what each call that may fail returns beside its error, as text. dst is what readers append to.
func answers(c *Cache, k, dst []byte) map[string]func() (string, error) {
	two := func(a, b any, err error) (string, error) { return fmt.Sprintf("%s %v", a, b), err }
	one := func(a any, err error) (string, error) { return fmt.Sprint(a), err }
	write := func([]byte, bool) ([]byte, Op) { return k, Write }
	return map[string]func() (string, error){
		"set":             func() (string, error) { return "", c.Set(k, k) },
		"set with a time": func() (string, error) { return "", c.SetTTL(k, k, time.Hour) },
		"set if absent":   func() (string, error) { return one(c.SetIfAbsent(k, k)) },
		"set if absent with a time": func() (string, error) {
			return one(c.SetIfAbsentTTL(k, k, time.Hour))
		},
		"expire":           func() (string, error) { return one(c.Expire(k, time.Hour)) },
		"compare and swap": func() (string, error) { return one(c.CompareAndSwap(k, k, k)) },
		"add":              func() (string, error) { return one(c.Add(k, 1)) },
		"compute": func() (string, error) {
			v, ok, err := c.Compute(k, write)
			return two(v, ok, err)
		},
		"delete":       func() (string, error) { return one(c.Delete(k)) },
		"get":          func() (string, error) { v, ok, err := c.Get(k, dst); return two(v, ok, err) },
		"peek":         func() (string, error) { v, ok, err := c.Peek(k, dst); return two(v, ok, err) },
		"view":         func() (string, error) { return one(c.View(k, func([]byte) {})) },
		"contains":     func() (string, error) { return one(c.Contains(k)) },
		"time to live": func() (string, error) { left, ok, err := c.TTL(k); return two(left, ok, err) },
		"batch": func() (string, error) {
			values := [][]byte{k, k}
			all, n, err := c.GetBatch([][]byte{[]byte("none"), k}, values, dst)
			return fmt.Sprintf("%s %d %v %v", all, n, values[0] == nil, values[1] == nil), err
		},
		"ask": func() (string, error) {
			v, a, err := c.Ask(1, k, dst)
			return two(v, a == Answer{}, err)
		},
		"suspects": func() (string, error) { all, err := c.Suspects(); return one(all == nil, err) },
		"walk": func() (string, error) {
			n := 0
			err := c.Walk(func(_, _ []byte) bool { n++; return true })
			return fmt.Sprint(n), err
		},
	}
}

// With an error a call returns nothing else, and the bytes that it was given to append to as they were.
func TestCalls_ReturnNothingWithAnError(t *testing.T) {
	nothing := map[string]string{"set": "", "set with a time": "", "set if absent": "false",
		"set if absent with a time": "false", "expire": "false",
		"compare and swap": "false", "add": "0", "compute": " false", "delete": "false", "get": "to: false",
		"peek": "to: false", "view": "false", "contains": "false", "time to live": "0s false",
		"batch": "to: 0 true true", "ask": "to: true", "suspects": "true", "walk": "0"}
	closed, err := Open("", small())
	if err != nil {
		t.Fatal(err)
	}
	set(t, closed, "k", "v")
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := open(t, "", small())
	set(t, damaged, "k", "v")
	records, err := damaged.region.Section(basket.Engine, basket.SectionRecords)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		records[i].Store(math.MaxUint64)
	}
	for _, x := range []struct {
		c    *Cache
		want error
	}{{&Cache{}, ErrClosed}, {closed, ErrClosed}, {damaged, ErrCorrupt}} {
		all := answers(x.c, []byte("k"), []byte("to:"))
		if len(all) != len(nothing) {
			t.Fatalf("%d calls, %d expectations", len(all), len(nothing))
		}
		for name, call := range all {
			if got, err := call(); !errors.Is(err, x.want) || got != nothing[name] {
				t.Errorf("%s: %q with %v, want %q with %v", name, got, err, nothing[name], x.want)
			}
		}
		if n := x.c.Len(); n != 0 {
			t.Errorf("%d entries with %v", n, x.want)
		}
	}
	if wait, err := closed.Admit(1); wait != 0 || !errors.Is(err, ErrClosed) {
		t.Errorf("admit: %v, %v", wait, err)
	}
	s, err := closed.Stats()
	if all, bad := closed.Processes(); all != nil || !errors.Is(bad, ErrClosed) ||
		!errors.Is(err, ErrClosed) || s.All != (Counts{}) || s.Tiers != nil {
		t.Errorf("of a closed cache: %+v, %v; %v, %v", s, err, all, bad)
	}
}

// What an error says of numbers are those of the call.
func TestErrors_TellTheNumbers(t *testing.T) {
	c := open(t, "", small())
	set(t, c, "text", "12345")
	if _, err := c.Add([]byte("most"), math.MaxInt64-3); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Add([]byte("least"), math.MinInt64+3); err != nil {
		t.Fatal(err)
	}
	add := func(k string, n int64) error { _, err := c.Add([]byte(k), n); return err }
	quota := func(q Quota) error { return Options{Quota: q}.check() }
	batch := func() error { _, _, err := c.GetBatch(make([][]byte, 3), make([][]byte, 5), nil); return err }
	compute := func(op Op) error {
		_, _, err := c.Compute([]byte("text"), func([]byte, bool) ([]byte, Op) { return nil, op })
		return err
	}
	natural, _ := CodecOf[uint]()
	short := func(n int) error { _, err := natural.Decode(make([]byte, n)); return err }
	for _, x := range []struct {
		err  error
		says string
	}{
		{add("text", 1), "add: " + ErrCounter.Error() + "; found 5 bytes"},
		{compute(4), "compute: " + ErrOp.Error() + "; found 4"},
		{compute(255), "compute: " + ErrOp.Error() + "; found 255"},
		{add("most", 4), "9223372036854775804 and 4: "},
		{add("least", -4), "-9223372036854775805 and -4: "},
		{batch(), "get 3 keys into 5 values: "},
		{quota(Quota{Object: 1 << 40, Client: 7}),
			"Quota is 1099511627776 a second for a key, 7 for a client, want at most 100000000 each: choose"},
		{quota(Quota{Object: 3, Client: 1 << 41}),
			"is 3 a second for a key, 2199023255552 for a client, want"},
		{quota(Quota{Burst: -time.Second}), "Quota.Burst is -1s, want at most 30m0s: "},
		{quota(Quota{Burst: 31 * time.Minute}), "Quota.Burst is 31m0s, want at most 30m0s: "},
		{quota(Quota{Retry: time.Microsecond}), "Quota.Retry is 1µs, want 1ms..1h0m0s: "},
		{quota(Quota{Retry: time.Hour + 1}), "Quota.Retry is 1h0m0.000000001s, want 1ms..1h0m0s: "},
		{quota(Quota{Retry: -1}), "Quota.Retry is -1ns, want 1ms..1h0m0s: "},
		{quota(Quota{Action: 7}), "Quota.Action is action7, want refuse, warn or expel: "},
		{short(3), "3"},
		{Options{BasketBytes: 12345}.check(), "is 12345, want a power of two: choose 8192 or 16384, or 0"},
		{Options{TTL: -time.Minute}.check(), "TTL is -1m0s, want 0 or more: choose 0"},
		{Options{Tiers: -1}.check(), "Tiers is -1, want 1..8: choose"},
		{Options{Tiers: 9}.check(), "Tiers is 9, want 1..8: choose"},
		{Options{Policy: TinyLFU{}, Tiers: 4}.check(),
			"Tiers is 4, want 2, which policy tinylfu has: choose 0"},
		{Options{Policy: shaped{"", 1, 1}}.check(),
			`Policy is cache.shaped, want a policy by the rules of Name and Shape: policy "" has no`},
		{Options{Policy: shaped{"good", 9, 1}}.check(),
			"Shape: policy good has 9 tiers and appends to 1 of them"},
	} {
		if x.err == nil || !strings.Contains(x.err.Error(), x.says) {
			t.Errorf("%v, want it to say %q", x.err, x.says)
		}
	}
	for _, q := range []Quota{{Object: 100_000_000, Client: 100_000_000}, {Burst: 30 * time.Minute},
		{Retry: time.Millisecond}, {Retry: time.Hour}, {Action: ActionExpel}} {
		if err := quota(q); err != nil {
			t.Errorf("within the bounds: %v", err)
		}
	}
}

// shaped is a policy of some name and shape, which never gets to work.
type shaped struct {
	name         string
	tiers, lanes uint32
}

func (s shaped) Name() string                                 { return s.name }
func (s shaped) Shape(uint32) (tiers, lanes uint32)           { return s.tiers, s.lanes }
func (shaped) Words(uint64) uint64                            { return 0 }
func (shaped) Order(region.Words, basket.Layout) basket.Order { return nil }

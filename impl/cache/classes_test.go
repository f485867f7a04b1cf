//go:build !explore

package cache

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Whatever part of the cache an error is of, a caller finds it by the sentinel of the cache, and by its own.
func TestErrors_OfPartsAreOfTheCache(t *testing.T) {
	other := errors.New("other")
	for _, x := range []struct{ err, class error }{{hopscotch.ErrCorrupt, ErrCorrupt},
		{basket.ErrCorrupt, ErrCorrupt}, {hopscotch.ErrBusy, ErrBusy}, {basket.ErrBusy, ErrBusy},
		{ErrBusy, ErrBusy}, {other, other}} {
		err := failed("call", fmt.Errorf("within: %w", x.err))
		if !errors.Is(err, x.class) || !errors.Is(err, x.err) ||
			err.Error() != "call: within: "+x.err.Error() {
			t.Errorf("%v: %v", x.err, err)
		}
		for _, class := range []error{ErrCorrupt, ErrBusy} {
			if errors.Is(err, class) && class != x.class {
				t.Errorf("%v is %v", x.err, class)
			}
		}
	}
	if err := failed("call", nil); err != nil {
		t.Error(err)
	}
}

// Damage of the index is ErrCorrupt, or ErrBusy where it only looks as if others were faster each time.
func TestErrors_OfDamagedIndex(t *testing.T) {
	c := open(t, "", Options{Bytes: BytesMin, Entries: entriesMin, NoJanitor: true})
	for i := range 40 {
		set(t, c, fmt.Sprint(i), "v")
	}
	words, err := c.region.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		t.Fatal(err)
	}
	for i := range words {
		if words[i].Load() != 0 {
			words[i].Store(0xA5A5_5A5A_1234_5678 ^ uint64(i)<<17)
		}
	}
	failures := 0
	for i := range 40 {
		for name, call := range answers(c, fmt.Append(nil, i), nil) {
			_, err := call()
			if err == nil {
				continue
			}
			if failures++; !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrBusy) {
				t.Errorf("%s %d: %v", name, i, err)
			}
		}
	}
	if failures < 100 {
		t.Errorf("%d calls have noticed that each word of the index is another one", failures)
	}
}

// What leaves for want of room is given to the store with a time that is not negative, however long it is.
func TestOverflow_TimesWithoutEnd(t *testing.T) {
	s := &refusing{ttl: map[string]time.Duration{}}
	c := open(t, "", Options{Bytes: BytesMin, NoJanitor: true, Overflow: s})
	for i := range 5000 {
		if err := c.SetTTL(fmt.Append(nil, i), []byte("v"), math.MaxInt64); err != nil {
			t.Fatal(err)
		}
	}
	for key, ttl := range s.ttl {
		if ttl < math.MaxInt64-time.Hour {
			t.Fatalf("%s is given with %v", key, ttl)
		}
	}
	if len(s.ttl) == 0 {
		t.Error("nothing was given")
	}
}

// Expire gives an entry another end and leaves its value; WriteKeepTTL gives it another value and leaves its
// end; SetIfAbsentTTL sets what ends by itself.
func TestExpiry_OfOneOrTheOther(t *testing.T) {
	c, clock := timed(t, 1_000_000, Options{TTL: time.Second})
	m, err := NewTyped[string, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ends := func(key, value string, want time.Duration) {
		t.Helper()
		got, ok, err := m.Get(key)
		left, _, bad := c.TTL([]byte(key))
		if err != nil || bad != nil || !ok || got != value || left != want {
			t.Errorf("%s: %q, %v, for %v; want %q for %v; %v, %v", key, got, ok, left, value, want, err, bad)
		}
	}
	lock := func(want bool) {
		t.Helper()
		if set, err := m.SetIfAbsentTTL("lock", "mine", 3*time.Millisecond); set != want || err != nil {
			t.Errorf("%v, %v; want %v", set, err, want)
		}
	}
	lock(true)
	lock(false)
	ends("lock", "mine", 3*time.Millisecond)
	clock.ms.Add(3)
	lock(true)
	for _, ttl := range []time.Duration{time.Hour, 0, 5 * time.Millisecond} {
		if ok, err := m.Expire("lock", ttl); !ok || err != nil {
			t.Errorf("expire: %v, %v", ok, err)
		}
		ends("lock", "mine", ttl)
	}
	if ok, err := m.Expire("lock", -1); ok || !errors.Is(err, ErrTTL) {
		t.Errorf("expire in less than no time: %v, %v", ok, err)
	}
	write := func(key, value string, op Op, want time.Duration) {
		t.Helper()
		got, ok, err := m.Compute(key, func(string, bool) (string, Op) { return value, op })
		if got != value || !ok || err != nil {
			t.Errorf("compute: %q, %v, %v", got, ok, err)
		}
		ends(key, value, want)
	}
	write("lock", "kept", WriteKeepTTL, 5*time.Millisecond)
	write("new", "n", WriteKeepTTL, time.Second)
	write("lock", "w", Write, time.Second)
	clock.ms.Add(1000)
	if ok, err := m.Expire("lock", time.Hour); ok || err != nil {
		t.Errorf("expire what has expired: %v, %v", ok, err)
	}
}

// Keys that are equal are one key.
func TestTyped_ZeroIsOneKey(t *testing.T) {
	c := open(t, "", small())
	m, err := NewTyped[float64, float64](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	minus := math.Copysign(0, -1)
	if err := m.Set(minus, minus); err != nil {
		t.Fatal(err)
	}
	if v, ok, err := m.Get(0); v != 0 || !math.Signbit(v) || !ok || err != nil || c.Len() != 1 {
		t.Errorf("%v, %v, %v; %d keys", v, ok, err, c.Len())
	}
	short, _ := keyCodecOf[float32]()
	for v, want := range map[float32][4]byte{float32(minus): {}, math.SmallestNonzeroFloat32: {1},
		-2: {3: 0xC0}} {
		if b, err := short.Append([]byte("x"), v); string(b) != "x"+string(want[:]) || err != nil {
			t.Errorf("%v is %q, %v", v, b, err)
		}
	}
}

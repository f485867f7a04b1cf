package cache

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// A call that others overtake each time makes 65,536 tries, and gives up then with an error that says so; the
// key has what the others gave it, and nothing is taken. One that is overtaken once less has its way.
func TestCalls_GiveUp(t *testing.T) {
	k, v := []byte("k"), []byte("12345678")
	for name, x := range map[string]struct {
		ahead int // how often it asks the clock before it looks the key up
		call  func(c *Cache) error
	}{
		"set ttl":          {1, func(c *Cache) error { return c.SetTTL(k, v, time.Hour) }},
		"delete":           {0, func(c *Cache) error { _, err := c.Delete(k); return err }},
		"compare and swap": {0, func(c *Cache) error { _, err := c.CompareAndSwap(k, v, k); return err }},
		"add":              {0, func(c *Cache) error { _, err := c.Add(k, 1); return err }},
	} {
		for _, tries := range []int{triesMost - 1, triesMost} {
			meddles, others, most := false, 0, x.ahead+tries
			var c *Cache
			c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Writers: 2, Clock: func() time.Time {
				if meddles && others < most { // each look at the key asks
					others++
					meddles = false // a user's clock must not do so
					if err := c.SetTTL(k, v, time.Hour); err != nil {
						t.Error(err)
					}
					meddles = true
				}
				return time.UnixMilli(askStart)
			}})
			setTTL(t, c, "other", time.Hour)
			if err := c.SetTTL(k, v, time.Hour); err != nil {
				t.Fatal(err)
			}
			meddles = true
			err := x.call(c)
			meddles = false
			nothingTaken(t, c, name)
			if others != most {
				t.Errorf("%s was overtaken %d times, want %d", name, others, most)
			}
			if tries < triesMost {
				if err != nil {
					t.Errorf("%s, overtaken in %d tries: %v", name, tries, err)
				}
				continue
			}
			if !errors.Is(err, ErrBusy) || err.Error() != name+": "+errTried.Error() {
				t.Errorf("%s, overtaken in all tries: %v", name, err)
			}
			want(t, c, "k", string(v))
		}
	}
}

// A Compute whose function changes the key itself each time gives up, too, after as many calls of it.
func TestCompute_GivesUp(t *testing.T) {
	c := open(t, "", small())
	for _, most := range []int{triesMost - 1, triesMost} {
		n := 0
		set(t, c, "k", "v")
		value, ok, err := c.Compute([]byte("k"), func([]byte, bool) ([]byte, Op) {
			if n++; n <= most {
				set(t, c, "k", fmt.Sprint(n))
			}
			return []byte("own"), Write
		})
		if n != triesMost {
			t.Errorf("the function was called %d times", n)
		}
		if most < triesMost {
			if string(value) != "own" || !ok || err != nil {
				t.Errorf("overtaken %d times: %q, %v, %v", most, value, ok, err)
			}
			continue
		}
		if value != nil || ok || !errors.Is(err, ErrBusy) ||
			!strings.HasPrefix(err.Error(), "compute: the key was changed before ") {
			t.Errorf("overtaken %d times: %q, %v, %v", n, value, ok, err)
		}
		want(t, c, "k", fmt.Sprint(n))
	}
	nothingTaken(t, c, "Compute")
}

// A clock of the user's is asked once by each look at an entry that has an end, and by none at one that has
// none or at what is not there. The sweeps of calls, which ask it for what they come by, are left out.
func TestClock_IsAskedOnce(t *testing.T) {
	asked := 0
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Clock: func() time.Time {
		asked++
		return time.UnixMilli(askStart)
	}})
	c.sweeper.busy.Store(1)
	setTTL(t, c, "ends", time.Hour)
	set(t, c, "stays", "v")
	asks := func(of string, want int, call func() error) {
		t.Helper()
		asked = 0
		if err := call(); err != nil || asked != want {
			t.Errorf("%s asks the clock %d times, want %d; %v", of, asked, want, err)
		}
	}
	for name, once := range map[string]int{"ends": 1, "stays": 0, "none": 0} {
		k := []byte(name)
		asks("Get of "+name, once, func() error { _, _, err := c.Get(k, nil); return err })
		asks("Peek of "+name, once, func() error { _, _, err := c.Peek(k, nil); return err })
		asks("View of "+name, once, func() error { _, err := c.View(k, func([]byte) {}); return err })
		asks("Contains of "+name, once, func() error { _, err := c.Contains(k); return err })
		asks("TTL of "+name, once, func() error { _, _, err := c.TTL(k); return err })
		asks("Ask of "+name, once, func() error { _, _, err := c.Ask(1, k, nil); return err })
		asks("GetBatch of three times "+name, 3*once, func() error {
			_, _, err := c.GetBatch([][]byte{k, k, k}, make([][]byte, 3), nil)
			return err
		})
	}
	asks("Walk", 1, func() error { return c.Walk(func(_, _ []byte) bool { return true }) })
	asks("Set", 0, func() error { return c.Set([]byte("new"), nil) })
	asks("Set of what stays", 0, func() error { return c.Set([]byte("stays"), nil) })
	asks("SetTTL", 1, func() error { return c.SetTTL([]byte("new"), nil, time.Hour) })
	asks("Delete of stays", 0, func() error { _, err := c.Delete([]byte("stays")); return err })
	asks("Delete of ends", 1, func() error { _, err := c.Delete([]byte("ends")); return err })
}

// A counter reaches both ends of its range, and not one more: then it has what it had.
func TestAdd_ReachesTheEnds(t *testing.T) {
	c := open(t, "", small())
	add := func(delta, want int64, bad error) {
		t.Helper()
		if sum, err := c.Add([]byte("k"), delta); sum != want || !errors.Is(err, bad) {
			t.Errorf("by %d: %d, %v, want %d, %v", delta, sum, err, want, bad)
		}
	}
	add(math.MaxInt64-5, math.MaxInt64-5, nil)
	add(6, 0, ErrOverflow)
	add(5, math.MaxInt64, nil)
	add(1, 0, ErrOverflow)
	add(math.MaxInt64, 0, ErrOverflow)
	add(0, math.MaxInt64, nil)
	add(-math.MaxInt64, 0, nil)
	add(math.MinInt64, math.MinInt64, nil)
	add(-1, 0, ErrOverflow)
	add(math.MinInt64, 0, ErrOverflow)
	add(0, math.MinInt64, nil)
	add(math.MaxInt64, -1, nil)
	add(math.MinInt64+1, math.MinInt64, nil)
}

// A Compute that somebody overtakes is asked again, whatever it does with the key, and whether the key was
// there before, came, went, or has another value since.
func TestCompute_EachOperationIsAskedAgain(t *testing.T) {
	for _, op := range []Op{Write, WriteKeepTTL, Remove} {
		for _, x := range []struct{ before, meanwhile string }{{"", "v"}, {"v", ""}, {"v", "w"}, {"v", "v"}} {
			c := open(t, "", small())
			if x.before != "" {
				set(t, c, "k", x.before)
			}
			var olds []string
			value, ok, err := c.Compute([]byte("k"), func(old []byte, _ bool) ([]byte, Op) {
				if olds = append(olds, string(old)); len(olds) > 1 {
					return append(old, '!'), op
				}
				if x.meanwhile != "" {
					set(t, c, "k", x.meanwhile)
				} else if _, err := c.Delete([]byte("k")); err != nil {
					t.Error(err)
				}
				return append(old, '?'), op
			})
			asked, has := []string{x.before, x.meanwhile}, x.meanwhile+"!"
			switch {
			case op == Remove && x.before == "": // there is nothing to remove
				asked, has = asked[:1], ""
			case op == Remove:
				has = ""
			case x.before == x.meanwhile: // which nobody can tell from a value that stays
				asked, has = asked[:1], x.before+"?"
			}
			if op == Remove && x.before == x.meanwhile {
				asked = asked[:1]
			}
			if !slices.Equal(olds, asked) || string(value) != has || ok != (has != "") || err != nil {
				t.Errorf("%d of %q, which becomes %q: asked with %q, and has %q, %v, %v; want %q and %q", op,
					x.before, x.meanwhile, olds, value, ok, err, asked, has)
			}
			if op == Remove && x.before == "" {
				has = x.meanwhile
			}
			want(t, c, "k", has)
		}
	}
}

// Of two deletes of one value, one of which overtakes the other, one says that the key was there: the one
// that has taken it out.
func TestDelete_OneOfTwoHasDeleted(t *testing.T) {
	k := []byte("k")
	var c *Cache
	meddles, inner := false, false
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Writers: 2, Clock: func() time.Time {
		if meddles { // the outer delete has found the key; a user's clock must not do so
			meddles = false
			var err error
			if inner, err = c.Delete(k); err != nil {
				t.Error(err)
			}
		}
		return time.UnixMilli(askStart)
	}})
	setTTL(t, c, "k", time.Hour)
	meddles = true
	outer, err := c.Delete(k)
	if meddles {
		t.Fatal("a delete asks for no time: the test needs that")
	}
	if outer || !inner || err != nil {
		t.Errorf("the first of two deletes has deleted: %v, the one within it: %v; %v", outer, inner, err)
	}
	want(t, c, "k", "")
}

// A write that keeps the end of an entry keeps the one that the entry has when it is written, also if another
// call has given it that end since the write looked, and has left its value.
func TestCompute_KeepsTheLastEnd(t *testing.T) {
	k := []byte("k")
	var c *Cache
	meddles := false
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Writers: 2, Clock: func() time.Time {
		if meddles { // the compute has found the key; a user's clock must not do so
			meddles = false
			if ok, err := c.Expire(k, 3*time.Hour); !ok || err != nil {
				t.Errorf("expire: %v, %v", ok, err)
			}
		}
		return time.UnixMilli(askStart)
	}})
	setTTL(t, c, "k", time.Hour)
	asked := 0
	value, ok, err := c.Compute(k, func([]byte, bool) ([]byte, Op) {
		asked++
		meddles = true
		return []byte("own"), WriteKeepTTL
	})
	if string(value) != "own" || !ok || err != nil || asked != 1 || meddles {
		t.Fatalf("%q, %v, %v; asked %d times", value, ok, err, asked)
	}
	if left, ok, err := c.TTL(k); left != 3*time.Hour || !ok || err != nil {
		t.Errorf("the entry lives for %v, want 3 hours; %v, %v", left, ok, err)
	}
	want(t, c, "k", "own")
}

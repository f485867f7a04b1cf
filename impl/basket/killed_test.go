//go:build explore

package basket_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/hook/hooktest"
)

// killer ends the running actor before one of its accesses. It is a schedule of one actor.
type killer struct {
	hooktest.Alone
	left  int // number of accesses that it may still make
	steps int
}

// death is what the actor that is killed panics with.
type death struct{}

func (k *killer) Before(hook.Kind, unsafe.Pointer) {
	if k.steps++; k.left == 0 {
		panic(death{})
	}
	k.left--
}

// until runs f with so many accesses, and reports whether f came to its end.
func until(steps int, f func()) (ended bool, made int) {
	k := &killer{left: steps}
	hook.Active = k
	defer func() {
		hook.Active = nil
		made = k.steps
		if x := recover(); x != nil {
			if _, ok := x.(death); !ok {
				panic(x)
			}
			ended = false
		}
	}()
	f()
	return true, 0
}

// victim is an actor that may be killed, with the map that it knows.
type victim struct {
	all   map[string]string
	now   string // the key that it changes, if any
	new   string // its value then, empty for none
	bits  int
	w     *basket.Writer
	rand  *rand.Rand
	t     *testing.T
	tells bool // every removal has been told
}

func (v *victim) tell(l basket.Leaving) {
	if is, ok := v.all[string(l.Key)]; v.tells && (!ok || is != string(l.Value)) {
		v.t.Errorf("told %v of %s with %q, it has %q %v", l.Reason, l.Key, l.Value, is, ok)
	}
	if l.Reason != basket.ReasonReplaced {
		delete(v.all, string(l.Key))
	}
}

// step is a random call.
func (v *victim) step(n int) {
	key := fmt.Appendf(nil, "key%d", v.rand.IntN(12))
	hash := hashOf(key, v.bits)
	if v.rand.IntN(6) == 0 {
		v.now = "" // the key keeps its value
		mark(v.t, v.w, hash, key, v.rand.IntN(2) == 0)
		return
	}
	v.now, v.new = string(key), ""
	if v.rand.IntN(5) == 0 {
		remove(v.t, v.w, hash, key)
		delete(v.all, string(key))
		return
	}
	v.new = fmt.Sprintf("%s=%d%0*d", key, n, v.rand.IntN(40), 0)
	set(v.t, v.w, hash, key, []byte(v.new), basket.RecordOptions{})
	v.all[v.now] = v.new
}

// TestWriter_KilledAtEachAccess: a writer is killed before each access that it makes. The store is then
// sound. Each key has the old value or the new one, except those of one removal that the writer has not
// told. Another writer, in the same entry or in one of its own, takes over what it has left, and continues.
func TestWriter_KilledAtEachAccess(t *testing.T) {
	for _, writers := range []uint32{1, 2} {
		for _, reserve := range []int{-1, 1} {
			t.Run(fmt.Sprintf("%d writers, reserve %d", writers, reserve), func(t *testing.T) {
				stride := 1
				if testing.Short() {
					stride = 17
				}
				l := basket.Layout{Baskets: 6, BasketBytes: 256, Writers: writers}
				for at := 1; !killAt(t, at, l, reserve, nil) && !t.Failed(); at += stride {
				}
			})
		}
	}
}

// TestWriter_KilledInTiers is the same with tiers, for a writer with two open baskets, which moves baskets
// down and records from tier to tier at random.
func TestWriter_KilledInTiers(t *testing.T) {
	for _, p := range []basket.Policy{whim{3}, basket.TinyLFU{}} {
		t.Run(p.Name(), func(t *testing.T) {
			stride := 1
			if testing.Short() {
				stride = 17
			}
			l := withPolicy(t, basket.Layout{Baskets: 9, BasketBytes: 256, Writers: 2}, p, 0, 16)
			for at := 1; !killAt(t, at, l, 2, p) && !t.Failed(); at += stride {
			}
		})
	}
}

// TestWriter_KilledNowAndThen is a sample of the two tests above that runs quickly, because it runs for each
// fault that is seeded into the package.
func TestWriter_KilledNowAndThen(t *testing.T) {
	const stride = 41
	for _, reserve := range []int{-1, 1} {
		l := basket.Layout{Baskets: 6, BasketBytes: 256, Writers: 2}
		for at := 1; !killAt(t, at, l, reserve, nil) && !t.Failed(); at += stride {
		}
	}
	l := withPolicy(t, basket.Layout{Baskets: 9, BasketBytes: 256, Writers: 2}, whim{3}, 0, 16)
	for at := 1; !killAt(t, at, l, 2, whim{3}) && !t.Failed(); at += stride {
	}
}

// killAt kills a writer before that access, and reports whether the writer came to its end before.
func killAt(t *testing.T, at int, l basket.Layout, reserve int, p basket.Policy) (ended bool) {
	const bits, rounds = 2, 60
	c := checked{newStore(t, l, 0), newWords(1<<bits, 2)}
	c.move = 3
	v := &victim{all: map[string]string{}, bits: bits, rand: rand.New(rand.NewPCG(5, 6)), t: t, tells: true}
	ended, _ = until(at, func() {
		v.w = newWriter(t, c.Store, c.actor(0),
			basket.WriterOptions{Number: 1, Tell: v.tell, Reserve: reserve, Policy: p})
		for n := range rounds {
			v.step(n)
		}
	})
	if f := c.findings(); len(f.All) > 0 {
		t.Fatalf("killed ahead of access %d: %v", at, f.All)
	}
	o := basket.WriterOptions{Number: 2, Reserve: reserve, Policy: p,
		Alive: func(o basket.Owner) bool { return o.Number() != 1 }}
	u := &victim{all: map[string]string{}, bits: bits, rand: rand.New(rand.NewPCG(uint64(at), 8)), t: t}
	o.Tell = u.tell
	u.w = newWriter(t, c.Store, c.actor(1), o)
	untold := 0
	for k := range 12 {
		key := fmt.Appendf(nil, "key%d", k)
		value, _, ok, err := u.w.Get(hashOf(key, bits), key, nil)
		was, had := v.all[string(key)]
		changing := string(key) == v.now
		switch {
		case err != nil:
			t.Fatalf("killed ahead of access %d: %v", at, err)
		case ok && (had && string(value) == was || changing && string(value) == v.new):
			u.all[string(key)] = string(value)
		case ok:
			t.Errorf("killed ahead of access %d: %s has %q, want %q", at, key, value, was)
		case had && !changing:
			untold++
		}
	}
	if untold > basket.ChainMax {
		t.Errorf("killed ahead of access %d: %d keys are gone, and were not told", at, untold)
	}
	u.tells = true
	for n := range 2 * rounds {
		u.step(1000 + n)
	}
	f := c.findings()
	if err := u.w.Close(); err != nil {
		t.Errorf("killed ahead of access %d: close of the other one: %v", at, err)
	}
	for _, h := range c.heads(t) {
		if h.Owner() != 0 {
			t.Errorf("killed ahead of access %d: the dead has still a basket: %v", at, h)
		}
	}
	if len(f.All) > 0 {
		t.Errorf("killed ahead of access %d, after the take-over: %v", at, f.All)
	}
	return ended
}

// TestWriter_KilledBehindAGivenUpRecord: a larger record overwrites what was appended for a failed swap, and
// its writer is killed before each access. A walk does not mistake the middle of the new record for what
// follows the old one.
func TestWriter_KilledBehindAGivenUpRecord(t *testing.T) {
	for at, ended := 0, false; !ended; at++ {
		c := checked{newStore(t, basket.Layout{Baskets: 6, BasketBytes: 512, Writers: 2}, 0), newWords(8, 2)}
		w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{})
		other := newWriter(t, c.Store, c.actor(1), basket.WriterOptions{})
		key, large := number(1, 8), number(1<<63|5, 200)
		set(t, w, 1, key, number(1, 8), basket.RecordOptions{})
		f, _, err := w.Find(1, key, nil)
		set(t, other, 1, key, number(2, 8), basket.RecordOptions{})
		if ok, err2 := w.Replace(f, number(3, 32), basket.RecordOptions{}); ok || err != nil || err2 != nil {
			t.Fatalf("a swap whose ticket is void: %v %v %v", ok, err, err2)
		}
		for i := range large {
			large[i] = 0xFF
		}
		ended, _ = until(at, func() { set(t, w, 2, number(9, 8), large, basket.RecordOptions{}) })
		if f := c.findings(); len(f.All) > 0 {
			t.Fatalf("killed ahead of access %d: %v", at, f.All)
		}
	}
}

package cache

import (
	"slices"
	"testing"
)

// Nothing is allocated on the way of a hit, of a miss, and of a set.
func TestCalls_DoNotAllocate(t *testing.T) {
	if raced {
		t.Skip("NOT RUN: the race detector allocates by itself")
	}
	c := open(t, "", Options{Bytes: 4 << 20, NoJanitor: true,
		Quota: Quota{Object: 50, Client: 1000}})
	m, err := NewTyped[uint64, uint64](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, v, dst := []byte("key"), []byte("a value of some length"), make([]byte, 0, 64)
	keys, values := [][]byte{k, []byte("none")}, make([][]byte, 2)
	for name, call := range map[string]func() error{
		"Set":            func() error { return c.Set(k, v) },
		"Get":            func() error { _, _, err := c.Get(k, dst); return err },
		"miss":           func() error { _, _, err := c.Get([]byte("none"), dst); return err },
		"Peek":           func() error { _, _, err := c.Peek(k, dst); return err },
		"Contains":       func() error { _, err := c.Contains(k); return err },
		"Ask":            func() error { _, _, err := c.Ask(1, k, dst); return err },
		"View":           func() error { _, err := c.View(k, func([]byte) {}); return err },
		"GetBatch":       func() error { _, _, err := c.GetBatch(keys, values, dst); return err },
		"SetIfAbsent":    func() error { _, err := c.SetIfAbsent(k, v); return err },
		"CompareAndSwap": func() error { _, err := c.CompareAndSwap(k, v, v); return err },
		"Add":            func() error { _, err := c.Add([]byte("n"), 1); return err },
		"Delete":         func() error { _, err := c.Delete([]byte("n")); return err },
		"typed Set":      func() error { return m.Set(7, 8) },
		"typed Get":      func() error { _, _, err := m.Get(7); return err },
	} {
		if err := c.Set(k, v); err != nil {
			t.Fatal(err)
		}
		if err := call(); err != nil { // buffers grow once
			t.Fatalf("%s: %v", name, err)
		}
		if n := testing.AllocsPerRun(100, func() {
			if err := call(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// A buffer that has grown past what is kept, for a value that is not so long, does not grow a second time for
// any value that is no longer than what is kept.
func TestScratch_GrowsOnce(t *testing.T) {
	lengths := []int{keptMost - keptMost/4, keptMost - keptMost/20, keptMost}
	var s scratch
	s.init(1)
	use := func(n int) (grown bool) {
		b := s.take()
		defer b.give()
		grown = cap(b.value) < n
		b.value = slices.Grow(b.value[:0], n)[:n]
		return grown
	}
	if !use(lengths[0]) || !use(lengths[1]) { // from none, and to more than is kept
		t.Fatal("the buffer did not grow")
	}
	for _, n := range lengths {
		if use(n) {
			t.Errorf("it grows again for %d bytes", n)
		}
	}
	if use(keptMost + 1); s.all[0].value != nil {
		t.Errorf("%d bytes are kept", cap(s.all[0].value))
	}
}

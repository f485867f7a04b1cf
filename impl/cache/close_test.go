package cache

import (
	"errors"
	"sync"
	"testing"
	"time"
)

// Close may come at any time: each call that is under way ends, each later one is told, and none touches
// memory that is no longer there. A second Close is told, too, and so is a cache that nobody has opened.
func TestClose_BesideCalls(t *testing.T) {
	for range shorter(30) {
		c := open(t, cacheFile(t), Options{Bytes: 512 << 10, BasketBytes: 8 << 10, Readers: 2, Writers: 1})
		var wg sync.WaitGroup
		begun := make(chan struct{}, 8)
		loop := func(call func(i int) error) {
			wg.Go(func() {
				for i := 0; ; i++ {
					err := call(i)
					if i == 0 {
						begun <- struct{}{}
					}
					if errors.Is(err, ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for range 2 {
			loop(func(i int) error { return c.Set(key(i%500), make([]byte, i%2000)) })
			loop(func(i int) error { _, _, err := c.Get(key(i%500), nil); return err })
		}
		loop(func(int) error { return c.Walk(func([]byte, []byte) bool { return true }) })
		loop(func(i int) error { _, err := c.Add([]byte("n"), 1); return err })
		loop(func(int) error { _, err := c.Stats(); return err })
		loop(func(i int) error { _, err := c.Delete(key(i % 500)); return err })
		for range cap(begun) {
			<-begun
		}
		time.Sleep(time.Millisecond)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if err := c.Close(); !errors.Is(err, ErrClosed) {
			t.Errorf("second close: %v", err)
		}
		for range c.All() {
			t.Error("a closed cache has entries")
		}
		if c.Len() != 0 {
			t.Error("a closed cache has entries")
		}
		if _, err := c.Check(); !errors.Is(err, ErrClosed) {
			t.Errorf("check: %v", err)
		}
	}
	var none Cache
	if err := none.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("close of a cache that nobody has opened: %v", err)
	}
}

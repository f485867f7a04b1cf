package cache

import (
	"sync"
	"testing"
)

// Goroutines that run at the same time begin to look at different places, for a handle as for buffers: else
// all of them would contend for the first one.
func TestPlaces_GoroutinesBeginApart(t *testing.T) {
	const places, goroutines = 16, 64
	p := newPool(places, func(n int) (int, error) { return n, nil }, func(int) error { return nil })
	for range places {
		if s, err := p.more(); s == nil || err != nil {
			t.Fatal(s, err)
		}
	}
	for i := range p.slots {
		p.slots[i].give(0)
	}
	var all scratch
	all.init(places)
	pooled := func(take func() (*slot[int], error)) func() int {
		return func() int {
			s, err := take()
			if err != nil {
				t.Error(err)
				return 0
			}
			defer s.give(0)
			return s.handle
		}
	}
	looks := map[string]func() int{
		"take":    pooled(p.take),
		"takeNow": pooled(p.takeNow),
		"buffers": func() int {
			b := all.take()
			defer b.give()
			for i := range all.all {
				if b == &all.all[i] {
					return i
				}
			}
			t.Error("buffers of no place")
			return 0
		},
	}
	var one sync.Mutex
	var begun, ended, wg sync.WaitGroup
	found := map[string]map[int]bool{}
	begun.Add(goroutines)
	ended.Add(goroutines)
	look := func() {
		one.Lock()
		defer one.Unlock()
		for of, look := range looks {
			if found[of] == nil {
				found[of] = map[int]bool{}
			}
			found[of][look()] = true
		}
	}
	for range goroutines {
		wg.Go(func() {
			begun.Done()
			begun.Wait()
			look()
			ended.Done()
			ended.Wait() // so each has a stack of its own, also one that has grown
		})
	}
	wg.Wait()
	for of := range looks {
		if n := len(found[of]); n < places*3/4 {
			t.Errorf("%s: %d goroutines begin at %d of %d places", of, goroutines, n, places)
		}
	}
}

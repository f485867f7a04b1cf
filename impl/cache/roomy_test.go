package cache

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// While all that lives has room, nothing leaves, though several writers need baskets at the same time: each
// basket has entries that stay, among others that are overwritten all the time.
func TestRoom_ForAllThatLives(t *testing.T) {
	const views, cold, hot = 3, 100, 50
	path := cacheFile(t)
	var all []*Cache
	for range views {
		all = append(all, open(t, path, Options{Bytes: 2 << 20, NoJanitor: true, Writers: 1,
			OnEvent: func(e Event) {
				if e.Reason != Replaced {
					t.Errorf("%s has left: reason %d", e.Key, e.Reason)
				}
			}}))
	}
	var wg sync.WaitGroup
	for v, c := range all {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(v), 1))
			for n := range 20000 {
				k := fmt.Appendf(nil, "hot %d %d", v, n%hot)
				if n%10 == 0 && n < 10*cold {
					k = fmt.Appendf(nil, "cold %d %d", v, n)
				}
				if err := c.Set(k, make([]byte, r.IntN(3000))); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if n := all[0].Len(); n != views*(cold+hot) {
		t.Errorf("%d entries are there, want %d", n, views*(cold+hot))
	}
	if s := statsOf(t, all[0]); s.LiveBytes > 1<<20 {
		t.Errorf("%d bytes live: the test needs fewer", s.LiveBytes)
	}
}

// The same holds for a writer with several open baskets, whichever of them it fills: keys that were asked for
// before are overwritten in another basket than new ones.
func TestRoom_Overwritten(t *testing.T) {
	for _, policy := range []Policy{Ageing{}, TinyLFU{}} {
		for _, keys := range []int{500, 1000, 1500, 2000} {
			gone := 0
			c := open(t, "", Options{Bytes: 1 << 20, Policy: policy, Writers: 1, NoJanitor: true,
				OnEvent: func(e Event) {
					if e.Reason != Replaced {
						gone++
					}
				}})
			r := rand.New(rand.NewPCG(1, 1))
			for range 60_000 {
				if err := c.Set(fmt.Appendf(nil, "key%d", r.IntN(keys)), make([]byte, 250)); err != nil {
					t.Fatal(err)
				}
			}
			s := statsOf(t, c)
			if all := s.LiveBytes + s.DeadBytes + s.FreeBytes; gone > 0 {
				t.Errorf("%s, %d keys, %d %% live: %d have left", policy.Name(), keys, 100*s.LiveBytes/all,
					gone)
			}
		}
	}
}

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

package cache

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// passes fills a cache, uses some of it, lets entries become old and expire, and others leave for want of
// room, while a clock goes on from that time. It tells what has left, in which order, and what is there.
func passes(t *testing.T, policy Policy, start int64) (all []string) {
	t.Helper()
	o := Options{Policy: policy, OnEvent: func(e Event) {
		all = append(all, fmt.Sprint(e.Reason, " ", string(e.Key)))
	}}
	c, k := timed(t, start, o)
	c.hasher = newHasher(HashXXH3, 32, [2]uint64{1, 2}) // the same hashes each time
	c.sweeper.busy.Store(1)                             // a sweep goes by the order of the index
	age := uint64(0)
	for _, x := range c.Parameters() {
		if strings.HasSuffix(x.Name, ".age") {
			age += 300
			tuned(t, c, x.Name, age)
		}
	}
	j := byHand(c)
	j.swept.busy.Store(1)
	for i := range 8000 {
		if i%8 == 0 {
			k.ms.Add(1)
		}
		ttl := time.Duration(0)
		if i%5 == 0 {
			ttl = time.Duration(1+i%400) * time.Millisecond
		}
		if err := c.SetTTL(fmt.Appendf(nil, "%d", i), make([]byte, 200), ttl); err != nil {
			t.Fatal(err)
		}
		for _, back := range []int{i / 3, i - i%50} {
			if _, _, err := c.Get(fmt.Appendf(nil, "%d", back), nil); err != nil {
				t.Fatal(err)
			}
		}
		if i%100 == 0 {
			j.tend(64)
		}
	}
	if len(all) < 2000 {
		t.Errorf("only %d entries have left", len(all))
	}
	left := len(all)
	for key := range c.Keys() {
		all = append(all, string(key))
	}
	slices.Sort(all[left:])
	return all
}

// H2: the same entries leave, for the same reasons and in the same order, and the same are there, whatever
// number of bits the clock outgrows meanwhile.
func TestReportH2_SameVictimsAcrossWraps(t *testing.T) {
	for _, policy := range []Policy{Ageing{}, TinyLFU{}} {
		plain := passes(t, policy, 1_600_000_000_000)
		for _, wrap := range []int64{1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 40, 1 << 41, 1 << 42} {
			if got := passes(t, policy, wrap-500); !slices.Equal(got, plain) {
				at := 0
				for at < min(len(got), len(plain)) && got[at] == plain[at] {
					at++
				}
				t.Errorf("%T across %d: %d lines, want %d; the first that differs is %d", policy, wrap,
					len(got), len(plain), at)
			}
		}
	}
}

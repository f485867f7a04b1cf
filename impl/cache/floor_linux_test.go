package cache

import (
	"fmt"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time of the thread in nanoseconds, in which what others do does not count.
func threadTime(b *testing.B) int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// byThread measures one in processor time, after so many to the steady state.
func byThread(b *testing.B, first int, one func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range first {
		one()
	}
	b.ResetTimer()
	begin := threadTime(b)
	for range b.N {
		one()
	}
	b.ReportMetric(float64(threadTime(b)-begin)/float64(b.N), "cpu-ns/op")
}

// fullCache is one that has room for n entries of 8 + 64 bytes, as bench/caches makes it.
func fullCache(b *testing.B, n int) *Cache {
	return open(b, "", Options{Bytes: uint64(n) * 112, Entries: uint64(n), NoJanitor: true})
}

// BenchmarkSetEvicts: a set of a new key, for which another one leaves.
func BenchmarkSetEvicts(b *testing.B) {
	for _, n := range []int{1 << 18, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, value, x := fullCache(b, n), make([]byte, 64), 0
			byThread(b, n*3/2, func() {
				if err := c.Set(key(x), value); err != nil {
					b.Fatal(err)
				}
				x++
			})
		})
	}
}

// BenchmarkSetEvicts_Floor: what the index alone takes of that: a lookup and an add of the new key, a lookup
// and a conditional delete of the old one, whose cells were asked for before.
func BenchmarkSetEvicts_Floor(b *testing.B) {
	for _, n := range []int{1 << 18, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := fullCache(b, n)
			h, err := c.table.NewHandle(7)
			if err != nil {
				b.Fatal(err)
			}
			hash := func(i int) uint32 { return (uint32(i) + 1) * 0x9E3779B1 }
			const ahead = 8
			x := 0
			byThread(b, n*3/2, func() {
				_, _ = c.table.Prepare(hash(x + ahead)) // no hash here is a reserved one
				if _, ok, _ := h.Ticket(hash(x)); !ok {
					if _, err := h.Add(hash(x), uint32(x)|1); err != nil {
						b.Fatal(err)
					}
				}
				if x >= n {
					_, _ = c.table.Prepare(hash(x - n + ahead))
					if t, ok, _ := h.Ticket(hash(x - n)); ok {
						if _, err := h.CompareAndDelete(t); err != nil {
							b.Fatal(err)
						}
					}
				}
				if err := h.Forget(); err != nil {
					b.Fatal(err)
				}
				x++
			})
			if err := h.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkGet_Floor: a get beside one by a handle that is borrowed once for all, which needs no atomic
// access that writes; of keys that are there, and of others.
func BenchmarkGet_Floor(b *testing.B) {
	const n = 1 << 20
	c, value := fullCache(b, n*3/2), make([]byte, 64)
	for i := range n {
		if err := c.Set(key(i), value); err != nil {
			b.Fatal(err)
		}
	}
	const apart = 0x1E3779B1 // odd, so the keys come in another order
	dst, x := make([]byte, 0, 64), 0
	for range touches * n {
		dst, _, _ = c.Get(key(x*apart&(n-1)), dst[:0])
		x++
	}
	s, err := c.readers.take()
	if err != nil {
		b.Fatal(err)
	}
	r := s.handle
	s.give(0)
	for name, first := range map[string]int{"hit": 0, "miss": n} {
		b.Run(name+"/get", func(b *testing.B) {
			byThread(b, 1000, func() {
				dst, _, err = c.Get(key(first+x*apart&(n-1)), dst[:0])
				x++
			})
		})
		b.Run(name+"/handle", func(b *testing.B) {
			byThread(b, 1000, func() {
				k := key(first + x*apart&(n-1))
				dst, _, _, err = r.Get(c.hasher.of(k), k, dst[:0])
				x++
			})
		})
	}
	if err != nil {
		b.Fatal(err)
	}
}

// touches is after how many uses a get marks an entry no more.
const touches = 3

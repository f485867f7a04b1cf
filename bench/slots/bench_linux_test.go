package slots

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
)

// childVariable has, for the test binary that runs itself, what it is to do, and with which files.
const childVariable = "SLOTS_BENCH_CHILD"

const (
	keys     = 10_000
	valueLen = 64
)

func TestMain(m *testing.M) {
	if what, files, ok := strings.Cut(os.Getenv(childVariable), " "); ok {
		fmt.Fprintln(os.Stderr, children[what](files))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// serve serves the cache to the clients of the slot files behind it, until it is killed.
func serve(files string) error {
	file, slotFiles, _ := strings.Cut(files, " ")
	c, err := cache.Attach(file, cache.Options{})
	if err != nil {
		return err
	}
	ended := make(chan error)
	for _, slotFile := range strings.Fields(slotFiles) {
		s, err := remote.Create(slotFile, remote.Options{})
		if err != nil {
			return err
		}
		go func() { ended <- s.Serve(context.Background(), c) }()
	}
	fmt.Println("ready")
	return <-ended
}

// filled is a cache in a file, with all keys.
func filled(tb testing.TB) (*cache.Cache, string) {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "a.cache")
	c, err := cache.Open(file, cache.Options{Bytes: 16 << 20})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	for n := range keys {
		if err := c.Set(key(n), make([]byte, valueLen)); err != nil {
			tb.Fatal(err)
		}
	}
	return c, file
}

func key(n int) []byte {
	return binary.LittleEndian.AppendUint64([]byte("key of a"), uint64(n%keys))
}

// client is one of a service in another process.
func client(tb testing.TB) *remote.Client {
	tb.Helper()
	_, file := filled(tb)
	slotFile := filepath.Join(tb.TempDir(), "a.slots")
	begins(tb, "serves", file, slotFile)
	c, err := remote.Dial(slotFile, remote.DialOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

// quantiles reports the times of single calls besides their mean.
func quantiles(b *testing.B, times []time.Duration) {
	if slices.Sort(times); len(times) > 0 {
		b.ReportMetric(float64(times[len(times)/2]), "ns-p50")
		b.ReportMetric(float64(times[len(times)*99/100]), "ns-p99")
	}
}

// timed makes calls one after the other.
func timed(b *testing.B, call func(n int)) {
	b.Helper()
	var times []time.Duration
	n := 0
	for b.Loop() {
		begun := time.Now()
		call(n)
		if times = append(times, time.Since(begun)); len(times) > 1<<20 {
			times = times[:0]
		}
		n++
	}
	quantiles(b, times)
}

// BenchmarkSlots_Direct is the call of a process that maps the cache.
func BenchmarkSlots_Direct(b *testing.B) {
	c, _ := filled(b)
	var dst []byte
	b.Run("get", func(b *testing.B) {
		timed(b, func(n int) {
			var ok bool
			var err error
			if dst, ok, err = c.Get(key(n), dst[:0]); !ok || err != nil {
				b.Fatal(ok, err)
			}
		})
	})
	b.Run("set", func(b *testing.B) {
		value := make([]byte, valueLen)
		timed(b, func(n int) {
			if err := c.Set(key(n), value); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("ask", func(b *testing.B) {
		err := c.TuneAll(cache.Setting{Name: "quota.client", Value: askRate},
			cache.Setting{Name: "quota.object", Value: askRate})
		if err != nil {
			b.Fatal(err)
		}
		timed(b, func(n int) {
			var a cache.Answer
			var err error
			if dst, a, err = c.Ask(uint64(n%others), key(n), dst[:0]); a.State != cache.Hit || err != nil {
				b.Fatal(a, err)
			}
		})
	})
}

// BenchmarkSlots_One has one request under way.
func BenchmarkSlots_One(b *testing.B) {
	c, ctx := client(b), context.Background()
	var dst []byte
	b.Run("get", func(b *testing.B) {
		timed(b, func(n int) {
			var ok bool
			var err error
			if dst, ok, err = c.Get(ctx, key(n), dst[:0]); !ok || err != nil {
				b.Fatal(ok, err)
			}
		})
	})
	b.Run("set", func(b *testing.B) {
		value := make([]byte, valueLen)
		timed(b, func(n int) {
			if err := c.Set(ctx, key(n), value); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// BenchmarkSlots_Sixteen has 16 requests under way, of one operation or of 16. A time is that of an
// operation; the quantiles are of a request, from its start until its answer has been read.
func BenchmarkSlots_Sixteen(b *testing.B) {
	const under = 16
	c, ctx := client(b), context.Background()
	for _, each := range []int{1, 16} {
		b.Run(fmt.Sprintf("gets=%d", each), func(b *testing.B) {
			var calls [under]*remote.Call
			var begun [under]time.Time
			var batch remote.Batch
			var times []time.Duration
			n := 0
			wait := func(i int) {
				all, err := calls[i].Wait(ctx)
				if err != nil || !all[0].OK {
					b.Fatal(all, err)
				}
				if times = append(times, time.Since(begun[i])); len(times) > 1<<20 {
					times = times[:0]
				}
			}
			for b.Loop() {
				if n%each == 0 {
					at := n / each % under
					if calls[at] != nil {
						wait(at)
					}
					batch.Reset()
					for i := range each {
						batch.Get(key(n + i))
					}
					var err error
					begun[at] = time.Now()
					if calls[at], err = c.Start(ctx, &batch); err != nil {
						b.Fatal(err)
					}
				}
				n++
			}
			for i, call := range calls {
				if call != nil {
					wait(i)
				}
			}
			quantiles(b, times)
		})
	}
}

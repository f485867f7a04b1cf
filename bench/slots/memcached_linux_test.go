//go:build !no_memcached

package slots

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

// BenchmarkSlots_Memcached is a server behind a unix socket, with one call at a time, and with 16 goroutines.
func BenchmarkSlots_Memcached(b *testing.B) {
	file, err := exec.LookPath("memcached")
	if err != nil {
		b.Skip("NOT RUN: memcached is missing: install the package memcached")
	}
	socket := filepath.Join(b.TempDir(), "socket")
	args := []string{"-s", socket, "-t", "1", "-m", "64"}
	if os.Geteuid() == 0 {
		args = append(args, "-u", "root") // it refuses to run as root without being told
	}
	cmd := exec.Command(file, args...)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}()
	c := memcache.New(socket)
	c.Timeout, c.MaxIdleConns = 10*time.Second, 16
	for end := time.Now().Add(5 * time.Second); c.Ping() != nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			b.Fatal("memcached does not answer")
		}
	}
	name := func(n int) string { return fmt.Sprintf("key-of-a%08x", n%keys) }
	for n := range keys {
		if err := c.Set(&memcache.Item{Key: name(n), Value: make([]byte, valueLen)}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("get", func(b *testing.B) {
		timed(b, func(n int) {
			if _, err := c.Get(name(n)); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("get of 16 goroutines", func(b *testing.B) {
		var lock sync.Mutex
		var all []time.Duration
		b.SetParallelism(max(16/runtime.GOMAXPROCS(0), 1)) // times GOMAXPROCS
		b.RunParallel(func(p *testing.PB) {
			var times []time.Duration
			for n := 0; p.Next(); n++ {
				begun := time.Now()
				if _, err := c.Get(name(n)); err != nil {
					b.Error(err)
					return
				}
				times = append(times, time.Since(begun))
			}
			lock.Lock()
			defer lock.Unlock()
			all = append(all, times...)
		})
		quantiles(b, all)
	})
}

package cache

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/samecycle/samecycle/impl/region"
)

// D2, E5: processes set and delete in a cache that is too small for them, so that they evict and compact all
// the time, and are killed at any instruction. The others go on, values are whole, and the region is sound at
// the end: free, live and dead bytes are all bytes, and live bytes are those of a recount after one sweep.
func TestReportE5_KilledUnderPressure(t *testing.T) {
	for _, bits := range []int{32, 4} {
		t.Run(fmt.Sprint(bits), func(t *testing.T) {
			path := cacheFile(t)
			c := open(t, path, Options{Bytes: 512 << 10, BasketBytes: 16 << 10, hashBits: bits})
			r := rand.New(rand.NewPCG(13, uint64(bits)))
			stay := startChild(t, path, bits)
			stay.order("churn")
			for range 12 {
				victim := startChild(t, path, bits)
				victim.order("churn")
				time.Sleep(time.Duration(r.IntN(25)) * time.Millisecond)
				victim.kill()
				victim.wait()
				for range 50 {
					k := key(r.IntN(churnKeys))
					v, ok, err := c.Get(k, nil)
					if err != nil {
						t.Fatal(err)
					}
					if _, whole := stormNumber(v); ok && !whole {
						t.Errorf("%d has %.32x, which nobody has set", k, v)
					}
					if err := c.Set(k, stormValue(r.Uint64(), 1+r.IntN(200))); err != nil {
						t.Fatal(err)
					}
				}
			}
			stay.kill()
			stay.wait()
			for range 20000 { // each basket is used again
				if err := c.Set(key(r.IntN(churnKeys)), stormValue(r.Uint64(), 1+r.IntN(200))); err != nil {
					t.Fatal(err)
				}
			}
			balanced(t, c, 512<<10/10)
		})
	}
}

// I3: a process that is stopped in the middle of whatever it does keeps nobody waiting. When it goes on, it
// does no harm.
func TestReportI3_StoppedProcesses(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, Options{Bytes: 512 << 10, BasketBytes: 16 << 10, NoJanitor: true})
	r := rand.New(rand.NewPCG(17, 1))
	other := startChild(t, path, 32)
	other.order("churn")
	slowest := time.Duration(0)
	for range 8 {
		time.Sleep(time.Duration(r.IntN(5000)) * time.Microsecond)
		if err := other.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		for i := range 3000 { // more than the whole cache
			begin := time.Now()
			if err := c.Set(key(churnKeys+i), stormValue(uint64(i), 1+r.IntN(100))); err != nil {
				t.Fatalf("set while another process stands still: %v", err)
			}
			slowest = max(slowest, time.Since(begin))
			v, ok, err := c.Get(key(churnKeys+i), nil)
			if n, whole := stormNumber(v); !ok || err != nil || !whole || n != uint64(i) {
				t.Fatalf("get while another process stands still: %v, %v", ok, err)
			}
		}
		if err := other.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	other.kill()
	if last := other.wait(); last != "" {
		t.Errorf("the other process says %q", last)
	}
	if slowest > time.Second {
		t.Errorf("a set took %v", slowest)
	}
	atRest(t, c)
}

// E3: that a process lives is not found out by its number. One that is alive is not robbed; what one that has
// died had is anybody's, also if its number belongs to another process by then.
func TestReportE3_LifeIsNotANumber(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	other := startChild(t, path, 32)
	if got := other.ask("set a 1"); got != "set" {
		t.Fatal(got)
	}
	at := c.region.Layout().Offset(region.Own, region.OwnProcesses)
	// All processes seem to have the number of this one.
	all, err := c.region.Attachments()
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, a := range all {
		for word := range uint64(region.ProcessBytes / region.WordBytes) {
			entry := at + uint64(a.Process.Index())*region.ProcessBytes
			w, err := c.region.Word(entry + word*region.WordBytes)
			if err != nil {
				t.Fatal(err)
			}
			if w.Load() == a.Pid {
				w.Store(uint64(os.Getpid()))
			}
		}
	}
	dead, err := c.table.Orphans()
	if err != nil || len(dead) != 0 {
		t.Errorf("%v, %v: robbed of what it has", dead, err)
	}
	if got := other.ask("set b 2"); got != "set" {
		t.Error(got)
	}
	other.kill()
	other.wait()
	if dead, err = c.table.Orphans(); err != nil || len(dead) == 0 {
		t.Errorf("%v, %v: the dead one counts as alive", dead, err)
	}
	want(t, c, "b", "2")
}

// E7: a file system that has no room for the cache is an error of Open, and leaves no file.
func TestReportE7_NoSpace(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("NOT RUN: a file system of 1 MiB is needed, and mount says %v: run the test as root", err)
	}
	defer func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	path := filepath.Join(dir, "cache")
	if _, err := Open(path, Options{Bytes: 8 << 20}); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("8 MiB into 1 MiB: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file is left: %v", err)
	}
	c, err := Open(path, Options{Bytes: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "a", "1")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// D8: eight processes evict at once, and each stands still now and then, at whatever step: also behind the
// choice of a basket. Each basket is freed once: what they have in the end is sound, and the cache is nearly
// full.
func TestReportD8_ManyEvict(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, Options{Bytes: 512 << 10, BasketBytes: 8 << 10, NoJanitor: true})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(31, uint64(i)))
			p := launch(t, path, 32)
			if line := p.line(); line != "ready" {
				t.Errorf("process %d says %q", i, line)
				return
			}
			p.order("churn")
			for range shorter(100) {
				time.Sleep(time.Duration(r.IntN(5000)) * time.Microsecond)
				if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Duration(r.IntN(10_000)) * time.Microsecond)
				if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
					t.Error(err)
				}
			}
			p.kill()
			if last := p.wait(); last != "" {
				t.Errorf("process %d says %q", i, last)
			}
		})
	}
	wg.Wait()
	for i := range 2000 {
		if err := c.Set(key(i), make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	balanced(t, c, 512<<10/10)
	if s, err := c.Stats(); err != nil || s.FreeBaskets > s.Baskets/2 {
		t.Errorf("%+v, %v: half of the cache is empty", s, err)
	}
}

package slots

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
)

// What one client that hammers takes from others, in processes of their own; and beside it what a process
// takes that only computes, without a single call.

const (
	others   = 1000    // clients of the program that asks for them
	hammers  = 1 << 40 // number of the client that hammers, which is none of the others
	askRate  = 20_000  // calls a second of a client; each of the others makes some thousand
	callRate = 100_000 // the same with slot files: one call at a time makes some ten thousand
)

// mapsAndAsks asks as one client, as fast as it can, until it is killed. If it is held to a limit it is ready
// when it has been refused.
func mapsAndAsks(file string, held bool) error {
	c, err := cache.Attach(file, cache.Options{})
	if err != nil {
		return err
	}
	ready := false
	var dst []byte
	for n := 0; ; n++ {
		var a cache.Answer
		if dst, a, err = c.Ask(hammers, key(n), dst[:0]); err != nil {
			return err
		}
		if !ready && (!held || a.State == cache.Denied) {
			ready = true
			fmt.Println("ready")
		}
	}
}

// callsAndCalls has 16 requests of 16 gets under way by a slot file, until it is killed. If it is held to a
// limit it is ready when it has been refused.
func callsAndCalls(slotFile string, held bool) error {
	const under = 16
	c, err := remote.Dial(slotFile, remote.DialOptions{})
	if err != nil {
		return err
	}
	ctx, ready := context.Background(), false
	var calls [under]*remote.Call
	var batch remote.Batch
	for n := 0; ; n++ {
		if at := &calls[n%under]; *at != nil {
			all, err := (*at).Wait(ctx)
			if err != nil {
				return err
			}
			if !ready && (!held || errors.Is(all[0].Err, remote.ErrDenied)) {
				ready = true
				fmt.Println("ready")
			}
		}
		batch.Reset()
		for i := range 16 {
			batch.Get(key(n*16 + i))
		}
		if calls[n%under], err = c.Start(ctx, &batch); err != nil {
			return err
		}
	}
}

// computes uses a processor until it is killed.
func computes(string) error {
	fmt.Println("ready")
	for x := uint64(1); ; x = x*6364136223846793005 + 1 {
		if x == 0 {
			return errors.New("the sequence of odd numbers has come to 0")
		}
	}
}

// children are what the test binary does for a benchmark, by name.
var children = map[string]func(files string) error{
	"asks":   func(file string) error { return mapsAndAsks(file, true) },
	"calls":  func(file string) error { return callsAndCalls(file, true) },
	"asks-":  func(file string) error { return mapsAndAsks(file, false) },
	"calls-": func(file string) error { return callsAndCalls(file, false) },

	"computes": computes, "serves": serve,
}

// nobody is the child that there is none of.
const nobody = "nobody"

// begins starts a child, which ends with the benchmark, and waits until it is ready.
func begins(tb testing.TB, what string, files ...string) {
	tb.Helper()
	if what == nobody {
		return
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+what+" "+strings.Join(files, " "))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		tb.Fatalf("the child that %s says %q, %v", what, line, err)
	}
}

// BenchmarkSlots_Beside is what others still do beside one client that hammers, beside one that no limit
// holds, and beside a process that only computes. "hits" is the part of their gets that are hits, of 1.
func BenchmarkSlots_Beside(b *testing.B) {
	for _, x := range []struct {
		name, asks, calls string
		rate              uint64 // times the limit of the benchmark
	}{{nobody, nobody, nobody, 1}, {"hammers", "asks", "calls", 1}, {"no_limit", "asks-", "calls-", 0},
		{"computes", "computes", "computes", 1}} {
		b.Run(x.name+"/asks", func(b *testing.B) { asksBeside(b, x.asks, x.rate*askRate) })
		b.Run(x.name+"/calls", func(b *testing.B) { callsBeside(b, x.calls, x.rate*callRate) })
	}
}

// asksBeside asks for a thousand clients, each far below its limit, in a process that maps the cache.
func asksBeside(b *testing.B, child string, limit uint64) {
	c, file := filled(b)
	if err := c.Tune("quota.client", limit); err != nil {
		b.Fatal(err)
	}
	begins(b, child, file)
	var dst []byte
	hits, calls := 0, 0
	timed(b, func(n int) {
		var a cache.Answer
		var err error
		if dst, a, err = c.Ask(uint64(n%others), key(n), dst[:0]); err != nil {
			b.Fatal(err)
		}
		if calls++; a.State == cache.Hit {
			hits++
		}
	})
	b.ReportMetric(float64(hits)/float64(calls), "hits")
}

// callsBeside calls by a slot file, one call at a time.
func callsBeside(b *testing.B, child string, limit uint64) {
	c, file := filled(b)
	if err := c.Tune("quota.client", limit); err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	own, other := filepath.Join(dir, "own.slots"), filepath.Join(dir, "other.slots")
	begins(b, "serves", file, own, other)
	begins(b, child, other)
	call, err := remote.Dial(own, remote.DialOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = call.Close() }()
	var dst []byte
	hits, calls := 0, 0
	timed(b, func(n int) {
		got, ok, err := call.Get(context.Background(), key(n), dst[:0])
		if err != nil && !errors.Is(err, remote.ErrDenied) {
			b.Fatal(err)
		}
		if dst = got; ok {
			hits++
		}
		calls++
	})
	b.ReportMetric(float64(hits)/float64(calls), "hits")
}

// Package unseen has tests that have to do with code that is not explored.
package unseen

import (
	"context"
	"hash/maphash"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// serve is what a main function does.
func serve(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	done := make(chan error)
	go func() {
		<-ctx.Done()
		done <- nil
	}()
	return <-done
}

func TestRight_Serve(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := serve(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestRight_Stop(t *testing.T) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGUSR1)
	go stop()
	<-ctx.Done()
}

// Nobody ends the context.
func TestFault_Serve(t *testing.T) {
	if err := serve(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestUnknown_Signal(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c:
	case <-time.After(5 * time.Second):
		t.Fatal("no signal")
	}
}

func TestUnknown_SignalOfContext(t *testing.T) {
	ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGUSR1)
	defer stop()
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The deadline is one of package net/http.
func TestUnknown_Timeout(t *testing.T) {
	waits := tripper(func(r *http.Request) (*http.Response, error) {
		select {
		case <-r.Context().Done():
			return nil, r.Context().Err()
		case <-time.After(time.Minute):
			return nil, http.ErrServerClosed
		}
	})
	c := http.Client{Timeout: 20 * time.Millisecond, Transport: waits}
	if _, err := c.Get("http://localhost/"); err == nil || !err.(interface{ Timeout() bool }).Timeout() {
		t.Fatal(err)
	}
}

// The process runs for as long as the deadline would take.
func TestUnknown_Process(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := exec.CommandContext(ctx, "sleep", "0.2").Run(); err == nil {
		t.Fatal("not killed")
	}
}

func TestUnknown_Finalizer(t *testing.T) {
	done := make(chan struct{})
	runtime.SetFinalizer(&struct{ n [64]int }{}, func(any) { close(done) })
	runtime.GC()
	<-done
}

func TestUnknown_Cleanup(t *testing.T) {
	done := make(chan struct{})
	runtime.AddCleanup(&struct{ n [64]int }{}, func(c chan struct{}) { close(c) }, done)
	runtime.GC()
	<-done
}

// counted lets goroutines count, which may lose what others have counted.
func counted(goroutines int) int64 {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	wg.Wait()
	return n.Load()
}

// A fault that has nothing to do with the code outside, which the test calls.
func TestFault_Count(t *testing.T) {
	if err := exec.Command("true").Run(); err != nil {
		t.Fatal(err)
	}
	if counted(2) != 2 {
		t.Fatal("one of two is lost")
	}
}

// closed returns an address at which nothing listens, as that of a server that has not begun yet.
func closed(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	addr := l.Addr().String()
	l.Close()
	return addr
}

// The server does not answer before some time has passed.
func TestUnknown_Poll(t *testing.T) {
	addr := closed(t)
	for range 50 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no answer")
}

func TestUnknown_PollForEver(t *testing.T) {
	addr := closed(t)
	for {
		var d net.Dialer
		c, err := d.DialContext(t.Context(), "tcp", addr)
		if err == nil {
			c.Close()
			return
		}
		runtime.Gosched()
	}
}

// The profile has the goroutines of the explorer, too.
func TestUnknown_Profile(t *testing.T) {
	for range 20 {
		var text strings.Builder
		pprof.Lookup("goroutine").WriteTo(&text, 1)
		if !strings.Contains(text.String(), "samecycle") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("a goroutine is left")
}

// The program of the test is not that of go test.
func TestUnknown_Itself(t *testing.T) {
	if out, err := exec.Command(os.Args[0], "-test.run=^TestNone$").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

var seed, known = maphash.MakeSeed(), new(int)

var hashed = maphash.Comparable(seed, known)

// The hash of an address does not change.
func TestRight_Hashes(t *testing.T) {
	made, c := new(int), make(chan uint64, 2)
	for range cap(c) {
		go func() { c <- maphash.Comparable(seed, made) }()
	}
	if <-c != <-c || hashed != maphash.Comparable(seed, known) {
		t.Error("it has changed")
	}
}

// The same, but for the repetition.
func TestUnknown_ProfileOnce(t *testing.T) {
	if n := pprof.Lookup("goroutine").Count(); n != runtime.NumGoroutine() {
		t.Fatal("a goroutine is left")
	}
}

func TestUnknown_Stacks(t *testing.T) {
	if s := stacks(true); strings.Contains(s, "samecycle") {
		panic("a goroutine is left: " + s)
	}
}

func stacks(all bool) string {
	text := make([]byte, 1<<16)
	return string(text[:runtime.Stack(text, all)])
}

// What comes behind the failure, and the stack of one goroutine, are not the reason for it.
func TestFault_Stack(t *testing.T) {
	if counted(2) != 2 {
		t.Error("one of two is lost", stacks(false) == "", pprof.Lookup("heap") == nil)
		t.Log(stacks(true) == "")
	}
}

// A goroutine that is locked to its thread is explored like others.
func TestRight_Locked(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := make(chan int)
	go func() {
		runtime.LockOSThread()
		c <- 1
	}()
	<-c
}

// A fault in a test that asks once.
func TestFault_Asks(t *testing.T) {
	if c, err := net.Dial("tcp", closed(t)); err == nil {
		c.Close()
	}
	if counted(2) != 2 {
		t.Fatal("one of two is lost")
	}
}

// A fault in a test that asks several servers, and waits for none of them.
func TestFault_AsksSeveral(t *testing.T) {
	addr := closed(t)
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if c, err := net.Dial("tcp", addr); err == nil {
				c.Close()
			}
			n.Store(n.Load() + 1)
		})
	}
	if wg.Wait(); n.Load() != 2 {
		t.Fatal("one of two is lost")
	}
}

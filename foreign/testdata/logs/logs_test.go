// Package logs has tests that log, with writers of their own.
package logs

import (
	"context"
	"io"
	"log"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// lines is a writer that has no lock of its own, because loggers serialise their writes.
type lines struct {
	n    int
	text string
}

func (w *lines) Write(p []byte) (int, error) {
	w.n++
	w.text += string(p)
	return len(p), nil
}

// locked has a lock of its own.
type locked struct {
	mu sync.Mutex
	n  int
}

func (w *locked) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	return len(p), nil
}

// both calls f in two goroutines, and waits for them.
func both(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(f)
	wg.Wait()
}

func TestRight_Log(t *testing.T) {
	w := &lines{}
	l := log.New(w, "p: ", log.LstdFlags)
	if both(func() { l.Print("x") }); w.n != 2 || !strings.HasSuffix(w.text, " x\n") {
		t.Error(w.text)
	}
}

func TestRight_Slog(t *testing.T) {
	w := &lines{}
	l := slog.New(slog.NewTextHandler(w, nil))
	if both(func() { l.Info("x", "k", 1) }); w.n != 2 || !strings.HasSuffix(w.text, " msg=x k=1\n") {
		t.Error(w.text)
	}
}

func TestRight_Locks(t *testing.T) {
	w := &locked{}
	l, s := log.New(w, "", 0), slog.New(slog.NewJSONHandler(w, nil))
	var wg sync.WaitGroup
	wg.Go(func() { l.Print("x") })
	wg.Go(func() { s.Info("x") })
	l.Print("y")
	s.Info("y")
	if wg.Wait(); w.n != 4 {
		t.Error(w.n)
	}
}

// The standard loggers are as at first in each execution, although the test changes them for ever.
func TestRight_Default(t *testing.T) {
	if log.Prefix() != "" || log.Writer() == io.Discard {
		t.Error("the logger was changed before")
	}
	w := &lines{}
	log.SetOutput(w)
	log.SetPrefix("mine: ")
	log.SetFlags(0)
	done := make(chan bool)
	go func() { log.Print("x"); done <- true }()
	slog.Info("y")
	<-done
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	if slog.Info("z"); w.n != 2 || !strings.Contains(w.text, "mine: x\n") {
		t.Errorf("%q", w.text)
	}
}

// noon is a handler of the program.
type noon struct {
	slog.Handler
	at time.Time
}

func (h *noon) Handle(_ context.Context, r slog.Record) error {
	h.at = r.Time
	return nil
}

func TestRight_Clock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &noon{Handler: slog.DiscardHandler}
		h.Handler = slog.NewTextHandler(io.Discard, nil)
		time.Sleep(time.Minute)
		slog.New(h).Info("x")
		if want := time.Date(2000, time.January, 1, 0, 1, 0, 0, time.UTC); !h.at.Equal(want) {
			t.Errorf("it is %v", h.at)
		}
	})
}

// Two loggers have two locks.
func TestWrong_TwoLoggers(t *testing.T) {
	w := &lines{}
	go log.New(w, "", 0).Print("x")
	log.New(w, "", 0).Print("x")
}

func TestWrong_Looks(t *testing.T) {
	w := &lines{}
	l := log.New(w, "", 0)
	go l.Print("x")
	if w.n > 2 {
		t.Error(w.n)
	}
}

func TestWrong_Fatal(t *testing.T) {
	log.SetOutput(io.Discard)
	done := make(chan bool)
	go func() { log.Fatal("x") }()
	close(done)
	<-done
}

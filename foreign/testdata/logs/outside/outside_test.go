// Package outside gives a logger to a package that is not copied.
package outside

import (
	"log"
	"net/http"
	"sync"
	"testing"
)

// lines has no lock of its own, and locked has one.
type (
	lines  struct{ n int }
	locked struct {
		sync.Mutex
		lines
	}
)

func (w *lines) Write(p []byte) (int, error) {
	w.n++
	return len(p), nil
}

func (w *locked) Write(p []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	return w.lines.Write(p)
}

// twice logs in two goroutines.
func twice(s *http.Server) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s.ErrorLog.Print("x") })
	}
	wg.Wait()
}

func TestRace(t *testing.T) {
	w := &lines{}
	if twice(&http.Server{ErrorLog: log.New(w, "", 0)}); w.n != 2 {
		t.Error(w.n)
	}
}

func TestHang(t *testing.T) {
	w := &locked{}
	if twice(&http.Server{ErrorLog: log.New(w, "", 0)}); w.n != 2 {
		t.Error(w.n)
	}
}

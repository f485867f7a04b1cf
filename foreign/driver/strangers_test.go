package driver

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestStrangers: who starts a goroutine that is there is named once, however often it is seen; who has none
// any more is named still.
func TestStrangers(t *testing.T) {
	var s strangers
	if got := s.seen(); slices.Contains(got, here) {
		t.Fatalf("seen are %q, before there is one", got)
	}
	familiar = slices.DeleteFunc(slices.Clone(familiar), func(p string) bool { return p == own })
	t.Cleanup(func() { familiar = append(familiar, own) })
	end, ended := make(chan bool), make(chan bool)
	for range 2 {
		go func() { <-end; ended <- true }()
	}
	s.look()
	close(end)
	<-ended
	<-ended
	if got := s.seen(); !slices.Contains(got, here) {
		t.Errorf("seen are %q, not %s", got, here)
	}
	if got := (*strangers)(nil).seen(); got != nil {
		t.Errorf("seen by nobody are %q", got)
	}
}

// own begins the functions of this project, and here is the test.
const (
	own  = "github.com/samecycle/samecycle/"
	here = "github.com/samecycle/samecycle/foreign/driver.TestStrangers"
)

// TestStrangers_EndOfTime: what the explorer does when its time is over is no stranger.
func TestStrangers_EndOfTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	began, end, ended := make(chan bool), make(chan bool), make(chan bool)
	context.AfterFunc(ctx, func() { began <- true; <-end; ended <- true })
	cancel()
	<-began
	var s strangers
	for _, by := range s.seen() {
		if strings.HasPrefix(by, "context.") {
			t.Errorf("seen is %s", by)
		}
	}
	close(end)
	<-ended
}

package cache

import (
	"testing"
	"time"
)

// The clock of a time namespace is ahead of the host's by what the file of offsets says of boottime.
func TestClock_OffsetOfNamespace(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"":                                0,
		"monotonic 5 6\n":                 0,
		"monotonic 5 6\nboottime 7 8\n":   7*time.Second + 8,
		"boottime     -86400         0\n": -24 * time.Hour,
		"boottime x y\nboottime 1 2":      time.Second + 2,
	} {
		if got := offsetOf([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	since, ok := sinceStart()
	if !ok || since <= 0 || since+ahead() < since && ahead() > 0 {
		t.Errorf("%v, %v since the start, ahead by %v", since, ok, ahead())
	}
}

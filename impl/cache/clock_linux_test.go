package cache

import (
	"os"
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

// All builds of a FormatVersion tell a start of the host by the same number, so that none of them chooses the
// offset anew which another one has chosen: the upper bits of the hash of what the system says of the start,
// made odd.
func TestFormat_NumberOfTheStart(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(text) == 0 {
		t.Skip("NOT RUN: the system does not tell its starts apart:", err)
	}
	const bits = 64 - 42
	want := uint64(0)
	for i := range bits {
		want |= sipHash([2]uint64{}, text) >> (63 - i) & 1 << (bits - 1 - i)
	}
	if want |= 1; startNumber() != want || want == 1 {
		t.Errorf("the start has number %#x, want %#x", startNumber(), want)
	}
}

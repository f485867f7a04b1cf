//go:build unix

package main

import (
	"testing"
	"time"
)

// TestCheck_CPUTime holds that the time of programs goes to the link that starts them.
func TestCheck_CPUTime(t *testing.T) {
	now := cpuTime()
	if now == (cpu{}) {
		t.Fatal("no CPU time, which each Unix tells")
	}
	c := &checkRun{within: map[string]map[string]bool{}}
	c.begin("engine", "engine")
	c.begin("spec", "spec")
	before := cpu{now.self - 100*time.Second, now.programs - 1000*time.Second}
	for link, want := range map[string]string{"spec": "with 16m40s of CPU time",
		"engine": "with 1m40s of CPU time", "volume": "with 18m20s of CPU time"} {
		if got := c.cost(link, link, before); got != ", "+want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}

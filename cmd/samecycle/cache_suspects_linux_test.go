package main

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// TestCacheSuspects_Lists: keys that a program has asked for too often are listed, those that wait longest
// first, as text and as JSON; without any there is nothing.
func TestCacheSuspects_Lists(t *testing.T) {
	path := aCache(t)
	if code, out, errOut := call("cache", "suspects", path); code != exitOK || out != "" || errOut != "" {
		t.Errorf("without suspects: status %d, %q, %q", code, out, errOut)
	}
	c, err := cache.Attach(path, cache.Options{Quota: cache.Quota{Object: 1, Burst: time.Millisecond,
		Retry: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"first", "second", "calm"} {
		if err := c.Set([]byte(key), []byte("v")); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"first", "second"} {
		for range 1000 {
			if _, _, err := c.Ask(1, []byte(key), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := call("cache", "suspects", path)
	anHour := strings.Contains(out, "59m5") || strings.Contains(out, "1h0m0s") // rounded to milliseconds
	if code != exitOK || errOut != "" || strings.Count(out, "\n") != 2 || !anHour ||
		!strings.Contains(out, `1 offence     "first"`) || !strings.Contains(out, `1 offence     "second"`) {
		t.Errorf("status %d, %q, %q", code, out, errOut)
	}
	code, out, errOut = call("cache", "suspects", path, "--json")
	one, two, _ := strings.Cut(strings.TrimSpace(out), "\n")
	x, y := asJSON[suspectKey](t, one), asJSON[suspectKey](t, two)
	if code != exitOK || errOut != "" || x.Seconds < y.Seconds || y.Seconds < 3000 || x.Seconds > 3600 ||
		x.Offences != 1 || min(x.Key, y.Key) != "first" || max(x.Key, y.Key) != "second" {
		t.Errorf("status %d, %q, %q", code, out, errOut)
	}
	if code, _, errOut := call("cache", "suspects"); code != exitUsage || errOut == "" {
		t.Errorf("without a file: status %d, %q", code, errOut)
	}
}

package main

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/cachestorm/hostileslots"
	"github.com/samecycle/samecycle/internal/seam"
)

// TestCacheHostileSlots_Command: it prints what it did, and refuses what makes no sense.
func TestCacheHostileSlots_Command(t *testing.T) {
	if seam.Explored {
		t.Skip("NOT RUN: this build makes the plain program for it: run the test without -tags explore")
	}
	code, out, errOut := call("cache", "hostile-slots", "--words", "5000")
	if code != exitOK || !strings.Contains(out, " words overwritten in ") || strings.Contains(out, "FAULT") {
		t.Errorf("status %d, printed %q, said %q", code, out, errOut)
	}
	code, out, errOut = call("cache", "hostile-slots", "--words", "5000", "--json")
	if r := asJSON[hostileslots.Report](t, out); code != exitOK || r.Words < 5000 || r.Calls == 0 {
		t.Errorf("status %d, printed %q, said %q", code, out, errOut)
	}
	for args, want := range map[string]string{
		"--words 0":                "--words 0: use 1 or more",
		"--words 5 --resume":       "--resume is for cache storm",
		"--words 5 more":           "more",
		"--words 5 --seed nothing": "--seed nothing: use a whole number from 0",
	} {
		code, out, errOut := call(append([]string{"cache", "hostile-slots"}, strings.Fields(args)...)...)
		if code == exitOK || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, printed %q, said %q, want %q", args, code, out, errOut, want)
		}
	}
}

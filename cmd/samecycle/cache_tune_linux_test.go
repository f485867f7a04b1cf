package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// aCache is a file with a cache that has one entry.
func aCache(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.cache")
	if code, out, errOut := call("cache", "set", path, "alice", "one", "--size", "1MiB"); code != exitOK {
		t.Fatal(out, errOut)
	}
	return path
}

// TestCacheTune shows and changes live parameters as a person does. Of several changes none is made if one is
// wrong, and the answer says which, and what would be right.
func TestCacheTune(t *testing.T) {
	path := aCache(t)
	for _, x := range []struct {
		args      string
		code      int
		out, said string // "": nothing
	}{
		{"", exitOK, "ttl.default 0 ms 0 0 to 3153600000000", ""},
		{"janitor.every=250", exitOK, "janitor.every: 250 ms, was 100\n", ""},
		{"ttl.default=2h compact.gain=20", exitOK,
			"ttl.default: 7200000 ms, was 0\ncompact.gain: 20 percent, was 10\n", ""},
		{"", exitOK, "compact.gain 20* percent 10", ""},
		{"janitor.every=default", exitOK, "janitor.every: 100 ms, was 250\n", ""},
		{"", exitOK, "janitor.every 100 ms 100", ""}, // no star
		{"compact.living=80 compact.gian=30", exitUsage, "", "did you mean compact.gain?"},
		{"compact.living=80 compact.gain=300", exitUsage, "", "compact.gain is 300, want 1..100 percent"},
		{"compact.living=80 compact.living=70", exitUsage, "", "one value for each name"},
		{"compact.living=most", exitUsage, "",
			"compact.living=most: use a whole number of percent, 1 to 99, or default"},
		{"compact.living=-1", exitUsage, "", "compact.living=-1: use a whole number"},
		{"compact.living=2h", exitUsage, "", "compact.living=2h: use a whole number of percent, 1 to 99"},
		{"ttl.default=1us", exitUsage, "", "ttl.default=1us: use a whole number of ms, or a duration"},
		{"ttl.default=18446744073709551616", exitUsage, "", "use a whole number of ms"},
		{"compact.living", exitUsage, "", `"compact.living" is no change: write NAME=VALUE`},
		{"=3", exitUsage, "", `"=3" is no change`},
		{"", exitOK, "compact.living 90 percent 90", ""}, // no change with an error was made
	} {
		code, out, errOut := call(append([]string{"cache", "tune", path}, strings.Fields(x.args)...)...)
		if x.args == "" { // columns are as wide as what is in them
			out = strings.Join(strings.Fields(out), " ")
		}
		if code != x.code || !strings.Contains(out, x.out) || !strings.Contains(errOut, x.said) ||
			x.out == "" && out != "" || x.said == "" && errOut != "" {
			t.Errorf("tune %s: status %d, printed %q, said %q; want %d, %q, %q", x.args, code, out, errOut,
				x.code, x.out, x.said)
		}
	}
	if code, out, _ := call("cache", "set", path, "bob", "two"); code != exitOK {
		t.Fatal(out)
	}
	_, out, _ := call("cache", "get", path, "bob", "--json")
	if g := asJSON[gotten](t, out); g.Seconds < 7000 || g.Seconds > 7201 {
		t.Errorf("an entry lives for %g s, by default it is 7200: %s", g.Seconds, out)
	}
}

// TestCacheTune_JSON: a program reads the same.
func TestCacheTune_JSON(t *testing.T) {
	path := aCache(t)
	code, out, errOut := call("cache", "tune", path, "janitor.run=3", "--json")
	x := asJSON[tuning](t, out)
	if code != exitOK || errOut != "" || len(x.Changed) != 1 || x.Changed[0] != "janitor.run" ||
		x.File != path {
		t.Errorf("status %d, %s%s", code, out, errOut)
	}
	_, out, _ = call("cache", "tune", path, "--json")
	x = asJSON[tuning](t, out)
	tuned := 0
	for _, p := range x.Parameters {
		if p.Meaning == "" || p.Unit == "" || p.Most == 0 || p.Damaged {
			t.Errorf("%+v", p)
		}
		if p.Tuned {
			tuned++
			if p.Name != "janitor.run" || p.Value != 3 || p.Default != 1 {
				t.Errorf("%+v", p)
			}
		}
	}
	if tuned != 1 || x.Changed == nil {
		t.Errorf("%d are tuned: %s", tuned, out)
	}
	code, out, _ = call("cache", "tune", path, "janitor.rnu=3", "--json")
	r := asJSON[refusal](t, out)
	if code != exitUsage || !strings.Contains(r.Error, "did you mean janitor.run?") {
		t.Errorf("status %d, %s", code, out)
	}
	if code, _, errOut := call("cache", "tune", path+".not"); code != exitRed || errOut == "" {
		t.Errorf("of no file: status %d, %q", code, errOut)
	}
}

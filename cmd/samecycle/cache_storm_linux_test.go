//go:build !explore

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/cachestorm"
	"github.com/samecycle/samecycle/internal/cachestorm/hostile"
)

// stormChild in the environment makes the test program a process of a storm.
const stormChild = "SAMECYCLE_TEST_STORM"

func init() { childJobs[stormChild] = func(string) { main() } }

// TestCacheStorm: a short storm writes figures that say what they are of, and a later one goes on from them.
// In the explorer's build it would build the plain program and start that.
func TestCacheStorm(t *testing.T) {
	t.Setenv(stormChild, "1") // its processes are this binary
	out := filepath.Join(t.TempDir(), "storm.json")
	args := []string{"cache", "storm", "--root", "../..", "--kills", "5", "--out", out, "--json"}
	code, text, errOut := call(args...)
	r := asJSON[cachestorm.Report](t, text)
	if code != exitOK || r.Kills < 5 || len(r.Faults) > 0 || !strings.HasPrefix(errOut, "seed 1\n") {
		t.Fatalf("status %d: %s%s", code, text, errOut)
	}
	args = append(args, "--resume", "--kills", "15")
	code, text, errOut = call(args...)
	if more := asJSON[cachestorm.Report](t, text); code != exitOK || more.Kills < 15 ||
		more.Caches <= r.Caches || more.Calls <= r.Calls {
		t.Errorf("status %d: %s%s", code, text, errOut)
	}
	file, err := os.ReadFile(out)
	for _, part := range []string{`"command": "samecycle cache storm --processes 4 --threads 2 --kills 15`,
		`"seed": 1`, `"commit"`, `"go"`, `"kills"`} {
		if err != nil || !strings.Contains(string(file), part) {
			t.Errorf("%v: no %s in\n%s", err, part, file)
		}
	}
	for flag, values := range map[string]string{"--seed 2": "--seed 1", "--processes 1": "--processes 4",
		"--threads 7": "--threads 2"} {
		code, _, errOut := call(append(args, strings.Fields(flag)...)...)
		want := "was made with " + values + ", and this is " + flag + ": "
		now, err := os.ReadFile(out)
		if code != exitRed || !strings.Contains(errOut, want) || err != nil || string(now) != string(file) {
			t.Errorf("%s: status %d, %v: %s, want %q and the file as it was", flag, code, err, errOut, want)
		}
	}
	if err := os.WriteFile(out, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := call(args...); code != exitRed || !strings.Contains(errOut, "no file of figures") {
		t.Errorf("a damaged file: status %d: %s", code, errOut)
	}
}

// TestCacheHostile: figures for a person and for a program; one round is made again.
func TestCacheHostile(t *testing.T) {
	code, text, errOut := call("cache", "hostile", "--words", "300", "--json")
	if r := asJSON[hostile.Report](t, text); code != exitOK || r.Words < 300 ||
		!strings.HasPrefix(errOut, "seed 1\n") {
		t.Errorf("status %d: %s%s", code, text, errOut)
	}
	code, text, errOut = call("cache", "hostile", "--round", "3", "--seed", "4")
	if code != exitOK || !strings.Contains(text, "overwritten in 1 round\n") {
		t.Errorf("status %d: %s%s", code, text, errOut)
	}
}

// TestCacheEvidence_Red: what a judge has found is printed; a wrong command line is refused.
func TestCacheEvidence_Red(t *testing.T) {
	var b strings.Builder
	writeStorm(&b, &cachestorm.Report{Faults: []string{"bad"}, Busy: 2})
	writeHostile(&b, &hostile.Report{Faults: []string{"worse"}})
	for _, line := range []string{"FAULT: bad\n", "FAULT: worse\n", "2 calls without room",
		"the kernel does not say"} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %q in\n%s", line, b.String())
		}
	}
	for _, line := range []string{"storm", "storm --kills -1", "storm --kills 1 --processes 0",
		"storm --kills 1 --threads 99", "storm --duration -1s", "storm --kills 1 --resume", "storm x",
		"hostile --words 0", "hostile --resume --out x"} {
		code, out, errOut := call(append([]string{"cache"}, strings.Fields(line)...)...)
		if code != exitUsage || out != "" || errOut == "" {
			t.Errorf("%s: status %d: %s%s", line, code, out, errOut)
		}
	}
}

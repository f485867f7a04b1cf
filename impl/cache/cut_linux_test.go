package cache

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/region"
)

// cutVariable has what the test does as a process of its own, in which the file of an open cache is cut.
const cutVariable = "CACHE_TEST_CUT"

// TestCut_WhileOpen: docs/cache.md says what becomes of a file that somebody cuts: whoever has it open ends
// with the signal SIGBUS, whatever it does, and whoever opens it afterwards is told.
func TestCut_WhileOpen(t *testing.T) {
	if job := os.Getenv(cutVariable); job != "" {
		cutAndGoOn(t, job)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range []string{"get", "set", "stats", "close", "wait", "guarded"} {
		cmd := exec.Command(self, "-test.run=^TestCut_WhileOpen$")
		cmd.Env = append(os.Environ(), cutVariable+"="+job)
		said, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || !bytes.Contains(said, []byte("SIGBUS")) {
			t.Errorf("%s: want an end by SIGBUS, got %v\n%s", job, err, said)
		}
	}
}

// cutAndGoOn cuts the file of an open cache, and uses it afterwards.
func cutAndGoOn(t *testing.T, job string) {
	path := cacheFile(t)
	c, err := Open(path, Options{Bytes: childBytes, NoJanitor: job != "wait" && job != "guarded"})
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "a", "1")
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	switch job {
	case "get":
		_, _, err = c.Get([]byte("a"), nil)
	case "set":
		err = c.Set([]byte("a"), nil)
	case "stats":
		_, err = c.Stats()
	case "close":
		err = c.Close()
	case "wait": // for the janitor
		time.Sleep(10 * time.Second)
	case "guarded": // the caller may look out for faults, and the janitor does not
		err = c.region.Guard(func() { time.Sleep(10 * time.Second) })
	}
	t.Logf("goes on: %v", err)
}

// TestCut_BeforeOpen: whoever opens a file that was cut is told.
func TestCut_BeforeOpen(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, Options{Bytes: childBytes, NoJanitor: true})
	set(t, c, "a", "1")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	calls := map[string]func(string, Options) (*Cache, error){"Open": Open, "Attach": Attach}
	for name, call := range calls {
		if _, err := call(path, Options{NoJanitor: true}); !errors.Is(err, region.ErrSize) ||
			!strings.Contains(err.Error(), "unlink it and create it anew") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCut_AndMadeLongAgain: the pages that come back have zeros, as those of a new cache, so a Get finds
// nothing and reports nothing.
func TestCut_AndMadeLongAgain(t *testing.T) {
	path := cacheFile(t)
	c, err := Open(path, Options{Bytes: childBytes, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "a", "1")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{4096, info.Size()} {
		if err := os.Truncate(path, n); err != nil {
			t.Fatal(err)
		}
	}
	if v, ok, err := c.Get([]byte("a"), nil); ok || err != nil {
		t.Errorf("get: %q, %v, %v", v, ok, err)
	}
	if err := c.Close(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("close: %v", err)
	}
}

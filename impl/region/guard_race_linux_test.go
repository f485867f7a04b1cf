//go:build race

package region

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// raceVariable names the file that a child stores to.
const raceVariable = "SAMECYCLE_REGION_RACE"

// TestGuard_WithTheRaceDetector: a store of whatever kind to memory that is there to read only is an error on
// amd64. Elsewhere it ends the process, as long as the runtime cannot walk the stack of the detector's code;
// if this fails there, the package promises too little.
func TestGuard_WithTheRaceDetector(t *testing.T) {
	if path := os.Getenv(raceVariable); path != "" {
		r, err := Observe(path)
		if err != nil {
			t.Fatal(err)
		}
		w := &r.Words()[headerWords]
		for name, store := range map[string]func(){"store": func() { w.Store(1) },
			"compare-and-swap": func() { w.CompareAndSwap(w.Load(), 1) }, "swap": func() { w.Swap(1) },
			"add": func() { w.Add(1) }, "and": func() { w.And(1) }, "or": func() { w.Or(1) }} {
			if err := r.Guard(store); !errors.Is(err, ErrFault) ||
				!strings.Contains(err.Error(), "an observer cannot write") {
				t.Errorf("%s: %v", name, err)
			}
		}
		t.Log("all stores were tried")
		return
	}
	path, _ := mustCreate(t)
	c := exec.Command(os.Args[0], "-test.run=^TestGuard_WithTheRaceDetector$", "-test.v")
	c.Env = append(os.Environ(), raceVariable+"="+path)
	said, err := c.CombinedOutput()
	ended := err != nil && strings.Contains(string(said), "fatal error")
	all := err == nil && strings.Contains(string(said), "all stores were tried")
	if amd64 := runtime.GOARCH == "amd64"; all != amd64 || ended == amd64 {
		t.Errorf("%v: %s", err, said)
	}
}

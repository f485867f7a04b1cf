//go:build race

package region

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// raceVariable names the file that a child stores to.
const raceVariable = "SAMECYCLE_REGION_RACE"

// TestGuard_WithTheRaceDetector: what it does not promise there ends the process. That is so as long as the
// runtime cannot walk the stack of the detector's code; if this fails, the package promises too little.
func TestGuard_WithTheRaceDetector(t *testing.T) {
	if path := os.Getenv(raceVariable); path != "" {
		r, err := Observe(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Fatalf("the store is an error: %v", r.Guard(func() { r.Words()[headerWords].Store(1) }))
	}
	path, _ := mustCreate(t)
	c := exec.Command(os.Args[0], "-test.run=^TestGuard_WithTheRaceDetector$")
	c.Env = append(os.Environ(), raceVariable+"="+path)
	said, err := c.CombinedOutput()
	if err == nil || strings.Contains(string(said), "the store is an error") ||
		!strings.Contains(string(said), "fatal error") {
		t.Errorf("%v: %s", err, said)
	}
}

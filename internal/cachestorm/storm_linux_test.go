package cachestorm

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// workerVariable says to this binary that it is a process of a storm.
const workerVariable = "SAMECYCLE_TEST_STORM"

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		if err := Worker(os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func options(t *testing.T) Options {
	return Options{Seed: 1, Folder: t.TempDir(), Progress: func(string, float64) {},
		Command: func(assignment string) *exec.Cmd {
			cmd := exec.Command(os.Args[0], assignment)
			cmd.Env = append(os.Environ(), workerVariable+"=1")
			return cmd
		}}
}

// TestStorm: processes are killed and stopped, and no judge finds anything.
func TestStorm(t *testing.T) {
	o := options(t)
	o.Kills = 60
	if testing.Short() {
		o.Kills, o.Rounds = 0, calmEvery
	}
	begun := time.Now()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.Faults {
		t.Error(fault)
	}
	t.Logf("%v: %+v", time.Since(begun), *r)
	for _, reason := range strings.Split("replaced deleted expired evicted", " ") {
		if r.Told[reason] == 0 {
			t.Errorf("nothing was told as %s", reason)
		}
	}
	if r.Kills < max(o.Kills, calmEvery) || r.InCalls == 0 || r.Stops == 0 || r.Calm == 0 ||
		r.Checks < r.Rounds {
		t.Errorf("the storm is none: %+v", *r)
	}
	if left, err := os.ReadDir(o.Folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

package cachestorm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/region"
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

// storm60 is a storm of 60 kills, or of some rounds in a short test, in which no judge finds anything.
func storm60(t *testing.T, o *Options) *Report {
	t.Helper()
	if o.Kills = 60; testing.Short() {
		o.Kills, o.Rounds = 0, calmEvery
	}
	begun := time.Now()
	r, err := Run(t.Context(), *o)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.Faults {
		t.Error(fault)
	}
	t.Logf("%v: %+v", time.Since(begun), *r)
	return r
}

// TestStorm: processes are killed and stopped, and no judge finds anything.
func TestStorm(t *testing.T) {
	o := options(t)
	r := storm60(t, &o)
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

// TestStorm_Slots: clients that have no cache, and their services, are killed; each outcome that is
// documented is met.
func TestStorm_Slots(t *testing.T) {
	o := options(t)
	o.variants = variants[3:4]
	r := storm60(t, &o)
	if r.BySlots == 0 || o.Kills > 0 && (r.NotMade == 0 || r.Unknown == 0 || r.Serving == 0) {
		t.Errorf("the storm of slots is none: %+v", *r)
	}
}

// TestStorm_FewWriters: more processes than writers are killed and stopped, and hand the writers over.
func TestStorm_FewWriters(t *testing.T) {
	o := options(t)
	o.Processes, o.Threads = 8, 1
	o.variants = slices.DeleteFunc(slices.Clone(variants), func(v variant) bool { return v.wait == 0 })
	r := storm60(t, &o)
	if r.Kills < max(o.Kills, calmEvery) || r.Changes == 0 {
		t.Errorf("the storm is none: %+v", *r)
	}
}

// TestVariants: the caches are what their names say.
func TestVariants(t *testing.T) {
	for _, v := range variants {
		path := filepath.Join(t.TempDir(), "cache")
		if err := makeRegion(path, v); err != nil {
			t.Fatal(err)
		}
		r, err := region.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		part, _ := r.Layout().Part(cache.Engine)
		want := uint64(v.bits)
		if want == 0 {
			want = 32
		}
		if bits, ok := part.Param("hash bits"); !ok || bits != want {
			t.Errorf("%s: hashes have %d bits, %v, want %d", v.name, bits, ok, want)
		}
		store, err := basket.New(r)
		if err != nil {
			t.Fatal(err)
		}
		if n := store.Layout().Writers; (n < 8) != (v.wait > 0) {
			t.Errorf("%s: it has %d writers, and a call may wait %v for one", v.name, n, v.wait)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestWorker_Refusals: an assignment that no storm has made.
func TestWorker_Refusals(t *testing.T) {
	for _, text := range []string{"", "x", "{}", `{"slot": 3, "slots": 2}`, `{"unknown": 1}`,
		`{"slots": 1, "threads": 99, "keys": 1, "number": 1}`} {
		if err := Worker(text); !errors.Is(err, ErrAssignment) {
			t.Errorf("%q: %v", text, err)
		}
	}
	o := options(t)
	o.Folder, o.Rounds = filepath.Join(o.Folder, "missing"), 1
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("no folder: %v", err)
	}
	o = options(t)
	o.Command = func(string) *exec.Cmd { return exec.Command(filepath.Join(o.Folder, "missing")) }
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("no program: %v", err)
	}
}

// TestStorm_Interrupted: it ends soon, with what was done so far, and goes on from there.
func TestStorm_Interrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	o := options(t)
	o.Duration = time.Hour
	r, err := Run(ctx, o)
	if err != nil || len(r.Faults) > 0 || r.Ended != context.DeadlineExceeded.Error() {
		t.Fatalf("%+v, %v", r, err)
	}
	rounds, caches := r.Rounds, r.Caches
	o.Before, o.Duration, o.Rounds = r, 0, rounds+1
	if r, err = Run(t.Context(), o); err != nil || len(r.Faults) > 0 || r.Rounds != rounds+1 ||
		r.Caches != caches+1 {
		t.Errorf("%+v, %v", r, err)
	}
}

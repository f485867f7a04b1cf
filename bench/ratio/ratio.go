// Package ratio compares hit ratios: the policies of the project's cache beside otter, and the models of
// published policies that the command trace has, all of them in one run on the same traces.
package ratio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/ours"
	"github.com/samecycle/samecycle/internal/trace/policy"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

// Options of a run.
type Options struct {
	Files   []string // of traces
	Percent []int    // sizes of the caches, of the bytes of all distinct objects
	Loads   []trace.Load
	Seed    uint64 // of the loads
	Dir     string // for policies.json and policies.md
	Commit  string
	Say     func(format string, args ...any)
}

// loadPercent are the sizes of the caches for loads.
var loadPercent = []int{1, 5, 20}

// objectBytes is the size of each object of a trace without sizes.
const objectBytes = 1000

// Cell is one trace at one size.
type Cell struct {
	Trace   string             `json:"trace"`
	Percent int                `json:"percent"`
	Objects int                `json:"objects"` // that there is room for
	Ratio   map[string]float64 `json:"hit_ratio,omitempty"`
	NotRun  string             `json:"not_run,omitempty"`
}

// Report is what a run has found.
type Report struct {
	Command string   `json:"command"`
	Commit  string   `json:"commit"`
	Go      string   `json:"go"`
	Otter   string   `json:"otter"`
	Caches  []string `json:"caches"`
	Cells   []Cell   `json:"cells"` // of the files
	Seed    uint64   `json:"seed"`  // of the loads
	Loads   []Made   `json:"loads"`
	Made    []Cell   `json:"made"` // of the loads
}

// Made says how a load is made.
type Made struct {
	Name string `json:"name"`
	What string `json:"what"`
}

// caches are those of a run, in the order of the table.
func caches() []replay.Cache {
	all := []replay.Cache{ours.Model(0, nil), ours.Model(0, cache.TinyLFU{}), peer()}
	for _, m := range replay.Models() {
		if m.Name != "Belady" {
			all = append(all, m)
		}
	}
	return all
}

// Run replays the traces, and writes what it has found. A cell in which any cache could not be run has no
// figures, so that all means are of the same cells. Errors: those of files; the context's.
func Run(ctx context.Context, o Options) error {
	r := Report{Commit: o.Commit, Go: runtime.Version(), Otter: peerVersion, Seed: o.Seed}
	all := caches()
	for _, c := range all {
		r.Caches = append(r.Caches, c.Name)
	}
	var names []string
	for _, file := range o.Files {
		names = append(names, filepath.Base(file))
		o.Say("%s", filepath.Base(file))
		t, err := trace.Open(file, trace.Options{Object: objectBytes})
		if err != nil {
			return err
		}
		if t.Sized {
			return fmt.Errorf("%s has sizes of objects: leave it out, those of the table have one size", file)
		}
		cells, err := one(ctx, t, o.Percent, all)
		if err != nil {
			return err
		}
		r.Cells = append(r.Cells, cells...)
	}
	for _, load := range o.Loads {
		o.Say("%s", load.Name)
		r.Loads = append(r.Loads, Made{load.Name, load.What})
		t := load.Make(o.Seed, objectBytes)
		t.Name = load.Name
		cells, err := one(ctx, t, loadPercent, all)
		if err != nil {
			return err
		}
		r.Made = append(r.Made, cells...)
	}
	r.Command = "make bench-ratio TRACES='" + strings.Join(names, " ") + "'"
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(o.Dir, "policies.json"), append(text, '\n'), 0o644),
		os.WriteFile(filepath.Join(o.Dir, "policies.md"), []byte(page(r)), 0o644))
}

// Again writes the page of what a run has left in the folder. Errors: those of files.
func Again(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "policies.json"))
	if err != nil {
		return err
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "policies.md"), []byte(page(r)), 0o644)
}

// one replays one trace.
func one(ctx context.Context, t *trace.Trace, percent []int, all []replay.Cache) (cells []Cell, err error) {
	for _, p := range percent {
		size := t.Bytes * uint64(p) / 100
		cell := Cell{Trace: strings.TrimSuffix(filepath.Base(t.Name), ".u64.gz"), Percent: p,
			Objects: int(size * uint64(t.Objects()) / t.Bytes), Ratio: map[string]float64{}}
		results, err := replay.Run(ctx, t, []uint64{size}, all, func(float64) {})
		if err != nil {
			return nil, err
		}
		for _, r := range results {
			switch {
			case r.NotRun != "":
				cell.NotRun = r.Cache + ": " + r.NotRun
			case !r.Complete:
				return nil, fmt.Errorf("%s: %w", t.Name, context.Cause(ctx))
			}
			cell.Ratio[r.Cache] = r.HitRatio()
		}
		if cell.NotRun != "" {
			cell.Ratio = nil
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

// Means are those of all cells that were run, and how many they are.
func Means(cells []Cell) (means map[string]float64, n int) {
	means = map[string]float64{}
	for _, c := range cells {
		if c.NotRun == "" {
			n++
		}
		for name, x := range c.Ratio {
			means[name] += x
		}
	}
	for name := range means {
		means[name] /= float64(n)
	}
	return means, n
}

var _ policy.Replayed = (*otterCache)(nil)

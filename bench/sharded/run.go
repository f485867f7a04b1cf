package sharded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/bench"
)

// Options say what to measure.
type Options struct {
	Root   string // of the repository
	Dir    string // where the results are
	Only   []string
	Rounds int    // of each comparison
	Seed   uint64 // of the keys that are drawn
	Say    func(format string, args ...any)
}

// ErrOnly says that Only names nothing.
var ErrOnly = errors.New("no measurement has such a name")

// A cell is one comparison: subjects with the same task, ours first.
type cell struct {
	name       string
	goroutines int // that want a processor at a time
	subjects   []bench.Subject
}

// Figure is what was measured of one subject of one comparison.
type Figure struct {
	Subject string  `json:"subject"`
	NS      float64 `json:"ns"`     // nanoseconds for an operation, the median of the rounds
	Ratio   float64 `json:"ratio"`  // ours over this one's, the median of the rounds
	Low     float64 `json:"low"`    // of the ratios, the lower quartile
	High    float64 `json:"high"`   // of the ratios, the upper quartile
	Allocs  float64 `json:"allocs"` // for an operation
	Failed  string  `json:"failed,omitempty"`
}

// Comparison is one row of figures.
type Comparison struct {
	Name       string   `json:"name"`
	Goroutines int      `json:"goroutines"`
	Spin       float64  `json:"spin"` // the spin check right before, of 2
	Rounds     int      `json:"rounds"`
	Figures    []Figure `json:"figures"`
}

// Results are all comparisons of a run.
type Results struct {
	Command     string       `json:"command"`
	Seed        uint64       `json:"seed"`
	Commit      string       `json:"commit"`
	Go          string       `json:"go"`
	Machine     string       `json:"machine"`
	Versions    []string     `json:"versions"` // of the peers
	Comparisons []Comparison `json:"comparisons"`
}

// plan is everything that can be measured.
func plan(seed uint64) []cell {
	return slices.Concat(lockCells(), mapCells(seed), repairCells())
}

// chosen are the cells whose names begin with one of those.
func chosen(cells []cell, only []string) ([]cell, error) {
	if len(only) == 0 {
		return cells, nil
	}
	some := slices.DeleteFunc(cells, func(c cell) bool {
		return !slices.ContainsFunc(only, func(o string) bool { return strings.HasPrefix(c.name, o) })
	})
	if len(some) == 0 {
		return nil, fmt.Errorf("%w: %q; names begin with lock, wait, map or repair", ErrOnly, only)
	}
	return some, nil
}

// Run measures and writes the results. With Only, the other comparisons of an earlier run stay as they are.
func Run(ctx context.Context, o Options) error {
	cells, err := chosen(plan(o.Seed), o.Only)
	if err != nil {
		return err
	}
	results := Results{Command: command(o), Seed: o.Seed, Commit: bench.Commit(o.Root), Go: runtime.Version(),
		Machine: bench.Machine(), Versions: bench.Versions("xsync", "concurrent-map")}
	for i, c := range cells {
		o.Say("[%2d/%d] %s", i+1, len(cells), c.name)
		row, err := measure(ctx, c, o.Rounds)
		if err != nil {
			return err
		}
		results.Comparisons = append(results.Comparisons, row)
	}
	if len(o.Only) > 0 {
		if err := results.keep(filepath.Join(o.Dir, jsonFile)); err != nil {
			return err
		}
	}
	return write(o.Dir, results)
}

// measure makes one comparison, behind a spin check.
func measure(ctx context.Context, c cell, rounds int) (Comparison, error) {
	row := Comparison{Name: c.name, Goroutines: c.goroutines, Spin: bench.Spin().Scaling, Rounds: rounds}
	samples, err := bench.Rounds(ctx, rounds, nil, c.subjects...)
	if err != nil {
		return row, fmt.Errorf("%s: %w", c.name, err)
	}
	for _, s := range samples {
		f := Figure{Subject: s.Name, NS: bench.Digits(bench.Median(s.NS)),
			Allocs: bench.Digits(bench.Median(s.Allocs))}
		f.Ratio, f.Low, f.High = bench.Middle(bench.Ratios(samples[0].NS, s.NS))
		if s.Err != nil {
			f = Figure{Subject: s.Name, Failed: s.Err.Error()}
		}
		row.Figures = append(row.Figures, f)
	}
	return row, nil
}

// keep adds the comparisons of the file that were not measured now, each in its place of the plan.
func (r *Results) keep(file string) error {
	old, err := read(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var all []Comparison
	for _, c := range plan(r.Seed) {
		for _, rows := range [][]Comparison{r.Comparisons, old.Comparisons} {
			if i := slices.IndexFunc(rows, func(o Comparison) bool { return o.Name == c.name }); i >= 0 {
				all = append(all, rows[i])
				break
			}
		}
	}
	r.Comparisons = all
	return nil
}

const jsonFile = "figures.json"

func read(file string) (r Results, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s does not parse: %w; delete it and measure again", file, err)
	}
	return r, nil
}

// write makes the files of the folder: figures, page and pictures.
func write(dir string, r Results) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, jsonFile), append(text, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(page(r)), 0o644); err != nil {
		return err
	}
	return pictures(dir, r)
}

// Page writes page and pictures of the figures that the folder has.
func Page(dir string) error {
	r, err := read(filepath.Join(dir, jsonFile))
	if err != nil {
		return err
	}
	return write(dir, r)
}

// command is what to type for the same measurement.
func command(o Options) string {
	text := fmt.Sprintf("go -C bench run ./cmd/sharded -rounds %d -seed %d", o.Rounds, o.Seed)
	if len(o.Only) > 0 {
		text += " -only " + strings.Join(o.Only, ",")
	}
	return text
}

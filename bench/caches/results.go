package caches

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/bench"
)

// Facts tell how a comparison was measured.
type Facts struct {
	Command  string   `json:"command"`
	Commit   string   `json:"commit"`
	Date     string   `json:"date"`
	Go       string   `json:"go"`
	Machine  string   `json:"machine"`
	Versions []string `json:"versions"` // of the peers
	Entries  int      `json:"entries"`  // of 8+64 bytes
	Ops      int      `json:"ops"`      // of a pass
}

// Figure is what was measured of one subject of one comparison. Times are nanoseconds and medians of the
// rounds; a ratio is this one's over the reference's, the median of the rounds' ratios.
type Figure struct {
	Subject string    `json:"subject"`
	NS      float64   `json:"ns,omitempty"` // for an operation
	Ratio   float64   `json:"ratio,omitempty"`
	Low     float64   `json:"low,omitempty"`       // of the ratios, the lower quartile
	High    float64   `json:"high,omitempty"`      // of the ratios, the upper quartile
	CPU     float64   `json:"cpu_ns,omitempty"`    // processor time of all threads for an operation
	Scaling float64   `json:"scaling,omitempty"`   // two goroutines over one, in throughput
	Allocs  float64   `json:"allocs,omitempty"`    // for an operation
	Hits    float64   `json:"hits,omitempty"`      // share of the gets that found the key
	Taken   float64   `json:"taken,omitempty"`     // share of the sets that the cache took
	Rounds  []float64 `json:"rounds_ns,omitempty"` // NS of each round

	Percentiles []float64 `json:"percentiles_ns,omitempty"`    // p50, p99 and p99.9
	Ratios      []float64 `json:"percentile_ratios,omitempty"` // of each
	Curve       []float64 `json:"curve_ns,omitempty"`          // those of the picture, of all rounds together
	Max         float64   `json:"max_ns,omitempty"`

	roundPercentiles [][]float64 // each of Percentiles, by round

	Bytes   float64 `json:"bytes,omitempty"`   // resident memory for an entry
	Entries int     `json:"entries,omitempty"` // that were found in it
	Collect float64 `json:"gc_ns,omitempty"`   // of a forced collection with the cache full

	Collections []float64 `json:"gc_rounds_ns,omitempty"` // Collect of each process

	NotRun string `json:"not_run,omitempty"`
}

// Comparison is one row of figures.
type Comparison struct {
	Name       string   `json:"name"`
	Goroutines int      `json:"goroutines"`
	Spin       float64  `json:"spin"` // the spin check right before, of 2
	Load       string   `json:"load"` // the load of the machine right before, as the system tells it
	Facts      Facts    `json:"facts"`
	NotRun     string   `json:"not_run,omitempty"`
	Figures    []Figure `json:"figures"`
}

// find is the figure of a subject; nil if it has none.
func (c *Comparison) find(subject string) *Figure {
	i := slices.IndexFunc(c.Figures, func(f Figure) bool { return f.Subject == subject })
	if i < 0 || c.Figures[i].NotRun != "" {
		return nil
	}
	return &c.Figures[i]
}

// inOrder sorts the figures as tables show them.
func (c *Comparison) inOrder() {
	order := append(slices.Clone(names), chaseName, lineName, emptyName, clockName)
	slices.SortStableFunc(c.Figures, func(a, b Figure) int {
		return slices.Index(order, a.Subject) - slices.Index(order, b.Subject)
	})
}

// against fills in the ratios to the reference, if it was measured.
func (c *Comparison) against() {
	ref := c.find(reference)
	if ref == nil {
		return
	}
	for i := range c.Figures {
		f := &c.Figures[i]
		if f.NotRun != "" {
			continue
		}
		ratios := bench.Ratios(f.Rounds, ref.Rounds)
		if f.Bytes > 0 && ref.Bytes > 0 {
			ratios = []float64{f.Bytes / ref.Bytes}
		}
		f.Ratio, f.Low, f.High = bench.Middle(ratios)
		for k := range f.roundPercentiles {
			f.Ratios = append(f.Ratios, bench.Digits(bench.Median(
				bench.Ratios(f.roundPercentiles[k], ref.roundPercentiles[k]))))
		}
	}
}

// Results are all comparisons.
type Results struct {
	Comparisons []Comparison `json:"comparisons"`
}

// The files of the folder.
const jsonFile, pageFile, goalsFile = "bench.json", "bench.md", "goals.svg"

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

// keep puts a comparison into the file, in place of an older one of its name, in the order of the plan. A
// comparison that could not be made does not take the place of one that was. What the plan does not have
// any more leaves.
func keep(dir string, row Comparison) error {
	file := filepath.Join(dir, jsonFile)
	r, err := read(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	i := slices.IndexFunc(r.Comparisons, func(c Comparison) bool { return c.Name == row.Name })
	switch {
	case i < 0:
		r.Comparisons = append(r.Comparisons, row)
	case row.NotRun == "" || r.Comparisons[i].NotRun != "":
		r.Comparisons[i] = row
	}
	plan := cells()
	place := func(c Comparison) int {
		return slices.IndexFunc(plan, func(p cell) bool { return p.name == c.Name })
	}
	r.Comparisons = slices.DeleteFunc(r.Comparisons, func(c Comparison) bool { return place(c) < 0 })
	slices.SortStableFunc(r.Comparisons, func(a, b Comparison) int { return place(a) - place(b) })
	return save(dir, r)
}

// save writes the file of figures in one step, so that an interrupt leaves the old one or the new one.
func save(dir string, r Results) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	part := filepath.Join(dir, jsonFile+".part")
	if err := os.WriteFile(part, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(dir, jsonFile))
}

// oneLine is the text of an error without line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

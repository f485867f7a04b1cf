package slots

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/bench"
	"golang.org/x/perf/benchfmt"
)

// Options say what to measure.
type Options struct {
	Root   string // of the repository
	Dir    string // where the results are
	Rounds int    // each of which runs all benchmarks once
	Time   string // of a benchmark, as go test -benchtime has it
	Say    func(format string, args ...any)
}

// ErrRound says that a round did not give the figures it should.
var ErrRound = errors.New("a round failed")

// Row is one way to make an operation.
type Row struct {
	Name  string  `json:"name"`             // of the benchmark, behind Slots_
	Mean  float64 `json:"mean"`             // nanoseconds for an operation, the median of the rounds
	P50   float64 `json:"p50,omitempty"`    // of a request, until its answer has been read
	P99   float64 `json:"p99,omitempty"`    // of single calls
	Hits  float64 `json:"hits,omitempty"`   // part of the gets that hit, of 1
	Ratio float64 `json:"ratio,omitempty"`  // mean over that of the peer: median of the rounds
	Kept  bool    `json:"kept,omitempty"`   // Ratio is that of the peer over the mean: throughput kept
	Low   float64 `json:"low,omitempty"`    // of the ratios, the lower quartile
	High  float64 `json:"high,omitempty"`   // of the ratios, the upper quartile
	NoRun string  `json:"no_run,omitempty"` // why there are no figures
}

// Results are those of a run.
type Results struct {
	Command  string    `json:"command"`
	Commit   string    `json:"commit"`
	Go       string    `json:"go"`
	Machine  string    `json:"machine"`
	Versions []string  `json:"versions"` // of the peer
	Rounds   int       `json:"rounds"`
	Spin     []float64 `json:"spin"` // the spin check right before each round, of 2
	Rows     []Row     `json:"rows"`
}

// ways are the benchmarks, in the order of the page.
var ways = []string{"Direct/get", "Direct/set", "Direct/ask", "One/get", "One/set", "Sixteen/gets=1",
	"Sixteen/gets=16", peer, "Memcached/get_of_16_goroutines",
	"Beside/nobody/asks", "Beside/hammers/asks", "Beside/no_limit/asks", "Beside/computes/asks",
	"Beside/nobody/calls", "Beside/hammers/calls", "Beside/no_limit/calls", "Beside/computes/calls"}

// peer is what the others are compared with.
const peer = "Memcached/get"

// besidePeer is the peer of a way that is taken beside something else.
func besidePeer(name string) (string, bool) {
	parts := strings.Split(name, "/")
	return "Beside/nobody/" + parts[len(parts)-1], parts[0] == "Beside"
}

// Run measures, and writes the results.
func Run(ctx context.Context, o Options) error {
	r := Results{Command: fmt.Sprintf("go -C bench run ./cmd/slots -rounds %d -time %s", o.Rounds, o.Time),
		Commit: bench.Commit(o.Root), Go: runtime.Version(), Machine: bench.Machine(),
		Versions: append(bench.Versions("gomemcache"), memcachedVersion(ctx)), Rounds: o.Rounds}
	dir, err := os.MkdirTemp("", "samecycle-slots-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "slots.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", program, "./slots")
	build.Dir = filepath.Join(o.Root, "bench")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c: %w\n%s", err, out)
	}
	rounds := make([]round, o.Rounds)
	for i := range rounds {
		r.Spin = append(r.Spin, bench.Digits(bench.Spin().Scaling))
		o.Say("[%d/%d] spin %.2f", i+1, o.Rounds, r.Spin[i])
		cmd := exec.CommandContext(ctx, program, "-test.run=^$", "-test.bench=Slots",
			"-test.benchtime="+o.Time)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			rounds[i], err = parse(bytes.NewReader(out))
		}
		if err != nil {
			return fmt.Errorf("%w: %w\n%s", ErrRound, err, out)
		}
	}
	if r.Rows, err = rowsOf(rounds); err != nil {
		return err
	}
	return write(o.Dir, r)
}

// memcachedVersion is what memcached says of itself.
func memcachedVersion(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "memcached", "--version").Output()
	if err != nil {
		return "memcached is missing"
	}
	return strings.TrimSpace(string(out))
}

// round is what one run of the benchmarks said: figures by unit, by benchmark.
type round map[string]map[string]float64

// parse reads what benchmarks print.
func parse(from io.Reader) (round, error) {
	all := round{}
	r := benchfmt.NewReader(from, "round")
	for r.Scan() {
		line, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		_, name, found := strings.Cut(string(line.Name), "Slots_")
		if !found {
			continue
		}
		base, parts := benchfmt.Name(name).Parts()
		for _, p := range parts {
			if p[0] == '/' || p[0] == '=' {
				base = append(base, p...)
			}
		}
		figures := map[string]float64{}
		for _, v := range line.Values {
			unit, value := v.Unit, v.Value
			if v.OrigUnit != "" {
				unit, value = v.OrigUnit, v.OrigValue
			}
			figures[unit] = value
		}
		all[string(base)] = figures
	}
	return all, r.Err()
}

// rowsOf are the medians. Every round must have the same benchmarks. Without a memcached its rows have no
// figures, and the others no ratio.
func rowsOf(rounds []round) ([]Row, error) {
	for i, r := range rounds {
		for name := range r {
			if !slices.Contains(ways, name) {
				return nil, fmt.Errorf("%w: %s has no row", ErrRound, name)
			}
		}
		if len(r) != len(rounds[0]) {
			return nil, fmt.Errorf("%w: round %d has %d benchmarks, the first one %d", ErrRound, i+1, len(r),
				len(rounds[0]))
		}
	}
	var rows []Row
	for _, name := range ways {
		means := column(rounds, name, "ns/op")
		switch missing := len(means) == 0; {
		case missing && strings.HasPrefix(name, "Memcached/"):
			rows = append(rows, Row{Name: name, NoRun: "memcached is missing: install the package memcached"})
			continue
		case missing:
			return nil, fmt.Errorf("%w: there is no benchmark %s", ErrRound, name)
		}
		row := Row{Name: name, Mean: bench.Digits(bench.Median(means))}
		if p50 := column(rounds, name, "ns-p50"); len(p50) > 0 {
			row.P50 = bench.Digits(bench.Median(p50))
			row.P99 = bench.Digits(bench.Median(column(rounds, name, "ns-p99")))
		}
		compare(&row, rounds, means)
		rows = append(rows, row)
	}
	return rows, nil
}

// compare gives a row its figures beside those of its peer in the same rounds.
func compare(row *Row, rounds []round, means []float64) {
	other := peer
	if name, beside := besidePeer(row.Name); beside {
		other, row.Kept, row.Hits = name, true, slices.Min(column(rounds, row.Name, "hits"))
	}
	peers := column(rounds, other, "ns/op")
	if len(peers) == 0 {
		return
	}
	if row.Kept {
		means, peers = peers, means
	}
	row.Ratio, row.Low, row.High = bench.Middle(bench.Ratios(means, peers))
}

// column is one figure of a benchmark, by round; nil if no round has it.
func column(rounds []round, name, unit string) (all []float64) {
	for _, r := range rounds {
		if x, ok := r[name][unit]; ok {
			all = append(all, x)
		}
	}
	return all
}

// write makes the files of the folder.
func write(dir string, r Results) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "figures.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte(page(r)), 0o644)
}

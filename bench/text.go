package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// The figures of each round in the format of "go test -bench", for benchstat.

// textFile is in the folder of the results.
const textFile = "index.txt"

// result is a sample, by the name of its comparison.
type result struct {
	name   string
	sample Sample
	procs  int
}

// benchmark is the name of the result as a benchmark's. Of names with spaces benchstat would make
// several.
func (r result) benchmark() string {
	what := strings.TrimPrefix(r.name, "index/")
	return fmt.Sprintf("Index/%s/subject=%s-%d", what, strings.ReplaceAll(r.sample.Name, " ", "_"), r.procs)
}

// textPart is the part of a benchmark's name.
func textPart(benchmark string) string {
	what, _, _ := strings.Cut(strings.TrimPrefix(benchmark, "Index/"), "/")
	return "index/" + what
}

// mergeText replaces the lines of the parts in the file; the others stay.
func mergeText(dir string, parts []string, results []result) error {
	file := filepath.Join(dir, textFile)
	kept, err := otherLines(file, parts)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w := benchfmt.NewWriter(&out)
	for _, k := range kept {
		if err := w.Write(k); err != nil {
			return err
		}
	}
	for _, r := range results {
		if !slices.Contains(parts, textPart(r.benchmark())) {
			continue
		}
		for i, ns := range r.sample.NS {
			line := &benchfmt.Result{Name: benchfmt.Name(r.benchmark()), Iters: r.sample.Ops,
				Values: []benchfmt.Value{{Value: ns, Unit: "ns/op"},
					{Value: r.sample.Allocs[i], Unit: "allocs/op"}}}
			for _, c := range [][2]string{{"goos", runtime.GOOS}, {"goarch", runtime.GOARCH},
				{"pkg", "github.com/samecycle/samecycle/bench"}, {"cpu", cpuName()}} {
				line.Config = append(line.Config, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
			}
			if err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// otherLines are the results in the file that are not of the parts.
func otherLines(file string, parts []string) ([]*benchfmt.Result, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var kept []*benchfmt.Result
	reader := benchfmt.NewReader(bytes.NewReader(text), file)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			if !slices.Contains(parts, textPart(record.Name.String())) {
				kept = append(kept, record.Clone())
			}
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("%w; delete %s", record, file)
		}
	}
	return kept, reader.Err()
}

package bench

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/internal/tlc"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// The explorer's speed, and the model's against TLC's.

// goalSchedules is the aim of the explorer: so many schedules of two actors of six accesses a
// second, verdict included, on one processor.
const goalSchedules = 1e6

var reMetric = regexp.MustCompile(`([0-9.e+]+) ([A-Za-z]+/[a-z]+)`)

// parseBenchmarks reads the metrics of Go's benchmark lines, by the name after the slash.
func parseBenchmarks(text string) map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Benchmark") {
			continue
		}
		_, name, _ := strings.Cut(strings.Fields(line)[0], "/")
		name = strings.TrimRight(strings.TrimRight(name, "0123456789"), "-")
		all[name] = map[string]float64{}
		for _, m := range reMetric.FindAllStringSubmatch(strings.ReplaceAll(line, "\t", " "), -1) {
			all[name][m[2]], _ = strconv.ParseFloat(m[1], 64)
		}
	}
	return all
}

// explorerRounds are runs of the explorer's benchmarks.
const explorerRounds = 5

var explorerModes = []struct{ name, note string }{
	{"plain", "two actors of six accesses, every order, verdict included; the program promises that they " +
		"share words alone (Program.Words)"},
	{"step", "the same, with a function called after each step, so in the order of the steps"},
	{"stateful", "the same, cut at states seen before"},
	{"kills", "the same, with a kill at each step"},
}

// explorerCells take the figures of the explorer's own benchmarks.
func explorerCells() []cell {
	c := cell{part: "explore"}
	for _, m := range explorerModes {
		schedules := versus("explore/"+m.name+"/schedules", "the aim", "schedules/s")
		if m.name == "plain" {
			schedules = schedules.atMost(1)
		}
		c.rows = append(c.rows, schedules,
			Row{Name: "explore/" + m.name + "/steps", Against: number, Unit: "steps/s"})
	}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		b.forget()
		figures := map[string][]map[string]float64{}
		for range explorerRounds {
			cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench",
				"BenchmarkExplore/^(plain|step|stateful|kills)$", "-benchtime", "0.5s", "./explore")
			cmd.Dir = b.Root
			out, err := cmd.CombinedOutput()
			if err != nil {
				return nil, fmt.Errorf("benchmarks of explore: %w: %s", err, out)
			}
			for name, metrics := range parseBenchmarks(string(out)) {
				figures[name] = append(figures[name], metrics)
			}
		}
		return explorerRows(c.rows, figures), nil
	}
	return []cell{c}
}

// explorerRows fills the rows of those modes of which there are figures.
func explorerRows(announced []Row, figures map[string][]map[string]float64) []Row {
	var rows []Row
	for i, m := range explorerModes {
		if len(figures[m.name]) == 0 {
			continue
		}
		pick := func(unit string) float64 {
			var values []float64
			for _, f := range figures[m.name] {
				values = append(values, f[unit])
			}
			return Median(values)
		}
		schedules := announced[2*i]
		schedules.Value, schedules.Peer = pick("schedules/s"), goalSchedules
		schedules.Ratio, schedules.Note = goalSchedules/schedules.Value, m.note
		steps := announced[2*i+1].figure(pick("steps/s"),
			"shared accesses, those of repeated prefixes included")
		steps.NS = pick("ns/step")
		schedules.Rounds, steps.Rounds = explorerRounds, explorerRounds
		rows = append(rows, schedules, steps)
	}
	return rows
}

// goalModel is a tenth of TLC's time for a state.
const goalModel = 0.1

// The program on which model and TLC are compared, with one crash.
const modelProgram = "S06AddCollisionGet_Helped"

// modelCells compare the model with TLC on one program: states a second, the start of Java included.
func modelCells() []cell {
	c := cell{part: "model", rows: []Row{
		versus("model/states", "TLC", "distinct states/s").atMost(goalModel)}}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		b.forget()
		tool, err := tlc.Find(ctx, func(s string) { b.Say("%s", s) })
		if err != nil {
			return nil, err
		}
		p, ok := model.ProgramByName(modelProgram)
		if !ok {
			return nil, fmt.Errorf("model has no program %s any more", modelProgram)
		}
		m, err := model.New(p.Config(1))
		if err != nil {
			return nil, err
		}
		const workers, rounds = 2, 3
		runs, err := tlc.LoadManifest(filepath.Join(b.Root, "spec", "tla", "hopscotch"))
		if err != nil {
			return nil, err
		}
		run, err := runs.Named(modelProgram)
		if err != nil {
			return nil, err
		}
		job := run.Job()
		job.Workers = workers
		ours, theirs := Sample{Name: ourName}, Sample{Name: "TLC"}
		for range rounds {
			r := model.Explore(ctx, m, model.Options{Workers: workers})
			t, err := tool.Run(ctx, job)
			if err != nil {
				return nil, err
			}
			if !r.OK() || t.Outcome != tlc.OK || r.Distinct != t.Distinct {
				return nil, fmt.Errorf("%w: model found %d states (%v), TLC %d (%s %s)", ErrWrong,
					r.Distinct, r.OK(), t.Distinct, t.Outcome, t.Message)
			}
			ours.NS = append(ours.NS, float64(r.Elapsed.Nanoseconds())/float64(r.Distinct))
			theirs.NS = append(theirs.NS, float64(t.Wall.Nanoseconds())/float64(t.Distinct))
		}
		row := c.rows[0].timed(ours, theirs, fmt.Sprintf("%s, one crash, %d workers; both check "+
			"invariants and refinement; TLC on Java %s, whose start is in the time; the model also "+
			"bounds each actor alone", modelProgram, workers, tool.JavaVersion))
		row.Value, row.Peer = 1e9/Median(ours.NS), 1e9/Median(theirs.NS)
		return []Row{row}, nil
	}
	return []cell{c}
}

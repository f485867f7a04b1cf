package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model"
)

// The goals of the project, as shares of xsync's time in the same run.
const (
	goalGetHit = 0.55
	goalInsert = 0.5
	// goalSchedules is the aim of the explorer: so many schedules of two actors of six accesses a
	// second, verdict included, on one processor.
	goalSchedules = 1e6
)

// Options say what to measure.
type Options struct {
	Root   string // of the repository
	Rounds int    // pairs of a comparison
	Say    func(format string, args ...any)
}

// Index measures the engine against xsync, Go's own map and the limit of one random cache line,
// on one goroutine.
func Index(o Options) ([]Row, error) {
	scaling, unsteady := Spin()
	o.Say("spin check: two goroutines are %.2f times as fast as one, slowest loop %.2f of the fastest",
		scaling, unsteady)
	keys := presentKeys(Keys)
	x, xBytes := heapOf(func() *xsync.Map[uint32, uint32] {
		x := xsync.NewMap[uint32, uint32](xsync.WithPresize(Keys))
		for _, key := range keys {
			x.Store(key, key)
		}
		return x
	})
	m, mBytes := heapOf(func() map[uint32]uint32 {
		m := make(map[uint32]uint32, Keys)
		for _, key := range keys {
			m[key] = key
		}
		return m
	})
	dir, err := scratch()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	g := indexRun{Options: o, dir: dir, keys: keys, xsync: x, plain: m, xBytes: xBytes, mBytes: mBytes,
		spin: fmt.Sprintf("spin check %.2f of 2, unsteady %.2f", scaling, unsteady)}
	for _, load := range []float64{0.5, 0.75} {
		for _, mem := range memories(dir) {
			if err := g.lookups(mem, load); err != nil {
				return nil, fmt.Errorf("get at load %v on %s: %w", load, mem.name, err)
			}
		}
	}
	for _, mem := range memories(dir) {
		if err := g.inserts(mem); err != nil {
			return nil, fmt.Errorf("insert on %s: %w", mem.name, err)
		}
	}
	return stamp(g.rows), nil
}

// scratch is a folder in memory when the system has one, so that no disk is measured.
func scratch() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "samecycle-bench-"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "samecycle-bench-")
}

type indexRun struct {
	Options
	dir            string
	keys           []uint32
	xsync          *xsync.Map[uint32, uint32]
	plain          map[uint32]uint32
	xBytes, mBytes float64
	spin           string
	rows           []Row
}

// where tells about the memory under a region.
func where(r *region.Region, mem memory) string {
	share := hugeShare(address(r))
	if share < 0 {
		return mem.name + ", huge pages " + r.Huge().String()
	}
	return fmt.Sprintf("%s, %.0f %% on huge pages", mem.name, 100*share)
}

func (g *indexRun) lookups(mem memory, load float64) error {
	r, err := mem.make(layoutFor(len(g.keys), load))
	if err != nil {
		return err
	}
	defer func() { r.Close(); os.Remove(filepath.Join(g.dir, "region")) }()
	table, in, err := filled(r, g.keys)
	if err != nil {
		return err
	}
	place := fmt.Sprintf("load%.0f/%s", load*100, mem.name)
	note := fmt.Sprintf("%s; %d of %d keys in; %s", where(r, mem), len(in), len(g.keys), g.spin)
	for _, kind := range []struct {
		name    string
		keys    []uint32
		present bool
		goal    float64
	}{
		{"get-hit", draws(in, Keys), true, goalGetHit},
		{"get-miss", absentDraws(Keys, Keys), false, 0},
	} {
		g.Say("%s at %s", kind.name, place)
		subjects := append(gets(table, g.xsync, g.plain, kind.keys, kind.present),
			limit(r, kind.keys))
		samples, err := Rounds(g.Rounds, subjects...)
		if err != nil {
			return err
		}
		name := "index/" + kind.name + "/" + place
		g.rows = append(g.rows,
			timeRow(name, samples[0], samples[1], kind.goal, note),
			timeRow(name, samples[0], samples[2], 0, ""),
			timeRow(name, samples[0], samples[3], 0, ""),
			countRow(name, "allocs/op", samples[0].Allocs, samples[1].Allocs, "xsync"))
	}
	if err := g.many(table, in, place, note); err != nil {
		return err
	}
	if mem.name == "heap" {
		n := float64(len(in))
		name := fmt.Sprintf("index/memory/load%.0f", load*100)
		g.rows = append(g.rows,
			countRow(name, "bytes/entry", float64(r.Size())/n, g.xBytes/float64(Keys), "xsync"),
			countRow(name, "bytes/entry", float64(r.Size())/n, g.mBytes/float64(Keys), "map"))
	}
	return nil
}

// many measures batches and walks.
func (g *indexRun) many(table *hopscotch.Table, in []uint32, place, note string) error {
	g.Say("get-batch and walk at %s", place)
	samples, err := Rounds(g.Rounds, batches(table, draws(in, Keys))...)
	if err != nil {
		return err
	}
	g.rows = append(g.rows, timeRow("index/get-batch/"+place, samples[0], samples[1], 0,
		fmt.Sprintf("%d keys a call; %s", batchKeys, note)))
	if samples, err = Rounds(g.Rounds, walks(table, len(in), g.xsync, g.plain)...); err != nil {
		return err
	}
	name := "index/walk/" + place
	g.rows = append(g.rows, timeRow(name, samples[0], samples[1], 0, note),
		timeRow(name, samples[0], samples[2], 0, ""))
	return nil
}

func (g *indexRun) inserts(mem memory) error {
	r, err := mem.make(layoutFor(len(g.keys), 0.5))
	if err != nil {
		return err
	}
	defer func() { r.Close(); os.Remove(filepath.Join(g.dir, "region")) }()
	name := "index/insert/load50/" + mem.name
	g.Say("%s", name)
	n := inserter{region: r, keys: g.keys}
	samples, err := Rounds(g.Rounds, n.subjects()...)
	if err != nil {
		return err
	}
	note := fmt.Sprintf("%s; both sized beforehand; %d of %d keys found no place; %s",
		where(r, mem), n.full, len(g.keys), g.spin)
	g.rows = append(g.rows,
		timeRow(name, samples[0], samples[1], goalInsert, note),
		timeRow(name, samples[0], samples[2], 0, "an insert that tells whether the key was there"),
		timeRow(name, samples[0], samples[3], 0, "sized beforehand"),
		countRow(name, "allocs/op", samples[0].Allocs, samples[1].Allocs, "xsync"))
	return nil
}

// countRow compares two counts; the ratio of two zeros is 1.
func countRow(name, unit string, ours, peer float64, against string) Row {
	ratio := 1.0
	if peer != 0 {
		ratio = ours / peer
	}
	return Row{Name: name, Unit: unit, Value: ours, Peer: peer, Ratio: ratio, Against: against,
		Rounds: 1, Note: "counted, not timed"}
}

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

// Explore takes the figures of the explorer's own benchmarks.
func Explore(ctx context.Context, o Options) ([]Row, error) {
	const rounds = 5
	modes := map[string]string{
		"plain":    "two actors of six accesses, every order, verdict included",
		"step":     "the same, with a function called after each step",
		"stateful": "the same, cut at states seen before",
		"kills":    "the same, with a kill at each step",
	}
	figures := map[string][]map[string]float64{}
	for range rounds {
		o.Say("the explorer's benchmarks")
		cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench",
			"BenchmarkExplore/^(plain|step|stateful|kills)$", "-benchtime", "0.5s", "./scenarios/explore")
		cmd.Dir = o.Root
		out, err := cmd.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("benchmarks of scenarios/explore: %w: %s", err, out)
		}
		for name, metrics := range parseBenchmarks(string(out)) {
			figures[name] = append(figures[name], metrics)
		}
	}
	var rows []Row
	for _, mode := range []string{"plain", "step", "stateful", "kills"} {
		if len(figures[mode]) == 0 {
			return nil, fmt.Errorf("scenarios/explore has no BenchmarkExplore/%s any more", mode)
		}
		pick := func(unit string) float64 {
			var values []float64
			for _, f := range figures[mode] {
				values = append(values, f[unit])
			}
			return Median(values)
		}
		schedules := Row{Name: "explore/" + mode + "/schedules", Unit: "schedules/s",
			Value: pick("schedules/s"), Peer: goalSchedules, Against: "the aim",
			Ratio: goalSchedules / pick("schedules/s"), Rounds: rounds, Note: modes[mode]}
		if mode == "plain" {
			schedules.Goal = 1
		}
		rows = append(rows, schedules, Row{Name: "explore/" + mode + "/steps", Unit: "steps/s",
			Value: pick("steps/s"), NS: pick("ns/step"), Rounds: rounds,
			Note: "shared accesses, those of repeated prefixes included"})
	}
	return stamp(rows), nil
}

// The program on which model and TLC are compared, with one crash.
const modelProgram = "S06AddCollisionGet_Helped"

// Model compares the model with TLC on one program: states a second, the start of Java included.
func Model(ctx context.Context, o Options) ([]Row, error) {
	tool, err := tlc.Find(ctx, func(s string) { o.Say("%s", s) })
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
	var ours, theirs []float64
	for range rounds {
		o.Say("model against TLC on %s, %d workers", modelProgram, workers)
		r := model.Explore(ctx, m, model.Options{Workers: workers})
		t, err := tool.Run(ctx, tlc.Job{Dir: filepath.Join(o.Root, "spec", "tla"),
			Module: "MCHopscotch", Config: "MCHopscotch_" + modelProgram + ".cfg",
			Workers: workers, Timeout: 5 * time.Minute})
		if err != nil {
			return nil, err
		}
		if !r.OK() || t.Outcome != tlc.OK || r.Distinct != t.Distinct {
			return nil, fmt.Errorf("%w: model found %d states (%v), TLC %d (%s %s)", ErrWrong,
				r.Distinct, r.OK(), t.Distinct, t.Outcome, t.Message)
		}
		ours = append(ours, float64(r.Elapsed.Nanoseconds())/float64(r.Distinct))
		theirs = append(theirs, float64(t.Wall.Nanoseconds())/float64(t.Distinct))
	}
	row := timeRow("model/states", Sample{NS: ours},
		Sample{Name: "TLC on Java " + tool.JavaVersion, NS: theirs}, 0,
		fmt.Sprintf("%s, one crash, %d workers; both check invariants and refinement; the start of "+
			"Java is in TLC's time; the model also bounds each actor alone", modelProgram, workers))
	row.Unit, row.Value, row.Peer = "distinct states/s", 1e9/Median(ours), 1e9/Median(theirs)
	return stamp([]Row{row}), nil
}

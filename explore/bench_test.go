package explore_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// sixes is two actors of six accesses each, 924 orders, with a verdict for each execution.
func sixes() explore.Program {
	var w [2]atomic.Uint64
	add := func() {
		for range 3 {
			w[0].Add(1)
			w[1].Add(1)
		}
	}
	actors := []explore.Actor{{Name: "A", Body: add}, {Name: "B", Body: add}}
	return explore.Program{
		Name:  "sixes",
		Words: true,
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&w), int(unsafe.Sizeof(w)))
			w[0].Store(0)
			w[1].Store(0)
			return actors
		},
		Finish: func(x *explore.Execution) error {
			if a, b := w[0].Load(), w[1].Load(); a != 6 || b != 6 {
				return fmt.Errorf("words are %d and %d, want 6 and 6", a, b)
			}
			return nil
		},
	}
}

func benchmark(b *testing.B, p explore.Program, o explore.Options) {
	var executions, steps uint64
	for b.Loop() {
		r, err := explore.Explore(p, o)
		if err != nil || r.Failure != nil {
			b.Fatal(err, r.Failure)
		}
		executions += r.Executions
		steps += r.Steps
	}
	s := b.Elapsed().Seconds()
	b.ReportMetric(float64(executions)/s, "schedules/s")
	b.ReportMetric(float64(steps)/s, "steps/s")
	b.ReportMetric(s*1e9/float64(steps), "ns/step")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkExplore measures two actors of six accesses, verdict included, in each mode. In
// the row ordered the program promises nothing (Program.Words).
func BenchmarkExplore(b *testing.B) {
	look := sixes()
	look.Step = func(*explore.Execution, explore.Step) error { return nil }
	sites := unbounded()
	sites.Sites = true
	stateful := unbounded()
	stateful.Stateful = true
	kills := unbounded()
	kills.Kills = 1
	ordered := sixes()
	ordered.Words = false
	b.Run("plain", func(b *testing.B) { benchmark(b, sixes(), unbounded()) })
	b.Run("ordered", func(b *testing.B) { benchmark(b, ordered, unbounded()) })
	b.Run("step", func(b *testing.B) { benchmark(b, look, unbounded()) })
	b.Run("sites", func(b *testing.B) { benchmark(b, look, sites) })
	b.Run("stateful", func(b *testing.B) { benchmark(b, sixes(), stateful) })
	dying := sixes()
	dying.Finish = nil // a dead actor leaves the words short
	b.Run("kills", func(b *testing.B) { benchmark(b, dying, kills) })
	for _, s := range smallPrograms() {
		switch s.name {
		case "ctr3x3", "cas2x2", "cas3x2":
			b.Run(s.name, func(b *testing.B) { benchmark(b, s.program(nil, true), unbounded()) })
		}
	}
}

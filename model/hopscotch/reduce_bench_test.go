package model

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"
)

// largest are the six largest programs, and some smaller ones that have a symmetry.
var largest = []string{"S22DeleteBaseMembers_Crops", "S13UsurpDelete_Again",
	"S02AddCollision_FullHalf", "S20DeleteMembers_Crops", "S04AddCollisionEmpty_LateHelper",
	"S09AddCollisionDeleteMember_OldMap", "S03AddFull_Foreign", "S04AddCollisionEmpty_SameKeyBases",
	"S23DeleteSameKey"}

// BenchmarkReduction searches large programs with each reduction; results/hopscotch/model-reduction.md has
// its figures.
func BenchmarkReduction(b *testing.B) {
	for _, name := range largest {
		benchReductions(b, machineOf(b, name, ProgramCrashes), Reductions())
	}
}

// BenchmarkReductionLarger searches three and four actors on memory where the programs have two. What has
// many millions of states is searched with both reductions only.
func BenchmarkReductionLarger(b *testing.B) {
	for _, x := range []struct {
		name   string
		ops    [][]Op
		deaths int
		list   []Reduction
	}{
		{"ThreeDeletesOfOneKey", actors(remove(1), remove(1), remove(1)), 1, Reductions()},
		{"FourDeletesOfOneKey", actors(remove(1), remove(1), remove(1), remove(1)), 2,
			[]Reduction{PartialOrder | Symmetry}},
		{"ThreeAddsOfOneKey", actors([]Op{add(2, 12)}, []Op{add(2, 22)}, []Op{add(2, 32)}), 2,
			[]Reduction{PartialOrder | Symmetry}},
	} {
		p := Program{Name: x.name, State: "S04AddCollisionEmpty", Ops: x.ops, Memory: twoBases()}
		m, err := New(p.Config(x.deaths))
		if err != nil {
			b.Fatal(err)
		}
		benchReductions(b, m, x.list)
	}
}

func benchReductions(b *testing.B, m *Machine, list []Reduction) {
	for _, red := range list {
		if m.Refuses(red) != nil {
			continue
		}
		b.Run(m.cfg.Name+"/"+strings.ReplaceAll(red.String(), " ", "-"), func(b *testing.B) {
			var r Report
			before := processorTime(b)
			for b.Loop() {
				if r = Explore(context.Background(), m, Options{Reduce: red}); !r.OK() {
					b.Fatalf("%s %s %s\n%v", r.Bound, r.SoloFails, r.Endless, r.Violation)
				}
			}
			cpu := processorTime(b) - before
			b.ReportMetric(float64(r.Distinct), "states")
			b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/op")
			b.ReportMetric(float64(r.Distinct)*float64(b.N)/cpu.Seconds(), "states/cpu-s")
			b.ReportMetric(float64(r.Longest), "longest")
		})
	}
}

// processorTime is what the process has used so far, in all its threads: unlike the time on the wall it
// hardly depends on what else the machine does.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package model

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"unsafe"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
)

func machineOf(t testing.TB, name string, crashes int) *Machine {
	t.Helper()
	p, ok := ProgramByName(name)
	if !ok {
		t.Fatalf("no program %s", name)
	}
	m, err := New(p.Config(crashes))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The hash is taken over a state's bytes: padding would make equal states differ.
func TestStateHasNoPadding(t *testing.T) {
	var s State
	if got, want := uintptr(sizeOf(reflect.TypeOf(s))), unsafe.Sizeof(s); got != want {
		t.Errorf("the fields of State have %d bytes, State has %d: order "+
			"them by size, and fill up with a field that is always zero", got, want)
	}
	t.Logf("a state has %d bytes", unsafe.Sizeof(s))
}

func sizeOf(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Struct:
		sum := 0
		for i := 0; i < t.NumField(); i++ {
			sum += sizeOf(t.Field(i).Type)
		}
		return sum
	case reflect.Array:
		return t.Len() * sizeOf(t.Elem())
	}
	return int(t.Size())
}

func TestActionsAreTheCatalogs(t *testing.T) {
	var names []string
	for _, a := range register.Actions() {
		names = append(names, a.Name)
	}
	if !slices.Equal(names, actionNames[:]) {
		t.Errorf("the model has %v,\nthe catalog has %v", actionNames, names)
	}
	for id := ActionID(0); id < actionCount; id++ {
		if back, ok := ActionByName(id.String()); !ok || back != id {
			t.Errorf("%v is found as %v, %v", id, back, ok)
		}
		if (actionsByPC[id] == nil) != (id == ClientCrash) {
			t.Errorf("%v: every action but ClientCrash has a function", id)
		}
	}
}

// wrapped is a program with its generations and versions.
type wrapped struct {
	program string
	wrap    Wrap
}

// searched is a program with so many deaths at most.
type searched struct {
	wrapped
	deaths int
}

var reports sync.Map // searched -> Report

// reportOf explores a program once for all tests.
func reportOf(t *testing.T, name string) Report {
	t.Helper()
	return searchedReport(t, searched{wrapped{name, Wrap{}}, ProgramCrashes})
}

// searchedReport is the same with other deaths, and with generations and versions that wrap.
func searchedReport(t *testing.T, key searched) Report {
	t.Helper()
	if r, ok := reports.Load(key); ok {
		return r.(Report)
	}
	c := machineOf(t, key.program, key.deaths).Config()
	c.Wrap = key.wrap
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r := Explore(context.Background(), m, Options{})
	reports.Store(key, r)
	return r
}

// Every program, with an actor dying at any step: no property is violated, and every live actor
// alone ends its program from everywhere.
func TestProgramsAreClean(t *testing.T) {
	fired := map[string]int64{}
	for _, p := range slices.Concat(Programs(), ThreeActors()) {
		r := reportOf(t, p.Name)
		if !r.OK() {
			t.Errorf("%s, %s: %s %s\n%v", p.Name, r.Bound, r.SoloFails, r.Endless, r.Violation)
		}
		if p.Name == p.State && !slices.Contains(r.Marks, p.State) {
			t.Errorf("%s: the race does not happen, only %v", p.Name, r.Marks)
		}
		for a, n := range r.Fired {
			fired[a] += n
		}
		t.Logf("%-34s %7d distinct, %7d generated, depth %3d, solo %3d, longest %3d, %v, %.0f/s",
			p.Name, r.Distinct, r.Generated, r.Depth, r.Solo, r.Longest, r.Marks,
			float64(r.Distinct)/r.Elapsed.Seconds())
	}
	for _, a := range register.Actions() {
		if fired[a.Name] == 0 && !slices.Contains(onLongRings, a.Name) {
			t.Errorf("%s fires in no program", a.Name)
		}
	}
}

func BenchmarkExplore(b *testing.B) {
	m := machineOf(b, "S04AddCollisionEmpty_LateHelper", 1)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			var states int64
			for b.Loop() {
				r := Explore(context.Background(), m, Options{Workers: workers})
				states += r.Distinct
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
		})
	}
}

// One action of one actor, its copy of the state included.
func BenchmarkStep(b *testing.B) {
	m := machineOf(b, "S04AddCollisionEmpty_LateHelper", 1)
	s := m.Initial()
	var buf []Successor
	for b.Loop() {
		if buf = m.Step(&s, 1, buf[:0]); len(buf) == 0 {
			s = m.Initial()
			continue
		}
		s = buf[0].Next
	}
}

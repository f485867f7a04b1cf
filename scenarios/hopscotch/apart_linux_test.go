//go:build explore

package scenarios

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Every program does the same in processes with mappings of their own: as many executions, states and
// histories, and each outcome as often.
func TestApart_IsTheSameProgram(t *testing.T) {
	for _, p := range model.Programs() {
		o := Options{Preemptions: 1}
		together := mustRun(t, p, o)
		o.Apart = true
		apart := mustRun(t, p, o)
		if together.Executions != apart.Executions || together.States != apart.States ||
			together.Histories.Distinct != apart.Histories.Distinct ||
			!maps.Equal(together.Outcomes, apart.Outcomes) || !maps.Equal(together.Marks, apart.Marks) {
			t.Errorf("%s: %d executions, %d states, outcomes %v; apart %d, %d, %v", p.Name,
				together.Executions, together.States, together.Outcomes, apart.Executions, apart.States,
				apart.Outcomes)
		}
		if !strings.Contains(apart.Bound, "processes, each with its actors") {
			t.Errorf("%s: the report does not name the processes: %s", p.Name, apart.Bound)
		}
	}
}

// With the death of a process at any time there is no outcome that the death of an actor after its own
// step has not, and none is missing; the judges find every one right.
func TestApart_DiesAsOne(t *testing.T) {
	for _, name := range []string{"S02AddCollision", "S02AddCollision_SharedHole", "S12UsurpUpdate",
		"S09AddCollisionDeleteMember", "S24UsurpDeleteInProgress"} {
		p, ok := model.ProgramByName(name)
		if !ok {
			t.Fatalf("no program %s", name)
		}
		o := Options{Preemptions: 1, Kills: 1}
		together := mustRun(t, p, o)
		o.Apart = true
		apart := mustRun(t, p, o)
		want := slices.Sorted(maps.Keys(together.Outcomes))
		got := slices.Sorted(maps.Keys(apart.Outcomes))
		if !slices.Equal(want, got) || apart.Killed == 0 || len(got) < 2 {
			t.Errorf("%s: %d deaths, outcomes %q, together %q", name, apart.Killed, got, want)
		}
		t.Logf("%s: %d executions, %d with a death, %d outcomes", name, apart.Executions, apart.Killed,
			len(got))
	}
}

// TestApart_Reduced: the reduced search has the outcomes, and as many different histories, of the search
// of all interleavings, with a death of any process at any time.
func TestApart_Reduced(t *testing.T) {
	for _, name := range []string{"S01AddEmpty", "S02AddCollision", "S05AddEmptyGet", "S18GetUpdate"} {
		p := mustProgram(t, name)
		o := Options{Preemptions: explore.Unbounded, Kills: 1, Apart: true}
		all := mustRun(t, p, o)
		o.Reduce = true
		r := mustRun(t, p, o)
		t.Logf("%s: %d executions of %d classes, %d histories in %v; all %d, %d histories in %v", name,
			r.Executions, r.Classes, r.Histories.Distinct, r.Elapsed, all.Executions, all.Histories.Distinct,
			all.Elapsed)
		want, got := slices.Sorted(maps.Keys(all.Outcomes)), slices.Sorted(maps.Keys(r.Outcomes))
		if !slices.Equal(want, got) || r.Histories.Distinct != all.Histories.Distinct || r.Killed == 0 {
			t.Errorf("%s: %d deaths, outcomes %q, %d different histories; want %q, %d", name, r.Killed, got,
				r.Histories.Distinct, want, all.Histories.Distinct)
		}
	}
}

// A token of a search of processes says so, and is replayed in processes: with the same deaths.
func TestApart_TokenIsOfProcesses(t *testing.T) {
	p, _ := model.ProgramByName("S04AddCollisionEmpty")
	rep := mustRun(t, p, Options{Preemptions: 1, Kills: 1, Apart: true})
	if len(rep.Tokens) < 2 {
		t.Errorf("%d tokens, want several outcomes", len(rep.Tokens))
	}
	for outcome, token := range rep.Tokens {
		again, err := Replay(token)
		if err != nil || again.Failure != nil || again.Outcomes[outcome] != 1 || again.Program != p.Name {
			t.Errorf("%s: %v, %v, %v", outcome, err, again.Failure, again.Outcomes)
		}
		if !strings.Contains(token, "%40apart") {
			t.Errorf("the token %s does not say that it is of processes", token)
		}
	}
}

// The canary: a handle that one process has from another is found out at its first access, in
// whatever schedule.
func TestApart_AHandleOfAnotherProcessIsFound(t *testing.T) {
	p, _ := model.ProgramByName("S04AddCollisionEmpty")
	w, r, err := prepare(p, Options{Preemptions: 0, Apart: true})
	if err != nil {
		t.Fatal(err)
	}
	w.handles[1] = w.handles[0]
	rep, err := explore.Explore(r.Program, r.Options)
	if err != nil || rep.Failure == nil || rep.Failure.Kind != explore.Fault {
		t.Errorf("%v, %v; want a fault", err, rep.Failure)
	}
}

// The mappings are at addresses of their own, and one memory.
func TestApart_MappingsAreOneMemory(t *testing.T) {
	p, _ := model.ProgramByName("S04AddCollisionEmpty")
	w, err := newWorldOf(p, true)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[unsafe.Pointer]bool{}
	for i, h := range append(slices.Clone(w.handles), w.newcomer) {
		at := w.apart.memory.At((i + 1) % (len(w.handles) + 1))
		if seen[at] {
			t.Errorf("two processes have the region at %p", at)
		}
		seen[at] = true
		if _, err := h.Add(w.keys[12], uint32(i+1)); err != nil {
			t.Errorf("process %d: %v", i+1, err)
		}
		if v, ok := w.newcomer.Get(w.keys[12]); !ok || v != 1 {
			t.Errorf("after the add of process %d the newcomer sees %d, %v; want 1 of the first", i+1, v, ok)
		}
	}
	owners := map[uint64]bool{}
	for _, d := range hopscotch.Snapshot(w.table, hopscotch.DumpOptions{}).Descriptors {
		owners[uint64(d.Index)] = true
	}
	if len(owners) != len(w.handles)+1 {
		t.Errorf("%d descriptors have an owner, want one a process", len(owners))
	}
}

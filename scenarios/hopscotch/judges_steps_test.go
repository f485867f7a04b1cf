//go:build explore

package scenarios

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// TestJudges_AtEachStep: damage that is there only while a step is judged is found by the judge that is for
// it: none at the end of the execution sees it. The newcomer's words are none of the model's, so what is
// wrong with them only the structural check can tell; a key in an idle descriptor is no damage, and not the
// model's.
func TestJudges_AtEachStep(t *testing.T) {
	for name, c := range map[string]struct {
		actor, word int
		flip        uint64
		want        error
		says        string
	}{
		"structure": {2, hopscotch.DescriptorHead, ^uint64(0), ErrStructure, ""},
		"memory":    {1, hopscotch.DescriptorPair, 1, harness.ErrRejected, "afterwards memory differs"},
	} {
		p, _ := model.ProgramByName("S02AddCollision")
		w, r, err := prepare(p, Options{Preemptions: 0})
		if err != nil {
			t.Fatal(err)
		}
		at, step := w.desc(c.actor)+c.word, r.Program.Step
		r.Program.Step = func(x *explore.Execution, s explore.Step) error {
			kept := w.memory[at]
			defer func() { w.memory[at] = kept }()
			w.memory[at] = kept ^ c.flip
			return step(x, s)
		}
		rep, err := explore.Explore(r.Program, r.Options)
		if err != nil {
			t.Fatal(err)
		}
		if f := rep.Failure; f == nil || !errors.Is(f.Err, c.want) || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s: want %v with %q, got %v", name, c.want, c.says, f)
		}
	}
}

// TestJudges_EachResult: what an operation returns is held against the model though its actor goes on to
// another one, and with its value. Full is legal in each history, so only the model refuses it.
func TestJudges_EachResult(t *testing.T) {
	for name, lie := range map[string]func(r *mapmodel.Result){
		"of the first operation": func(r *mapmodel.Result) {
			if r.Outcome == mapmodel.Added {
				r.Outcome = mapmodel.Full
			}
		},
		"of the last one, its value": func(r *mapmodel.Result) {
			if r.Outcome == mapmodel.Found {
				r.Value++
			}
		},
		"of the last one, that it found nothing": func(r *mapmodel.Result) {
			if r.Outcome == mapmodel.Found {
				*r = mapmodel.Result{Outcome: mapmodel.Absent}
			}
		},
	} {
		p, ok := ProgramNamed("history:add.1.11+get.1;")
		if !ok {
			t.Fatal("the program is none")
		}
		f := through(t, p, func(w *world) performer {
			return func(actor int, op model.Op) (mapmodel.Result, error) {
				r, err := w.perform(actor, op)
				lie(&r)
				return r, err
			}
		}, Options{Preemptions: 0}).Failure
		if f == nil || !errors.Is(f.Err, harness.ErrRejected) {
			t.Errorf("%s: want %v, got %v", name, harness.ErrRejected, f)
		}
	}
}

// TestApart_EntriesAreJudged: the newcomer that takes a process for dead which lives, or clears its entry, is
// found out at the end.
func TestApart_EntriesAreJudged(t *testing.T) {
	for name, spoil := range map[string]func(a *apart){
		"nothing":             func(*apart) {},
		"nobody holds a lock": func(a *apart) { a.standing = processes.Locks{} },
		"an entry of nobody":  func(a *apart) { a.entries[0] = region.MakeProcess(9, 1) },
	} {
		p, _ := model.ProgramByName("S01AddEmpty")
		w, r, err := prepare(p, Options{Preemptions: 0, Apart: true})
		if err != nil {
			t.Fatal(err)
		}
		spoil(w.apart)
		rep, err := explore.Explore(r.Program, r.Options)
		if err != nil {
			t.Fatal(err)
		}
		if f := rep.Failure; (f != nil) != (name != "nothing") || f != nil && !errors.Is(f.Err, ErrEntry) {
			t.Errorf("%s: %v", name, f)
		}
	}
}

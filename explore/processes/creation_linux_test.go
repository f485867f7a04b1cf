//go:build explore

package processes

import (
	"errors"
	"fmt"
	"maps"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes/processtest"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Three come to a region that is not there, with all preemptions, and any of them may die, or all. Without a
// death there are 492 classes of executions: who creates it, who looks before that, and which others find the
// magic at which of their looks and the lock of which entry free; TestCreation_Census counts them without the
// explorer, and the classes of two who come with their deaths. The creator may die ahead of each word that it
// stores, so that their number grows with the words of the header that are not zero.
func TestCreation_HoldsWithDeathsAtAnyTime(t *testing.T) {
	header := uint64(0)
	end := small.Offset(region.Own, region.OwnProcesses) / region.WordBytes
	for _, w := range mustWords(t, small)[1:end] {
		header += one(w != 0)
	}
	for kills, c := range []struct{ classes, word uint64 }{{492, 0}, {7254, 12}, {29041, 84}, {48913, 192}} {
		classes := c.classes + header*c.word
		rep, tally, err := Creation{Layout: small}.Explore(explore.Options{Preemptions: explore.Unbounded,
			Kills: kills, Reduce: true, MaxExecutions: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Failure != nil || !rep.Exhaustive {
			t.Fatalf("%v\n%s", rep.Failure, rep.Bound)
		}
		t.Logf("%s; %+v", rep.Bound, tally)
		if tally.Attached == 0 || tally.Unfinished == 0 || tally.Orphaned == 0 && kills > 0 {
			t.Errorf("%+v: want each of them", tally)
		}
		if rep.Classes != classes {
			t.Errorf("%d deaths: %d classes, want %d", kills, rep.Classes, classes)
		}
	}
}

// mustWords is what is in a region of the layout that has just been made.
func mustWords(t *testing.T, l region.Layout) []uint64 {
	t.Helper()
	r, err := region.Heap(l)
	if err != nil {
		t.Fatal(err)
	}
	return r.Words().Plain()
}

// The canary: a creator that stores the magic first shows a header that is not there.
func TestCreation_MagicFirstIsFound(t *testing.T) {
	early := func(memory []byte, l region.Layout, s region.System) (*region.Region, error) {
		(*seam.Uint64)(unsafe.Pointer(&memory[0])).Store(region.Magic)
		return region.Make(memory, l, s)
	}
	rep, _, err := Creation{Layout: small, Make: early}.Explore(explore.Options{Preemptions: 1})
	if err != nil || rep.Failure == nil || !errors.Is(rep.Failure.Err, ErrCreation) {
		t.Errorf("%v, %v; want a header that is not finished", err, rep.Failure)
	}
}

// A creator that dies between two magics has shown a region that then is none: whoever has attached to it
// keeps what the next one that comes calls unfinished.
func TestCreation_MagicTakenBackIsFound(t *testing.T) {
	twice := func(memory []byte, l region.Layout, s region.System) (*region.Region, error) {
		r, err := region.Make(memory, l, s)
		if err == nil {
			r.Words()[0].Store(0)
			r.Words()[0].Store(region.Magic)
		}
		return r, err
	}
	for kills, found := range []bool{false, true} {
		rep, _, err := Creation{Layout: small, Comers: 2, Make: twice}.Explore(all(kills))
		if err != nil || found != (rep.Failure != nil && errors.Is(rep.Failure.Err, ErrCreation)) {
			t.Errorf("%d deaths: %v, %v", kills, err, rep.Failure)
		}
	}
}

// A creator that lives has the region, whatever it says.
func TestCreation_ACreatorThatGivesUpIsFound(t *testing.T) {
	for name, gives := range map[string]maker{
		"what it has made": func(m []byte, l region.Layout, s region.System) (*region.Region, error) {
			_, err := region.Make(m, l, s)
			return nil, errors.Join(err, region.ErrUnfinished)
		},
		"what it has not": func([]byte, region.Layout, region.System) (*region.Region, error) {
			return nil, region.ErrUnfinished
		},
	} {
		rep, _, err := Creation{Layout: small, Comers: 1, Make: gives}.Explore(all(0))
		if err != nil || rep.Failure == nil || !errors.Is(rep.Failure.Err, ErrCreation) {
			t.Errorf("%s: %v, %v; want %v", name, err, rep.Failure, ErrCreation)
		}
	}
}

// A creator whose entry is another one's as well is found out by who comes later.
func TestCreation_ALockThatNobodyHasIsFound(t *testing.T) {
	unlocked := func(memory []byte, l region.Layout, s region.System) (*region.Region, error) {
		return region.Make(memory, l, loose{s})
	}
	rep, _, err := Creation{Layout: small, Comers: 2, Make: unlocked}.Explore(all(0))
	if err != nil || rep.Failure == nil || !errors.Is(rep.Failure.Err, ErrEntries) {
		t.Errorf("%v, %v; want %v", err, rep.Failure, ErrEntries)
	}
}

// The reduced search of two who come has the ends of the search of all executions, whoever dies; one who has
// come may die, too, and the other one then gets its entry.
func TestCreation_ReducedLosesNothing(t *testing.T) {
	for kills := range 3 {
		o := explore.Options{Preemptions: explore.Unbounded, Kills: kills, Stateful: true}
		want, executions, reused := Creation{Layout: small, Comers: 2}.ends(t, o)
		o.Stateful, o.Reduce = false, true
		got, fewer, again := Creation{Layout: small, Comers: 2}.ends(t, o)
		t.Logf("%d deaths: %d ends, %d of one entry; %d executions, reduced %d", kills, len(got), again,
			executions, fewer)
		if !maps.Equal(want, got) || fewer >= executions {
			t.Errorf("%d deaths: %d ends of %d executions, reduced %d of %d", kills, len(want), executions,
				len(got), fewer)
		}
		if (reused > 0) != (kills > 0) || (again > 0) != (kills > 0) {
			t.Errorf("%d deaths: the entry of one who had come is used again %d times, reduced %d", kills,
				reused, again)
		}
	}
}

// ends are what the executions of a creation come to, and in how many one has the entry of another one, which
// had the region before it died.
func (c Creation) ends(t *testing.T, o explore.Options) (all map[string]bool, executions uint64, reused int) {
	t.Helper()
	f, p, err := c.prepare()
	if err != nil {
		t.Fatal(err)
	}
	all, executions = processtest.EndsIn(t, p, o, func(x *explore.Execution) string {
		text, of := "", map[uint32]bool{}
		for i, c := range f.comers {
			if c.region != nil {
				index := c.region.Process().Index()
				reused += int(one(of[index]))
				of[index] = true
			}
			if x.Gone(f.processes[i]) {
				text += " died"
				continue
			}
			text += fmt.Sprint(" ", c.made, c.region != nil, c.err)
		}
		return text + fmt.Sprint(f.memory.Words())
	})
	return all, executions, reused
}

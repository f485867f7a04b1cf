package processes

import (
	"fmt"

	"github.com/samecycle/samecycle/scenarios/explore"
)

// A Search is a program of this package, or the creation of a region, by its name.
type Search struct {
	Name string
	Says string // what it is about

	// Explore searches it within the options, and tells what happened in its executions.
	Explore func(o explore.Options) (explore.Report, fmt.Stringer, error)

	// Replay runs the one execution of a token again, with the judge.
	Replay func(token string) (explore.Report, error)

	// NotReal, if not nil, is why its tokens have no replay in real processes.
	NotReal error
}

// Searches are all of them.
func Searches() []Search {
	var all []Search
	for _, p := range Programs() {
		all = append(all, Search{Name: p.Name, Says: p.Says,
			Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
				r, err := Explore(p, Options{Options: o})
				return r.Report, r.Tally, err
			},
			Replay: func(token string) (explore.Report, error) {
				r, err := Replay(p, token)
				return r.Report, err
			}})
	}
	return append(all, Search{Name: creationName,
		Says: "two come to where no region is: one makes it, the other one attaches at any step of that",
		Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
			r, tally, err := Creation{}.Explore(o)
			return r, tally, err
		},
		Replay: Creation{}.Replay})
}

// SearchByName finds one of them.
func SearchByName(name string) (Search, bool) {
	for _, s := range Searches() {
		if s.Name == name {
			return s, true
		}
	}
	return Search{}, false
}

// String is one line for a person.
func (t Tally) String() string {
	return fmt.Sprintf("%d descriptors inherited from the dead, %d of their entries reused, %d of their "+
		"operations finished, %d newcomers without a descriptor, %d processes detached", t.Inherited,
		t.Reused, t.Finished, t.Refused, t.Left)
}

// String is one line for a person.
func (t CreationTally) String() string {
	return fmt.Sprintf("%d times both attached, %d times one came too early, %d creators died before the "+
		"region was finished", t.Attached, t.Unfinished, t.Orphaned)
}

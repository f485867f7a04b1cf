package processes

import (
	"fmt"
	"io"
	"os/exec"

	"github.com/samecycle/samecycle/explore"
)

// A Search is a program of this package, or one of the ways to create a region, by its name.
type Search struct {
	Name string
	Says string // what it is about

	// Explore searches it within the options, and tells what happened in its executions.
	Explore func(o explore.Options) (explore.Report, fmt.Stringer, error)

	// Replay runs the one execution of a token again, with the judge.
	Replay func(token string) (explore.Report, error)

	// Real runs it again in the explorer and then by processes of the system, each of which is to call
	// Serve. File is where their region is to be; nobody may have it.
	Real func(token, file string, command func(process int) *exec.Cmd) (Enacted, error)

	// Serve is the life of one of those.
	Serve func(file string, process int, in io.Reader, out io.Writer) error
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
			},
			Real: func(token, file string, command func(int) *exec.Cmd) (Enacted, error) {
				return Real(p, token, file, command)
			},
			Serve: func(file string, process int, in io.Reader, out io.Writer) error {
				return ServeReal(p, file, process, in, out)
			}})
	}
	all = append(all, Search{Name: creationName,
		Says: "three come to where no region is: one makes it, the others attach at any step of that",
		Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
			r, tally, err := Creation{}.Explore(o)
			return r, tally, err
		},
		Replay: Creation{}.Replay, Real: Creation{}.Real, Serve: Creation{}.ServeReal})
	for _, n := range namings {
		all = append(all, n.search(n.name, n.says))
	}
	return all
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
		"operations finished, %d newcomers without a descriptor, %d processes detached, %d entries made idle",
		t.Inherited, t.Reused, t.Finished, t.Refused, t.Left, t.Cleared)
}

// String is one line for a person.
func (t CreationTally) String() string {
	return fmt.Sprintf("%d times all attached, %d times one came too early, %d creators died before the "+
		"region was finished", t.Attached, t.Unfinished, t.Orphaned)
}

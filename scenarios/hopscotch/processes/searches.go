package processes

import (
	"fmt"
	"io"
	"os/exec"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
)

// Searches are all programs of this package, and the ways to make a region.
func Searches() []processes.Search {
	var all []processes.Search
	for _, p := range Programs() {
		all = append(all, processes.Search{Name: p.Name, Says: p.Says,
			Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
				r, err := Explore(p, Options{Options: o})
				return r.Report, r.Tally, err
			},
			Replay: func(token string) (explore.Report, error) {
				r, err := Replay(p, token)
				return r.Report, err
			},
			Real: func(token, file string, command func(int) *exec.Cmd) (processes.Enacted, error) {
				s, err := newStage(p, Options{})
				if err != nil {
					return processes.Enacted{}, err
				}
				return s.Real(token, file, command)
			},
			Serve: func(file string, process int, in io.Reader, out io.Writer) error {
				g, _ := p.general(Options{})
				return g.Serve(file, process, in, out)
			}})
	}
	return append(all, processes.Creations(Program{Descriptors: 1}.layout())...)
}

// SearchByName finds one of them.
func SearchByName(name string) (processes.Search, bool) { return processes.Named(Searches(), name) }

// String is one line for a person.
func (t Tally) String() string {
	return fmt.Sprintf("%d descriptors inherited from the dead, %d of their entries reused, %d of their "+
		"operations finished, %d newcomers without a descriptor, %d processes detached, %d entries made idle",
		t.Inherited, t.Reused, t.Finished, t.Refused, t.Left, t.Cleared)
}

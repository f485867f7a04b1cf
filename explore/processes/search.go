package processes

import (
	"fmt"
	"io"
	"os/exec"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// A Search is a program that can be searched by its name.
type Search struct {
	Name string
	Says string // what it is about

	// Explore searches it within the options, and tells what happened in its executions.
	Explore func(o explore.Options) (explore.Report, fmt.Stringer, error)

	// Replay runs the one execution of a token again, with the judge.
	Replay func(token string) (explore.Report, error)

	// Real runs it again in the explorer and then by processes of the system, each of which is to call
	// Serve. File is where their region is to be; nobody may have it. It is nil where there are none.
	Real func(token, file string, command func(process int) *exec.Cmd) (Enacted, error)

	// Serve is the life of one of those.
	Serve func(file string, process int, in io.Reader, out io.Writer) error
}

// Creations are the searches of the ways to make a region of the layout.
func Creations(l region.Layout) []Search {
	c := Creation{Layout: l}
	all := []Search{{Name: creationName,
		Says: "three come to where no region is: one makes it, the others attach at any step of that",
		Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
			r, tally, err := c.Explore(o)
			return r, tally, err
		},
		Replay: c.Replay, Real: c.Real, Serve: c.Serve}}
	for _, n := range namings {
		n.Layout = l
		all = append(all, n.search(n.name, n.says))
	}
	return all
}

// Named finds the search of that name.
func Named(all []Search, name string) (Search, bool) {
	for _, s := range all {
		if s.Name == name {
			return s, true
		}
	}
	return Search{}, false
}

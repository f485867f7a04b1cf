package processes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// Real processes of a naming call the engine's own OpenOrCreate and Open: so what is explored here step by
// step is held against those.

// ownObject begins the file without a name that a process makes, where accesses are named.
const ownObject = 1 << 47

// objectBits are those of a place in one region of a replay.
const objectBits = 48

// enactment replays the token in the explorer.
func (n Naming) enactment(program, token, file string) (e Enactment, err error) {
	f, p, err := n.prepare(program)
	if err != nil {
		return e, err
	}
	p, steps, words := Watch(p, func() []uint64 {
		if f.named() < 0 {
			return nil
		}
		return f.files[f.named()].Words()
	})
	rep, err := explore.Replay(p, token, explore.Options{})
	if err != nil {
		return e, err
	}
	if rep.Failure != nil {
		return e, rep.Failure
	}
	e = Enactment{Words: *words, Layout: n.Layout, File: file, Absent: f.named() < 0}
	for _, s := range *steps {
		if s, ok := n.seenBy(s); ok {
			e.Steps = append(e.Steps, s)
		}
	}
	for i, name := range n.names() {
		e.Names, e.Stands, e.Of = append(e.Names, name), append(e.Stands, false), append(e.Of, i)
	}
	return e, nil
}

// seenBy is a step as its process names it, for whom there is the file of the name and the one that it
// makes itself. What it asks of the system for a file that nobody else can reach is between its steps.
func (n Naming) seenBy(s explore.Step) (explore.Step, bool) {
	if !s.Kind.Access() {
		return s, true
	}
	file, at := int(s.Object>>objectBits), s.Object&(1<<objectBits-1)
	switch {
	case file == n.Creators && at > 0:
		return s, false
	case file == n.Creators:
		s.Object = nameObject
	case file == s.Actor:
		s.Object = ownObject + at
	default:
		s.Object = at
	}
	return s, true
}

// serve is the life of a child.
func (n Naming) serve(program, file string, process int, in io.Reader, out io.Writer) error {
	if process < 0 || process >= n.Creators+n.Openers {
		return fmt.Errorf("program %s has no process %d: use 0 to %d", program, process,
			n.Creators+n.Openers-1)
	}
	body := func() {
		if _, _, err := region.OpenOrCreate(file, n.Layout); err != nil {
			panic(err) // the one who gives the orders is told of it
		}
	}
	if process >= n.Creators {
		body = func() {
			_, err := region.Open(file, n.Layout)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				panic(err)
			}
		}
	}
	return Serve(in, out, Part{File: file, Name: region.FileName(), Unnamed: true,
		Bodies: map[int]func(){process: body}})
}

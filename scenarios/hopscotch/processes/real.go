package processes

import (
	"fmt"
	"io"
	"os/exec"
	"slices"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Watch makes a program keep its steps and what look gives at the end of its execution, in place of
// its verdict: for a replay that is enacted.
func Watch(p explore.Program, look func() []uint64) (explore.Program, *[]explore.Step, *[]uint64) {
	var steps []explore.Step
	var words []uint64
	step := p.Step
	p.Step = func(x *explore.Execution, s explore.Step) error {
		steps = append(steps, s)
		if step == nil {
			return nil
		}
		return step(x, s)
	}
	p.Finish = func(*explore.Execution) error {
		words = slices.Clone(look())
		return nil
	}
	return p, &steps, &words
}

// Replay runs the one execution of a token of the program again, in the explorer, with its judge.
func Replay(p Program, token string) (Report, error) {
	s, err := newStage(p, Options{})
	if err != nil {
		return Report{}, err
	}
	rep, err := explore.Replay(s.program(), token, explore.Options{})
	return Report{rep, s.tally}, err
}

// Real runs the execution of a token of the program again, first in the explorer and then by processes
// of the system. Command starts one of them, which is to call ServeReal. File is where the region is to
// be; nobody may have it.
func Real(p Program, token, file string, command func(process int) *exec.Cmd) (Enacted, error) {
	e, err := enactment(p, token, file)
	if err != nil {
		return Enacted{}, err
	}
	e.Command = command
	return e.Run()
}

// enactment replays the token in the explorer.
func enactment(p Program, token, file string) (e Enactment, err error) {
	s, err := newStage(p, Options{})
	if err != nil {
		return e, err
	}
	program, steps, words := Watch(s.program(), s.memory.Words)
	rep, err := explore.Replay(program, token, explore.Options{})
	if err != nil {
		return e, err
	}
	if rep.Failure != nil {
		return e, rep.Failure
	}
	e = Enactment{Of: s.of, Steps: *steps, Words: *words, Layout: p.layout(), File: file,
		Found: func() error {
			r, err := region.Create(file, p.layout())
			if err != nil {
				return err
			}
			return p.founded(r)
		}}
	for _, m := range p.Cast {
		e.Names, e.Stands = append(e.Names, m.Name), append(e.Stands, m.Stands)
	}
	return e, nil
}

// ServeReal is the life of a child of Real.
func ServeReal(p Program, file string, process int, in io.Reader, out io.Writer) error {
	if process < 0 || process >= len(p.Cast) {
		return fmt.Errorf("program %s has no process %d: use 0 to %d", p.Name, process, len(p.Cast)-1)
	}
	_, clients, of := p.clients(func(int) place { return room{p, file} })
	part := Part{File: file, Bodies: map[int]func(){}}
	var own []*Client
	for n, c := range clients {
		if of[n] == process {
			body := p.Cast[process].Bodies[len(own)]
			part.Bodies[n] = func() { body(c) }
			own = append(own, c)
		}
	}
	part.Join = func() error {
		for _, c := range own {
			if c.Arrive(); c.err != nil {
				return c.err
			}
		}
		return nil
	}
	return Serve(in, out, part)
}

// room is the place of a process of its own.
type room struct {
	p    Program
	file string
}

func (r room) attach() (*region.Region, error) { return region.Open(r.file, r.p.layout()) }
func (r room) begin()                          {}
func (r room) mark(uint64)                     {}
func (r room) options() hopscotch.Options      { return settled() }

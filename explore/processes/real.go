package processes

import (
	"fmt"
	"io"
	"os/exec"
	"slices"

	"github.com/samecycle/samecycle/explore"
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

// Enactment replays a token in the explorer, for processes of the operating system that are to do the same
// in the file, which nobody may have. The caller sets its Command, which starts a process that calls Serve.
func (s *Stage) Enactment(token, file string) (e Enactment, err error) {
	program, steps, words := Watch(s.Program(), s.Words)
	rep, err := explore.Replay(program, token, explore.Options{})
	if err != nil {
		return e, err
	}
	if rep.Failure != nil {
		return e, rep.Failure
	}
	e = Enactment{Of: s.of, Steps: *steps, Words: *words, Layout: s.layout, File: file,
		Found: func() error {
			r, err := region.Create(file, s.layout)
			if err != nil {
				return err
			}
			return s.p.Engine.Found(r)
		}}
	for _, m := range s.p.Members {
		e.Names, e.Stands = append(e.Names, m.Name), append(e.Stands, m.Stands)
	}
	return e, nil
}

// Serve is the life of a child process of an enactment: it is one member of the program, with the region in
// the file.
func (p Program) Serve(file string, process int, in io.Reader, out io.Writer) error {
	if process < 0 || process >= len(p.Members) {
		return fmt.Errorf("program %s has no process %d: use 0 to %d", p.Name, process, len(p.Members)-1)
	}
	p.Engine.Start(p.hosts(func(int) place { return room{p.Layout, file} }))
	part := Part{File: file, Bodies: map[int]func(){}}
	var own []int
	for n, i := range p.of() {
		if i == process {
			part.Bodies[n] = func() { p.Engine.Act(n) }
			own = append(own, n)
		}
	}
	part.Join = func() error {
		for _, n := range own {
			p.Engine.Arrive(n)
			if err := p.Engine.Err(n); err != nil {
				return err
			}
		}
		return nil
	}
	return Serve(in, out, part)
}

// Real runs the execution of a token again, first in the explorer and then by processes of the operating
// system. Command starts one of them, which is to call Program.Serve. File is where the region is to be;
// nobody may have it. The error is ErrDiffers where they do something else.
func (s *Stage) Real(token, file string, command func(process int) *exec.Cmd) (Enacted, error) {
	e, err := s.Enactment(token, file)
	if err != nil {
		return Enacted{}, err
	}
	e.Command = command
	return e.Run()
}

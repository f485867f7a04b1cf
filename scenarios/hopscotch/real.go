package scenarios

import (
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
	model "github.com/samecycle/samecycle/model/hopscotch"
	table "github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// ReplayReal runs the execution of a token again: in the explorer, with each actor in a process of its
// own, and then in processes of the operating system, which stop ahead of each shared access. Every step
// is compared, and at the end every word. Command starts process number i, which is to call ServeReal;
// file is where their region is to be. Errors: explore.ErrToken; processes.ErrDiffers names the first
// step that differs; the failure of the explorer's own replay, if that is why it ends early.
func ReplayReal(token, file string, command func(process int) *exec.Cmd) (processes.Enacted, error) {
	if !seam.Explored {
		return processes.Enacted{}, harness.ErrPlain
	}
	name, err := explore.TokenProgram(token)
	if err != nil {
		return processes.Enacted{}, err
	}
	if s, ok := table.SearchByName(name); ok {
		return s.Real(token, file, command)
	}
	e, w, err := enactment(token, file)
	if err != nil {
		return processes.Enacted{}, err
	}
	e.Command = command
	out, err := e.Run()
	if w.region != nil {
		err = errors.Join(err, w.region.Close())
	}
	return out, err
}

// enactment replays the token of a scenario in the explorer. The world belongs to the real newcomer, which
// has the last descriptor, and puts the standing elements into the table after the others have attached.
func enactment(token, file string) (processes.Enactment, *world, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return processes.Enactment{}, nil, err
	}
	p, err := programNamed(name)
	if err != nil {
		return processes.Enactment{}, nil, err
	}
	if token, err = spelledOut(p, token); err != nil {
		return processes.Enactment{}, nil, err
	}
	explored, r, err := prepare(p, Options{Preemptions: explore.Unbounded, Kills: len(p.Ops), Apart: true})
	if err != nil {
		return processes.Enactment{}, nil, err
	}
	r.Program.Name = name
	program, steps, words := processes.Watch(r.Program, func() []uint64 { return explored.memory })
	rep, err := explore.Replay(program, token, r.Options)
	if err == nil && rep.Failure != nil && len(*words) == 0 {
		err = rep.Failure
	}
	if err != nil {
		return processes.Enactment{}, nil, err
	}
	w := &world{program: p}
	e := processes.Enactment{Steps: *steps, Words: *words, Layout: layoutOf(p).Region(), File: file,
		Ready: func() error { return w.newcomes(file) }}
	for i := range p.Ops {
		e.Names, e.Stands, e.Of = append(e.Names, fmt.Sprint(i+1)), append(e.Stands, true), append(e.Of, i)
	}
	return e, w, nil
}

// errListed ends a replay that is for its list of decisions only.
var errListed = errors.New("all decisions are listed")

// spelledOut is the token with every decision of its execution. One that lists only those that had
// an alternative fits a search of processes only if it comes from one: they may die at other times.
func spelledOut(p model.Program, token string) (string, error) {
	_, processes, err := harness.OfToken(token)
	if err != nil {
		return "", err
	}
	_, r, err := prepare(p, Options{Preemptions: explore.Unbounded, Kills: len(p.Ops), Apart: processes})
	if err != nil {
		return "", err
	}
	r.Program.Finish = func(*explore.Execution) error { return errListed }
	rep, err := explore.Replay(r.Program, token, r.Options)
	switch {
	case err != nil:
		return "", err
	case rep.Failure.Kind == explore.Diverged || rep.Failure.Token == "":
		return "", rep.Failure
	}
	return rep.Failure.Token, nil
}

// newcomes makes the world the newcomer's in the region file.
func (w *world) newcomes(file string) error {
	if err := w.joins(file, len(w.program.Ops)+1); err != nil {
		return err
	}
	w.populate()
	return nil
}

// joins makes the world that of process number i in the region file, which the first one makes.
func (w *world) joins(file string, i int) (err error) {
	if i == 1 {
		w.region, err = hopscotch.Create(file, layoutOf(w.program))
	} else {
		w.region, err = hopscotch.Open(file, layoutOf(w.program))
	}
	if err != nil {
		return err
	}
	if w.table, err = hopscotch.NewWith(w.region, w.options()); err != nil {
		return err
	}
	h, err := w.table.NewHandle(uint64(i))
	if err != nil {
		return err
	}
	w.handles = make([]*hopscotch.Handle, len(w.program.Ops)+1)
	w.handles[i-1] = h
	return w.survey()
}

// ServeReal is the life of a process of ReplayReal.
func ServeReal(program, file string, process int, in io.Reader, out io.Writer) error {
	if !seam.Explored {
		return harness.ErrPlain
	}
	if s, ok := table.SearchByName(program); ok {
		return s.Serve(file, process, in, out)
	}
	p, err := programNamed(program)
	if err != nil {
		return err
	}
	if process < 0 || process >= len(p.Ops) {
		return fmt.Errorf("program %s has no process %d: use 0 to %d", program, process, len(p.Ops)-1)
	}
	w := &world{program: p}
	return processes.Serve(in, out, processes.Part{File: file,
		Join:   func() error { return w.joins(file, process+1) },
		Bodies: map[int]func(){process: func() { w.acts(process + 1) }}})
}

// acts performs the operations of actor t. One that fails ends them, as in the explorer.
func (w *world) acts(t int) {
	for _, op := range w.program.Ops[t-1] {
		if _, err := w.perform(t, op); err != nil {
			return
		}
	}
}

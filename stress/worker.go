package stress

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"time"
)

// assignment is what a worker process is told, as JSON in its last argument.
type assignment struct {
	Engine string          `json:"engine"`
	Arena  string          `json:"arena"`
	Slots  int             `json:"slots"`
	Slot   int             `json:"slot"`
	Owner  uint32          `json:"owner"`
	Seed   uint64          `json:"seed"`
	World  json.RawMessage `json:"world"` // see World.Handout
}

// ErrAssignment says that a worker was not started by a run.
var ErrAssignment = errors.New("assignment of the worker is refused: let samecycle stress start it")

// pollEvery is how long a client that has ended its round sleeps between two looks for the next.
const pollEvery = 200 * time.Microsecond

// Worker is what a worker process does from its start to its end. [Campaign] starts it with this text as
// its last argument. It attaches to the files of the run and makes rounds of operations until the run or
// the parent has ended. The subject of the run is among those given. Errors: ErrAssignment; those of
// attaching and of the engine.
func Worker(text string, subjects ...Subject) error {
	var a assignment
	if err := ReadAssignment([]byte(text), &a); err != nil {
		return err
	}
	var subject Subject
	for _, s := range subjects {
		if s.Name() == a.Engine && s.Deaths() {
			subject = s
		}
	}
	if subject == nil || a.Slot < 0 || a.Slot >= a.Slots || a.Owner <= ParentOwner {
		return fmt.Errorf("%w: engine %q, slot %d of %d, owner %d", ErrAssignment, a.Engine, a.Slot, a.Slots,
			a.Owner)
	}
	parent := os.Getppid()
	debug.SetGCPercent(-1) // it allocates next to nothing, and its pauses would be measured
	shared, err := openArena(a.Arena, a.Slots)
	if err != nil {
		return err
	}
	c, err := subject.Join(a.World, a.Owner)
	if err != nil {
		return err
	}
	return newActor(c, shared, a.Seed, a.Slot, a.Owner).serve(func() bool { return os.Getppid() == parent })
}

// process is a worker process, as its parent knows it.
type process struct {
	cmd    *exec.Cmd
	owner  uint32
	stderr *tail
	gone   chan struct{} // closed when it has ended and its log is complete
	err    error         // why it ended; valid after gone
}

// spawn starts a worker. command is the program and its first arguments.
func spawn(command []string, a assignment) (*process, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	p := &process{owner: a.Owner, stderr: &tail{}, gone: make(chan struct{})}
	p.cmd = exec.Command(command[0], append(command[1:len(command):len(command)], string(text))...)
	p.cmd.Stderr = p.stderr
	p.cmd.SysProcAttr = apart()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("worker process: %w", err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.gone)
	}()
	return p, nil
}

// kill ends the process at whatever instruction it is, and returns when it will never make another.
func (p *process) kill() error {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill of worker %d: %w", p.owner, err)
	}
	<-p.gone
	return nil
}

// tail keeps the last bytes that a worker wrote.
type tail struct{ text []byte }

const tailBytes = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	if n := len(t.text); n > tailBytes {
		t.text = t.text[n-tailBytes:]
	}
	return len(b), nil
}

var _ io.Writer = (*tail)(nil)

package stress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/samecycle/samecycle/impl/region"
)

// assignment is what a worker process is told, as JSON in its last argument.
type assignment struct {
	Region string   `json:"region"`
	Arena  string   `json:"arena"`
	Slots  int      `json:"slots"`
	Slot   int      `json:"slot"`
	Owner  uint32   `json:"owner"`
	Work   workload `json:"workload"`
}

// ErrAssignment says that a worker was not started by a run.
var ErrAssignment = errors.New("assignment of the worker is refused: let samecycle stress start it")

// pollEvery is how long a client that has ended its round sleeps between two looks for the next.
const pollEvery = 200 * time.Microsecond

// Worker is the whole life of a worker process, which [Campaign] starts with this text as its last
// argument: it attaches to the files of the run and makes rounds of operations until the run or
// the parent has ended. Errors: ErrAssignment; those of attaching and of the engine.
func Worker(text string) error { return worker(text, func(_ uint32, t table) table { return t }) }

// worker lets tests put something between the client and the table.
func worker(text string, wrap func(owner uint32, t table) table) error {
	var a assignment
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return fmt.Errorf("%w: %w", ErrAssignment, err)
	}
	if _, ok := recipes[a.Work.State]; !ok || a.Slot < 0 || a.Slot >= a.Slots || a.Owner == 0 ||
		len(a.Work.Keys) == 0 {
		return fmt.Errorf("%w: slot %d of %d, owner %d, state %q, %d keys", ErrAssignment, a.Slot,
			a.Slots, a.Owner, a.Work.State, len(a.Work.Keys))
	}
	parent := os.Getppid()
	debug.SetGCPercent(-1) // it allocates next to nothing, and its pauses would be measured
	r, err := region.Open(a.Region, region.Layout{})
	if err != nil {
		return err
	}
	ra, err := region.Open(a.Arena, region.Layout{})
	if err != nil {
		return err
	}
	shared, err := openArena(ra, a.Slots)
	if err != nil {
		return err
	}
	c, err := newClient(r, shared, a.Work, a.Slot, a.Owner)
	if err != nil {
		return err
	}
	c.table = wrap(a.Owner, c.table)
	return c.serve(func() bool { return os.Getppid() == parent })
}

// serve makes rounds until the run ends, or wanted says that nobody wants them any more.
func (c *client) serve(wanted func() bool) error {
	runtime.LockOSThread()
	c.meter = newMeter()
	for ended := c.arena.ended(c.slot); wanted(); {
		switch n := c.arena.round(); n {
		case roundQuit:
			return nil
		case ended:
			nap(pollEvery)
		default:
			if err := c.round(n); err != nil {
				return err
			}
			ended = n
			c.arena.end(c.slot, n)
		}
	}
	return nil
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

package processes

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
)

// ErrDiffers says that real processes did something else than the explorer's.
var ErrDiffers = errors.New("real processes differ from the replay")

// An Enactment is a replayed execution that processes of the operating system are to do again.
type Enactment struct {
	Names  []string       // of the processes
	Stands []bool         // by process: it joins before the first step
	Of     []int          // by actor: its process
	Steps  []explore.Step // of the replay
	Words  []uint64       // memory at the end of the replay
	Layout region.Layout
	File   string // of the region
	Absent bool   // nobody makes the file

	// Found makes the file before anybody joins, Ready does what is left when those that stand have
	// joined. Either may be nil.
	Found, Ready func() error

	// Command is a child process that calls Serve with its standard input and output.
	Command func(process int) *exec.Cmd
}

// Enacted is what came of it.
type Enacted struct {
	Processes int `json:"processes"`
	Accesses  int `json:"accesses"`
	Deaths    int `json:"deaths"`
	Stops     int `json:"stops"` // a process was stopped, by SIGSTOP, while others went on
	Words     int `json:"words"` // compared at the end
}

// A child is a process of the enactment while it lives.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	orders  *json.Encoder
	answers *json.Decoder
	said    bytes.Buffer
	dead    bool
}

// Run starts the processes, lets them make the steps of the replay one by one, and compares each with
// the replay's, and at the end the memory. The error names the first step that differs.
func (e Enactment) Run() (out Enacted, err error) {
	if e.Found != nil {
		if err := e.Found(); err != nil {
			return out, fmt.Errorf("make the region %s: %w", e.File, err)
		}
	}
	children := make([]*child, len(e.Names))
	defer func() {
		for _, c := range children {
			if c != nil {
				c.end()
			}
		}
	}()
	for i := range children {
		if children[i], err = start(e.Command(i)); err != nil {
			return out, fmt.Errorf("start process %s: %w", e.Names[i], err)
		}
		out.Processes++
		if !e.Stands[i] {
			continue
		}
		a, err := children[i].tell(order{Join: true})
		if err == nil && a.Error != "" {
			err = errors.New(a.Error)
		}
		if err != nil {
			return out, fmt.Errorf("process %s joins: %w", e.Names[i], err)
		}
	}
	if e.Ready != nil {
		if err := e.Ready(); err != nil {
			return out, err
		}
	}
	if err := e.play(children, &out); err != nil {
		return out, err
	}
	return out, e.compare(&out)
}

// play makes the steps. Between two of its own a process is stopped while others make theirs: it keeps its
// locks, and what it has read is as old as the replay wants it.
func (e Enactment) play(children []*child, out *Enacted) error {
	choices, last := e.choices(), map[int]answer{}
	var running *child
	for i, s := range e.Steps {
		c := children[e.Of[s.Actor]]
		switch {
		case s.Kind == hook.Kill && !c.dead:
			out.Deaths++
			if err := c.kill(); err != nil {
				return fmt.Errorf("kill process %s: %w", e.Names[e.Of[s.Actor]], err)
			}
			continue
		case !s.Kind.Access():
			continue
		}
		if running != nil && running != c && !running.dead {
			if err := running.stop(); err != nil {
				return fmt.Errorf("stop a process ahead of step %d: %w", s.Index, err)
			}
			out.Stops++
		}
		running = c
		a, err := c.tell(order{Actor: s.Actor, Choices: choices[i]})
		if err != nil {
			return fmt.Errorf("step %d, of process %s: %w", s.Index, e.Names[e.Of[s.Actor]], err)
		}
		if why := e.differs(s, a); why != "" {
			return fmt.Errorf("%w: step %d, of process %s: %s", ErrDiffers, s.Index,
				e.Names[e.Of[s.Actor]], why)
		}
		out.Accesses++
		last[s.Actor] = a
	}
	for actor, a := range last {
		if !children[e.Of[actor]].dead && !a.Ended {
			return fmt.Errorf("%w: process %s goes on where the replay has ended", ErrDiffers,
				e.Names[e.Of[actor]])
		}
	}
	return nil
}

// choices are, by step, those that its actor makes until its next access; the first one has those
// that come before it, too.
func (e Enactment) choices() map[int][]int {
	all, early, last := map[int][]int{}, map[int][]int{}, map[int]int{}
	for i, s := range e.Steps {
		at, begun := last[s.Actor]
		switch {
		case s.Kind == hook.Choice && begun:
			all[at] = append(all[at], int(s.New))
		case s.Kind == hook.Choice:
			early[s.Actor] = append(early[s.Actor], int(s.New))
		case s.Kind.Access():
			if !begun {
				all[i] = early[s.Actor]
			}
			last[s.Actor] = i
		}
	}
	return all
}

// differs says how a step of a child is not that of the replay.
func (e Enactment) differs(s explore.Step, a answer) string {
	want := event{s.Kind, s.Object, s.Old, s.New, s.OK}
	if a.Error != "" {
		return a.Error
	}
	got := a.Event
	if e.Layout.Personal(s.Object &^ ownObject) {
		got.Old, got.New = want.Old, want.New
	}
	if got == want {
		return ""
	}
	return fmt.Sprintf("it made %v, the replay %v", got, want)
}

// String is one line for a person.
func (v event) String() string {
	if v.Kind == hook.Begin {
		return "no access"
	}
	done := ""
	if !v.OK {
		done = ", refused"
	}
	return fmt.Sprintf("a %s at offset %#x, %#x to %#x%s", v.Kind, v.Object, v.Old, v.New, done)
}

// compare holds the file against the memory of the replay.
func (e Enactment) compare(out *Enacted) error {
	text, err := os.ReadFile(e.File)
	if e.Absent && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the region at the end: %w", err)
	}
	if e.Absent {
		return fmt.Errorf("%w: there is a region, and none in the replay", ErrDiffers)
	}
	if len(text) != len(e.Words)*region.WordBytes {
		return fmt.Errorf("%w: the region has %d bytes, %d in the replay", ErrDiffers, len(text),
			len(e.Words)*region.WordBytes)
	}
	for i, want := range e.Words {
		offset := uint64(i) * region.WordBytes
		if e.Layout.Personal(offset) {
			continue
		}
		if got := binary.NativeEndian.Uint64(text[offset:]); got != want {
			return fmt.Errorf("%w: at the end the word at offset %#x is %#x, %#x in the replay", ErrDiffers,
				offset, got, want)
		}
		out.Words++
	}
	return nil
}

func start(cmd *exec.Cmd) (*child, error) {
	c := &child{cmd: cmd}
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = &c.said
	c.orders, c.answers = json.NewEncoder(c.in), json.NewDecoder(out)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return c, nil
}

// tell gives an order and waits for the answer. A process that was stopped goes on.
func (c *child) tell(o order) (a answer, err error) {
	if c.dead {
		return a, errors.New("it is dead, and the replay goes on with it")
	}
	err = errors.Join(c.wake(), c.orders.Encode(o))
	if err == nil {
		err = c.answers.Decode(&a)
	}
	if err != nil {
		c.end()
		if text := bytes.TrimSpace(c.said.Bytes()); len(text) > 0 {
			return a, fmt.Errorf("no answer (%w); it said: %s", err, text)
		}
		return a, fmt.Errorf("no answer (%w), and it said nothing", err)
	}
	return a, nil
}

// kill ends the process as by SIGKILL, and waits until the system has dropped its locks.
func (c *child) kill() error {
	c.dead = true
	if err := c.cmd.Process.Kill(); err != nil {
		return err
	}
	return waited(c.cmd.Wait())
}

// waited is the error of a Wait, unless it says that the process was killed.
func waited(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

// end lets a process go that has nothing to do any more. One that is inside a call is killed.
func (c *child) end() {
	if !c.dead {
		c.in.Close()
		c.kill()
	}
}

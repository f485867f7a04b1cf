package cachestorm

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"time"
)

// process is a process of the storm, as its parent knows it.
type process struct {
	cmd     *exec.Cmd
	number  uint64
	janitor bool
	said    tail
	gone    chan struct{} // closed when it has ended
	err     error         // reason of the end; valid after gone
}

// start starts the process of a slot.
func (w *world) start(slot int) error {
	w.storm.number++
	a := assignment{Region: w.region, Board: w.board.file, Slots: w.board.slots, Threads: w.board.threads,
		Slot: slot, Number: w.storm.number, Keys: w.keys, Seed: w.storm.o.Seed, Janitor: slot%2 == 0,
		Remote: w.variant.remote, Wait: w.variant.wait, Tuner: slot == w.tuner(), askers: w.askers}
	if slot == w.faulty() {
		a.Fault = w.storm.o.fault
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	p := &process{cmd: w.storm.o.Command(string(text)), number: a.Number, janitor: a.Janitor,
		gone: make(chan struct{})}
	p.cmd.Stderr = &p.said
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("a process of the storm cannot be started: %w", err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.gone)
	}()
	w.processes[slot] = p
	return nil
}

// tuner is the slot of the process that tunes live parameters: the last slot that has the cache in every
// kind.
func (w *world) tuner() int { return (len(w.processes) - 1) / 2 * 2 }

// server is the slot of the process that makes the calls of a slot.
func (w *world) server(slot int) int { return serverOf(w.variant.remote, slot) }

// faulty is the slot of the process with the seeded fault of a test.
func (w *world) faulty() int {
	switch w.storm.o.fault {
	case "halves", "unset":
		return w.tuner()
	case "denies", "invents", "orphan":
		return 1
	}
	return 0
}

// kill ends the process at whatever instruction it is, and returns when the process will never make another
// one.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.gone
}

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

// endTime bounds how long a process may take to end by itself.
const endTime = 30 * time.Second

// end waits for a process that should end by itself.
func (p *process) end() {
	select {
	case <-p.gone:
	case <-time.After(endTime):
		p.kill()
	}
}

// tail keeps the last bytes that a process wrote.
type tail []byte

const tailBytes = 4096

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	if *t = append(*t, b...); len(*t) > tailBytes {
		*t = (*t)[len(*t)-tailBytes:]
	}
	return len(b), nil
}

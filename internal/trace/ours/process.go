package ours

import (
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// process is a worker process as its parent knows it.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	said   tail
	killed bool
	once   sync.Once
	ended  error
}

func (c *crew) start() (*process, error) {
	p := &process{cmd: c.o.Command(c.text)}
	p.cmd.Stderr = &p.said
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, p.out = in, out; p.cmd.Start() != nil {
		return nil, fmt.Errorf("a process of %s cannot be started", p.cmd.Path)
	}
	return p, nil
}

// answerTime bounds how long a process may take for a part.
const answerTime = 30 * time.Second

// ready waits until the process can work. An error says that it has ended.
func (p *process) ready() error {
	return p.inTime(func() error { return binary.Read(p.out, binary.LittleEndian, &answer{}) })
}

// do lets the process make the requests of a part. An error says that it has ended.
func (p *process) do(work part) (a answer, err error) {
	err = p.inTime(func() error {
		if err := binary.Write(p.in, binary.LittleEndian, work); err != nil {
			return err
		}
		return binary.Read(p.out, binary.LittleEndian, &a)
	})
	return a, err
}

// inTime calls f, and kills the process if it gives no answer.
func (p *process) inTime(f func() error) error {
	begun, timer := time.Now(), time.AfterFunc(answerTime, p.kill)
	defer timer.Stop()
	err := f()
	if err != nil && time.Since(begun) >= answerTime {
		return fmt.Errorf("no answer within %v", answerTime)
	}
	return err
}

func (p *process) kill() { _ = p.cmd.Process.Kill() } // that it has ended already is as well

// wait returns when the process has ended.
func (p *process) wait() error {
	p.once.Do(func() { p.ended = p.cmd.Wait() })
	return p.ended
}

// end waits for a process that has ended in the midst of its work, and returns why.
func (p *process) end(err error) error {
	p.in.Close()
	if e := p.wait(); e != nil {
		err = fmt.Errorf("%w: %w", e, err)
	}
	if p.said != nil {
		err = fmt.Errorf("%w: %s", err, p.said)
	}
	return err
}

// finishTime bounds how long a process may take to end when it has no more work.
const finishTime = 30 * time.Second

// finish lets a process end that has no more work.
func (p *process) finish() error {
	p.in.Close()
	timer := time.AfterFunc(finishTime, p.kill)
	defer timer.Stop()
	if err := p.wait(); err != nil {
		return p.end(err)
	}
	return nil
}

// tail keeps the last bytes that a process wrote.
type tail []byte

const tailBytes = 4096

func (t *tail) Write(b []byte) (int, error) {
	if *t = append(*t, b...); len(*t) > tailBytes {
		*t = (*t)[len(*t)-tailBytes:]
	}
	return len(b), nil
}

package shelf

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync/atomic"
)

// Chatty prints, and not to the end of a line.
type Chatty struct{ n atomic.Int64 }

// Add adds one.
func (c *Chatty) Add() int64 {
	fmt.Print("{chatter")
	fmt.Fprintln(os.Stderr, "chatter")
	return c.n.Add(1)
}

// Endless has no bottom.
type Endless struct{ n atomic.Int64 }

// Add adds one.
func (e *Endless) Add() { e.n.Add(1) }

// Fall falls.
func (e *Endless) Fall() int {
	debug.SetMaxStack(1 << 20)
	return e.Fall() + 1
}

// Journal numbers what it writes, in two steps.
type Journal struct{ n atomic.Int64 }

// Print writes the name and the number.
func (j *Journal) Print(w io.Writer, name fmt.Stringer) error {
	n := j.n.Load() + 1
	j.n.Store(n)
	_, err := fmt.Fprint(w, name, n)
	return err
}

// Skip takes the next numbers, as many as there is text.
func (j *Journal) Skip(r io.Reader) error {
	text, err := io.ReadAll(r)
	j.n.Add(int64(len(text)))
	return err
}

// Doorman waits for somebody whom no shim sees.
type Doorman struct{ n atomic.Int64 }

// Wait waits for the operating system.
func (d *Doorman) Wait() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	_, err = r.Read(make([]byte, 1))
	return err
}

// Open counts who comes in, and loses one of two who do so together.
func (d *Doorman) Open() int64 {
	n := d.n.Load() + 1
	d.n.Store(n)
	return n
}

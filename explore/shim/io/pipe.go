package io

import (
	"cmp"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// A pipe is the part that the two ends share. It passes on what is written as the original does: a Write
// waits until one or more calls of Read have taken all of it, or an end is closed.
type pipe struct {
	writing sync.Mutex // one Write after the other
	written chan []byte
	taken   chan int // number of bytes that a Read has taken

	mu       sync.Mutex
	closed   chan struct{} // closed when one end is closed
	once     sync.Once
	ofReader error // error with which the reader was closed
	ofWriter error
}

func (p *pipe) over() bool { return flow.Select(true, flow.Receiving(p.closed)) == 0 }

func (p *pipe) read(b []byte) (n int, err error) {
	if p.over() {
		return 0, p.why(&p.ofReader, &p.ofWriter)
	}
	written := flow.Receiving(p.written)
	if flow.Select(false, written, flow.Receiving(p.closed)) == 1 {
		return 0, p.why(&p.ofReader, &p.ofWriter)
	}
	n = copy(b, written.Value())
	flow.To(p.taken).Send(n)
	return n, nil
}

func (p *pipe) write(b []byte) (n int, err error) {
	if p.over() {
		return 0, p.why(&p.ofWriter, &p.ofReader)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	for once := true; once || len(b) > 0; once = false {
		if flow.Select(false, flow.To(p.written).Case(b), flow.Receiving(p.closed)) == 1 {
			return n, p.why(&p.ofWriter, &p.ofReader)
		}
		took := flow.Receive(p.taken)
		b = b[took:]
		n += took
	}
	return n, nil
}

// close closes an end with an error, if it was not closed with another one.
func (p *pipe) close(end *error, err error) error {
	p.mu.Lock()
	*end = cmp.Or(*end, err)
	p.mu.Unlock()
	p.once.Do(func() { flow.Close(p.closed) })
	return nil
}

// why returns the error of a call at an end if the pipe is closed.
func (p *pipe) why(mine, others *error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if *mine == nil && *others != nil {
		return *others
	}
	return ErrClosedPipe
}

// A PipeReader is the end of a pipe that is read.
type PipeReader struct{ p *pipe }

// Read reads what was written. It waits for a Write, or until an end is closed.
func (r *PipeReader) Read(data []byte) (n int, err error) { return r.p.read(data) }

// Close closes the reader: a Write returns ErrClosedPipe.
func (r *PipeReader) Close() error { return r.CloseWithError(nil) }

// CloseWithError closes the reader: a Write returns err, or ErrClosedPipe.
func (r *PipeReader) CloseWithError(err error) error {
	return r.p.close(&r.p.ofReader, cmp.Or(err, ErrClosedPipe))
}

// A PipeWriter is the end of a pipe that is written.
type PipeWriter struct{ p *pipe }

// Write writes the data. It waits until all of it was read, or until an end is closed.
func (w *PipeWriter) Write(data []byte) (n int, err error) { return w.p.write(data) }

// Close closes the writer: a Read returns EOF.
func (w *PipeWriter) Close() error { return w.CloseWithError(nil) }

// CloseWithError closes the writer: a Read returns err, or EOF.
func (w *PipeWriter) CloseWithError(err error) error {
	return w.p.close(&w.p.ofWriter, cmp.Or(err, EOF))
}

// Pipe makes a pipe without a buffer.
func Pipe() (*PipeReader, *PipeWriter) {
	p := &pipe{written: make(chan []byte), taken: make(chan int), closed: make(chan struct{})}
	return &PipeReader{p}, &PipeWriter{p}
}

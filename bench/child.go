package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Second processes. The program runs itself again with childVariable set; its words are a role and
// what the role is about.
const (
	childVariable = "SAMECYCLE_BENCH_CHILD"
	roleCollect   = "collect" // force collections with a subject loaded, print nanoseconds
	roleGet       = "get"     // get keys of a region's file at full speed
	roleSet       = "set"     // set them
	// chunk is how many keys a child does before it asks whether to stop.
	chunk = 4096
	// collections are forced in one process; the median counts.
	collections = 9
)

var errChild = errors.New("second process failed")

// Child does what a second process is for, if this is one, and never returns then. A program that
// measures calls it first.
func Child() {
	role, about, ok := strings.Cut(os.Getenv(childVariable), " ")
	if !ok {
		return
	}
	err := child(role, about, os.Stdin, os.Stdout)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(role, about string, in io.Reader, out io.Writer) error {
	if role == roleCollect {
		ns, err := collects(about)
		fmt.Fprintln(out, ns)
		return err
	}
	r, err := region.Open(about, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := newWorker(r, role)
	if err != nil {
		return err
	}
	return Serve(in, out, w.some)
}

// collects is the time of a forced collection while the subject has all keys, in nanoseconds.
func collects(name string) (float64, error) {
	var s store
	switch {
	case name == ourName:
		r, err := hopscotch.Heap(layoutFor(Keys, ratedLoad))
		if err != nil {
			return 0, err
		}
		if s, err = newOurs(r); err != nil {
			return 0, err
		}
	case name != "empty":
		all := peers()
		at := slices.IndexFunc(all, func(p peer) bool { return p.name == name })
		if at < 0 || all[at].absent != nil {
			return 0, errAbsent
		}
		var err error
		if s, err = all[at].make(); err != nil {
			return 0, err
		}
	}
	if s != nil {
		s.adds(PresentKeys(Keys))
		if o, ok := s.(*ours); ok {
			clear(o.left)
		}
	}
	runtime.GC()
	var ns []float64
	for range collections {
		start := time.Now()
		runtime.GC()
		ns = append(ns, float64(time.Since(start).Nanoseconds()))
	}
	runtime.KeepAlive(s)
	return Median(ns), nil
}

// childCollects is collects in a process of its own.
func childCollects(ctx context.Context, name string) (ns float64, err error) {
	c, err := command(ctx, roleCollect+" "+name)
	if err != nil {
		return 0, err
	}
	out, err := c.Output()
	if err != nil {
		return 0, fmt.Errorf("%w: %s: %s", errChild, name, strings.TrimSpace(string(out)))
	}
	if _, err := fmt.Sscan(string(out), &ns); err != nil || ns <= 0 {
		return 0, fmt.Errorf("%w: %s printed %q, want nanoseconds", errChild, name, out)
	}
	return ns, nil
}

func command(ctx context.Context, task string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, self)
	c.Env = append(os.Environ(), childVariable+"="+task)
	return c, nil
}

// worker gets or sets the keys of a table, over and over.
type worker struct {
	table  *hopscotch.Table
	handle *hopscotch.Handle // of those that set
	keys   []uint32
	flip   flips
	at     int
}

func newWorker(r *region.Region, role string) (*worker, error) {
	t, err := hopscotch.New(r)
	if err != nil {
		return nil, err
	}
	w := &worker{table: t}
	if role == roleSet {
		if w.handle, err = t.NewHandle(uint64(os.Getpid())); err != nil {
			return nil, err
		}
	}
	for key := range t.All() {
		w.keys = append(w.keys, key)
	}
	if len(w.keys) < chunk {
		return nil, fmt.Errorf("%w: %s has %d keys, %d are the least", errChild, r.File(), len(w.keys), chunk)
	}
	random := generator(uint64(os.Getpid()))
	random.Shuffle(len(w.keys), func(i, j int) { w.keys[i], w.keys[j] = w.keys[j], w.keys[i] })
	return w, nil
}

// some does a chunk of keys.
func (w *worker) some() (ops, wrong int) {
	if w.at+chunk > len(w.keys) {
		w.at = 0
		w.flip.next()
	}
	part := w.keys[w.at : w.at+chunk]
	w.at += chunk
	for _, key := range part {
		if w.handle == nil {
			if v, ok := w.table.Get(key); !ok || wrongValue(key, v) {
				wrong++
			}
		} else if _, ok, err := w.handle.Update(key, key^uint32(w.flip)); !ok || err != nil {
			wrong++
		}
	}
	return len(part), wrong
}

// Serve is what a second process does for the [Other] of the first: it works between the lines "go" and
// "stop" of in. The answers are "going" and "done", with the operations, their nanoseconds, and how many
// results were wrong. Some is called again and again, and does so many operations.
func Serve(in io.Reader, out io.Writer, some func() (ops, wrong int)) error {
	lines := bufio.NewScanner(in)
	var stopped atomic.Bool
	done := make(chan struct{})
	fmt.Fprintln(out, "ready")
	for lines.Scan() {
		switch lines.Text() {
		case "go":
			stopped.Store(false)
			going := make(chan struct{})
			go func() {
				ops, wrong, start := 0, 0, time.Now()
				for ops == 0 || !stopped.Load() {
					n, bad := some()
					if ops == 0 {
						close(going)
					}
					ops, wrong = ops+n, wrong+bad
				}
				fmt.Fprintln(out, "done", ops, time.Since(start).Nanoseconds(), wrong)
				done <- struct{}{}
			}()
			<-going
			fmt.Fprintln(out, "going")
		case "stop":
			stopped.Store(true)
			<-done
		}
	}
	return lines.Err()
}

// Other is a second process that works when it is told to, by [Serve].
type Other struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	rates []float64 // operations a nanosecond, of each time that it worked
}

// startOther is a second process that works on a region's file.
func startOther(ctx context.Context, role, file string) (*Other, error) {
	c, err := command(ctx, role+" "+file)
	if err != nil {
		return nil, err
	}
	return StartOther(c)
}

// StartOther starts a second process, and returns when it is ready.
func StartOther(c *exec.Cmd) (o *Other, err error) {
	c.Env = append(c.Env, "GOMAXPROCS=2") // one for the work, one that hears "stop"
	o = &Other{cmd: c}
	if o.in, err = c.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	o.out = bufio.NewReader(out)
	if err := c.Start(); err != nil {
		return nil, err
	}
	if err := o.expect("ready"); err != nil {
		o.End()
		return nil, err
	}
	return o, nil
}

func (o *Other) expect(want string) error {
	line, err := o.out.ReadString('\n')
	if err != nil || strings.TrimSpace(line) != want {
		return fmt.Errorf("%w: it says %q, want %q", errChild, line, want)
	}
	return nil
}

// Work begins, and returns when the other one is at it.
func (o *Other) Work() error {
	if _, err := io.WriteString(o.in, "go\n"); err != nil {
		return fmt.Errorf("%w: %w", errChild, err)
	}
	return o.expect("going")
}

// Rest ends the work and returns how many results were wrong, at least 1 when it did not do any.
func (o *Other) Rest() (wrong int) {
	_, err := io.WriteString(o.in, "stop\n")
	line := ""
	if err == nil {
		line, err = o.out.ReadString('\n')
	}
	var ops, ns float64
	if _, bad := fmt.Sscanf(line, "done %g %g %d", &ops, &ns, &wrong); err != nil || bad != nil || ns <= 0 {
		return 1
	}
	o.rates = append(o.rates, ops/ns)
	return wrong
}

// End ends the process.
func (o *Other) End() {
	_ = o.in.Close()
	_ = o.cmd.Wait()
}

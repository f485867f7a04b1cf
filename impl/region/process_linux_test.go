package region

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// childProcess is what the second process does in the tests of the process table.
func childProcess(job, argument string) {
	number, path, _ := strings.Cut(argument, " ")
	n, _ := strconv.Atoi(number)
	switch job {
	case "hold": // attach and stay
		r, err := Open(path, Layout{})
		say(err, "holds", r)
	case "inherit": // the same from a file that the parent has opened
		f := os.NewFile(3, "inherited")
		r, err := OpenFile(f, Layout{})
		say(errors.Join(err, f.Close()), "holds", r)
	case "race":
		r, created, err := OpenOrCreate(path, small)
		say(err, fmt.Sprint(created), r)
	case "await": // sleeps on the last word until somebody changes it
		r, err := Open(path, Layout{})
		if err == nil && !r.Await(lastWord(r), 0, time.Minute) {
			err = errors.New("nobody has changed the word")
		}
		say(err, "woken", r)
	case "silent": // changes the last word and dies before it wakes anybody
		r, err := Open(path, Layout{})
		if err == nil {
			lastWord(r).Store(1)
			die()
		}
		say(err, "lives", r)
	case "attach":
		dieAttaching(path, n)
	case "create", "place":
		dieCreating(path, n, job == "place")
	}
	os.Exit(4)
}

// say answers the parent, and waits for its end or its signal.
func say(err error, answer string, r *Region) {
	if err != nil {
		answer = err.Error()
	} else {
		answer = fmt.Sprintf("%s %d", answer, r.Process())
	}
	fmt.Println(answer)
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func die() { _ = unix.Kill(os.Getpid(), unix.SIGKILL) }

// dieAttaching is killed before step n of attaching.
func dieAttaching(path string, n int) {
	r, err := Observe(path)
	if err != nil {
		os.Exit(5)
	}
	layout := r.Layout()
	fd, size, err := openChecked(path, path, openFlags|unix.O_RDWR)
	if err != nil {
		os.Exit(6)
	}
	r = &Region{file: path, fd: fd}
	r.settle(layout)
	if r.mapFile(int(size), unix.PROT_READ|unix.PROT_WRITE) != nil {
		os.Exit(7)
	}
	var found ProcessState
	for i, step := range []func(){
		func() { _, _ = r.lock(0) },
		func() { found = r.describe(0) },
		func() { r.enter(0, found) },
		func() { r.detach() },
	} {
		if i == n {
			die()
		}
		step()
	}
	die()
}

// dieCreating is killed before step n of a creation.
func dieCreating(path string, n int, inPlace bool) {
	c, err := newCreation(path, small)
	if err != nil {
		os.Exit(5)
	}
	steps := append(c.steps(), c.link)
	if inPlace {
		c.r.fd, err = unix.Open(path, openFlags|unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, 0o600)
		steps = c.stepsInPlace()
	} else {
		err = c.openUnseen()
	}
	if err != nil {
		os.Exit(6)
	}
	for i, step := range steps {
		if i == n {
			die()
		}
		if step() != nil {
			os.Exit(7)
		}
	}
	die()
}

// second is another process.
type second struct {
	*exec.Cmd
	in  io.Closer
	out *bufio.Reader
}

func start(t *testing.T, files []*os.File, job, argument string) second {
	t.Helper()
	s, err := launch(t, files, job, argument, func(*exec.Cmd) {})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// launch starts a second process, changed by with; its error is that of the start alone.
func launch(t *testing.T, files []*os.File, job, argument string, with func(*exec.Cmd)) (second, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), childVariable+"="+job+" "+argument)
	c.ExtraFiles = files
	with(c)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s := second{c, in, bufio.NewReader(out)}
	if err := c.Start(); err != nil {
		return s, err
	}
	t.Cleanup(func() { s.kill() })
	return s, nil
}

// answer is the first line that it says: a word and the process that it is.
func (s second) answer(t *testing.T) (string, Process) {
	t.Helper()
	line, err := s.out.ReadString('\n')
	word, number, _ := strings.Cut(strings.TrimSpace(line), " ")
	p, bad := strconv.ParseUint(number, 10, 32)
	if err != nil || bad != nil {
		t.Fatalf("child: %q, %v", line, err)
	}
	return word, Process(p)
}

// kill ends it, and returns when it is dead.
func (s second) kill() {
	_ = s.Process.Kill()
	_ = s.Wait()
}

func alive(t *testing.T, r *Region, p Process, want bool) {
	t.Helper()
	if got, err := r.Alive(p); got != want || err != nil {
		t.Errorf("process %v is alive: %v, %v, want %v", p, got, err, want)
	}
}

// TestProcesses_KilledIsDead: a process that is killed with SIGKILL is dead, at once, for others and
// for an observer; its entry goes to the next, with another epoch.
func TestProcesses_KilledIsDead(t *testing.T) {
	path, r := mustCreate(t)
	o, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	begun := uint64(time.Now().UnixNano())
	child := start(t, nil, "hold", "0 "+path)
	_, p := child.answer(t)
	if p.Index() != 1 || p.Epoch() != 1 {
		t.Errorf("the second process is %v", p)
	}
	alive(t, r, p, true)
	alive(t, o, p, true)
	alive(t, o, r.Process(), true)
	if done, err := r.Clear(p); done || err != nil {
		t.Errorf("cleared a living process: %v, %v", done, err)
	}
	child.kill()
	alive(t, r, p, false)
	alive(t, o, p, false)
	list, err := o.Attachments()
	if err != nil || len(list) != 2 || list[0].Process != r.Process() || !list[0].Alive ||
		list[1].Process != p || list[1].Alive || list[1].Pid != uint64(child.Process.Pid) ||
		list[1].Since < begun || list[1].Since > uint64(time.Now().UnixNano()) {
		t.Errorf("attachments %+v, %v", list, err)
	}

	next := start(t, nil, "hold", "0 "+path)
	_, q := next.answer(t)
	if q != MakeProcess(1, 2) {
		t.Errorf("the next process is %v, want the entry of the dead one with the next epoch", q)
	}
	alive(t, r, p, false)
	alive(t, r, q, true)
	next.kill()
	if done, err := r.Clear(q); !done || err != nil {
		t.Errorf("clear: %v, %v", done, err)
	}
	if list, err := r.Attachments(); len(list) != 1 || err != nil {
		t.Errorf("after the clear: %+v, %v", list, err)
	}
}

// TestProcesses_TwoHandlesAreTwo: two attachments of one process are told apart, and closing one of
// them ends that one only.
func TestProcesses_TwoHandlesAreTwo(t *testing.T) {
	path, a := mustCreate(t)
	b, err := Open(path, Layout{})
	if err != nil {
		t.Fatal(err)
	}
	p, q := a.Process(), b.Process()
	if p == q || p == 0 || q == 0 {
		t.Errorf("processes %v and %v", p, q)
	}
	alive(t, a, q, true)
	alive(t, b, p, true)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	alive(t, a, q, false)
	alive(t, a, p, true)
	if list, err := a.Attachments(); len(list) != 1 || list[0].Process != p || err != nil {
		t.Errorf("after the close of the other one: %+v, %v", list, err)
	}
	if _, err := b.Alive(p); !errors.Is(err, ErrClosed) {
		t.Errorf("on a closed handle: %v", err)
	}
}

// TestProcesses_KilledWhileAttaching: before and after each step; the next process attaches to the
// same entry, and no epoch is given twice.
func TestProcesses_KilledWhileAttaching(t *testing.T) {
	for n := range 5 {
		path, r := mustCreate(t)
		if err := r.Close(); err != nil { // entry 0, epoch 1
			t.Fatal(err)
		}
		start(t, nil, "attach", fmt.Sprintf("%d %s", n, path)).dies(t)
		next, err := Open(path, Layout{})
		if err != nil {
			t.Fatal(err)
		}
		want := MakeProcess(0, 2)
		if n >= 3 {
			want = MakeProcess(0, 3)
		}
		if next.Process() != want {
			t.Errorf("killed before step %d: the next is %v, want %v", n, next.Process(), want)
		}
		alive(t, next, MakeProcess(0, want.Epoch()-1), false)
		if err := next.Close(); err != nil {
			t.Error(err)
		}
	}
}

// dies waits for a child that kills itself.
func (s second) dies(t *testing.T) {
	t.Helper()
	var exit *exec.ExitError
	if err := s.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Errorf("the child should have been killed: %v", err)
	}
}

// TestObserve_LeavesNoTrace: no entry, and no way to write.
func TestObserve_LeavesNoTrace(t *testing.T) {
	path, r := mustCreate(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	if o.Process() != 0 || !o.ReadOnly() || r.ReadOnly() {
		t.Errorf("observer is %v, read-only %v", o.Process(), o.ReadOnly())
	}
	// A plain store: an atomic one is C code of the race detector's under it, from where no fault is a panic.
	if err := o.Guard(func() { o.Words().Plain()[headerWords] = 1 }); !errors.Is(err, ErrFault) {
		t.Errorf("an observer's write: %v", err)
	}
	if _, err := o.Clear(MakeProcess(3, 1)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("an observer's clear: %v", err)
	}
	if alive, err := o.Alive(o.Process()); alive || err != nil { // it can write nothing
		t.Errorf("no process is alive: %v, %v", alive, err)
	}
	if o.Ring(); o.SleepUntilRung(o.Listen(), short, nil) {
		t.Error("an observer hears a ring of nobody")
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the region has changed, %v", err)
	}
}

// TestObserve_LeavesTheBell: an observer wakes nobody, and hears what is rung for others who sleep.
func TestObserve_LeavesTheBell(t *testing.T) {
	path, r := mustCreate(t)
	o, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	r.bell().Store(bellAsleep)
	if o.Ring(); r.bell().Load() != bellAsleep {
		t.Errorf("after the ring of an observer %#x", r.bell().Load())
	}
	if o.SleepUntilRung(o.Listen(), short, nil) || r.bell().Load() != bellAsleep {
		t.Errorf("nobody has rung; the bell is %#x", r.bell().Load())
	}
	rings := make(chan struct{})
	ring := func() bool { // when it can be heard
		time.AfterFunc(short, func() { r.Ring(); close(rings) })
		return false
	}
	if !o.SleepUntilRung(o.Listen(), long, ring) {
		t.Error("the ring for another one was not heard")
	}
	<-rings // before the memory that it is in goes
}

// TestProcesses_FullTableAndDamage: 64 living handles fill the table, 64 dead or damaged entries do
// not; a damaged entry counts for the living while its lock is held.
func TestProcesses_FullTableAndDamage(t *testing.T) {
	path, first := mustCreate(t)
	all := []*Region{first}
	for len(all) < Processes {
		r, err := Open(path, Layout{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if _, err := Open(path, Layout{}); !errors.Is(err, ErrProcesses) {
		t.Errorf("one too many: %v", err)
	}
	for _, r := range all[1:] {
		p := r.Process()
		w := &first.entry(p.Index())[processState]
		w.Store(w.Load() | 1<<63)
		alive(t, first, p, true)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		alive(t, first, p, false)
		if p.Index()%2 == 0 {
			w.Store(^uint64(0))
		}
	}
	list, err := first.Attachments()
	if err != nil || len(list) != Processes || !list[1].Damaged || list[1].Alive {
		t.Errorf("%d attachments, %v", len(list), err)
	}
	for _, a := range list[1:8] {
		if done, err := first.Clear(a.Process); !done || err != nil {
			t.Errorf("clear of the damaged %v: %v, %v", a.Process, done, err)
		}
	}
	for range Processes - 1 {
		r, err := Open(path, Layout{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		alive(t, first, r.Process(), true)
	}
}

// TestProcesses_SurviveGarbage: whatever is in the process table, every call returns, whoever holds
// a lock is alive unless its own entry says otherwise, and a newcomer finds a place.
func TestProcesses_SurviveGarbage(t *testing.T) {
	path, r := mustCreate(t)
	table, err := r.Section(Own, OwnProcesses)
	if err != nil {
		t.Fatal(err)
	}
	own := table[0].Load()
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		for i := range table {
			table[i].Store(random.Uint64() >> random.Uint32N(64))
		}
		table[0].Store(own)
		list, err := r.Attachments()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if a.Alive != (a.Process == r.Process()) {
				t.Fatalf("%+v", a)
			}
			if done, err := r.Clear(a.Process); done == a.Alive || err != nil {
				t.Fatalf("clear of %+v: %v, %v", a, done, err)
			}
		}
		p := Process(random.Uint32())
		alive(t, r, p, p == r.Process())
		next, err := Open(path, Layout{})
		if err != nil {
			t.Fatal(err)
		}
		alive(t, r, next.Process(), true)
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

package caches

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/bench"
)

// What a full cache takes of memory, and of a collection. Each subject has a process of its own, so that
// neither the others' memory nor their garbage counts.

// emptyName is the subject that has no cache.
const emptyName = "no cache"

// childVariable makes the program a second one, which does the task that is in it.
const childVariable = "SAMECYCLE_BENCH_CACHE"

// collections are forced in a process; their median counts.
const collections = 9

// spaceRounds is how many processes each of the two subjects has that are compared by their collections. They
// take turns, because what else the machine does changes the time of a collection by more than a tenth.
const spaceRounds = 7

var errChild = errors.New("second process failed")

// task is what a second process has to do: to fill a cache of its own, or to get from that of the file.
type task struct {
	Name       string
	File       string
	Key, Value int
	Entries    int
}

func (t task) room() room { return room{size{t.Key, t.Value}, t.Entries} }

// Child does what a second process is for, if this is one, and never returns then. A program that measures
// calls it first.
func Child() {
	text, ok := os.LookupEnv(childVariable)
	if !ok {
		return
	}
	var t task
	err := json.Unmarshal([]byte(text), &t)
	switch {
	case err != nil:
	case t.File != "":
		err = getsFrom(t)
	default:
		var f Figure
		if f, err = occupies(t); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(f)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// occupies fills a cache until it evicts, and tells what it takes for each entry that is in it then.
func occupies(t task) (f Figure, err error) {
	f.Subject = t.Name
	if t.Name == emptyName { // all that the others have but the cache
		ids := bench.PresentKeys(uint32(2 * t.Entries))
		w := newWorker(nil, t.room().size)
		debug.FreeOSMemory()
		f.Collect = collect()
		runtime.KeepAlive(ids)
		runtime.KeepAlive(w)
		return f, nil
	}
	k, err := kindOf(t.Name)
	if err != nil {
		return f, err
	}
	n := max(t.Entries/k.fewer, 1)
	ids := bench.PresentKeys(uint32(2 * n))
	if k.unbounded {
		ids = ids[:n]
	}
	debug.FreeOSMemory()
	before, err := residentOf(os.Getpid())
	if err != nil {
		return f, err
	}
	s, err := k.make(room{t.room().size, n})
	if err != nil {
		return f, err
	}
	w := newWorker(s, t.room().size)
	w.fill(ids)
	debug.FreeOSMemory()
	after, err := residentOf(os.Getpid())
	if r, ok := s.(resident); ok && err == nil {
		before = 0
		after, err = r.residentBytes()
	}
	if err != nil {
		return f, errors.Join(err, s.close())
	}
	f.Collect = collect()
	if wrong := w.lookups(ids); wrong > 0 || w.hits == 0 {
		return f, errors.Join(fmt.Errorf("%w: %s: %d of %d values, %d were found", bench.ErrWrong, t.Name,
			wrong, len(ids), w.hits), s.close())
	}
	f.Entries = w.hits
	f.Bytes = bench.Digits((float64(after) - float64(before)) / float64(w.hits))
	return f, s.close()
}

// collect is the time of a forced collection in nanoseconds.
func collect() float64 {
	runtime.GC()
	var ns []float64
	for range collections {
		start := time.Now()
		runtime.GC()
		ns = append(ns, float64(time.Since(start).Nanoseconds()))
	}
	return bench.Digits(bench.Median(ns))
}

// space makes the comparison.
func (r *runner) space(ctx context.Context, c cell) (row Comparison, err error) {
	var tasks []string
	pair := []string{emptyName}
	for _, k := range r.kinds {
		switch err := c.takesPart(k); {
		case err != nil:
			row.Figures = append(row.Figures, Figure{Subject: k.name, NotRun: oneLine(err)})
		case k.name == ours:
			pair = append(pair, ours)
		default:
			tasks = append(tasks, k.name)
		}
	}
	measure := func(name string) (Figure, error) {
		f, err := childOccupies(ctx, task{Name: name, Key: c.size.key, Value: c.size.value,
			Entries: entries(c.size, r.Entries)})
		if err != nil {
			f = Figure{Subject: name, NotRun: oneLine(err)}
		}
		return f, ctx.Err()
	}
	for _, name := range tasks {
		f, err := measure(name)
		if err != nil {
			return row, err
		}
		row.Figures = append(row.Figures, f)
	}
	figures := make([]Figure, len(pair))
	for range spaceRounds {
		for i, name := range pair {
			if figures[i].NotRun != "" {
				continue
			}
			f, err := measure(name)
			if err != nil {
				return row, err
			}
			f.Collections = append(figures[i].Collections, f.Collect)
			f.Collect = bench.Digits(bench.Median(f.Collections))
			figures[i] = f
		}
	}
	row.Figures = append(row.Figures, figures...)
	row.inOrder()
	row.against()
	return row, nil
}

// command is a second process with the task.
func (t task) command(ctx context.Context) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, self)
	c.Env = append(os.Environ(), childVariable+"="+string(text))
	return c, nil
}

// childOccupies is occupies in a process of its own.
func childOccupies(ctx context.Context, t task) (f Figure, err error) {
	c, err := t.command(ctx)
	if err != nil {
		return f, err
	}
	var complaint bytes.Buffer
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		said := strings.TrimSpace(complaint.String())
		return f, fmt.Errorf("%w: %s: %w: %s", errChild, t.Name, err, said)
	}
	if err := json.Unmarshal(out, &f); err != nil || f.Subject != t.Name {
		return f, fmt.Errorf("%w: %s printed %q", errChild, t.Name, out)
	}
	return f, nil
}

// residentOf is the memory of a process that is in the machine's, in bytes.
func residentOf(pid int) (uint64, error) {
	file := fmt.Sprintf("/proc/%d/statm", pid)
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("%s has %q, want at least two numbers", file, text)
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize()), err
}

// scratch is a folder in memory when the system has one, so that no disk is measured.
func scratch(what string) (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "samecycle-bench-"+what+"-"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "samecycle-bench-"+what+"-")
}

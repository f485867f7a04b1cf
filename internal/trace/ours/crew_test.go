package ours

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/trace"
)

// workerVariable says to this binary that it is a worker, and which fault it has.
const workerVariable = "SAMECYCLE_TEST_TRACE_WORKER"

func TestMain(m *testing.M) {
	if fault, ok := os.LookupEnv(workerVariable); ok {
		text := os.Args[len(os.Args)-1]
		if err := withFault(fault, text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// withFault is a worker with a fault: one that sets what nobody should, or dies by itself. None is "".
func withFault(fault, text string) error {
	switch fault {
	case "exits":
		return errors.New("no more")
	case "lies", "alien":
		if fault == "alien" { // what it sets earlier may be evicted
			if err := Worker(text, os.Stdin, os.Stdout); err != nil {
				return err
			}
		}
		var a assignment
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			return err
		}
		c, err := cache.Open(a.Region, cache.Options{})
		if err != nil {
			return err
		}
		key := binary.LittleEndian.AppendUint64(nil, 0)
		if fault == "alien" {
			key = []byte("alien")
		}
		err = errors.Join(c.Set(key, []byte("wrong")), c.Close())
		if err != nil || fault == "alien" {
			return err
		}
	}
	return Worker(text, os.Stdin, os.Stdout)
}

func crewOptions(t *testing.T, fault string) CrewOptions {
	return CrewOptions{Processes: 2, Folder: t.TempDir(), Progress: func(string, float64) {},
		Command: func(assignment string) *exec.Cmd {
			cmd := exec.Command(os.Args[0], assignment)
			cmd.Env = append(os.Environ(), workerVariable+"="+fault)
			return cmd
		}}
}

// TestCrew: all requests of the trace are made, by processes that live and by those that are killed, each one
// once but for those of a part in which a process was killed; the cache is sound in the end.
func TestCrew(t *testing.T) {
	tr := made(t, 500)
	o := crewOptions(t, "")
	o.KillEvery, o.Duration = 60*time.Millisecond, 600*time.Millisecond
	r, err := Crew(t.Context(), tr, tr.Bytes/5, o)
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(len(tr.Requests))
	if len(r.Faults) > 0 || !r.Complete || r.Passes < 1 || r.Requests != uint64(r.Passes)*n ||
		r.Bytes != 500*r.Requests || r.HitBytes != 500*r.Hits || r.Kills == 0 || r.Longest == 0 ||
		r.HitRatio() < 0.3 || r.HitRatio() != r.ByteHitRatio() || r.Objects < 500 ||
		r.Held != 500*uint64(r.Objects) {
		t.Errorf("%+v", r)
	}
	left, err := os.ReadDir(o.Folder)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestCrew_Once: without a duration and deaths the trace is made once.
func TestCrew_Once(t *testing.T) {
	tr := made(t, 500)
	r, err := Crew(t.Context(), tr, tr.Bytes/5, crewOptions(t, ""))
	if err != nil || len(r.Faults) > 0 || r.Passes != 1 || r.Kills != 0 || r.Again != 0 ||
		r.Requests != uint64(len(tr.Requests)) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCrew_Interrupted: it ends soon, with what was done so far.
func TestCrew_Interrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	tr := made(t, 500)
	o := crewOptions(t, "")
	o.Duration, o.KillEvery = time.Hour, 100*time.Millisecond
	begun := time.Now()
	r, err := Crew(ctx, tr, tr.Bytes/5, o)
	if err != nil || r.Complete || len(r.Faults) > 0 || time.Since(begun) > time.Minute {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCanary_Crew: values that are wrong, keys of nobody, and processes that end by themselves are found.
func TestCanary_Crew(t *testing.T) {
	for fault, says := range map[string]string{"exits": "no more", "lies": ErrValue.Error(),
		"alien": "is of no object"} {
		tr := made(t, 500)
		r, err := Crew(t.Context(), tr, tr.Bytes/5, crewOptions(t, fault))
		if err != nil || !strings.Contains(strings.Join(r.Faults, "\n"), says) {
			t.Errorf("%s: %+v, %v", fault, r, err)
		}
	}
	tr := made(t, 500)
	o := crewOptions(t, "exits")
	o.Processes, o.KillEvery = 1, time.Hour
	if r, err := Crew(t.Context(), tr, tr.Bytes/5, o); err != nil || len(r.Faults) == 0 {
		t.Errorf("the one to be killed: %+v, %v", r, err)
	}
}

// TestCrew_Refusals: what cannot be begun is an error.
func TestCrew_Refusals(t *testing.T) {
	tr := made(t, 500)
	o := crewOptions(t, "")
	o.Folder = filepath.Join(o.Folder, "missing")
	if _, err := Crew(t.Context(), tr, tr.Bytes/5, o); err == nil ||
		!strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("no folder: %v", err)
	}
	o = crewOptions(t, "")
	o.Command = func(string) *exec.Cmd { return exec.Command(filepath.Join(o.Folder, "missing")) }
	if _, err := Crew(t.Context(), tr, tr.Bytes/5, o); err == nil ||
		!strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("no program: %v", err)
	}
	if _, err := Crew(t.Context(), tr, 1, crewOptions(t, "")); err == nil {
		t.Error("a cache of 1 byte")
	}
}

// TestWorker_Refusals: an assignment that no crew has made.
func TestWorker_Refusals(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "trace")
	if err := storeTrace(good, &trace.Trace{Sizes: []uint32{5, 6}, Requests: []uint32{0, 1, 0}}); err != nil {
		t.Fatal(err)
	}
	back, err := loadTrace(good)
	if err != nil || !slices.Equal(back.Sizes, []uint32{5, 6}) ||
		!slices.Equal(back.Requests, []uint32{0, 1, 0}) {
		t.Errorf("%+v, %v", back, err)
	}
	for name, words := range map[string][]uint32{"short": {1}, "none": {0, 1}, "sizes": {9, 1},
		"object": {1, 5, 1}} {
		var text []byte
		for _, w := range words {
			text = binary.LittleEndian.AppendUint32(text, w)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadTrace(filepath.Join(folder, name)); !errors.Is(err, ErrAssignment) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"", "{}", "x", `{"region": "x"}`} {
		if err := Worker(text, nil, nil); !errors.Is(err, ErrAssignment) {
			t.Errorf("%q: %v", text, err)
		}
	}
	c, err := cache.Open("", cache.Options{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	x := New(c, 6)
	var in, out bytes.Buffer
	for _, p := range []part{{0, 3}, {1, 2}} {
		if err := binary.Write(&in, binary.LittleEndian, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.serve(back, &in, &out); err != nil {
		t.Fatal(err)
	}
	var a, b answer
	_ = binary.Read(&out, binary.LittleEndian, &a)
	_ = binary.Read(&out, binary.LittleEndian, &b)
	if a.Requests != 3 || a.Hits != 1 || a.Bytes != 16 || a.HitBytes != 5 || b.Requests != 1 || b.Hits != 1 ||
		a.Longest == 0 {
		t.Errorf("%+v, %+v", a, b)
	}
	for _, p := range []part{{2, 1}, {0, 4}} {
		_ = binary.Write(&in, binary.LittleEndian, p)
		if err := x.serve(back, &in, &out); !errors.Is(err, ErrAssignment) {
			t.Errorf("%v: %v", p, err)
		}
		in.Reset()
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// TestQueue: parts come in their order, those of the dead come again, and who has none waits while one may
// come back.
func TestQueue(t *testing.T) {
	passes := 0
	q := newQueue(partRequests+1, func() bool { passes++; return passes == 2 })
	want := []part{{0, partRequests}, {partRequests, partRequests + 1}}
	for range 2 {
		for _, w := range want {
			if p, ok := q.take(); !ok || p != w {
				t.Errorf("%v, %t, want %v", p, ok, w)
			}
		}
	}
	q.done(want[0], false)
	q.done(want[1], false)
	q.done(want[0], false)
	got := make(chan part)
	go func() {
		p, _ := q.take()
		got <- p
	}()
	select {
	case p := <-got:
		t.Fatalf("%v comes, while another may come back", p)
	case <-time.After(50 * time.Millisecond):
	}
	q.done(want[1], true)
	if p := <-got; p != want[1] {
		t.Errorf("%v comes again, want %v", p, want[1])
	}
	q.done(want[1], false)
	if p, ok := q.take(); ok {
		t.Errorf("%v comes behind the end", p)
	}
	if n, at := q.state(); n != 2 || at != 0 {
		t.Errorf("%d passes, at %d", n, at)
	}
	q = newQueue(5, func() bool { return false })
	q.stop()
	if p, ok := q.take(); ok {
		t.Errorf("%v comes, though nothing is to be done any more", p)
	}
}

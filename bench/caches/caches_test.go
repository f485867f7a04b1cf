package caches

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/bench"
)

// The test binary is its own second process.
func TestMain(m *testing.M) {
	Child()
	os.Exit(m.Run())
}

// each runs a test on a store of each kind that is in this build.
func each(t *testing.T, r room, f func(t *testing.T, k kind, s store)) {
	t.Helper()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			if k.make == nil {
				t.Skip("NOT RUN: " + errAbsent.Error())
			}
			s, err := k.make(r)
			if err != nil {
				if errors.Is(err, exec.ErrNotFound) { // a server that is there has to start
					t.Skip("NOT RUN: " + err.Error())
				}
				t.Fatal(err)
			}
			f(t, k, s)
			if f, ok := s.(failing); ok && f.failure() != nil {
				t.Error(f.failure())
			}
			if err := s.close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Each store returns the bytes that were set last, and nothing for what was never set or was removed.
func TestStores_DoTheSame(t *testing.T) {
	for _, z := range []size{small, middle, large} {
		each(t, room{z, 1 << 14}, func(t *testing.T, _ kind, s store) {
			w := newWorker(s, z)
			ids := bench.PresentKeys(100)
			w.fill(ids)
			w.assign(ids[:50], flipped)
			s.settle()
			if n := w.stale(ids[:50], flipped) + w.stale(ids[50:], straight); n != 0 {
				t.Errorf("%d of 100 values are not the last ones", n)
			}
			if n := w.lookups(ids); n != 0 || w.hits != 100 {
				t.Errorf("of 100 keys %d are found, %d values are wrong", w.hits, n)
			}
			if n := w.misses(bench.AbsentDraws(100, 100)); n != 0 {
				t.Errorf("%d keys are found that were never set", n)
			}
			for _, id := range ids[:30] {
				w.name(id)
				s.remove(w.key)
			}
			s.settle()
			if n := w.misses(ids[:30]); n != 0 {
				t.Errorf("%d of 30 removed keys are found", n)
			}
			w.hits = 0
			if n := w.lookups(ids[30:]); n != 0 || w.hits != 70 {
				t.Errorf("of the 70 other keys %d are found, %d values are wrong", w.hits, n)
			}
		})
	}
}

// A store that evicts has no more than a few times the entries it has room for, though it was given eight
// times as many; one that does not has all. A bound in bytes is not exact, and memcached has 16 MiB more.
func TestStores_Evict(t *testing.T) {
	const room4K = 4 << 10
	each(t, room{large, room4K}, func(t *testing.T, k kind, s store) {
		n := 8 * room4K
		if k.unbounded {
			n = room4K
		}
		ids := bench.PresentKeys(uint32(n))
		w := newWorker(s, large)
		w.fill(ids)
		wrong := w.lookups(ids)
		if wrong != 0 {
			t.Errorf("%d wrong values", wrong)
		}
		if k.unbounded != (w.hits == n) || !k.unbounded && w.hits > 3*room4K || w.hits == 0 {
			t.Errorf("%d of %d keys are found; there is room for %d", w.hits, n, room4K)
		}
	})
}

// liar is a store that does something to each value that it returns.
type liar struct {
	store
	lie func(value []byte) []byte
}

func (l liar) get(key, dst []byte) ([]byte, bool) {
	v, ok := l.store.get(key, dst)
	if ok {
		v = l.lie(slices.Clone(v))
	}
	return v, ok
}

// lies that the measurements must find out.
var lies = map[string]func(v []byte) []byte{
	"no lie":          func(v []byte) []byte { return v },
	"a middle byte":   func(v []byte) []byte { v[len(v)/2]++; return v },
	"the first byte":  func(v []byte) []byte { v[0]++; return v },
	"the last byte":   func(v []byte) []byte { v[len(v)-1]++; return v },
	"a byte less":     func(v []byte) []byte { return v[:len(v)-1] },
	"half of another": func(v []byte) []byte { write(v[:16], 77, straight); return v },
	"another's":       func(v []byte) []byte { write(v, 77, straight); return v },
	"nothing":         func([]byte) []byte { return nil },
}

// A comparison has no figure of a store that returns wrong bytes, and says why.
func TestTiming_FindsLies(t *testing.T) {
	for name, lie := range lies {
		k := kind{name: ours, fewer: 1, slower: 1, make: func(room) (store, error) {
			s, err := newSync[[8]byte](room{})
			return liar{s, lie}, err
		}}
		r := runner{Options: Options{Rounds: 1, Entries: 1 << 10, Ops: 1 << 10}, kinds: []kind{k}}
		for _, work := range []string{getUniform, setExisting, latencyGet} {
			compare := r.timing
			if work == latencyGet {
				compare = r.latency
			}
			c := cell{name: work, work: work, size: small, goroutines: 1}
			row, err := compare(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			f := row.Figures[0]
			found := strings.Contains(f.NotRun, bench.ErrWrong.Error())
			if found != (name != "no lie") || found != (f.NS == 0) {
				t.Errorf("%s in %s: %+v", name, work, f)
			}
		}
		if err := r.held.release(); err != nil {
			t.Error(err)
		}
	}
}

// forgetful is a store that loses half of what is set, and lazy one whose sets come later, if at all.
type forgetful struct{ store }

func (f forgetful) set(key, value []byte) bool { return value[0]%2 == 0 || f.store.set(key, value) }

type lazy struct {
	store
	sets map[string]bool
}

func (l lazy) set(key, value []byte) bool {
	if !l.sets[string(key)] {
		l.sets[string(key)] = true
		return l.store.set(key, value)
	}
	return true
}

// A store that has room and still loses keys has no figure, nor has one that keeps old values.
func TestTiming_FindsLosses(t *testing.T) {
	for name, c := range map[string]struct {
		work string
		wrap func(s store) store
	}{
		"forgetful": {getUniform, func(s store) store { return forgetful{s} }},
		"lazy":      {setExisting, func(s store) store { return lazy{s, map[string]bool{}} }},
	} {
		k := kind{name: ours, fewer: 1, slower: 1, make: func(room) (store, error) {
			s, err := newSync[[8]byte](room{})
			return c.wrap(s), err
		}}
		r := runner{Options: Options{Rounds: 2, Entries: 1 << 10, Ops: 1 << 10}, kinds: []kind{k}}
		row, err := r.timing(context.Background(), cell{work: c.work, size: small, goroutines: 1})
		if err != nil || !strings.Contains(row.Figures[0].NotRun, bench.ErrWrong.Error()) {
			t.Errorf("%s: %+v, %v", name, row, err)
		}
	}
}

// The ring of the chase passes each line once.
func TestChase_IsOneRing(t *testing.T) {
	c := newChase(64 * 100)
	seen := map[uint64]bool{}
	for range 100 {
		c.run(1)
		seen[c.at] = true
	}
	if len(seen) != 100 || c.at != 0 {
		t.Errorf("100 steps come to %d lines and end at %d", len(seen), c.at)
	}
}

// few are comparisons of little caches.
func few(dir string, only ...string) Options {
	return Options{Root: "../..", Dir: dir, Only: only, Rounds: 2, Entries: 1 << 11, Ops: 1 << 10,
		Subjects: []string{"golang-lru"}, Say: func(string, ...any) {}}
}

// A run of some comparisons leaves the others; page and pictures have what was measured.
func TestRun_KeepsOtherRows(t *testing.T) {
	dir := t.TempDir()
	for _, only := range []string{"get/zipf/8+64/1", "set/new/8+64/1", "latency/get", "space/8+64/1"} {
		if err := Run(context.Background(), few(dir, only)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := read(filepath.Join(dir, jsonFile))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range r.Comparisons {
		found = append(found, c.Name)
		for _, f := range c.Figures {
			if f.NotRun != "" || f.NS <= 0 && f.Collect <= 0 {
				t.Errorf("%s: %+v", c.Name, f)
			}
		}
		if c.find(reference) == nil || c.find("golang-lru") == nil {
			t.Errorf("%s has %+v", c.Name, c.Figures)
		}
	}
	want := []string{"get/zipf/8+64/1", "latency/get/8+64/1", "set/new/8+64/1", "space/8+64/1"}
	if !slices.Equal(found, want) {
		t.Errorf("the results have %v, want %v", found, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, pageFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(found, "-rounds 2", bench.Commit("../.."), "go1.", "golang-lru", reference) {
		if !strings.Contains(string(text), s) {
			t.Errorf("the page lacks %q", s)
		}
	}
	for _, file := range []string{timesFile, latencyFile, goalsFile} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

// A second process gets what this one has set, from the file; one whose keys are gone is found out.
func TestProcesses_ShareAFile(t *testing.T) {
	for _, in := range []int{1 << 11, 1 << 10} {
		file := filepath.Join(t.TempDir(), "cache")
		s, err := newOurs(file, room{small, 1 << 12})
		if err != nil {
			t.Fatal(err)
		}
		newWorker(s, small).fill(bench.PresentKeys(uint32(in)))
		c, err := task{Name: ours, File: file, Key: 8, Value: 64, Entries: 1 << 11}.command(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		o, err := bench.StartOther(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Work(); err != nil {
			t.Error(err)
		}
		if wrong := o.Rest(); (wrong == 0) != (in == 1<<11) {
			t.Errorf("%d of 2048 keys are in, and of its results %d are wrong", in, wrong)
		}
		o.End()
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

// An interrupt keeps the comparisons that are complete, and their page.
func TestRun_Interrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	o := few(dir, "get/zipf/8+64/1", "get/miss/8+64/1")
	begun := 0
	o.Say = func(string, ...any) {
		if begun++; begun == 2 {
			stop()
		}
	}
	err := Run(ctx, o)
	if err == nil || !strings.Contains(err.Error(), "interrupted in get/miss/8+64/1") {
		t.Errorf("%v", err)
	}
	r, err := read(filepath.Join(dir, jsonFile))
	if err != nil || len(r.Comparisons) != 1 || r.Comparisons[0].find(reference) == nil {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := os.Stat(filepath.Join(dir, pageFile)); err != nil {
		t.Error(err)
	}
}

func TestRun_RefusesNames(t *testing.T) {
	if err := Run(context.Background(), Options{Only: []string{"got"}}); !errors.Is(err, errOnly) {
		t.Errorf("%v, want %v", err, errOnly)
	}
	if err := Run(context.Background(), Options{Subjects: []string{"fast"}}); !errors.Is(err, errSubject) {
		t.Errorf("%v, want %v", err, errSubject)
	}
}

// A comparison that could not be made takes the place of none that was.
func TestKeep_WhatWasMeasured(t *testing.T) {
	dir, name := t.TempDir(), cells()[0].name
	for _, row := range []Comparison{{Name: name, NotRun: "busy"}, {Name: name, Load: "1"},
		{Name: name, NotRun: "busy"}, {Name: "not in the plan"}} {
		if err := keep(dir, row); err != nil {
			t.Fatal(err)
		}
	}
	r, err := read(filepath.Join(dir, jsonFile))
	if err != nil || len(r.Comparisons) != 1 || r.Comparisons[0].Load != "1" {
		t.Errorf("%v, %+v", err, r)
	}
}

// Goals are judged by the median of the rounds' ratios, and one without a figure is NOT RUN.
func TestRows_Judge(t *testing.T) {
	figures := func(mine, theirs []float64) []Figure {
		return []Figure{{Subject: ours, NS: 1, Rounds: mine}, {Subject: reference, NS: 1, Rounds: theirs}}
	}
	r := Results{Comparisons: []Comparison{
		{Name: "get/uniform/8+64/1", Figures: figures([]float64{60, 70, 900}, []float64{100, 100, 1000})},
		{Name: "get/zipf/8+64/1", Figures: figures([]float64{60, 60}, []float64{100, 100})},
		{Name: "get/miss/8+64/1", NotRun: "busy"},
	}}
	verdicts := map[string]string{}
	for _, row := range rows(r) {
		gap, ok := row.Gap()
		switch {
		case !ok:
			verdicts[row.Name] = row.NotRun
		case gap <= 1:
			verdicts[row.Name] = "met"
		default:
			verdicts[row.Name] = "missed"
		}
	}
	for name, want := range map[string]string{
		"get/uniform/8+64/1/fastcache": "missed", "get/zipf/8+64/1/fastcache": "met",
		"get/miss/8+64/1/fastcache": "busy", "get/uniform/8+64/1/chase": "chase: not measured yet",
		"set/new/8+64/1/freecache": "not measured yet",
	} {
		if verdicts[name] != want {
			t.Errorf("%s is %q, want %q", name, verdicts[name], want)
		}
	}
}

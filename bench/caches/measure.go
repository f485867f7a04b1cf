package caches

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/samecycle/samecycle/bench"
)

// chaseName is the subject that no cache can be faster than.
const chaseName = "chase"

// lineName is the subject that reads random lines, which overlap: the floor of a get of many keys.
const lineName = "line"

// clockName is the subject that does nothing between two readings of the clock.
const clockName = "clock"

// held are the stores of the cells before, as long as nobody has written to them.
type held struct {
	cell   cell
	stores map[string]*loaded
}

// release closes them.
func (h *held) release() error {
	var failed []error
	for _, l := range h.stores {
		failed = append(failed, l.close())
	}
	if len(h.stores) > 0 {
		h.stores = nil
		runtime.GC()
		debug.FreeOSMemory()
	}
	return errors.Join(failed...)
}

// take are the stores of a cell: of the kinds that take part, in their order. The others' figures say why
// they do not.
func (r *runner) take(ctx context.Context, c cell) (some []*loaded, others []Figure, err error) {
	if !r.held.cell.startsAs(c) {
		if err := r.held.release(); err != nil {
			return nil, nil, err
		}
	}
	if r.held.stores == nil {
		r.held = held{c, map[string]*loaded{}}
	}
	for _, k := range r.kinds {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		l, why := r.held.stores[k.name], c.takesPart(k)
		if why == nil && l == nil {
			l = c.load(k, r.Entries)
			r.held.stores[k.name] = l
		}
		if why == nil {
			why = l.err
		}
		if why != nil {
			others = append(others, Figure{Subject: k.name, NotRun: oneLine(why)})
			continue
		}
		l.restart()
		some = append(some, l)
	}
	return some, others, nil
}

// subjects are those of a cell, and for each figure the place of its subject: on several goroutines, each
// store is measured on one right before it is on two.
type subjects struct {
	all    []bench.Subject
	stores []*loaded
	cpu    [][]float64 // of each subject, processor time of all threads, by pass
	halves []*bench.Halves
}

// timing makes the comparisons of times.
func (r *runner) timing(ctx context.Context, c cell) (row Comparison, err error) {
	stores, others, err := r.take(ctx, c)
	if err != nil {
		return row, err
	}
	row.Figures = others
	var s subjects
	for _, l := range stores {
		if c.goroutines == 2 {
			s.two(c, l, r.Ops)
		} else {
			s.one(c, l, r.Ops)
		}
	}
	if c.goroutines == 1 && (c.work == getUniform || c.work == getBatch) {
		s.floors(c, r.Options)
	}
	var gate bench.Gate
	if c.goroutines == 2 {
		gate = (&bench.SpinGate{}).Gate
	}
	found, err := bench.Rounds(ctx, r.Rounds, gate, s.all...)
	if errors.Is(err, bench.ErrLoaded) {
		row.NotRun = oneLine(err)
		return row, nil
	}
	if err != nil {
		return row, err
	}
	step := c.goroutines
	for i := 0; i < len(found); i += step {
		f := figure(found[i+step-1], s.cpu[i+step-1])
		if step == 2 && f.NotRun == "" {
			f.Scaling = bench.Digits(bench.Median(bench.Ratios(found[i].NS, found[i+1].NS)))
		}
		if l := s.stores[i]; l != nil {
			f.counts(l)
		}
		row.Figures = append(row.Figures, f)
	}
	row.inOrder()
	row.against()
	return row, nil
}

// add is a subject whose passes tell what all threads of the process took, too.
func (s *subjects) add(l *loaded, b bench.Subject) {
	at := len(s.all)
	run := b.Run
	b.Run = func() int {
		before := processTime()
		wrong := run()
		s.cpu[at] = append(s.cpu[at], float64(processTime()-before)/float64(b.Ops))
		return wrong
	}
	s.all, s.stores, s.cpu = append(s.all, b), append(s.stores, l), append(s.cpu, nil)
}

func (s *subjects) one(c cell, l *loaded, ops int) {
	ids, do := c.draws(l, ops)
	b := bench.Subject{Name: l.name, Ops: len(ids), Together: l.served,
		Prepare: func() error { l.flip = ^l.flip; return l.failure() },
		Run:     func() int { l.who[0].away = 0; return do(0, ids) },
		Check:   func() int { return c.check(l, ids) }}
	if l.batched {
		b.Adjust = func(float64) float64 { return float64(l.who[0].away) / float64(len(ids)) }
	}
	s.add(l, b)
}

// floors are what no get can be faster than, on a block of as many bytes as the entries have.
func (s *subjects) floors(c cell, o Options) {
	ch := newChase(entries(c.size, o.Entries) * (c.size.key + c.size.value + overhead))
	ids := bench.UniformDraws(bench.PresentKeys(uint32(o.Entries)), o.Ops)
	s.add(nil, bench.Subject{Name: chaseName, Ops: o.Ops, Run: func() int { return ch.run(o.Ops) }})
	s.add(nil, bench.Subject{Name: lineName, Ops: o.Ops, Run: func() int { return ch.random(ids) }})
}

// two are both processors one after the other, and both at once.
func (s *subjects) two(c cell, l *loaded, ops int) {
	ids, do := c.draws(l, ops)
	h := bench.Halved(ids, do)
	prepare := func() error { l.flip = ^l.flip; return nil }
	check := func() int { return c.check(l, ids) }
	s.add(l, bench.Subject{Name: l.name, Ops: len(ids), Together: true, Prepare: prepare, Check: check,
		Run: h.Apart, Adjust: h.One})
	s.add(l, bench.Subject{Name: l.name, Ops: len(ids), Together: true, Prepare: prepare, Check: check,
		Run: h.Together, Adjust: h.Two})
}

// figure is the medians of a sample.
func figure(s bench.Sample, cpu []float64) Figure {
	f := Figure{Subject: s.Name}
	if s.Err != nil {
		f.NotRun = oneLine(s.Err)
		return f
	}
	f.NS, f.Allocs = bench.Digits(bench.Median(s.NS)), bench.Digits(bench.Median(s.Allocs))
	for _, ns := range s.NS {
		f.Rounds = append(f.Rounds, bench.Digits(ns))
	}
	if len(cpu) > len(s.NS) {
		f.CPU = bench.Digits(bench.Median(cpu[len(cpu)-len(s.NS):]))
	}
	return f
}

// counts tells what share of the gets found their key, and of the sets was taken.
func (f *Figure) counts(l *loaded) {
	a, b := l.who[0], l.who[1]
	if gets := a.gets + b.gets; gets > 0 {
		f.Hits = bench.Digits(float64(a.hits+b.hits) / float64(gets))
	}
	if sets := a.sets + b.sets; sets > 0 {
		f.Taken = bench.Digits(float64(a.taken+b.taken) / float64(sets))
	}
}

// latency makes the comparisons of percentiles.
func (r *runner) latency(ctx context.Context, c cell) (row Comparison, err error) {
	stores, others, err := r.take(ctx, c)
	if err != nil {
		return row, err
	}
	row.Figures = others
	s := subjects{}
	var logs []*latencies
	for _, l := range stores {
		ids, _ := c.draws(l, r.Ops)
		call, log := l.who[0].get, newLatencies()
		if c.work == latencySet {
			call = func(uint32) int { return l.who[0].fresh(1) }
		}
		logs = append(logs, log)
		s.add(l, bench.Subject{Name: l.name, Ops: len(ids), Together: l.served, Prepare: log.begin,
			Run:   func() int { return timed(log.now, ids, call) },
			Check: func() int { log.end(); return c.check(l, ids) }})
	}
	ids, log := bench.AbsentDraws(1, r.Ops), newLatencies()
	logs = append(logs, log)
	s.add(nil, bench.Subject{Name: clockName, Ops: len(ids), Prepare: log.begin,
		Run:   func() int { return timed(log.now, ids, func(uint32) int { return 0 }) },
		Check: func() int { log.end(); return 0 }})
	found, err := bench.Rounds(ctx, r.Rounds, nil, s.all...)
	if err != nil {
		return row, err
	}
	for i, sample := range found {
		f := figure(sample, s.cpu[i])
		if f.NotRun == "" {
			logs[i].tell(&f)
		}
		if l := s.stores[i]; l != nil {
			f.counts(l)
		}
		row.Figures = append(row.Figures, f)
	}
	row.inOrder()
	row.against()
	return row, nil
}

// latencies are the histograms of one subject.
type latencies struct {
	now    *hdrhistogram.Histogram // of the pass that runs
	rounds [][]float64             // the percentiles of each pass
	all    *hdrhistogram.Histogram // of all passes but the first
}

// percentiles that are told of each subject, in percent.
var percentiles = []float64{50, 99, 99.9}

// curve are those of the picture.
var curve = []float64{1, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9, 99.95, 99.975, 99.99, 99.999}

func newLatencies() *latencies { return &latencies{now: newHistogram(), all: newHistogram()} }

func (l *latencies) begin() error { l.now.Reset(); return nil }

func (l *latencies) end() {
	var p []float64
	for _, q := range percentiles {
		p = append(p, float64(l.now.ValueAtPercentile(q)))
	}
	if l.rounds != nil {
		l.all.Merge(l.now)
	}
	l.rounds = append(l.rounds, p)
}

// tell fills the figure; the first pass does not count.
func (l *latencies) tell(f *Figure) {
	for i := range percentiles {
		var ns []float64
		for _, round := range l.rounds[1:] {
			ns = append(ns, round[i])
		}
		f.Percentiles = append(f.Percentiles, bench.Median(ns))
		f.roundPercentiles = append(f.roundPercentiles, ns)
	}
	for _, q := range curve {
		f.Curve = append(f.Curve, float64(l.all.ValueAtPercentile(q)))
	}
	f.Max = float64(l.all.Max())
}

// percentName is "p99.9".
func percentName(q float64) string { return fmt.Sprintf("p%g", q) }

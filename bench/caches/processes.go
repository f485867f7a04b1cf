package caches

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/impl/cache"
)

// Two processes that have one file of ours open.

// getsChunk is how many gets a second process makes before it asks whether to stop.
const getsChunk = 1 << 12

// getsFrom is the second process: it gets all keys in an order of its own, over and over.
func getsFrom(t task) error {
	c, err := cache.Attach(t.File, cache.Options{})
	if err != nil {
		return err
	}
	s := &oursStore{c: c}
	w := newWorker(s, t.room().size)
	ids := bench.PresentKeys(uint32(t.Entries))
	random := rand.New(rand.NewPCG(bench.Seed, uint64(os.Getpid())))
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	at := 0
	err = bench.Serve(os.Stdin, os.Stdout, func() (ops, wrong int) {
		part := ids[at:min(at+getsChunk, len(ids))]
		at = (at + len(part)) % len(ids)
		hits := w.hits
		wrong = w.lookups(part)
		return len(part), wrong + len(part) - (w.hits - hits)
	})
	return errors.Join(err, s.failure(), s.close())
}

// processes compares two processes that get with one. Nobody sets, so each key is found.
func (r *runner) processes(ctx context.Context, c cell) (row Comparison, err error) {
	dir, err := scratch("file")
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t := task{Name: ours, File: filepath.Join(dir, "cache"), Key: c.size.key, Value: c.size.value,
		Entries: entries(c.size, r.Entries)}
	roomy := t
	roomy.Entries += roomy.Entries / 2
	s, err := newOurs(t.File, roomy.room())
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	w := newWorker(s, c.size)
	ids := bench.PresentKeys(uint32(t.Entries))
	w.fill(ids)
	command, err := t.command(ctx)
	if err != nil {
		return row, err
	}
	o, err := bench.StartOther(command)
	if err != nil {
		return row, err
	}
	defer o.End()
	draws := bench.UniformDraws(ids, r.Ops)
	gets := bench.Subject{Name: ours, Ops: len(draws), Together: true,
		Run: func() int { return w.lookups(draws) }}
	two, one, _, err := o.Pair(ctx, r.Rounds, (&bench.SpinGate{}).Gate, gets, gets)
	if errors.Is(err, bench.ErrLoaded) {
		row.NotRun = oneLine(err)
		return row, nil
	}
	if err != nil {
		return row, err
	}
	f := figure(two, nil)
	f.Scaling = bench.Digits(bench.Median(bench.Ratios(one.NS, two.NS)))
	row.Figures = []Figure{f}
	return row, nil
}

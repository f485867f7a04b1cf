package bench

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Two at once: a get while another process writes, and two that get over one that does.

const (
	goalWriter  = 1.2 // of the time without a writer
	goalScaling = 1.9 // times the throughput of one
)

func twoCells() []cell {
	return []cell{writerCell(), processesCell(), goroutinesCell("file"), goroutinesCell("huge")}
}

func writerCell() cell {
	const name = "index/writer/get/load90/file"
	c := cell{part: "index/writer", rows: []Row{versus(name, "idle", "ns/op").atMost(goalWriter)}}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, err := b.tableOf("file", ratedLoad)
		if err != nil {
			return nil, err
		}
		o, err := startOther(ctx, roleSet, t.region.File())
		if err != nil {
			return nil, err
		}
		defer o.End()
		spin := &SpinGate{}
		return b.compare(ctx, contest{name: name, rows: c.rows, note: t.note, gate: spin.Gate,
			subjects: besideAndAlone(t, o, "idle"), after: func() string {
				return fmt.Sprintf("the other process sets all keys in random order, one in %.0f ns; %s",
					1/Median(o.rates), spin)
			}})
	}
	return c
}

// besideAndAlone are gets while the other process works, and while it rests.
func besideAndAlone(t *filled, o *Other, alone string) []Subject {
	keys := UniformDraws(t.in, Keys)
	gets := func() int { return t.gets(keys, true) }
	return []Subject{
		{Name: ourName, Ops: len(keys), Together: true, Prepare: o.Work, Run: gets, Check: o.Rest},
		{Name: alone, Ops: len(keys), Together: true, Run: gets},
	}
}

func processesCell() cell {
	const name = "index/scaling/processes/load90/file"
	c := cell{part: "index/scaling", rows: []Row{
		versus(name, "one", "gets/us").atLeast(goalScaling)}}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, err := b.tableOf("file", ratedLoad)
		if err != nil {
			return nil, err
		}
		o, err := startOther(ctx, roleGet, t.region.File())
		if err != nil {
			return nil, err
		}
		defer o.End()
		spin := &SpinGate{}
		subjects := besideAndAlone(t, o, "one")
		two, one, samples, err := o.Pair(ctx, b.Rounds, spin.Gate, subjects[0], subjects[1])
		if err != nil {
			return nil, err
		}
		b.keep(name, samples)
		note := fmt.Sprintf("one is the middle of both alone, %.3g and %.3g ns; %s; %s",
			Median(samples[1].NS), Median(samples[2].NS), spin, t.note)
		return []Row{c.rows[0].throughput(two, one, note)}, nil
	}
	return c
}

// Pair measures what this process and the other one do at once, and what each does alone. beside and alone
// are this one's passes of the same work; beside has the other one at it. two and one have the time of an
// operation of both together, and of the middle of both alone; samples are those that were measured.
func (o *Other) Pair(ctx context.Context, rounds int, gate Gate, beside, alone Subject) (two, one Sample,
	samples []Sample, err error) {
	last := func() float64 { return o.rates[len(o.rates)-1] }
	beside.Prepare, beside.Check = o.Work, o.Rest
	beside.Adjust = func(ns float64) float64 { return 1 / (1/ns + last()) }
	theirs := Subject{Name: "the other one", Ops: 1, Together: true, Prepare: o.Work, Check: o.Rest,
		Run:    func() int { time.Sleep(otherAlone); return 0 },
		Adjust: func(float64) float64 { return 1 / last() }}
	samples, err = Rounds(ctx, rounds, gate, beside, alone, theirs)
	if err == nil {
		err = firstError(samples...)
	}
	if err != nil {
		return two, one, nil, err
	}
	return samples[0], middle(samples[1], samples[2]), samples, nil
}

// otherAlone is for how long the other process works alone.
const otherAlone = 100 * time.Millisecond

// middle has the throughput between those of the samples, round by round: two processes that are not
// equally fast alone do not become twice one by adding the faster one.
func middle(a, b Sample) Sample {
	m := Sample{Name: a.Name, Ops: a.Ops, Err: firstError(a, b)}
	for i := range min(len(a.NS), len(b.NS)) {
		m.NS = append(m.NS, 2/(1/a.NS[i]+1/b.NS[i]))
	}
	return m
}

// throughput fills a row with how many times as much two do as one; the samples have the time of an
// operation of both together.
func (r Row) throughput(two, one Sample, note string) Row {
	r = r.timed(one, two, note)
	r.NS, r.PeerNS = r.PeerNS, r.NS
	if r.NotRun == "" {
		r.Value, r.Peer = 1000/r.NS, 1000/r.PeerNS
	}
	return r
}

// goroutinesCell compares two goroutines with one. What the peers and the limit come to in the same
// rounds tells how much of a gap is the machine's.
func goroutinesCell(mem string) cell {
	name := "index/scaling/goroutines/" + tableName(ratedLoad, mem)
	c := cell{part: "index/scaling", rows: []Row{
		versus(name, "one", "gets/us").atLeast(goalScaling)}}
	c.rows = append(c.rows, versusAll(name, rivalNames(), "times", "", 0)...)
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, err := b.tableOf(mem, ratedLoad)
		if err != nil {
			return nil, err
		}
		spin := &SpinGate{}
		subjects, without := b.ones(t)
		samples, err := Rounds(ctx, b.Rounds, spin.Gate, subjects...)
		if err != nil {
			return nil, err
		}
		b.keep(name, samples)
		note := "one is the middle of both processors; " + spin.String() + "; " + t.note
		rows := []Row{c.rows[0].throughput(samples[1], samples[0], note)}
		for _, r := range c.rows[1:] {
			at := slices.IndexFunc(samples, func(s Sample) bool { return s.Name == r.Against })
			if at < 0 {
				rows = append(rows, r.notRun(without[r.Against]))
				continue
			}
			rows = append(rows, r.scaled(samples[:2], samples[at:at+2]))
		}
		return rows, samples[0].Err
	}
	return c
}

// scaled fills a row with how many times as much two do as one, ours and theirs.
func (r Row) scaled(ours, theirs []Sample) Row {
	if err := firstError(slices.Concat(ours, theirs)...); err != nil {
		return r.notRun(err)
	}
	a, b := Ratios(ours[0].NS, ours[1].NS), Ratios(theirs[0].NS, theirs[1].NS)
	r.Ratio, r.Value, r.Peer, r.Rounds = Median(Ratios(a, b)), Median(a), Median(b), len(a)
	r.Note = "two goroutines over one on the same processors, ours over theirs: more is better"
	return r
}

// ones are the subjects on one goroutine at a time, each followed by itself on two at once.
func (b *bench) ones(t *filled) (subjects []Subject, without map[string]error) {
	keys := UniformDraws(t.in, Keys)
	k := contest{}
	add := func(name string, gets func(keys []uint32) int) Subject {
		h := Halved(keys, func(_ int, keys []uint32) int { return gets(keys) })
		k.subjects = append(k.subjects,
			Subject{Name: name, Ops: len(keys), Together: true, Run: h.Apart, Adjust: h.One})
		return Subject{Name: name + " on two", Ops: len(keys), Together: true, Run: h.Together, Adjust: h.Two}
	}
	k.subjects = append(k.subjects, add(ourName, func(keys []uint32) int { return t.gets(keys, true) }))
	k.entrants(b.peers(), true, func(l loaded) Subject {
		return add(l.name, func(keys []uint32) int { return l.store.gets(keys, true) })
	})
	k.subjects = append(k.subjects,
		add("limit", func(keys []uint32) int { return limitReads(t.region, keys) }))
	return k.subjects, k.without
}

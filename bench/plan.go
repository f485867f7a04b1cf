package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Options say what to measure.
type Options struct {
	Root   string   // of the repository
	Dir    string   // where the results are
	Only   []string // parts, sections or beginnings of names; none: everything
	Rounds int      // pairs of a comparison
	Say    func(format string, args ...any)
}

var (
	errNoRounds = errors.New("no round was measured")
	errNoFigure = errors.New("the measurement gave no figure for it")
	errNoPart   = errors.New("no such part")
	errStranger = errors.New("row that the plan does not announce")
)

// A cell is one measurement. It announces its rows, so that one that cannot be made is NOT RUN and
// not left out.
type cell struct {
	part string // what is replaced as a whole in the results
	rows []Row
	run  func(ctx context.Context, b *bench) ([]Row, error)
}

// title is what the rows have in common.
func (c cell) title() string {
	title := c.rows[0].Name
	for _, r := range c.rows[1:] {
		for !strings.HasPrefix(r.Name+"/", title+"/") {
			title = title[:strings.LastIndexByte(title, '/')]
		}
	}
	return title
}

// bench is what the cells of a run share.
type bench struct {
	Options
	dir     string // for files of regions
	keys    []uint32
	spin    SpinCheck
	stores  []loaded
	table   *filled
	results []result // by round, for comparisons with other runs
}

// loaded is a peer with all keys in.
type loaded struct {
	peer
	store store
	bytes float64 // of Go's heap
	err   error
}

// filled is a table of ours, with those keys that are in it.
type filled struct {
	*ours
	memory memory
	load   float64
	in     []uint32
	note   string
	err    error // of the memory: not what was meant
}

// peers loads the peers, once.
func (b *bench) peers() []loaded {
	if b.stores != nil {
		return b.stores
	}
	for _, p := range peers() {
		l := loaded{peer: p, err: p.absent}
		if l.err == nil {
			l.bytes, l.err = heapOf(func() (err error) {
				if l.store, err = p.make(); err == nil {
					l.store.adds(b.keys)
				}
				return err
			})
		}
		b.stores = append(b.stores, l)
	}
	return b.stores
}

// forget gives the memory of peers and table back.
func (b *bench) forget() {
	for _, l := range b.stores {
		if l.store != nil {
			l.store.close()
		}
	}
	if b.stores = nil; b.table != nil {
		b.table.close()
	}
	b.table = nil
	debug.FreeOSMemory()
}

func (b *bench) file() string { return filepath.Join(b.dir, "region") }

// memories are the kinds of memory on which tables are measured.
func (b *bench) memories() []memory { return []memory{hugeMemory(), fileMemory(b.file())} }

// tableOf is a filled table. The last one is kept, since most cells use the same as the one before.
func (b *bench) tableOf(name string, load float64) (*filled, error) {
	if t := b.table; t != nil && t.memory.name == name && t.load == load {
		return t, t.err
	}
	if b.table != nil {
		b.table.close()
		b.table = nil
	}
	all := b.memories()
	mem := all[slices.IndexFunc(all, func(m memory) bool { return m.name == name })]
	r, err := mem.make(layoutFor(len(b.keys), load))
	if err != nil {
		return nil, err
	}
	o, err := newOurs(r)
	if err == nil {
		t := &filled{ours: o, memory: mem, load: load}
		if t.in, err = o.fill(b.keys); err == nil {
			t.err = mem.grant(r)
			t.note = fmt.Sprintf("%s; %d of %d keys in; %s", mem.where(r), len(t.in), len(b.keys), b.spin)
			b.table = t
			return t, t.err
		}
	}
	dispose(r)
	return nil, err
}

// keep notes the samples for comparisons with other runs.
func (b *bench) keep(name string, samples []Sample) {
	for _, s := range samples {
		b.results = append(b.results, result{name: name, sample: s, procs: runtime.GOMAXPROCS(0)})
	}
}

// plan is every cell, those that share a table one after the other.
func plan() []cell {
	return slices.Concat(spaceCells(), lookupCells(), writeCells(), twoCells(), insertCells(),
		explorerCells(), modelCells())
}

// Parts are the names that Only may have.
func Parts() []string {
	var parts []string
	for _, c := range plan() {
		parts = append(parts, c.part)
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

// chosen are the cells that Only names.
func chosen(cells []cell, only []string) ([]cell, error) {
	var some []cell
	used := map[string]bool{}
	for _, c := range cells {
		match := len(only) == 0
		for _, name := range only {
			if c.part == name || strings.HasPrefix(c.part, name+"/") ||
				c.part == "index/"+name {
				match, used[name] = true, true
			}
		}
		if match {
			some = append(some, c)
		}
	}
	for _, name := range only {
		if !used[name] {
			return nil, fmt.Errorf("%w: %q; there are %s", errNoPart, name, strings.Join(Parts(), " "))
		}
	}
	return some, nil
}

// Run measures, and writes the results of each part as soon as it is complete. What an interrupt cuts
// short keeps its old rows. The error tells what could not be measured, too: those rows are NOT RUN.
func Run(ctx context.Context, o Options) ([]Row, error) {
	cells, err := chosen(plan(), o.Only)
	if err != nil {
		return nil, err
	}
	dir, err := scratch()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &bench{Options: o, dir: dir, keys: PresentKeys(Keys)}
	defer b.forget()
	b.spin = Spin()
	o.Say("%s", b.spin)
	return b.all(ctx, cells)
}

// all measures the cells; a part is written after its last one.
func (b *bench) all(ctx context.Context, cells []cell) ([]Row, error) {
	began := time.Now()
	var all []Row
	var failed []error
	pending := map[string][]Row{}
	for i, c := range cells {
		b.Say("[%2d/%d] %5s  %s", i+1, len(cells), time.Since(began).Round(time.Second), c.title())
		rows, err := b.one(ctx, c)
		if ctx.Err() != nil {
			return all, errors.Join(append(failed, fmt.Errorf("interrupted in %s: the parts before it "+
				"are written", c.title()))...)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.title(), err))
		}
		pending[c.part] = append(pending[c.part], rows...)
		if slices.ContainsFunc(cells[i+1:], func(d cell) bool { return d.part == c.part }) {
			continue
		}
		if err := Save(b.Dir, pending[c.part], b.results); err != nil {
			return all, err
		}
		all = append(all, pending[c.part]...)
	}
	return all, errors.Join(failed...)
}

// one measures a cell. Each announced row comes back; one without a figure is NOT RUN.
func (b *bench) one(ctx context.Context, c cell) ([]Row, error) {
	measured, err := c.run(ctx, b)
	if err == nil {
		for _, m := range measured {
			if !slices.ContainsFunc(c.rows, func(r Row) bool { return r.Name == m.Name }) {
				err = fmt.Errorf("%w: %s", errStranger, m.Name)
			}
		}
	}
	rows := slices.Clone(c.rows)
	for i := range rows {
		at := slices.IndexFunc(measured, func(m Row) bool { return m.Name == rows[i].Name })
		switch {
		case at >= 0:
			rows[i] = measured[at]
		case err != nil:
			rows[i] = rows[i].notRun(err)
		default:
			rows[i] = rows[i].notRun(errNoFigure)
		}
	}
	return stampAs(Command, b.spin, rows), err
}

// compare runs the subjects, ours first, and fills the rows of ns/op by what they are against.
func (b *bench) compare(ctx context.Context, c contest) ([]Row, error) {
	rows := slices.Clone(c.rows)
	samples, err := Rounds(ctx, b.Rounds, c.gate, c.subjects...)
	if err == nil {
		b.keep(c.name, samples)
		err = samples[0].Err
	}
	note := c.note
	if c.after != nil && err == nil {
		note = c.after() + "; " + note
	}
	if c.without != nil {
		note += "; " + heapPages(b.keys)
	}
	for i, r := range rows {
		at := slices.IndexFunc(samples, func(s Sample) bool { return s.Name == r.Against })
		switch why := c.without[r.Against]; {
		case why != nil:
			rows[i] = r.notRun(why)
		case err != nil:
			rows[i] = r.notRun(err)
		case at < 0:
			rows[i] = r.notRun(errNoFigure)
		default:
			rows[i] = r.timed(samples[0], samples[at], note)
		}
	}
	return rows, err
}

// contest is a comparison of ours with others.
type contest struct {
	name     string
	rows     []Row
	subjects []Subject        // ours first
	without  map[string]error // peers that take no part, and the reason
	gate     Gate
	note     string
	after    func() string // what is known after the rounds; may be nil
}

// entrants makes subjects of the peers that can take part, and adds them to the contest.
func (c *contest) entrants(all []loaded, alone bool, subject func(loaded) Subject) {
	c.without = map[string]error{}
	for _, l := range all {
		switch {
		case l.err != nil:
			c.without[l.name] = l.err
		case l.alone && !alone:
			c.without[l.name] = errAlone
		default:
			c.subjects = append(c.subjects, subject(l))
		}
	}
}

// peerNames are the names of the peers.
func peerNames() []string {
	var names []string
	for _, p := range peers() {
		names = append(names, p.name)
	}
	return names
}

// rivalNames are those and the limit.
func rivalNames() []string { return append(peerNames(), "limit") }

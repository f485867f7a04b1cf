package volume

import (
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/stress"
	"github.com/samecycle/samecycle/stress/stresstest"
)

func TestMain(m *testing.M) {
	stresstest.Main(m, func(fault string) stress.Subject { return &subject{wrap: faulty[fault]} })
}

// faulty are the tables of the canaries: each tells its client something else than the truth, or
// takes its time.
var faulty = map[string]func(uint32, table) table{
	"":      func(_ uint32, t table) table { return t },
	"drop":  func(_ uint32, t table) table { return &dropper{table: t} },
	"stale": func(_ uint32, t table) table { return &staler{table: t, seen: map[uint32]uint32{}} },
	"hide":  func(_ uint32, t table) table { return hider{t} },
	"twice": func(_ uint32, t table) table { return &doubler{table: t} },
	"stall": func(_ uint32, t table) table { return &staller{table: t} },
	"break": func(_ uint32, t table) table { return &breaker{table: t} },
	"idle":  func(_ uint32, t table) table { return idler{t} },
	"full":  func(_ uint32, t table) table { return nothing{t} },
}

// every is how often a faulty table is.
const every = 50

// dropper says of some adds that they happened, and makes none.
type dropper struct {
	table
	n int
}

func (d *dropper) Add(key, value uint32) (hopscotch.Result, error) {
	if d.n++; d.n%every == 0 {
		return hopscotch.Added, nil
	}
	return d.table.Add(key, value)
}

// staler answers some gets with what it found the last time.
type staler struct {
	table
	n    int
	seen map[uint32]uint32
}

func (s *staler) Get(key uint32) (uint32, bool) {
	v, ok := s.table.Get(key)
	old, known := s.seen[key]
	if s.n++; s.n%every == 0 && known {
		return old, true
	}
	if ok {
		s.seen[key] = v
	}
	return v, ok
}

// hider keeps what has left for itself.
type hider struct{ table }

func (hider) Left() []hopscotch.Leaving { return nil }

// doubler hands the old value of some updates over again, as if a second one had it.
type doubler struct {
	table
	n   int
	old uint32
}

func (d *doubler) Update(key, value uint32) (uint32, bool, error) {
	old, ok, err := d.table.Update(key, value)
	if d.n++; ok && d.n%every == 0 && d.old != 0 {
		return d.old, ok, err
	}
	d.old = old
	return old, ok, err
}

// blockedAfter is the time of its own after which the driver calls an operation blocked, in nanoseconds.
const blockedAfter = int64(10 * time.Millisecond)

// staller is busy for a while in some gets, as if it waited for somebody.
type staller struct {
	table
	n int
}

func (s *staller) Get(key uint32) (uint32, bool) {
	if s.n++; s.n == 100 {
		for first := threadTime(); threadTime()-first < 6*blockedAfter; {
		}
	}
	return s.table.Get(key)
}

// breaker fails after a while, as the engine does on a damaged table.
type breaker struct {
	table
	n int
}

func (b *breaker) Delete(key uint32) (bool, error) {
	if b.n++; b.n > every {
		return false, hopscotch.ErrCorrupt
	}
	return b.table.Delete(key)
}

// idler leaves what the dead have to others.
type idler struct{ table }

func (idler) Reclaim() ([]hopscotch.Reclaimed, error) { return nil, nil }

// nothing makes no add, and says so: Full is never wrong.
type nothing struct{ table }

func (nothing) Add(uint32, uint32) (hopscotch.Result, error) { return hopscotch.Full, nil }

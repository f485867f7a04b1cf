package cachestorm

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// register is a live parameter, or two that must be consistent, which change at one instant.
type register struct {
	names []string
	draw  []func(r *rand.Rand) uint64
}

// between draws a number of least to most.
func between(least, most uint64) func(*rand.Rand) uint64 {
	return func(r *rand.Rand) uint64 { return least + r.Uint64N(most-least+1) }
}

// orNone returns 0 in half of the cases.
func orNone(f func(*rand.Rand) uint64) func(*rand.Rand) uint64 {
	return func(r *rand.Rand) uint64 {
		if r.IntN(2) == 0 {
			return 0
		}
		return f(r)
	}
}

// ttlLeast is a default time to live, in milliseconds, that is longer than any run of a storm.
const ttlLeast = 48 * 3600 * 1000

// registers are all live parameters. Those of tiers that a cache does not have are left out.
var registers = func() []register {
	one := func(name string, f func(*rand.Rand) uint64) register {
		return register{[]string{name}, []func(*rand.Rand) uint64{f}}
	}
	two := func(a, b string, f, g func(*rand.Rand) uint64) register {
		return register{[]string{a, b}, []func(*rand.Rand) uint64{f, g}}
	}
	share, age := between(0, 100), orNone(between(5, 500))
	return []register{
		two("compact.living", "compact.gain", between(1, 99), between(1, 100)),
		two("tier.0.share", "tier.1.share", share, share),
		two("tier.2.share", "tier.3.share", share, share),
		one("ttl.default", orNone(between(ttlLeast, 100*ttlLeast))),
		one("janitor.every", between(5, 40)),
		one("janitor.reserve", between(1, 4)),
		one("janitor.records", between(64, 4096)),
		one("janitor.run", between(0, 2)),
		one("quota.object", between(askLeast, askMost)),
		one("quota.client", between(askLeast, askMost)),
		one("quota.retry", between(1, retryMost)),
		one("tier.0.age", age), one("tier.1.age", age), one("tier.2.age", age), one("tier.3.age", age),
	}
}()

const (
	registersMost = 16 // words of a reading
	tuneMost      = 3  // registers of a change
	halfBits      = 32 // of a register with two parameters: where the second one begins
	registerShift = 56 // of a word of a change: where one more than its index is
	halfMask      = 1<<halfBits - 1
)

// values are the values of all registers. The value of a register that the cache does not have is 0.
type values [registersMost]uint64

// readValues reads all live parameters. Those of one register are read at one instant.
func readValues(c *cache.Cache) (v values, has [registersMost]bool, err error) {
	all := c.Parameters()
	if len(all) == 0 {
		return v, has, errors.New("tune: Parameters lists none")
	}
	known := map[string]uint64{}
	for _, p := range all {
		known[p.Name] = p.Value
	}
	for i, r := range registers {
		for half, name := range r.names {
			n, ok := known[name]
			v[i] |= n << (half * halfBits)
			has[i] = has[i] || ok
			delete(known, name)
		}
	}
	for name := range known {
		return v, has, fmt.Errorf("tune: the storm does not know live parameter %s: add it to its registers",
			name)
	}
	return v, has, nil
}

// read journals a reading.
func (w *worker) read() (v values, has [registersMost]bool, err error) {
	begin := w.board.tick()
	if v, has, err = readValues(w.cache); err != nil {
		return v, has, err
	}
	end := w.board.tick()
	if e := w.board.enter(journalReads, w.Slot); e != nil {
		for i, n := range v {
			e[2+i].Store(n)
		}
		e[1].Store(end)
		e[0].Store(begin)
	}
	return v, has, nil
}

// tuner tunes all the time, and no other process does. So it knows the values of the registers.
type tuner struct {
	*worker
	random *rand.Rand
	now    values
	has    []int           // registers that the cache has
	names  map[string]bool // of its live parameters
}

// The numbers of changes in a row. After them there is a pause.
const (
	tuneRow   = 8
	tuneEvery = 500 * time.Microsecond
)

// tune makes changes until the round is to end.
func (w *worker) tune(n uint64) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	now, has, err := w.read()
	if err != nil {
		return err
	}
	x := &tuner{worker: w, random: rand.New(rand.NewPCG(w.Seed^w.Number<<16, n)), now: now,
		names: map[string]bool{}}
	for _, p := range w.cache.Parameters() {
		x.names[p.Name] = true
	}
	for i, ok := range has {
		if ok {
			x.has = append(x.has, i)
		}
	}
	for calls := 1; ; calls++ {
		if _, rest := w.board.round(); rest {
			return nil
		}
		switch {
		case calls%64 == 0:
			err = x.refused()
		case w.Fault == "halves" && calls%32 == 31:
			err = x.halves()
		default:
			err = x.change(w.Fault == "unset" && calls%32 == 31)
		}
		if errors.Is(err, cache.ErrBusy) {
			x.now, _, err = w.read() // it is not known whether the change was made
		}
		if err != nil {
			return fmt.Errorf("process %d: %w", w.Number, err)
		}
		if calls%tuneRow == 0 {
			time.Sleep(tuneEvery)
		}
	}
}

// begin journals a change of some registers to the values in next. It returns nil if there is no room.
func (x *tuner) begin(next values, all ...int) shared {
	e := x.board.enter(journalTunes, x.Slot)
	if e == nil {
		return nil
	}
	for i, r := range all {
		e[2+i].Store(uint64(r+1)<<registerShift | next[r])
	}
	e[0].Store(x.board.tick())
	return e
}

// end journals that the change was made.
func (x *tuner) end(e shared, next values) {
	x.now = next
	e[1].Store(x.board.tick())
}

// change tunes at once one parameter, two that are consistent, or some.
func (x *tuner) change(only bool) error {
	next := x.now
	var all []int
	var settings []cache.Setting
	for range 1 + x.random.IntN(2)*x.random.IntN(tuneMost) {
		r := x.has[x.random.IntN(len(x.has))]
		if slices.Contains(all, r) {
			continue
		}
		all = append(all, r)
		half := x.random.IntN(3) // one of two parameters alone, or both
		for i, name := range registers[r].names {
			if len(registers[r].names) > 1 && half != 2 && i != half || !x.names[name] {
				continue
			}
			n := registers[r].draw[i](x.random)
			next[r] = next[r]&^(halfMask<<(i*halfBits)) | n<<(i*halfBits)
			if len(registers[r].names) == 1 {
				next[r] = n
			}
			settings = append(settings, cache.Setting{Name: name, Value: n})
		}
	}
	if len(settings) == 0 {
		return nil
	}
	e := x.begin(next, all...)
	if e == nil {
		return nil
	}
	var err error
	switch {
	case only: // a fault: it journals the change, and does not make it
	case len(settings) == 1:
		err = x.cache.Tune(settings[0].Name, settings[0].Value)
	default:
		err = x.cache.TuneAll(settings...)
	}
	if err == nil {
		x.end(e, next)
	}
	return err
}

// refused asks for changes that must be refused as a whole.
func (x *tuner) refused() error {
	for _, settings := range [][]cache.Setting{
		{{Name: "compact.living", Value: 50}, {Name: "compact.gain", Value: 101}},
		{{Name: "compact.living", Value: 50}, {Name: "compact.gains", Value: 50}},
	} {
		if err := x.cache.TuneAll(settings...); !errors.Is(err, cache.ErrValue) &&
			!errors.Is(err, cache.ErrParameter) && !errors.Is(err, cache.ErrBusy) {
			return fmt.Errorf("tune: %v was not refused: %w", settings, err)
		}
	}
	return nil
}

// halves is a fault: it changes two parameters one after the other, and journals that they changed at once.
func (x *tuner) halves() error {
	next := x.now
	next[0] = registers[0].draw[0](x.random) | registers[0].draw[1](x.random)<<halfBits
	e := x.begin(next, 0)
	if e == nil {
		return nil
	}
	err := x.cache.Tune(registers[0].names[0], next[0]&halfMask)
	time.Sleep(3 * time.Millisecond)
	err = errors.Join(err, x.cache.Tune(registers[0].names[1], next[0]>>halfBits))
	if err == nil {
		x.end(e, next)
	}
	return err
}

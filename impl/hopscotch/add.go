package hopscotch

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/seam"
)

// Adding, up to the installation of the operation: fill the own descriptor, then replace the
// control bits of the home cell by a reference to it, with one compare-and-swap. From then on
// anybody can finish the operation (help.go). S01, S02, S04. Specification: spec/tla/Add.tla.

// Result of an add.
type Result uint8

const (
	Added  Result = 1 + iota // the element is in the table
	Exists                   // the key was there already; its value was not changed
	Full                     // neither half has a place for the element; nothing was changed
)

// String is the result's name in lower case.
func (r Result) String() string {
	switch r {
	case Added:
		return "added"
	case Exists:
		return "exists"
	case Full:
		return "full"
	}
	return fmt.Sprintf("result%d", uint8(r))
}

// noHalf is a half that has not been chosen.
const noHalf = 2

// adding is one add, while it runs.
type adding struct {
	pair  Pair
	homes [2]uint32
	views [2]view
	ref   Ref // of the operation to help
	half  uint32
	tried [2]bool // halves that turned out to be full
}

// step is where an add goes on.
type step uint8

const (
	stepInstall step = iota // in the half that was chosen
	stepHelp                // another operation first, then from the start
	stepExists
	stepFull
	stepDamaged
	stepBusy
)

// Add puts an element with a new key into the table. The key is 1..0xFFFFFFFE, the value not 0.
// A key that is there already keeps its value: Exists.
//
// Full means that in neither half the element could be placed: all cells of the window of its
// bucket are taken, or its home cell is a member of another bucket. Making room in a full window
// (S03) and taking over the cell of a member (S11 to S14) are not part of this table; a table
// gets its first Full while many cells are empty.
//
// Errors: ErrKey, ErrValue, ErrClosed; ErrCorrupt and ErrBusy as for Lookup, and for the rest of
// the handle's life when its own operation could not be finished. Progress: lock-free; an actor
// that has died keeps nobody waiting.
func (h *Handle) Add(key, value uint32) (Result, error) {
	switch {
	case Key(key).Reserved():
		return 0, ErrKey
	case value == 0:
		return 0, ErrValue
	case h.d == nil:
		return 0, ErrClosed
	case h.stuck != nil:
		return 0, fmt.Errorf("add of key %v: %w", Key(key), h.stuck)
	}
	a := adding{pair: MakePair(Key(key), Value(value)), half: noHalf}
	a.homes[0], a.homes[1] = Homes(key, h.table.cells)
	r, err := h.add(&a)
	if err != nil {
		return 0, fmt.Errorf("add of key %v: %w", Key(key), err)
	}
	return r, nil
}

// add prepares and installs until it knows how the add has ended.
func (h *Handle) add(a *adding) (Result, error) {
	for range h.table.patience {
		switch h.table.prepare(a) {
		case stepHelp:
			switch h.op.help(h.table, a.ref) {
			case broken:
				return 0, ErrCorrupt
			case unfinished:
				return 0, ErrBusy
			}
			continue
		case stepExists:
			return Exists, nil
		case stepFull:
			return Full, nil
		case stepDamaged:
			return 0, ErrCorrupt
		case stepBusy:
			return 0, ErrBusy
		}
		if !h.install(a) {
			continue // S04: somebody was faster; search again, and collide with him
		}
		if r, err := h.conclude(a); r != 0 || err != nil {
			return r, err
		}
	}
	return 0, ErrBusy
}

// conclude drives the installed operation to its end. No result and no error: search again.
func (h *Handle) conclude(a *adding) (Result, error) {
	switch h.op.finish() {
	case over:
		switch h.op.target.Status() {
		case StatusCommitted:
			return Added, nil
		case StatusFull:
			a.tried[a.half] = true
		}
		return 0, nil
	case unfinished:
		h.stuck = ErrBusy
	default: // the generation of one's own operation does not move on by itself
		h.stuck = ErrCorrupt
	}
	return 0, h.stuck
}

// prepare searches both halves and chooses one.
func (t *Table) prepare(a *adding) step {
	t.halves[1].cells[a.homes[1]].searchTouch()
	for half := range uint32(2) {
		w, _, o := t.halves[half].searchIdle(a.homes[half], a.pair.Key())
		if o != absent {
			s := search{mode: modeAdd, key: a.pair.Key(), place: place{half, a.homes[half]},
				seen: w, outcome: o}
			t.goOn(&s)
			w, o, a.ref = s.seen, s.outcome, s.ref
		}
		switch o {
		case absent:
			a.views[half] = w
		case present:
			return stepExists
		case pending:
			return stepHelp
		case damaged:
			return stepDamaged
		default:
			return stepBusy
		}
	}
	return a.choose()
}

// choose picks a half, once for the operation: the one with fewer elements, a random one on a
// tie; the other one only when that turns out to be of no use.
func (a *adding) choose() step {
	usable := func(half uint32) bool {
		return !a.tried[half] && a.views[half].word0.Form() != FormMember
	}
	switch {
	case a.half != noHalf && usable(a.half):
	case !usable(0) && !usable(1):
		return stepFull
	case !usable(0):
		a.half = 1
	case !usable(1):
		a.half = 0
	default:
		load0, load1 := a.views[0].load(), a.views[1].load()
		switch {
		case load0 < load1:
			a.half = 0
		case load1 < load0:
			a.half = 1
		default:
			a.half = seam.RandomBit()
		}
	}
	switch seen := a.views[a.half].word0; seen.Form() {
	case FormEmpty, FormBase:
		return stepInstall
	default: // C, O
		a.ref = seen.Ref()
		return stepHelp
	}
}

// install fills the own descriptor and installs the operation at the home cell. From then on the
// descriptor is everybody's to read and to finish, and the owner goes on as one of the helpers.
func (h *Handle) install(a *adding) bool {
	seen, home := a.views[a.half], a.homes[a.half]
	isNew := seen.word0.Form() == FormEmpty
	h.generation = h.generation.Next()
	o := &h.op
	o.table, o.d, o.ref = h.table, h.d, MakeRef(h.index, h.generation)
	o.pair = a.pair
	if isNew {
		o.head = MakeHead(h.generation, KindNew, a.half, home)
		o.plan = 0
		o.expect = EmptyWord1(seen.word0.Version())
	} else {
		o.head = MakeHead(h.generation, KindAdd, a.half, home)
		o.plan = AddPlan(seen.word0.Key(), seen.word0.Map())
		o.expect = seen.word1
	}
	o.target = MakeTarget(h.generation)
	o.addFillHead()
	o.addFillPair()
	if !isNew {
		o.addFillPlan()
	}
	o.addFillExpect()
	o.addFillTarget()
	if isNew {
		return o.addClaimEmpty(seen.word0)
	}
	return o.addStashBase(seen.word0)
}

// addFillHead comes first: it ends the descriptor's last generation before any other word of it
// changes.
func (o *operation) addFillHead() { o.d.head.Store(uint64(o.head)) }

func (o *operation) addFillPair() { o.d.pair.Store(uint64(o.pair)) }

// addFillPlan keeps the displaced key and the members of the bucket. A new base has neither, and
// nobody reads this word of its descriptor.
func (o *operation) addFillPlan() { o.d.plan.Store(uint64(o.plan)) }

// addFillExpect keeps word 1 of the home cell as the search saw it: every later compare-and-swap
// on it has an expected value that is known from here on.
func (o *operation) addFillExpect() { o.d.expect.Store(uint64(o.expect)) }

func (o *operation) addFillTarget() { o.d.target.Store(uint64(o.target)) }

// addClaimEmpty claims the empty home cell. S01, S04: of those who saw it empty one wins. Expected:
// the empty cell by its generation. The cell is the operation's from here on.
func (o *operation) addClaimEmpty(seen Word0) bool {
	return o.home().word0.CompareAndSwap(uint64(seen), uint64(ClaimedWord(o.ref)))
}

// addStashBase takes hold of the base. S02. Its members are in the descriptor from here on.
// Expected: the base with the key and members that were searched. They may have been the same
// before and in between, since keys come and go; then the freeze fails by the version, and the
// operation aborts.
func (o *operation) addStashBase(seen Word0) bool {
	return o.home().word0.CompareAndSwap(
		uint64(seen), uint64(OperatingWord(seen.Key(), o.ref, PhaseOne)))
}

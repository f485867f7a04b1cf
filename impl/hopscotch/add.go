package hopscotch

import (
	"fmt"
	"math/bits"

	"github.com/samecycle/samecycle/internal/seam"
)

// Adding, up to the installation of the operation: fill the own descriptor, then replace the
// control bits of the home cell by a reference to it, with one compare-and-swap. From then on
// anybody can finish the operation (help.go). Operations on a bucket that room.go and crop.go have
// prepared are installed by the same steps. S01, S02, S04, S10. Specification: spec/tla/hopscotch/Add.tla.

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

// work is an operation on a bucket that is about to be installed.
type work struct {
	kind   Kind
	half   uint32
	home   uint32
	base   view   // the home cell's words
	offset uint32 // for a move, a drop or a lift: the offset of the member,
	member view   // and its words
}

// adding is one add, while it runs.
type adding struct {
	pair  Pair
	homes [2]uint32
	views [2]view
	ref   Ref // of the operation to help
	half  uint32
	tried [2]bool // halves that turned out to be full; while room is made, halves that cannot help
	work  work    // what to install

	// room is where room is being made: not yet at 0, or at the home or at spare; the offset in the
	// chosen half, or with the window added in the other one; nothing can move at twice the window.
	room uint32
	scan bool // the cell at room is next; else both halves are searched

	// spare is the cell of a lost element above a member that cannot move, if one was seen (spared). If there
	// is nothing else it is reclaimed, and the member can move there.
	spare  place
	spared bool

	looked uint32 // number of halves whose homes were read: the search begins with these views
}

// again makes the add continue with a search.
func (a *adding) again() { a.scan, a.looked = false, 0 }

// anew makes the add forget that there was no room.
func (a *adding) anew() { a.tried, a.room, a.scan, a.spared = [2]bool{}, 0, false, false }

// step says where an add, or a service, continues.
type step uint8

const (
	stepInstall step = iota // what has been prepared
	stepHelp                // another operation first, then from the start
	stepAgain               // from the start
	stepScan                // look for room
	stepExists
	stepFull
	stepTended // the bucket needs nothing
	stepVoid   // the ticket does not hold
	stepDamaged
	stepBusy
)

// Add puts an element with a new key into the table. The key is 1..0xFFFFFFFE, the value not 0.
// A key that is there already keeps its value: Exists.
//
// If the element has no place, because all cells of its windows are taken or because its home cell holds a
// member of another bucket, the add makes room. A member of another bucket moves to a hole of its own
// window, away from its base. If nothing can move, an element leaves: the oldest member of the key's own
// bucket, or its base if it has no members, or the foreign member in the home cell. Left lists the elements
// that left, also when the add ends with Exists. They may be more than one, if other actors took the place
// that was made.
//
// With the option KeepAll nothing moves and nothing leaves; such an add ends with Full. The first Full
// comes while many cells of the table are still empty.
//
// Errors: ErrKey, ErrValue, ErrClosed; ErrCorrupt and ErrBusy as for Lookup, and for the rest of
// the handle's life when its own operation could not be finished. Progress: lock-free; an actor
// that has died keeps nobody waiting. It does not allocate, but for the list of Left.
//
//go:nosplit
func (h *Handle) Add(key, value uint32) (Result, error) {
	t := h.table
	if t == nil || key-1 >= t.direct || h.stuck != nil {
		return h.addDetour(Key(key), Value(value))
	}
	h.left = h.left[:0]
	first, apart := nearSpots(key, t.span)
	return h.addAt(Key(key), Value(value), first, apart)
}

// addDetour is an add to a table whose homes are apart, or one that may not begin.
//
//go:noinline
func (h *Handle) addDetour(k Key, v Value) (Result, error) {
	if !h.admits(k) {
		return 0, h.refuse("add", k)
	}
	first, apart := h.table.spots(uint32(k))
	return h.addAt(k, v, first, apart)
}

// addRest is the rest of an add that has come to this point; with no result and no error it is the whole add.
func (h *Handle) addRest(a *adding, r Result, err error) (Result, error) {
	if r == 0 && err == nil {
		r, err = h.add(a)
	}
	if err != nil {
		return 0, fmt.Errorf("add of key %v: %w", a.pair.Key(), err)
	}
	if r == Added {
		return h.added()
	}
	h.assist()
	return r, nil
}

// added ends an add that has added its element.
func (h *Handle) added() (Result, error) {
	h.tally.Added++
	h.assist()
	return Added, nil
}

// add prepares and installs until it knows how the add has ended.
func (h *Handle) add(a *adding) (Result, error) {
	for range h.table.patience {
		switch h.table.prepare(a) {
		case stepHelp:
			if err := h.help(a.ref); err != nil {
				return 0, err
			}
			a.again()
		case stepInstall:
			if !h.install(&a.work, a.pair) {
				a.again() // S04: another actor was faster; search again, and collide with its element
			} else if r, err := h.conclude(a); r != 0 || err != nil {
				return r, err
			}
		case stepAgain:
			a.again()
		case stepExists:
			return Exists, nil
		case stepFull:
			return Full, nil
		case stepDamaged:
			return 0, ErrCorrupt
		case stepBusy:
			return 0, ErrBusy
		}
	}
	return 0, ErrBusy
}

// conclude finishes the installed operation. If it returns no result and no error, the add continues.
func (h *Handle) conclude(a *adding) (Result, error) {
	return h.concluded(a, h.op.finish())
}

// concluded is conclude for an operation that has ended in this way.
func (h *Handle) concluded(a *adding, e ending) (Result, error) {
	if err := h.driven(e); err != nil {
		return 0, err
	}
	a.again()
	status := h.op.target.Status()
	switch {
	case kindsForRoom.has(h.op.head.Kind()):
		a.roomEnded(h.op.head.Kind(), status, h.table.reach)
	case status == StatusCommitted:
		return Added, nil
	case status == StatusFull:
		a.tried[a.half] = true
	}
	return 0, nil
}

// prepare finds out what to install, or what else to do.
func (t *Table) prepare(a *adding) step {
	if !a.scan {
		if s := t.searchBoth(a); s != stepInstall {
			return s
		}
		if s := t.choose(a); s != stepScan {
			return s
		}
	}
	return t.findRoom(a)
}

// searchBoth searches both halves; stepInstall says that the key is in neither.
func (t *Table) searchBoth(a *adding) step {
	if a.looked == 0 {
		t.halves[1].cell(a.homes[1]).searchTouch()
	}
	for half := range uint32(2) {
		if half >= a.looked {
			a.views[half] = t.halves[half].cell(a.homes[half]).look()
		}
		if w := a.views[half]; !w.excludes(a.pair.Key()) {
			if s := t.searchOn(a, half, w); s != stepInstall {
				return s
			}
		}
	}
	return stepInstall
}

// searchOn continues the search of a half after a first look at the home that did not end it.
func (t *Table) searchOn(a *adding, half uint32, w view) step {
	at := place{half, a.homes[half]}
	_, o := t.halves[half].searchSeen(at.home, a.pair.Key(), w)
	if o != absent {
		s := search{mode: modeAdd, key: a.pair.Key(), place: at, seen: w, outcome: o}
		t.goOn(&s)
		w, o, a.ref = s.seen, s.outcome, s.ref
	}
	switch o {
	case absent:
		a.views[half] = w
		return stepInstall
	case present:
		return stepExists
	case pending:
		return stepHelp
	case damaged:
		return stepDamaged
	}
	return stepBusy
}

// load tells how full a bucket looks from its home cell. Without making room a member of another
// bucket in the home cell is as bad as a full window.
func (t *Table) load(w Word0) uint32 {
	if w.emptyOrBase() { // A base has the bits of its map, and one more.
		return uint32(bits.OnesCount32(uint32(w) & -uint32(w&cbitIdle)))
	}
	switch w.Form() {
	case FormClaimed:
		return 1
	case FormOperating:
		return 2
	}
	switch {
	case t.keepAll:
		return t.window
	case w.Form() == FormMember:
		return 1
	}
	return 2
}

// evenHalf breaks a tie: either half will do, so this is the option's to decide. Without one, a home that
// is a base needs no move, unlike one that is a member of another bucket; of two members the one nearer
// to its base has more places to go to. So fewer elements end up so far from their bases that they cannot
// move any more.
func (t *Table) evenHalf(home0, home1 Word0) uint32 {
	member0, member1 := home0.Form() == FormMember, home1.Form() == FormMember
	switch {
	case t.tie != nil:
	case member0 && (!member1 || home0.Distance() > home1.Distance()):
		return 1
	case member1 && (!member0 || home1.Distance() > home0.Distance()):
		return 0
	}
	return t.randomHalf()
}

// lighterHalf is the one with fewer elements, on a tie that of evenHalf.
func (t *Table) lighterHalf(home0, home1 Word0) uint32 {
	load0, load1 := t.load(home0), t.load(home1)
	switch {
	case load0 < load1:
		return 0
	case load1 < load0:
		return 1
	}
	return t.evenHalf(home0, home1)
}

// choose picks a half, once for the operation: the lighter one, unless frontHalf prefers the other. Later it
// picks the other half only if the chosen one turns out to be of no use.
func (t *Table) choose(a *adding) step {
	if a.room == 2*t.reach {
		return t.evict(a)
	}
	usable := func(half uint32) bool {
		return !a.tried[half] && (!t.keepAll || a.views[half].word0.Form() != FormMember)
	}
	switch {
	case a.half != noHalf && usable(a.half):
	case !usable(0) && !usable(1):
		if t.keepAll {
			return stepFull
		}
		return t.startRoom(a)
	case !usable(0):
		a.half = 1
	case !usable(1):
		a.half = 0
	default:
		a.half = t.frontHalf(a, t.lighterHalf(a.views[0].word0, a.views[1].word0))
	}
	a.room = 0 // Where room was made before counts from the half of then.
	seen := a.views[a.half].word0
	if seen.emptyOrBase() {
		return a.plain(t.reach)
	}
	switch seen.Form() {
	case FormMember:
		kind := KindMove
		if seen.Key() == KeyLost {
			kind = KindDrop
		}
		return t.usurp(a, kind)
	default: // C, O, U
		a.ref = seen.Ref()
		return stepHelp
	}
}

// plain prepares the operation that puts the new element into its home cell. A lost key needs no
// place, it is replaced; so is one that is evicted. What the work says of a member is of no use to it.
func (a *adding) plain(reach uint32) step {
	half := a.half
	a.work.kind, a.work.half, a.work.home, a.work.base = KindAdd, half, a.homes[half], a.views[half]
	switch word := a.work.base.word0; {
	case word.empty():
		a.work.kind = KindNew
	case word.Key() == KeyLost || a.room == 2*reach:
		a.work.kind = KindReplace
	}
	return stepInstall
}

// install fills the own descriptor and installs the operation at the home cell. From then on the
// descriptor is everybody's to read and to finish, and the owner goes on as one of the helpers.
// The pair is the new element, where the operation has one.
func (h *Handle) install(w *work, pair Pair) bool {
	h.generation = h.table.refs.Next(h.generation)
	o := h.describe(w, pair)
	o.fill()
	if w.kind == KindNew {
		return o.at.addClaimEmpty(w.base.word0, o.ref)
	}
	return o.addStashBase(w.base.word0)
}

// describe makes the own operation one that does this work.
func (h *Handle) describe(w *work, pair Pair) *operation {
	o := &h.op
	o.table, o.d, o.ref = h.table, h.d, h.table.refs.Make(h.index, h.generation)
	o.at = h.table.halves[w.half].cell(w.home)
	o.head, o.target = MakeHead(h.generation, w.kind, w.half, w.home), MakeTarget(h.generation)
	o.pair, o.source, o.discards = 0, 0, false
	if w.kind == KindNew {
		o.plan, o.expect = 0, EmptyWord1(w.base.word0.Version())
	} else {
		o.plan, o.expect = MakePlan(w.base.word0.Key(), w.base.word0.Map()), w.base.word1
	}
	switch {
	case kindsAdding.has(w.kind):
		o.pair = pair
	case kindsOfMember.has(w.kind):
		o.pair = MakePair(w.member.word0.Key(), w.member.word1.Value())
		o.source = MakeSource(w.offset, w.member.word0.MemberVersion(), w.member.word1.Version())
	}
	return o
}

// fill writes the words of the descriptor that the kind has. The compare-and-swap that installs the
// operation comes next: StoreOwn rests on that.
func (o *operation) fill() {
	kind := o.head.Kind()
	o.d.addFillHead(o.head)
	if kind != KindClear {
		o.d.addFillPair(o.pair)
	}
	if kind != KindNew {
		o.d.addFillPlan(o.plan)
	}
	o.d.addFillExpect(o.expect)
	if kindsOfMember.has(kind) {
		o.d.addFillSource(o.source)
	}
	o.d.addFillTarget(o.target)
}

// addFillHead comes first: it ends the descriptor's last generation before any other word of it
// changes.
func (d *descriptor) addFillHead(x Head) { seam.StoreOwn(&d.head, uint64(x)) }

func (d *descriptor) addFillPair(x Pair) { seam.StoreOwn(&d.pair, uint64(x)) }

// addFillPlan keeps the key of the base and the members of the bucket. A new base has neither, and
// nobody reads this word of its descriptor.
func (d *descriptor) addFillPlan(x Plan) { seam.StoreOwn(&d.plan, uint64(x)) }

// addFillExpect keeps word 1 of the home cell as the search saw it: every later compare-and-swap
// on it has an expected value that is known from here on.
func (d *descriptor) addFillExpect(x Word1) { seam.StoreOwn(&d.expect, uint64(x)) }

// addFillSource keeps the same for the member: where it is, its generation, its version.
func (d *descriptor) addFillSource(x Source) { seam.StoreOwn(&d.source, uint64(x)) }

func (d *descriptor) addFillTarget(x Target) { seam.StoreOwn(&d.target, uint64(x)) }

// addClaimEmpty claims the empty home cell. S01, S04: of those who saw it empty one wins. Expected:
// the empty cell by its generation. The cell is the operation's from here on.
func (c *cell) addClaimEmpty(seen Word0, by Ref) bool {
	return c.word0.CompareAndSwap(uint64(seen), uint64(ClaimedWord(by)))
}

// addStashBase takes hold of the base. S02. Its members are in the descriptor from here on.
// Expected: the base with the key and members that were searched. They may have been the same
// before and in between, since keys come and go; then the freeze fails by the version, and the
// operation aborts.
func (o *operation) addStashBase(seen Word0) bool {
	return o.home().word0.CompareAndSwap(
		uint64(seen), uint64(OperatingWord(seen.Key(), o.ref)))
}

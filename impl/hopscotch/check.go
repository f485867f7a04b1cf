package hopscotch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Names of what Check finds: the invariants of spec/tla/Invariants.tla by their names, and Decode
// for a word that no step of the protocol writes.
const (
	Decode         = "Decode"
	I1NoEmptyKey   = "I1NoEmptyKey"
	I2EmptyWord    = "I2EmptyWord"
	I3RefsLive     = "I3RefsLive"
	I4FrozenIsHeld = "I4FrozenIsHeld"
	I5MembersOwned = "I5MembersOwned"
	I6MapsExact    = "I6MapsExact"
	I7InItsBucket  = "I7InItsBucket"
	I8KeysUnique   = "I8KeysUnique"
	I9MemoryIsMap  = "I9MemoryIsMap" // of it, this much: an element has a value
	I10NothingLeft = "I10NothingLeft"
	I11HeldOnce    = "I11HeldOnce"
)

// Finding is one place where memory is not as an invariant says.
type Finding struct {
	Invariant  string `json:"invariant"`
	Half       int    `json:"half"`       // -1 for a descriptor
	Cell       int64  `json:"cell"`       // -1 for a descriptor
	Descriptor int    `json:"descriptor"` // -1 for a cell
	Word       string `json:"word"`       // the word, decoded
	Raw        uint64 `json:"raw"`        // and as it is
	Want       string `json:"want"`
}

// String has the form: I2EmptyWord: cell 0.3 is WORD, want WANT.
func (f Finding) String() string {
	at := fmt.Sprintf("cell %d.%d", f.Half, f.Cell)
	if f.Descriptor >= 0 {
		at = fmt.Sprintf("descriptor %d", f.Descriptor)
	}
	return fmt.Sprintf("%s: %s is %s (%#016x), want %s", f.Invariant, at, f.Word, f.Raw, f.Want)
}

// CheckOptions chooses what Check expects.
type CheckOptions struct {
	// Live says that operations may be installed: I10NothingLeft is not looked at. All other
	// invariants hold between any two steps of any actors.
	Live bool
	// Limit is the number of findings after which Check stops looking; 0 is none.
	Limit int
}

// Check compares all of the table's memory with the invariants and returns every finding, in the
// order of halves and cells, then duplicate keys, then descriptors. It changes nothing, accepts
// any garbage, and takes time in proportion to the region, and 16 bytes of memory an element.
//
// Memory must hold still while Check runs, in the middle of operations (Live) or at rest: of a
// region that others write at the time, some findings may be of two moments.
func Check(t *Table, o CheckOptions) Findings {
	c := checker{t: t, o: o, held: make([]uint32, len(t.descriptors))}
	for half := range uint32(2) {
		for i := range t.halves[half].cells {
			if c.enough() {
				return c.findings
			}
			c.cell(half, uint32(i))
		}
	}
	c.duplicates()
	for i := range t.descriptors {
		if c.enough() {
			return c.findings
		}
		c.descriptor(i)
	}
	return c.findings
}

// site is a place where a reader can see a key.
type site struct {
	key  Key
	half uint32
	cell uint32
}

type checker struct {
	t        *Table
	o        CheckOptions
	findings Findings
	sites    []site
	held     []uint32 // cells that refer to each descriptor
}

func (c *checker) enough() bool { return c.o.Limit > 0 && len(c.findings) >= c.o.Limit }

// seenCell is a cell that is being checked, with its words as they were read once.
type seenCell struct {
	view
	half, cell uint32
}

func (c *checker) read(half, cell uint32) seenCell {
	at := &c.t.halves[half].cells[cell]
	return seenCell{view{Word0(at.word0.Load()), Word1(at.word1.Load())}, half, cell}
}

// offset is the place at offset cells after p on the ring; back turns around.
func (c *checker) offset(p seenCell, offset uint32, back bool) seenCell {
	n := uint64(c.t.cells)
	i := uint64(p.cell) + uint64(offset)
	if back {
		i = uint64(p.cell) + n*WindowMax - uint64(offset)
	}
	return c.read(p.half, uint32(i%n))
}

func (c *checker) word0(p seenCell, invariant, want string) {
	c.findings = append(c.findings, Finding{invariant, int(p.half), int64(p.cell), -1,
		p.word0.String(), uint64(p.word0), want})
}

func (c *checker) word1(p seenCell, invariant, want string) {
	c.findings = append(c.findings, Finding{invariant, int(p.half), int64(p.cell), -1,
		p.word1.String(), uint64(p.word1), want})
}

// cell checks one cell, and its neighbours as far as it speaks of them.
func (c *checker) cell(half, cell uint32) {
	p := c.read(half, cell)
	form := p.word0.Form()
	if !p.word1.Valid() {
		c.word1(p, Decode, "spare bits zero")
	}
	if p.word1.Frozen() && form != FormOperating {
		c.word1(p, I4FrozenIsHeld, "not frozen: its cell is no base in operation")
	}
	switch form {
	case FormEmpty:
		if p.word1 != EmptyWord1(p.word0.Version()) {
			c.word1(p, I2EmptyWord, EmptyWord1(p.word0.Version()).String())
		}
	case FormClaimed:
		c.reference(p)
	case FormOperating:
		if p.word0.Phase() != PhaseOne {
			c.word0(p, Decode, "phase 1: nothing here has a second one")
		}
		c.reference(p)
		c.element(p, 0)
	case FormBase:
		c.base(p)
	case FormMember:
		c.member(p)
	case FormEngaged:
		c.word0(p, Decode, "an idle member: nothing here engages one")
	default:
		if p.word0.Key() == KeyNone {
			c.word0(p, I1NoEmptyKey, "a key, or the control bits of E or C")
		} else {
			c.word0(p, Decode, "one of the forms E, C, B, O, M")
		}
	}
	if !c.o.Live && (form == FormClaimed || form == FormOperating) {
		c.word0(p, I10NothingLeft, "idle: all operations have ended")
	}
}

// reference checks the descriptor behind a C or an O.
func (c *checker) reference(p seenCell) {
	r := p.word0.Ref()
	if r.Index() >= uint32(len(c.t.descriptors)) {
		c.word0(p, I3RefsLive, fmt.Sprintf("a descriptor below %d", len(c.t.descriptors)))
		return
	}
	d := &c.t.descriptors[r.Index()]
	if c.held[r.Index()]++; c.held[r.Index()] > 2 {
		c.word0(p, I11HeldOnce, "a descriptor that holds two cells at most")
	}
	head, target := Head(d.head.Load()), Target(d.target.Load())
	plan := Plan(d.plan.Load())
	if head.Generation() != r.Generation() {
		c.word0(p, I3RefsLive, fmt.Sprintf("generation %d", head.Generation()))
	}
	claimed := p.word0.Form() == FormClaimed
	isHome := head.Half() == p.half && head.Home() == p.cell
	isHole := claimed && target.Has() && head.Half() == p.half && head.Home() < c.t.cells &&
		c.offset(seenCell{half: p.half, cell: head.Home()}, target.Offset(), false).cell == p.cell
	if !isHome && !isHole {
		c.word0(p, I3RefsLive, fmt.Sprintf("held by an operation on this cell, not by %v", head))
	}
	if head.Kind() == KindAdd && isHome &&
		(!plan.Valid(KindAdd) || plan.Map()&c.t.halves[0].beyond != 0) {
		c.words(int(r.Index()), uint64(plan), fmt.Sprintf("plan key=%v map=%v", plan.Key(),
			plan.Map()), "a displaced key, and members in the window")
	}
}

// element checks what holds for each key in a cell: distance cells after its home.
func (c *checker) element(p seenCell, distance uint32) {
	k := p.word0.Key()
	if k.Reserved() {
		c.word0(p, Decode, "a key of an element")
		return
	}
	h := [2]uint32{}
	h[0], h[1] = Homes(uint32(k), c.t.cells)
	want := (uint64(h[p.half]) + uint64(distance)) % uint64(c.t.cells)
	if want != uint64(p.cell) {
		c.word0(p, I7InItsBucket, fmt.Sprintf("in cell %d.%d: its key's home is cell %d",
			p.half, want, h[p.half]))
	}
	if p.word0.Form() != FormOperating && p.word1.Value() == 0 {
		c.word1(p, I9MemoryIsMap, "a value other than 0")
	}
	if distance > 0 {
		b := c.offset(p, distance, true)
		if b.word0.Form() == FormOperating && b.word0.Key() == k {
			return // the base still has it: this is the copy
		}
	}
	c.sites = append(c.sites, site{k, p.half, p.cell})
}

func (c *checker) base(p seenCell) {
	c.element(p, 0)
	members := p.word0.Map()
	if members&c.t.halves[0].beyond != 0 {
		c.word0(p, Decode, fmt.Sprintf("members in the window of %d", c.t.window))
		members &^= c.t.halves[0].beyond
	}
	for m := members; m != 0; m = m.Rest() {
		at := c.offset(p, m.First(), false)
		if at.word0.Form() != FormMember || at.word0.Distance() != m.First() {
			c.word0(at, I6MapsExact, fmt.Sprintf("a member %d after the base %d.%d that names it",
				m.First(), p.half, p.cell))
		}
	}
}

func (c *checker) member(p seenCell) {
	d := p.word0.Distance()
	c.element(p, d)
	if d >= c.t.window {
		c.word0(p, Decode, fmt.Sprintf("a distance below the window of %d", c.t.window))
	}
	b := c.offset(p, d, true)
	if !c.offsets(b).Has(d) {
		c.word0(p, I5MembersOwned, fmt.Sprintf("named by a base in cell %d.%d, which is %v",
			b.half, b.cell, b.word0))
	}
}

// offsets is where the members of the base at p are, in operation or not; none for another form.
func (c *checker) offsets(p seenCell) Map {
	switch p.word0.Form() {
	case FormBase:
		return p.word0.Map()
	case FormOperating:
		if i := p.word0.Ref().Index(); i < uint32(len(c.t.descriptors)) {
			d := &c.t.descriptors[i]
			members, target := Plan(d.plan.Load()).Map(), Target(d.target.Load())
			if target.Has() {
				members = members.With(target.Offset())
			}
			return members
		}
	}
	return 0
}

// duplicates finds keys that a reader can see in more than one place.
func (c *checker) duplicates() {
	slices.SortStableFunc(c.sites, func(a, b site) int { return cmp.Compare(a.key, b.key) })
	for i := 1; i < len(c.sites) && !c.enough(); i++ {
		first, s := c.sites[i-1], c.sites[i]
		if first.key == s.key {
			c.word0(c.read(s.half, s.cell), I8KeysUnique,
				fmt.Sprintf("a key of its own: cell %d.%d has it too", first.half, first.cell))
		}
	}
}

func (c *checker) words(descriptor int, raw uint64, word, want string) {
	c.findings = append(c.findings, Finding{Decode, -1, -1, descriptor, word, raw, want})
}

// descriptor checks the words of a descriptor one by one: they may be of different generations.
func (c *checker) descriptor(i int) {
	d := &c.t.descriptors[i]
	head, target := Head(d.head.Load()), Target(d.target.Load())
	expect := Word1(d.expect.Load())
	if !head.Valid() {
		c.words(i, uint64(head), head.String(), "spare bits zero and a kind that exists")
	}
	if head.Home() >= c.t.cells {
		c.words(i, uint64(head), head.String(), fmt.Sprintf("a home below %d", c.t.cells))
	}
	if !target.Valid() {
		c.words(i, uint64(target), target.String(), "spare bits zero, a whole hole or none")
	} else if target.Offset() >= c.t.window {
		c.words(i, uint64(target), target.String(), fmt.Sprintf("an offset below %d", c.t.window))
	}
	if !expect.Valid() {
		c.words(i, uint64(expect), expect.String(), "spare bits zero")
	}
	for _, s := range []uint64{d.spare[0].Load(), d.spare[1].Load()} {
		if s != 0 {
			c.words(i, s, "a spare word", "zero")
		}
	}
}

// Findings is what a check has found; nil is a clean table.
type Findings []Finding

// Err is nil without findings, else an error that wraps ErrCorrupt and lists the first few.
func (f Findings) Err() error {
	if len(f) == 0 {
		return nil
	}
	const shown = 8
	lines := make([]string, 0, shown+1)
	for _, finding := range f[:min(len(f), shown)] {
		lines = append(lines, finding.String())
	}
	if len(f) > shown {
		lines = append(lines, fmt.Sprintf("and %d more", len(f)-shown))
	}
	return fmt.Errorf("%w: %d findings:\n%s", ErrCorrupt, len(f), strings.Join(lines, "\n"))
}

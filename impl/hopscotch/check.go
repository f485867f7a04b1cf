package hopscotch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Names of the properties that Check verifies: the invariants of spec/tla/hopscotch/Invariants.tla, and
// Decode for a word that no step of the protocol writes.
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

// Finding is one place where memory violates an invariant.
type Finding struct {
	Invariant  string `json:"invariant"`
	Half       int    `json:"half"`       // -1 for a descriptor
	Cell       int64  `json:"cell"`       // -1 for a descriptor
	Descriptor int    `json:"descriptor"` // -1 for a cell
	Word       string `json:"word"`       // the word, decoded
	Raw        Raw    `json:"raw"`        // and as it is
	Want       string `json:"want"`
}

// WantOwner is the Want of a finding about the owner word of a descriptor. If the process that it names is
// dead (Table.Orphans), a Reclaim rewrites the word. Apart from this, only findings with WantLast can be
// repaired.
const WantOwner = "nobody, or a number other than 0"

// String has the form: I2EmptyWord: cell 0.3 is WORD, want WANT.
func (f Finding) String() string {
	at := fmt.Sprintf("cell %d.%d", f.Half, f.Cell)
	if f.Descriptor >= 0 {
		at = fmt.Sprintf("descriptor %d", f.Descriptor)
	}
	return fmt.Sprintf("%s: %s is %s (%v), want %s", f.Invariant, at, f.Word, f.Raw, f.Want)
}

// CheckOptions chooses what Check expects.
type CheckOptions struct {
	// Live says that operations may be installed, so Check does not check I10NothingLeft. All other
	// invariants hold between any two steps of any actors.
	Live bool
	// Limit is the number of findings after which Check stops looking; 0 is none.
	Limit int
}

// Check compares all of the table's memory with the invariants and returns every finding, in the order of
// halves and cells, then duplicate keys, then descriptors. It changes nothing and accepts any contents. It
// takes time in proportion to the region, and 16 bytes of memory for each element.
//
// Memory must not change while Check runs; operations may be in progress (Live) or not. If others write to
// the region at the same time, a finding may combine words of two moments.
func Check(t *Table, o CheckOptions) Findings {
	t.mustBeMade("check")
	c := checker{t: t, o: o, held: make([]holding, len(t.descriptors))}
	for half := range uint32(2) {
		for i := range t.rows {
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
	held     []holding // by descriptor
}

// holding is how many cells refer to a descriptor, and how many of them are bases.
type holding struct{ cells, bases uint32 }

func (c *checker) enough() bool { return c.o.Limit > 0 && len(c.findings) >= c.o.Limit }

// seenCell is a cell that is being checked, with its words as they were read once.
type seenCell struct {
	view
	half, cell uint32
}

func (c *checker) read(half, cell uint32) seenCell {
	at := c.t.halves[half].cell(cell)
	return seenCell{view{Word0(at.word0.Load()), Word1(at.word1.Load())}, half, cell}
}

func (c *checker) word0(p seenCell, invariant, want string) {
	c.findings = append(c.findings, Finding{invariant, int(p.half), int64(p.cell), -1,
		c.t.refs.Text(p.word0), Raw(p.word0), want})
}

func (c *checker) word1(p seenCell, invariant, want string) {
	c.findings = append(c.findings, Finding{invariant, int(p.half), int64(p.cell), -1,
		p.word1.String(), Raw(p.word1), want})
}

// cell checks one cell, and its neighbours as far as it speaks of them.
func (c *checker) cell(half, cell uint32) {
	p := c.read(half, cell)
	form := p.word0.Form()
	held := form == FormClaimed || form == FormOperating || form == FormEngaged
	if !p.word1.Valid() {
		c.word1(p, Decode, "spare bits zero")
	}
	if p.word1.Frozen() && form != FormOperating && form != FormEngaged {
		c.word1(p, I4FrozenIsHeld, "not frozen: its cell is in no operation")
	}
	if held {
		c.reference(p)
	}
	switch form {
	case FormEmpty:
		if p.word1 != EmptyWord1(p.word0.Version()) {
			c.word1(p, I2EmptyWord, EmptyWord1(p.word0.Version()).String())
		}
	case FormClaimed:
	case FormOperating:
		c.element(p, p)
	case FormBase:
		c.base(p)
	case FormMember, FormEngaged:
		c.member(p)
	default:
		if p.word0.Key() == KeyNone {
			c.word0(p, I1NoEmptyKey, "a key, or the control bits of E or C")
		} else {
			c.word0(p, Decode, "one of the forms E, C, B, O, M, U")
		}
	}
	if !c.o.Live && held {
		c.word0(p, I10NothingLeft, "idle: all operations have ended")
	}
}

// record is what is in the descriptor behind the C, the O or the U at p.
func (c *checker) record(p seenCell) (x recorded, ok bool) {
	i := c.t.refs.Index(p.word0.Ref())
	if i >= uint32(len(c.t.descriptors)) {
		return x, false
	}
	d := &c.t.descriptors[i]
	x = recorded{Head(d.head.Load()), Pair(d.pair.Load()), Plan(d.plan.Load()),
		Word1(d.expect.Load()), Source(d.source.Load()), Target(d.target.Load())}
	return x, true
}

// reference checks the descriptor behind a C, an O or a U.
func (c *checker) reference(p seenCell) {
	r, form := p.word0.Ref(), p.word0.Form()
	x, ok := c.record(p)
	if !ok {
		c.word0(p, I3RefsLive, fmt.Sprintf("a descriptor below %d", len(c.t.descriptors)))
		return
	}
	c.holds(p)
	if x.head.Generation() != c.t.refs.Generation(r) {
		c.word0(p, I3RefsLive, fmt.Sprintf("generation %d", x.head.Generation()))
	}
	inHalf := x.head.Half() == p.half && x.head.Home() < c.t.cells
	at := func(offset uint32) bool {
		return inHalf && c.t.halves[p.half].index(x.head.Home(), offset) == p.cell
	}
	var mine bool
	switch form {
	case FormOperating:
		mine = at(0)
	case FormEngaged:
		mine = kindsOfMember.has(x.head.Kind()) && x.source.Valid() && at(x.source.Offset())
	default:
		mine = x.head.Kind() == KindNew && at(0) || x.target.Has() && at(x.target.Offset())
	}
	if !mine {
		c.word0(p, I3RefsLive, fmt.Sprintf("held by an operation on this cell, not by %v", x.head))
	}
	if mine && at(0) {
		c.installed(r, x)
	}
}

// holds counts the cells that refer to one descriptor: an operation holds one base, and besides it a
// member and a hole at most.
func (c *checker) holds(p seenCell) {
	n := &c.held[c.t.refs.Index(p.word0.Ref())]
	n.cells++
	if p.word0.Form() == FormOperating {
		n.bases++
	}
	if n.cells > 3 || n.bases > 1 {
		c.word0(p, I11HeldOnce, "a descriptor that holds one base and three cells at most")
	}
}

// element checks what holds for each key in a cell, which is the base b itself or its member. One
// that has been deleted has a value still, and no other duty.
func (c *checker) element(p, b seenCell) {
	k := p.word0.Key()
	idle := p.word0.Form() == FormBase || p.word0.Form() == FormMember
	if idle && p.word1.Value() == 0 {
		c.word1(p, I9MemoryIsMap, "a value other than 0")
	}
	if k == KeyLost {
		return
	}
	h := [2]uint32{}
	h[0], h[1] = c.t.homes(k)
	if h[p.half] != b.cell {
		c.word0(p, I7InItsBucket, fmt.Sprintf("a key whose home is %d.%d, not %d.%d",
			p.half, b.cell, p.half, h[p.half]))
	}
	if p.cell != b.cell && !c.current(b).Has(c.distance(p, b)) {
		return // not yet, or not any more: the reader finds the key elsewhere
	}
	c.sites = append(c.sites, site{k, p.half, p.cell})
}

// distance is the offset of p from the base b, WindowMax if no window that begins there has it.
func (c *checker) distance(p, b seenCell) uint32 {
	for offset := range uint32(WindowMax) {
		if c.t.halves[p.half].index(b.cell, offset) == p.cell {
			return offset
		}
	}
	return WindowMax
}

func (c *checker) base(p seenCell) {
	c.element(p, p)
	members := p.word0.Map()
	if members&c.t.halves[0].beyond != 0 {
		c.word0(p, Decode, fmt.Sprintf("members in the window of %d", c.t.window))
		members &^= c.t.halves[0].beyond
	}
	for m := members; m != 0; m = m.Rest() {
		at := c.read(p.half, c.t.halves[p.half].index(p.cell, m.First()))
		if at.word0.Form() != FormMember || at.word0.Distance() != m.First() {
			c.word0(at, I6MapsExact, fmt.Sprintf("a member %d after the base %d.%d that names it",
				m.First(), p.half, p.cell))
		}
	}
}

// member checks an idle member, or one that an operation has engaged: that says where its base is.
func (c *checker) member(p seenCell) {
	var b seenCell
	engaged := p.word0.Form() == FormEngaged
	if engaged {
		x, ok := c.record(p)
		if !ok || x.head.Half() != p.half || x.head.Home() >= c.t.cells {
			return // I3RefsLive says so
		}
		b = c.read(p.half, x.head.Home())
	} else {
		b = c.read(p.half, c.t.halves[p.half].below(p.cell, p.word0.Distance()))
	}
	d := c.distance(p, b)
	if !engaged && p.word0.Distance() >= c.t.window {
		c.word0(p, Decode, fmt.Sprintf("a distance below the window of %d", c.t.window))
	}
	c.element(p, b)
	owned := d < c.t.window && c.owned(b).Has(d) &&
		(!engaged || b.word0 == OperatingWord(b.word0.Key(), p.word0.Ref()))
	if !owned {
		c.word0(p, I5MembersOwned, fmt.Sprintf("named by a base in cell %d.%d, which is %v",
			b.half, b.cell, c.t.refs.Text(b.word0)))
	}
}

// owned is where the cells are that belong to the base at p, in operation or not; none for another
// form.
func (c *checker) owned(p seenCell) Map {
	switch p.word0.Form() {
	case FormBase:
		return p.word0.Map()
	case FormOperating:
		x, _ := c.record(p)
		return x.plan.Map() | proposed(x.target)
	}
	return 0
}

// current is where the members of the base at p are at this instant: a copy does not count before
// the base is flipped, or thawed for a move.
func (c *checker) current(p seenCell) Map {
	x, ok := c.record(p)
	if p.word0.Form() != FormOperating || !ok {
		return c.owned(p)
	}
	members, flipped := x.plan.Map(), p.word0.Key() != x.plan.Key()
	switch x.head.Kind() {
	case KindAdd:
		if flipped {
			return members | proposed(x.target)
		}
	case KindLift:
		if flipped {
			return members.Without(x.source.Offset())
		}
	case KindMove, KindDrop:
		if x.target.Status() == StatusCommitted && p.word1.Version() != x.expect.Version() {
			return members.Without(x.source.Offset()) | proposed(x.target)
		}
	}
	return members
}

// proposed is the offset of the hole that the target names, if it does, as a set.
func proposed(target Target) Map {
	if !target.Has() {
		return 0
	}
	return Map(0).With(target.Offset())
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
	c.findings = append(c.findings, Finding{Decode, -1, -1, descriptor, word, Raw(raw), want})
}

// descriptor checks the words of a descriptor.
func (c *checker) descriptor(i int) {
	d := &c.t.descriptors[i]
	if c.sensible(i) {
		c.fields(i)
	}
	if owner := Owner(d.owner.Load()); !owner.Valid() {
		c.words(i, uint64(owner), owner.String(), WantOwner)
	}
	if spare := d.spare.Load(); spare != 0 {
		c.words(i, spare, "a spare word", "zero")
	}
}

// fields checks the words of an operation one by one: they may be of different generations.
func (c *checker) fields(i int) {
	d := &c.t.descriptors[i]
	head, target := Head(d.head.Load()), Target(d.target.Load())
	expect := Word1(d.expect.Load())
	if g := head.Generation(); !head.Valid() || !c.t.refs.has(g) {
		c.words(i, uint64(head), head.String(),
			fmt.Sprintf("a generation of %d bits, the bits above it zero", c.t.refs.generationBits))
	}
	if head.Home() >= c.t.span {
		c.words(i, uint64(head), head.String(), fmt.Sprintf("a home below %d", c.t.span))
	}
	if g := target.Generation(); !target.Valid() || !c.t.refs.has(g) {
		c.words(i, uint64(target), target.String(), fmt.Sprintf(
			"a generation of %d bits, a whole hole or none", c.t.refs.generationBits))
	} else if target.Offset() >= c.t.window {
		c.words(i, uint64(target), target.String(), fmt.Sprintf("an offset below %d", c.t.window))
	}
	if !expect.Valid() {
		c.words(i, uint64(expect), expect.String(), "spare bits zero")
	}
	source := Source(d.source.Load())
	if source != 0 && (!source.Valid() || source.Offset() >= c.t.window) {
		c.words(i, uint64(source), source.String(),
			fmt.Sprintf("spare bits zero, an offset of 1 to %d", c.t.window-1))
	}
}

// Findings is what a check has found; nil is a clean table.
type Findings []Finding

// Err is nil if there are no findings. Otherwise it is an error that wraps ErrCorrupt and lists the first few
// findings.
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

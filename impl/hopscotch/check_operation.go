package hopscotch

import "fmt"

// What Check reports about the operation in a descriptor. It looks at an operation that is installed,
// because any actor that meets it has to finish it. It also looks at the last operation of a dead owner,
// because a reclaim of the descriptor depends on it.

// WantLast is the Want of a finding about the last operation of a dead owner, which is over, and whose words
// make no sense. A Reclaim writes the descriptor off (Reclaimed.WrittenOff): what left the table by that
// operation, if anything did, is lost.
const WantLast = "what the last operation of an owner who has died leaves"

// installed checks what whoever helps the operation behind its home cell rests on, besides what is checked
// of each word by itself.
func (c *checker) installed(r Ref, x recorded) {
	kind := x.head.Kind()
	if kind == KindClear {
		x.pair = 0
	}
	if kind == KindNew {
		x.plan = 0
	}
	o := operation{table: c.t, ref: r, head: x.head, pair: x.pair, plan: x.plan, expect: x.expect,
		source: x.source, target: x.target}
	if raw, word, want := o.wrong(); want != "" {
		c.words(int(c.t.refs.Index(r)), raw, word, want)
	}
}

// wrong is the first word by which an operation makes no sense, besides what is checked of each word by
// itself; its want is empty if there is none.
func (o *operation) wrong() (raw uint64, word, want string) {
	kind, at := o.head.Kind(), place{o.head.Half(), o.head.Home()}
	key := o.pair.Key()
	switch {
	case !o.plan.Valid(kind) || o.plan.Map()&o.table.halves[0].beyond != 0:
		return uint64(o.plan), "plan " + o.plan.String(),
			"the key of a base, as the kind has it, and members in the window"
	case !o.ownBase():
		return uint64(o.plan), "plan " + o.plan.String(),
			fmt.Sprintf("a key whose home is %d.%d, or a lost one", at.half, at.home)
	case kind == KindDrop && key == KeyNone:
		return uint64(o.pair), "pair " + o.pair.String(), "a key"
	case kind == KindLift && key == KeyLost && o.plan.Key() != KeyLost: // A lost member takes a live base.
	case kind != KindDrop && kind != KindClear && (key.Reserved() || !o.table.belongs(key, at)):
		return uint64(o.pair), "pair " + o.pair.String(),
			fmt.Sprintf("a key whose home is %d.%d", at.half, at.home)
	case kindsOfMember.has(kind) && (o.source == 0 || o.source.Valid()) &&
		!o.plan.Map().Has(o.source.Offset()):
		return uint64(o.source), "source " + o.source.String(), "a member that the plan names"
	case o.target.Generation() != o.head.Generation():
		return uint64(o.target), "target " + o.target.String(),
			fmt.Sprintf("generation %d", o.head.Generation())
	}
	return 0, "", ""
}

// sensible reports whether the last operation in a descriptor may be what a process has left there. It is
// not, and that is a finding, if a reclaim of the dead owner has to write it off. The owner is read once
// more at the end. If it is the same, nobody has reclaimed the descriptor meanwhile, because a dead owner
// does not come back, and a reclaim that fails leaves the words as they are.
func (c *checker) sensible(i int) bool {
	d := &c.t.descriptors[i]
	owner := d.ownerRead()
	if owner == 0 {
		return true
	}
	if alive, err := c.t.lives(owner); alive || err != nil {
		return true
	}
	head := d.ownerHead()
	if !c.t.sound(head) {
		return true // there is no operation, or its head is a finding by itself
	}
	r := c.t.refs.Make(uint32(i), head.Generation())
	if c.t.installed(head, r) {
		return true // a finding of its home cell
	}
	o := operation{table: c.t, ref: r, d: d}
	if _, sense := o.recall(); sense || d.ownerRead() != owner {
		return true
	}
	raw, word, want := o.wrong()
	if want == "" {
		raw, word = uint64(head), head.String()
	}
	c.words(i, raw, "of the last operation, which is over, "+word, WantLast)
	return false
}

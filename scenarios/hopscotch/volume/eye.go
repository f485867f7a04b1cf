package volume

import (
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// eye looks at the words of a table from outside. It decodes them with the engine's own types and
// trusts nothing else of the engine: it makes loads only, and none of them is part of an operation.
type eye struct {
	cells       region.Words
	layout      hopscotch.Layout
	descriptors region.Words
	n, window   uint32
	refs        hopscotch.RefLayout
	self        uint32 // own descriptor: what it holds is no race
}

// newEye is an eye on the table in r, of the owner of that descriptor.
func newEye(r *region.Region, self uint32) (*eye, error) {
	l, err := hopscotch.LayoutOf(r)
	if err != nil {
		return nil, err
	}
	e := &eye{layout: l, n: l.CellsPerHalf, window: l.Window, self: self,
		refs: hopscotch.RefLayoutOf(l.Descriptors)}
	if e.cells, err = r.Section(hopscotch.Engine, hopscotch.SectionCells); err != nil {
		return nil, err
	}
	e.descriptors, err = r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	return e, err
}

// generation counts the operations that the own descriptor has installed.
func (e *eye) generation() hopscotch.Generation {
	return hopscotch.Head(e.word(e.self, hopscotch.DescriptorHead)).Generation()
}

func (e *eye) word(descriptor uint32, word int) uint64 {
	return e.descriptors[int(descriptor)*hopscotch.DescriptorWords+word].Load()
}

func (e *eye) word0(half, cell uint32) hopscotch.Word0 {
	return hopscotch.Word0(e.cells[hopscotch.CellWord(half, cell)].Load())
}

// place is the cell offset places after home on the ring.
func (e *eye) place(home, offset uint32) uint32 {
	return uint32((uint64(home) + uint64(offset)) % uint64(e.n))
}

// glimpse is what one look at the home cell of a key has seen in one half.
type glimpse struct {
	home   uint32
	word   hopscotch.Word0
	held   bool // by the operation of somebody else, which is this:
	kind   hopscotch.Kind
	pair   hopscotch.Pair
	plan   hopscotch.Plan
	member bool // the key is an idle member of its bucket
}

// sight is a look at both homes of a key.
type sight [2]glimpse

// look reads both homes of the key, and the operations that hold them. With members it also looks
// for the key among the members of its buckets; with strangers, for the operation that holds the
// bucket of a member which stands in a home.
func (e *eye) look(key uint32, members, strangers bool) (s sight) {
	s[0].home, s[1].home = hopscotch.Homes(key, e.layout)
	for half := range s {
		g := &s[half]
		h := uint32(half)
		g.word = e.word0(h, g.home)
		switch g.word.Form() {
		case hopscotch.FormClaimed, hopscotch.FormOperating, hopscotch.FormEngaged:
			e.holder(g, g.word)
		case hopscotch.FormMember:
			if d := g.word.Distance(); strangers && d < e.window {
				base := e.word0(h, e.place(g.home, e.n*hopscotch.WindowMax-d))
				if base.Form() == hopscotch.FormOperating {
					e.holder(g, base)
				}
			}
		}
		if !members {
			continue
		}
		var all hopscotch.Map
		switch {
		case g.word.Form() == hopscotch.FormBase:
			all = g.word.Map()
		case g.word.Form() == hopscotch.FormOperating && g.held:
			all = g.plan.Map()
		}
		g.member = e.among(h, g.home, all, key)
	}
	return s
}

// holder reads the operation that a reference means, if it is that of somebody else and still the
// one: its head is read again after the rest.
func (e *eye) holder(g *glimpse, w hopscotch.Word0) {
	d := e.refs.Index(w.Ref())
	if d == e.self || int(d+1)*hopscotch.DescriptorWords > len(e.descriptors) {
		return
	}
	head := hopscotch.Head(e.word(d, hopscotch.DescriptorHead))
	g.kind = head.Kind()
	g.pair = hopscotch.Pair(e.word(d, hopscotch.DescriptorPair))
	g.plan = hopscotch.Plan(e.word(d, hopscotch.DescriptorPlan))
	again := hopscotch.Head(e.word(d, hopscotch.DescriptorHead))
	g.held = head == again && head.Generation() == e.refs.Generation(w.Ref())
	if w.Form() == hopscotch.FormClaimed { // a hole is claimed, too, for another bucket's element
		g.held = g.held && g.kind == hopscotch.KindNew && head.Home() == g.home
	}
}

// displaced is a look after an add: member tells whether the base of before is a member now.
func (e *eye) displaced(key uint32, before sight) sight {
	s := e.look(key, false, true)
	for half := range s {
		g := &s[half]
		if g.word.Form() == hopscotch.FormBase {
			old := before[half].word.Key()
			g.member = !old.Reserved() && e.among(uint32(half), g.home, g.word.Map(), uint32(old))
		}
	}
	return s
}

func (e *eye) among(half, home uint32, members hopscotch.Map, key uint32) bool {
	for ; members != 0; members = members.Rest() {
		w := e.word0(half, e.place(home, members.First()))
		if w.Form() == hopscotch.FormMember && w.Key() == hopscotch.Key(key) {
			return true
		}
	}
	return false
}

// installed is the kind of the operation of that owner which some cell refers to, or KindNone.
func (e *eye) installed(owner uint64) hopscotch.Kind {
	for half := range uint32(2) {
		for cell := range e.n {
			w := e.word0(half, cell)
			switch w.Form() {
			case hopscotch.FormClaimed, hopscotch.FormOperating, hopscotch.FormEngaged:
				d := e.refs.Index(w.Ref())
				if uint64(hopscotch.Owner(e.word(d, hopscotch.DescriptorOwner)).Number()) == owner {
					return hopscotch.Head(e.word(d, hopscotch.DescriptorHead)).Kind()
				}
			}
		}
	}
	return hopscotch.KindNone
}

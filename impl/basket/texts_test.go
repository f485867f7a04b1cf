package basket

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// says holds an error against its reason and its whole text.
func says(t *testing.T, err, reason error, want string) {
	t.Helper()
	if err == nil || !errors.Is(err, reason) || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

// TestLayout_Texts: each number that is out of bounds is named with its bounds, which are within.
func TestLayout_Texts(t *testing.T) {
	good := Layout{Baskets: 3, BasketBytes: 64, Writers: 1, Tiers: 8, Lanes: 8, PolicyWords: 1 << 32}
	good.Policy, _ = NameOf("abcdefgh")
	const begin, end = "region on the heap: ", " (%v): choose a value within the bounds"
	for want, change := range map[string]func(l *Layout){
		"": func(*Layout) {},
		"basket bytes is 32, want a power of two of " +
			"64..67108864": func(l *Layout) { l.BasketBytes = 32 },
		"basket bytes is 96, want a power of two of " +
			"64..67108864": func(l *Layout) { l.BasketBytes = 96 },
		"basket bytes is 134217728, want a power of two of " +
			"64..67108864": func(l *Layout) { l.BasketBytes = 1 << 27 },
		"baskets is 2, want 3..536870911": func(l *Layout) { l.Baskets = 2 },
		"baskets is 536870912, want " +
			"3..536870911": func(l *Layout) { l.Baskets = 1 << 29 },
		"writers is 0, want 1..4094": func(l *Layout) { l.Writers = 0 },
		"writers is 4095, want " +
			"1..4094": func(l *Layout) { l.Writers = 4095 },
		"tiers is 9, want 1..8": func(l *Layout) { l.Tiers = 9 },
		"lanes is 9, want 1..8": func(l *Layout) { l.Lanes = 9 },
		"lanes is 2, want 1..1": func(l *Layout) {
			l.Lanes,
				l.Tiers = 2, 0
		},
		"policy words is 7, want a multiple of 8 up to " +
			"4294967296": func(l *Layout) { l.PolicyWords = 7 },
		"policy words is 4294967304, want a multiple of 8 up to 4294967296": func(l *Layout) {
			l.PolicyWords = 1<<32 + 8
		},
		"policy is 65, want 1 to 8 characters of a-z and 0-9": func(l *Layout) { l.Policy = 'A' },
	} {
		l := good
		change(&l)
		if want == "" {
			if err := l.Check(); err != nil {
				t.Error(err)
			}
			continue
		}
		says(t, l.Check(), region.ErrGeometry, begin+want+fmt.Sprintf(end, region.ErrGeometry))
	}
	for _, l := range []Layout{{Baskets: 1<<29 - 1, BasketBytes: 64, Writers: 4094},
		{Baskets: 511, BasketBytes: 64 << 20, Writers: 1}, {Baskets: 3, BasketBytes: 64, Writers: 1,
			Lanes: 1}} {
		if err := l.Check(); err != nil {
			t.Error(err)
		}
	}
}

// TestLayout_Part: what a store takes of a region, and what a region says of a store.
func TestLayout_Part(t *testing.T) {
	l := Layout{Baskets: 5, BasketBytes: 128, Writers: 2}
	want := "{basket 3 [{baskets 5} {basket bytes 128} {writers 2} {tiers 1} {lanes 1} {policy " +
		"113723912316769} " +
		"{policy words 0}] [{shared 64 0} {writers 128 0} {heads 80 0} {touch 16 0} {times 40 0} {policy " +
		"64 0} " +
		"{records 640 4096}]}"
	if text := fmt.Sprint(l.Part()); text != want {
		t.Errorf("the part is\n%s\nwant\n%s", text, want)
	}
	l.PolicyWords, l.Tiers, l.Lanes = 16, 3, 2
	l.Policy, _ = NameOf("b")
	want = "{basket 3 [{baskets 5} {basket bytes 128} {writers 2} {tiers 3} {lanes 2} {policy 98} " +
		"{policy words 16}] [{shared 64 0} {writers 128 0} {heads 80 0} {touch 16 0} {times 40 0} {policy " +
		"128 0} " +
		"{records 640 4096}]}"
	if text := fmt.Sprint(l.Part()); text != want {
		t.Errorf("the part is\n%s\nwant\n%s", text, want)
	}
	if text := l.String(); text != "5 baskets of 128 bytes, writers 2" {
		t.Errorf("it is printed as %s", text)
	}
	if x, err := (Layout{}).WithPolicy(worded{}, 5, 100); err != nil || x.PolicyWords != 104 ||
		x.Tiers != 5 ||
		x.Lanes != 2 || x.Policy.String() != "worded" {
		t.Errorf("with a policy: %+v %v", x, err)
	}
	if x, err := (Layout{}).WithPolicy(nil, 0, 100); err != nil || x.PolicyWords != 16 || x.Tiers != 4 ||
		x.Lanes != 1 || x.Policy.String() != "ageing" {
		t.Errorf("with none: %+v %v", x, err)
	}
	if _, err := (Layout{}).WithPolicy(worded{}, 9, 0); err == nil || err.Error() != "policy worded has 9 "+
		"tiers "+
		"and appends to 2 of them: it must have 1 to 8, and append to one at least" {
		t.Errorf("nine tiers: %v", err)
	}
}

// worded is a policy of as many tiers as are asked for, with a word for each record.
type worded struct{ Ageing }

func (worded) Name() string                             { return "worded" }
func (worded) Shape(asked uint32) (tiers, lanes uint32) { return asked, 2 }
func (worded) Words(records uint64) uint64              { return records - 3 }

// TestLayoutOf_Texts: what is no store is refused with all that a reader needs.
func TestLayoutOf_Texts(t *testing.T) {
	_, err := New(nil)
	says(t, err, region.ErrNil, fmt.Sprintf("store: region on the heap: region is nil, want one that is "+
		"open "+
		"(%v): make or open one", region.ErrNil))
	heap := func(p region.Part) *region.Region {
		r, err := region.Heap(region.Layout{p})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	table := heap(hopscotch.Layout{CellsPerHalf: 4, Window: 2, Descriptors: 1}.Part())
	_, err = LayoutOf(table)
	says(t, err, region.ErrLayout, fmt.Sprintf("region on the heap: engine is %v, want basket (%v): open "+
		"a region "+
		"that has a store of records, or create one", table.Layout(), region.ErrLayout))
	l := Layout{Baskets: 5, BasketBytes: 128, Writers: 2}
	p := l.Part()
	p.Version++
	_, err = LayoutOf(heap(p))
	says(t, err, region.ErrLayout, fmt.Sprintf("region on the heap: version of basket is 4, want 3 (%v): "+
		"it was "+
		"created by another build: use that build, or unlink it and create it anew", region.ErrLayout))
	p = l.Part()
	p.Sections[2].Bytes += 8
	const damaged = "the file is damaged: unlink it and create it anew"
	_, err = LayoutOf(heap(p))
	says(t, err, region.ErrHeader, fmt.Sprintf("region on the heap: size of section heads is 88, want 80 "+
		"(%v): %s",
		region.ErrHeader, damaged))
	p = l.Part()
	p.Params[2].Value = 5000
	_, err = LayoutOf(heap(p))
	says(t, err, region.ErrHeader, fmt.Sprintf("region on the heap: writers is 5000, want 1..4094 (%v): %s",
		region.ErrHeader, damaged))
}

// TestPolicy_Texts: a policy that is none, or not that of the store.
func TestPolicy_Texts(t *testing.T) {
	for name, ok := range map[string]bool{"a": true, "z9": true, "abcdefgh": true, "0": true, "": false,
		"abcdefghi": false, "A": false, "a-": false, "`": false, "{": false, "/": false, ":": false} {
		n, named := NameOf(name)
		if named != ok || ok && n.String() != name || ok && !n.valid() || !ok && n != 0 {
			t.Errorf("%q is a name: %v, %v", name, named, n)
		}
	}
	if n, _ := NameOf("ab"); n != 'b'<<8|'a' || PolicyName(0).valid() || PolicyName('a'|'A'<<8).valid() ||
		PolicyName('a'<<8).valid() {
		t.Errorf("ab is %#x", uint64(n))
	}
	for _, name := range []string{"ageing", "tinylfu"} {
		if p, ok := PolicyNamed(name); !ok || p.Name() != name {
			t.Errorf("%s: %v %v", name, p, ok)
		}
	}
	if p, ok := PolicyNamed("worded"); ok || p != nil {
		t.Errorf("a policy of another package: %v", p)
	}
	l, err := Layout{Baskets: 6, BasketBytes: 64, Writers: 1}.WithPolicy(worded{}, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := onHeap(t, l)
	if p, err := s.policyOf(worded{}); err != nil || p != (worded{}) {
		t.Errorf("its own policy: %v", err)
	}
	_, err = s.policyOf(nil)
	says(t, err, ErrPolicy,
		fmt.Sprintf(`the store has the policy "worded", which this package does not have: %v`,
			ErrPolicy))
	_, err = s.policyOf(Ageing{})
	says(t, err, ErrPolicy, fmt.Sprintf(`the store has the policy "worded", and not "ageing": %v`, ErrPolicy))
	_, err = s.policyOf(shaped{})
	says(t, err, ErrPolicy, fmt.Sprintf(`policy "worded" has 4 tiers, 3 lanes, the store has 4 and 2: %v`,
		ErrPolicy))
	if p, err := onHeap(t, Layout{Baskets: 6, BasketBytes: 64, Writers: 1}).policyOf(nil); err != nil ||
		p != (Ageing{}) {
		t.Errorf("the default is %v, %v", p, err)
	}
	for _, x := range []struct {
		p    Policy
		want string
	}{{unnamed{}, `policy "No" has no usable name: choose 1 to 8 characters of a-z and 0-9`},
		{shaped{}, ""}, {wide{}, "policy wide has 2 tiers and appends to 3 of them: it must have 1 to 8, " +
			"and " +
			"append to one at least"}} {
		if err := CheckPolicy(x.p, 4); x.want == "" && err != nil || x.want != "" && (err == nil ||
			err.Error() != x.want) {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
}

// Policies that are not that of a store, or none.
type (
	shaped  struct{ worded }
	unnamed struct{ worded }
	wide    struct{ worded }
)

func (shaped) Shape(asked uint32) (tiers, lanes uint32) { return asked, 3 }
func (unnamed) Name() string                            { return "No" }
func (wide) Name() string                               { return "wide" }
func (wide) Shape(uint32) (tiers, lanes uint32)         { return 2, 3 }

// changing is an index under which somebody has changed the hash each time that somebody asks.
type changing struct {
	ref  uint32
	asks int
	refs []uint32 // that were given
}

func (x *changing) Ticket(hash uint32) (hopscotch.Ticket, bool, error) {
	return hopscotch.MakeTicket(hash, 0, hopscotch.Word1(uint64(x.ref)<<32|1)), true, nil
}
func (x *changing) Still(hopscotch.Ticket) bool { x.asks++; return false }
func (x *changing) CompareAndSwap(_ hopscotch.Ticket, ref uint32) (bool, error) {
	x.refs = append(x.refs, ref)
	return false, nil
}
func (x *changing) CompareAndDelete(hopscotch.Ticket) (bool, error)    { return false, nil }
func (x *changing) Add(uint32, uint32, func(ref uint32)) (bool, error) { return false, nil }
func (x *changing) Forget() error                                      { return nil }
func (x *changing) Handed(func(ref uint32) bool)                       {}
func (x *changing) Settle(func(ref uint32)) error                      { return nil }

// TestBusy_EachCall: a call that finds the hash changed each time ends, says so, and gives back what it had.
func TestBusy_EachCall(t *testing.T) {
	s, x := onHeap(t, Layout{Baskets: 3, BasketBytes: 1024, Writers: 1}), &changing{ref: 1}
	w, err := s.NewWriter(x, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.appendSize(0, MakeSizeWord(0xAB, 3))
	s.appendHead(1, MakeKeyWord(0, 1, 0, 0))
	s.appendBytes(16, []byte("k-value"))
	before := []byte("<")
	value, _, ok, err := w.Get(0xAB, []byte("k"), before)
	says(t, err, ErrBusy, "get of hash 0xab: "+ErrBusy.Error())
	if string(value) != "<" || ok || x.asks < patience {
		t.Errorf("a get gives %q %v after %d asks", value, ok, x.asks)
	}
	_, ok, err = w.Has(0xAB, []byte("k"))
	says(t, err, ErrBusy, "look at hash 0xab: "+ErrBusy.Error())
	f, value, err2 := w.Find(0xAB, []byte("k"), before)
	says(t, err2, ErrBusy, "find of hash 0xab: "+ErrBusy.Error())
	if string(value) != "<" || ok || f != (Found{}) {
		t.Errorf("a find gives %q %+v", value, f)
	}
	all, links, err := w.Chain(0xAB, before, make([]Link, 1))
	says(t, err, ErrBusy, "chain of hash 0xab: "+ErrBusy.Error())
	if string(all) != "<" || len(links) != 1 {
		t.Errorf("a chain gives %q %v", all, links)
	}
	says(t, w.evict(1, 0xAB), ErrBusy, "eviction of hash 0xab: "+ErrBusy.Error())
}

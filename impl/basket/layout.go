package basket

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/samecycle/samecycle/impl/region"
)

// FormatVersion is raised whenever a word of the baskets changes its meaning, or a record its place.
const FormatVersion = 3

// Engine is the name under which a region has the baskets' part.
const (
	Engine         = "basket"
	SectionShared  = "shared"  // words of all: next sequence, tick, secret
	SectionWriters = "writers" // one line for each writer: its Owner
	SectionHeads   = "heads"   // Head and Hint of each basket
	SectionTouch   = "touch"   // a bit for each unit of records: recency
	SectionTimes   = "times"   // a word for each basket: when it was opened
	SectionPolicy  = "policy"  // what the policy remembers
	SectionRecords = "records" // the baskets
)

// Names of the parameters of the baskets' part of a region.
const (
	paramBaskets = "baskets"
	paramBytes   = "basket bytes"
	paramWriters = "writers"
	paramTiers   = "tiers"
	paramLanes   = "lanes"
	paramPolicy  = "policy"
	paramWords   = "policy words"
)

// The words of SectionShared, by index. The remaining words are spare and stay zero.
const (
	sharedSequence = iota // the next sequence number
	sharedTick            // a coarse clock for all processes
	sharedSecret          // for the hash; two words, each set once
	sharedWords    = 8
)

// Sizes and bounds.
const (
	UnitBytes    = region.WordBytes // records begin at multiples of it
	BasketsMin   = 3
	BytesMin     = 64 // below 4096 is for tests
	BytesMax     = 64 << 20
	WritersMin   = 1
	WritersMax   = 1<<12 - 2
	KeyMax       = 1<<16 - 1 // bytes of a key
	ChainMax     = 8         // records of one hash
	headSize     = 2         // words of a basket in SectionHeads
	writerWords  = 8         // words of a writer in SectionWriters
	touchedBytes = 64        // bytes of records that share a byte of SectionTouch
	lineWords    = region.LineBytes / region.WordBytes
	policyMost   = 1 << 32 // words that a policy has at most
)

// Layout is the geometry of the store of records. All refs have 32 bits, so a store has 32 GiB at most.
type Layout struct {
	Baskets     uint32 // 3 or more; with 256 or more, freeing whole baskets costs few hits
	BasketBytes uint32 // a power of two, 4 KiB to 64 MiB; a record, and a chain, has to fit into one
	Writers     uint32 // most writers at a time, in all processes: 1..4094

	Tiers       uint32     // 1..8; 0 is 1
	Lanes       uint32     // number of tiers, from the top, to which records are appended; 0 is 1
	Policy      PolicyName // decides which records leave; 0 is Ageing
	PolicyWords uint64     // words of 8 bytes that the policy has in the region
}

// WithPolicy returns the layout of a store with that policy, for a program that asks for so many tiers and
// expects so many records. If p is nil, the policy is Ageing; if tiers is 0, the policy chooses the number.
// Errors: those of CheckPolicy.
func (l Layout) WithPolicy(p Policy, tiers uint32, records uint64) (Layout, error) {
	if p == nil {
		p = Ageing{}
	}
	if err := CheckPolicy(p, tiers); err != nil {
		return l, err
	}
	l.Policy, _ = NameOf(p.Name())
	l.Tiers, l.Lanes = p.Shape(tiers)
	l.PolicyWords = (p.Words(records) + lineWords - 1) / lineWords * lineWords
	return l, nil
}

// tiers and lanes return Tiers and Lanes with their defaults.
func (l Layout) tiers() uint32 { return max(l.Tiers, 1) }

func (l Layout) lanes() uint32 { return max(l.Lanes, 1) }

// policy returns Policy with its default.
func (l Layout) policy() PolicyName {
	if l.Policy == 0 {
		name, _ := NameOf(Ageing{}.Name())
		return name
	}
	return l.Policy
}

// Check returns a region.Error of region.ErrGeometry that names the first field out of bounds, or nil.
func (l Layout) Check() error { return l.check("") }

// check is Check for the layout of a store in that file; file is empty for a store on the heap.
func (l Layout) check(file string) error {
	bad := func(field string, found any, want string) error {
		return &region.Error{Reason: region.ErrGeometry, File: file, Field: field, Found: fmt.Sprint(found),
			Want: want, Do: "choose a value within the bounds"}
	}
	between := func(low, high uint64) string { return fmt.Sprintf("%d..%d", low, high) }
	switch {
	case bits.OnesCount32(l.BasketBytes) != 1 || l.BasketBytes < BytesMin || l.BasketBytes > BytesMax:
		return bad(paramBytes, l.BasketBytes, "a power of two of "+between(BytesMin, BytesMax))
	case l.Baskets < BasketsMin || uint64(l.Baskets)*uint64(l.units()) > math.MaxUint32:
		return bad(paramBaskets, l.Baskets, between(BasketsMin, math.MaxUint32/uint64(l.units())))
	case l.Writers < WritersMin || l.Writers > WritersMax:
		return bad(paramWriters, l.Writers, between(WritersMin, WritersMax))
	case l.Tiers > TiersMax:
		return bad(paramTiers, l.Tiers, between(1, TiersMax))
	case l.Lanes > l.tiers():
		return bad(paramLanes, l.Lanes, between(1, uint64(l.tiers())))
	case l.PolicyWords > policyMost || l.PolicyWords%lineWords != 0:
		return bad(paramWords, l.PolicyWords,
			fmt.Sprintf("a multiple of %d up to %d", lineWords, uint64(policyMost)))
	case l.Policy != 0 && !l.Policy.valid():
		return bad(paramPolicy, uint64(l.Policy), "1 to 8 characters of a-z and 0-9")
	}
	return nil
}

// units of one basket.
func (l Layout) units() uint32 { return l.BasketBytes / UnitBytes }

// Part is the store's part of a region of this layout, which Check accepts.
func (l Layout) Part() region.Part {
	records := uint64(l.Baskets) * uint64(l.BasketBytes)
	touch := (records/touchedBytes + region.WordBytes - 1) &^ (region.WordBytes - 1)
	return region.Part{Engine: Engine, Version: FormatVersion, Params: []region.Param{
		{Name: paramBaskets, Value: uint64(l.Baskets)}, {Name: paramBytes, Value: uint64(l.BasketBytes)},
		{Name: paramWriters, Value: uint64(l.Writers)}, {Name: paramTiers, Value: uint64(l.tiers())},
		{Name: paramLanes, Value: uint64(l.lanes())},
		{Name: paramPolicy, Value: uint64(l.policy())}, {Name: paramWords, Value: l.PolicyWords}},
		Sections: []region.Section{
			{Name: SectionShared, Bytes: sharedWords * region.WordBytes},
			{Name: SectionWriters, Bytes: uint64(l.Writers) * writerWords * region.WordBytes},
			{Name: SectionHeads, Bytes: uint64(l.Baskets) * headSize * region.WordBytes},
			{Name: SectionTouch, Bytes: touch},
			{Name: SectionTimes, Bytes: uint64(l.Baskets) * region.WordBytes},
			{Name: SectionPolicy, Bytes: max(l.PolicyWords, lineWords) * region.WordBytes},
			{Name: SectionRecords, Bytes: records, Align: region.PageBytes}}}
}

// String prints the geometry.
func (l Layout) String() string {
	return fmt.Sprintf("%d baskets of %d bytes, writers %d", l.Baskets, l.BasketBytes, l.Writers)
}

// LayoutOf reads the geometry of the store in r, and checks it: each number is within its bounds, and the
// sections have the size that it needs. Errors: region.ErrLayout (no store, or one of another version),
// region.ErrHeader, region.ErrNil.
func LayoutOf(r *region.Region) (Layout, error) {
	bad := func(reason error, field, found, want, do string) (Layout, error) {
		file := ""
		if r != nil {
			file = r.File()
		}
		return Layout{}, &region.Error{Reason: reason, File: file, Field: field, Found: found, Want: want,
			Do: do}
	}
	const anew = "unlink it and create it anew"
	if r == nil {
		return bad(region.ErrNil, "region", "nil", "one that is open", "make or open one")
	}
	all := r.Layout()
	p, ok := all.Part(Engine)
	if !ok {
		return bad(region.ErrLayout, "engine", all.String(), Engine,
			"open a region that has a store of records, or create one")
	}
	if p.Version != FormatVersion {
		return bad(region.ErrLayout, "version of "+Engine, fmt.Sprint(p.Version), fmt.Sprint(FormatVersion),
			"it was created by another build: use that build, or "+anew)
	}
	l := Layout{Baskets: paramOf(p, paramBaskets), BasketBytes: paramOf(p, paramBytes),
		Writers: paramOf(p, paramWriters), Tiers: paramOf(p, paramTiers), Lanes: paramOf(p, paramLanes)}
	policy, _ := p.Param(paramPolicy)
	l.Policy = PolicyName(policy)
	l.PolicyWords, _ = p.Param(paramWords)
	const damaged = "the file is damaged: " + anew
	if err := l.check(r.File()); err != nil {
		e := *err.(*region.Error)
		e.Reason, e.Do = region.ErrHeader, damaged
		return Layout{}, &e
	}
	for _, x := range l.Part().Sections {
		if s, _ := p.Section(x.Name); s.Bytes != x.Bytes {
			return bad(region.ErrHeader, "size of section "+x.Name, fmt.Sprint(s.Bytes), fmt.Sprint(x.Bytes),
				damaged)
		}
	}
	return l, nil
}

// paramOf returns a parameter as a number of 32 bits. If it is absent, the result is 0; if it is larger, the
// result is the largest number.
func paramOf(p region.Part, name string) uint32 {
	value, _ := p.Param(name)
	return uint32(min(value, math.MaxUint32))
}

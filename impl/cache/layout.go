package cache

import (
	"fmt"
	"math"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// FormatVersion is increased whenever the format of the cache's own part of a region changes.
const FormatVersion = 5

// Engine is the name of the cache's own part of a region, beside those of hopscotch and basket.
const (
	Engine          = "cache"
	SectionClock    = "clock"    // the clock of all processes (clock.go), and a wanted writer (handover.go)
	SectionParams   = "params"   // the live parameters (params_words.go)
	SectionJanitors = "janitors" // a lease for each janitor that may make room (lease.go)
	SectionCounts   = "counts"   // what each process has done (counts.go)
	SectionObjects  = "objects"  // how often keys are asked for (package quota)
	SectionClients  = "clients"  // how often clients ask
)

// Names of the parameters of the cache's part: the options that belong to it.
const (
	paramBytes   = "bytes"
	paramBasket  = "basket bytes"
	paramEntries = "entries"
	paramHash    = "hash"
	paramBits    = "hash bits" // 32, except in tests
	paramTiers   = "tiers"
	paramPolicy  = "policy" // its name as a number
)

// policyNumber is the name of a policy as a number; it is 0 for no policy.
func policyNumber(p Policy) uint64 {
	if p == nil {
		return 0
	}
	n, _ := basket.NameOf(p.Name())
	return uint64(n)
}

// Geometry of the index.
const (
	window         = 32
	loadPercent    = 75 // of the cells, when the index has as many entries as it was made for
	descriptorsMin = 64
	descriptorsMax = 512
	clockBytes     = region.LineBytes
	paramsBytes    = paramsMost * region.WordBytes
	janitorsBytes  = janitorsMost * region.WordBytes
	countsBytes    = region.Processes * countsLine * region.WordBytes
	touchPart      = 64  // bytes of records for each byte of recency
	nearly         = 512 // a size that is too small is increased by a 512th until it is enough
)

// geometry has the parts of a cache's region.
type geometry struct {
	index  hopscotch.Layout
	basket basket.Layout
	own    region.Part
	lanes  uint32 // of the policy
}

// layout is the region layout of g.
func (g geometry) layout() region.Layout {
	return region.Layout{g.index.Part(), g.basket.Part(), g.own}
}

// ownPart is the cache's own part of a region with these options. A zero accepts any value of an existing
// region.
func ownPart(o Options) region.Part {
	return region.Part{Engine: Engine, Version: FormatVersion, Params: []region.Param{
		{Name: paramBytes, Value: o.Bytes}, {Name: paramBasket, Value: uint64(o.BasketBytes)},
		{Name: paramEntries, Value: o.Entries}, {Name: paramHash, Value: uint64(o.Hash)},
		{Name: paramBits, Value: uint64(o.hashBits)}, {Name: paramTiers, Value: uint64(o.Tiers)},
		{Name: paramPolicy, Value: policyNumber(o.Policy)}}}
}

// geometryOf divides the bytes of a new cache: first the index, then as many baskets as fit. Options that are
// zero have their defaults.
func geometryOf(given Options) (geometry, error) {
	o := given.complete()
	g, err := emptyOf(o)
	if err != nil {
		return geometry{}, err
	}
	if !g.fill(o) {
		return geometry{}, tooSmall(given)
	}
	if err := g.index.Check(); err != nil {
		return geometry{}, fmt.Errorf("cache: %w", err)
	}
	if err := g.basket.Check(); err != nil {
		return geometry{}, fmt.Errorf("cache: %w", err)
	}
	return g, nil
}

// emptyOf is the geometry of complete options, without the number of baskets.
func emptyOf(o Options) (geometry, error) {
	if o.hashBits == 0 {
		o.hashBits = 32
	}
	cells := (o.Entries*100/loadPercent + 1) / 2
	g := geometry{own: ownPart(o), index: hopscotch.Layout{
		CellsPerHalf: uint32(max(cells, window)), Window: window, Homes: hopscotch.HomesNear,
		Descriptors: uint32(min(max(o.Entries/64, descriptorsMin), descriptorsMax))}}
	g.own.Sections = []region.Section{{Name: SectionClock, Bytes: clockBytes},
		{Name: SectionParams, Bytes: paramsBytes}, {Name: SectionJanitors, Bytes: janitorsBytes},
		{Name: SectionCounts, Bytes: countsBytes},
		{Name: SectionObjects, Bytes: uint64(objectsLayout(o.Bytes).Words()) * region.WordBytes},
		{Name: SectionClients, Bytes: uint64(clientsLayout(o.Bytes).Words()) * region.WordBytes}}
	var err error
	g.basket, err = basket.Layout{BasketBytes: o.BasketBytes}.WithPolicy(o.Policy, uint32(o.Tiers), o.Entries)
	if err != nil {
		return geometry{}, fmt.Errorf("cache: %w", err)
	}
	_, g.lanes = o.Policy.Shape(uint32(o.Tiers))
	return g, nil
}

// fill gives g as many baskets as fit, and reports whether these are enough.
func (g *geometry) fill(o Options) (ok bool) {
	most := math.MaxUint32 / (uint64(o.BasketBytes) / basket.UnitBytes) // nameable by refs of 32 bits
	each := uint64(o.BasketBytes)/touchPart + uint64(o.BasketBytes)     // a basket with its marks of recency
	g.basket = withBaskets(g.basket, min(o.Bytes/each, most), g.lanes)
	for size := g.layout().Size(); size > o.Bytes; size = g.layout().Size() {
		over := (size - o.Bytes + each - 1) / each
		if uint64(g.basket.Baskets) < basketsMin+over {
			return false
		}
		g.basket = withBaskets(g.basket, uint64(g.basket.Baskets)-over, g.lanes)
	}
	return g.basket.Baskets >= basketsMin
}

// withBaskets is l with n baskets. It has so many writers that half of the baskets are enough for them: each
// writer has one open basket for each lane of the policy, and one that retires.
func withBaskets(l basket.Layout, n uint64, lanes uint32) basket.Layout {
	l.Baskets, l.Writers = uint32(n), min(max(uint32(n)/(2*lanes+2), 1), handlesMax)
	return l
}

// tooSmall is the error that says how many bytes are enough for the options. Options that are zero grow with
// the bytes, so it tries larger and larger sizes.
func tooSmall(given Options) error {
	o := given.complete()
	found := o.Bytes
	for enough := false; !enough && given.Bytes <= BytesMax; {
		given.Bytes = o.Bytes + o.Bytes/nearly
		o = given.complete()
		g, err := emptyOf(o)
		if err != nil {
			return err
		}
		enough = g.fill(o)
	}
	return &Error{"Bytes", fmt.Sprint(found),
		fmt.Sprintf("%d or more, for %d baskets of %d bytes and an index of %d entries",
			o.Bytes, basketsMin, o.BasketBytes, o.Entries),
		"choose more Bytes, smaller BasketBytes or fewer Entries"}
}

// optionsOf returns the options with which the region was made. The policy is one of package basket, or the
// given one.
func optionsOf(r *region.Region, given Policy) (Options, error) {
	all := r.Layout()
	p, ok := all.Part(Engine)
	bad := func(reason error, field, found, want, do string) (Options, error) {
		return Options{}, &region.Error{Reason: reason, File: r.File(), Field: field, Found: found,
			Want: want, Do: do}
	}
	if !ok {
		return bad(region.ErrLayout, "engine", all.String(), Engine,
			"open a region that a cache has made, or create one under another path")
	}
	if p.Version != FormatVersion {
		return bad(region.ErrLayout, "version of "+Engine, fmt.Sprint(p.Version), fmt.Sprint(FormatVersion),
			"it was created by another build: use that build, or unlink it and create it anew")
	}
	get := func(name string, most uint64) uint64 {
		value, ok := p.Param(name)
		if !ok || value == 0 || value > most {
			return 0
		}
		return value
	}
	o := Options{Bytes: get(paramBytes, BytesMax), BasketBytes: uint32(get(paramBasket, BasketBytesMax)),
		Entries: get(paramEntries, entriesMax), Hash: HashKind(get(paramHash, uint64(HashSip))),
		hashBits: int(get(paramBits, 32)), Tiers: int(get(paramTiers, basket.TiersMax))}
	name := basket.PolicyName(get(paramPolicy, math.MaxUint64))
	_, named := basket.NameOf(name.String())
	if o.Policy = given; given == nil && named {
		var known bool
		if o.Policy, known = basket.PolicyNamed(name.String()); !known {
			return bad(region.ErrLayout, "policy", name.String(), "one of this package",
				"pass the policy with that name in Options.Policy")
		}
	}
	const damaged = "the file is damaged: unlink it and create it anew"
	if !named || o.Tiers == 0 ||
		o.Bytes == 0 || o.BasketBytes == 0 || o.Entries == 0 || o.Hash == 0 || o.hashBits == 0 {
		return bad(region.ErrHeader, "part "+Engine, fmt.Sprint(p.Params), "options within their bounds",
			damaged)
	}
	if err := o.check(); err != nil {
		return bad(region.ErrHeader, "part "+Engine, err.Error(), "options within their bounds",
			damaged)
	}
	if g, err := geometryOf(o); err != nil || !all.Equal(g.layout()) {
		return bad(region.ErrHeader, "layout", all.String(), "that of the options "+fmt.Sprint(p.Params),
			damaged)
	}
	return o, nil
}

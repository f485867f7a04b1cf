package basket

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// TiersMax is how many tiers a store has at most.
const TiersMax = 8

// ErrPolicy is the failure of a writer whose policy is not that of the store.
var ErrPolicy = errors.New("policy is not that of the store: pass the one it was made with, or none if " +
	"that is one of this package")

// Policy decides in which tier the records of a store are, and which ones leave when room is needed. One is
// chosen when a store is made, and all writers of all processes use it. Ageing and TinyLFU are those of this
// package. Another one is a type with these methods: pass it to the Layout and to the writers.
//
// A policy moves no bytes and knows no baskets' states. So none can lose an entry or bring one back: whatever
// it answers, an entry leaves by one compare-and-swap, and is told. A wrong answer costs hits.
type Policy interface {
	// Name is by which a region knows it: 1 to 8 characters of a-z and 0-9.
	Name() string
	// Shape is how many tiers there are, up to TiersMax, if a program asks for so many, with 0 for any. New
	// records and those that are moved are appended to the first lanes of them, up to tiers; each one costs
	// an open basket of every writer.
	Shape(asked uint32) (tiers, lanes uint32)
	// Words is how much memory of the region it wants, in words of 8 bytes, if so many records are expected.
	Words(records uint64) uint64
	// Order is the policy in one writer, which is used by one goroutine at a time. The words are those that
	// it asked for, zero in a new region, shared by the orders of all writers of all processes. Whoever
	// writes to them may be killed at any instruction, so what they say must be no more than a hint.
	Order(words region.Words, l Layout) Order
}

// Order is a policy at work. Its methods must not block.
type Order interface {
	// Enters is the tier, among the lanes, to which the record of a key is appended that was not there. It
	// has so many units of 8 bytes.
	Enters(hash, units uint32) uint32
	// Ages is the tier whose oldest sealed basket goes one tier down now, if any. It is asked until it says
	// no, or until there is no such basket.
	Ages(b *Balance) (tier uint32, ok bool)
	// Forgets says whether the marks of recency are cleared of all records of a basket that has just gone
	// down from that tier: then they count the uses since. Those that a verdict gave go, too.
	Forgets(tier uint32) bool
	// Retires is the tier whose oldest sealed basket makes room now. If it has none, the oldest one of the
	// last tier that has any does.
	Retires(b *Balance) uint32
	// Walks says that the records of a basket of that tier, of so many units, will be judged from now on.
	Walks(tier, units uint32)
	// Judge says what becomes of a record of a basket that retires. It may be asked about one more than once.
	Judge(c *Candidate) Verdict
}

// Balance is what a writer has seen in a look over all baskets. Others change them meanwhile.
type Balance struct {
	All     uint32           // baskets that there are
	Reserve uint32           // of which so many are to be free
	Tiers   [TiersMax]TierOf // what is in each tier
	Share   [TiersMax]uint32 // percent of all baskets that a tier may have, if tuned; else 0
	Aged    [TiersMax]bool   // its oldest sealed basket is older than tuned
}

// TierOf is a tier in a Balance.
type TierOf struct {
	Baskets uint32 // that are not free
	Sealed  uint32 // of which so many can age or retire
}

// Candidate is a record that may leave.
type Candidate struct {
	Hash   uint32
	Tier   uint32 // of its basket
	Uses   int    // up to 3, since it was appended, and those that its last Verdict gave it
	Given  int    // of which so many were given; 0 if there are 3, since then nobody can tell
	Units  uint32 // of 8 bytes
	Old    bool   // its basket has been in its tier for longer than tuned: it leaves unless it was used
	writer *Writer
}

// Rival is another record: one of the oldest baskets of a tier, each time another one. ok is false if there
// is none at hand. It may be dead, since nobody looks into the index for it.
func (c *Candidate) Rival(tier uint32) (hash uint32, uses int, ok bool) {
	if c.writer == nil {
		return 0, 0, false
	}
	return c.writer.rival(tier)
}

// Verdict is what becomes of a record.
type Verdict struct {
	Stays bool
	Tier  uint32 // among the lanes, to which it is moved if it stays
	Uses  int    // that count for it from then on, up to 3
}

// PolicyName is the name of a policy as a number, as a region keeps it: its characters, the first one lowest.
type PolicyName uint64

// NameOf packs a name. ok is false if it is none.
func NameOf(name string) (n PolicyName, ok bool) {
	if len(name) == 0 || len(name) > 8 {
		return 0, false
	}
	for i := range len(name) {
		c := name[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return 0, false
		}
		n |= PolicyName(c) << (8 * i)
	}
	return n, true
}

// valid reports whether it is the number of a name.
func (n PolicyName) valid() bool {
	again, ok := NameOf(n.String())
	return ok && again == n
}

// String is the name.
func (n PolicyName) String() string {
	var text []byte
	for ; n != 0; n >>= 8 {
		text = append(text, byte(n))
	}
	return string(text)
}

// policies are those of this package.
var policies = [...]Policy{Ageing{}, TinyLFU{}}

// PolicyNamed is the policy of this package with that name; ok is false if there is none.
func PolicyNamed(name string) (p Policy, ok bool) {
	for _, p := range policies {
		if p.Name() == name {
			return p, true
		}
	}
	return nil, false
}

// CheckPolicy is the error of a policy that breaks the rules of Name and Shape, or nil.
func CheckPolicy(p Policy, asked uint32) error {
	if _, ok := NameOf(p.Name()); !ok {
		return fmt.Errorf("policy %q has no usable name: choose 1 to 8 characters of a-z and 0-9", p.Name())
	}
	if tiers, lanes := p.Shape(asked); tiers < 1 || tiers > TiersMax || lanes < 1 || lanes > tiers {
		return fmt.Errorf("policy %s has %d tiers and appends to %d of them: it must have 1 to %d, and "+
			"append to one at least", p.Name(), tiers, lanes, TiersMax)
	}
	return nil
}

// policyOf is the policy of the store: the given one, or that of this package with its name.
func (s *Store) policyOf(given Policy) (Policy, error) {
	name := s.layout.policy().String()
	if given == nil {
		if p, ok := PolicyNamed(name); ok {
			return p, nil
		}
		return nil, fmt.Errorf("the store has the policy %q, which this package does not have: %w", name,
			ErrPolicy)
	}
	if given.Name() != name {
		return nil, fmt.Errorf("the store has the policy %q, and not %q: %w", name, given.Name(), ErrPolicy)
	}
	if tiers, lanes := given.Shape(s.layout.tiers()); tiers != s.layout.tiers() || lanes != s.layout.lanes() {
		return nil, fmt.Errorf("policy %q has %d tiers, %d lanes, the store has %d and %d: %w", name, tiers,
			lanes, s.layout.tiers(), s.layout.lanes(), ErrPolicy)
	}
	return given, nil
}

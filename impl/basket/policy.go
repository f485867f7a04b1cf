package basket

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// TiersMax is the largest number of tiers of a store.
const TiersMax = 8

// ErrPolicy is the error of a writer whose policy is not that of the store.
var ErrPolicy = errors.New("policy is not that of the store: pass the one it was made with, or none if " +
	"that is one of this package")

// Policy decides in which tier the records of a store are, and which records leave when room is needed. It
// is chosen when a store is made, and all writers of all processes use it. This package has the policies
// Ageing and TinyLFU. Any type with these methods can be another policy: pass it to the Layout and to the
// writers.
//
// A policy moves no bytes, and does not know the states of baskets. So no policy can lose an entry or bring
// one back: whatever it answers, an entry leaves by one compare-and-swap, and is told. A wrong answer only
// costs hits.
type Policy interface {
	// Name is the name by which a region knows the policy: 1 to 8 characters of a-z and 0-9.
	Name() string
	// Shape returns the number of tiers, up to TiersMax, if a program asks for so many; 0 asks for any
	// number. lanes, up to tiers, is the number of tiers, from the top, to which new and moved records are
	// appended. Each lane costs an open basket of every writer.
	Shape(asked uint32) (tiers, lanes uint32)
	// Words is the memory that the policy needs in the region, in words of 8 bytes, for so many expected
	// records.
	Words(records uint64) uint64
	// Order returns the policy for one writer, which one goroutine at a time uses. The words are those that
	// the policy asked for. They are zero in a new region, and the orders of all writers of all processes
	// share them. An actor that writes to them may be killed at any instruction, so they must be no more
	// than a hint.
	Order(words region.Words, l Layout) Order
}

// Order is a policy in use by a writer. Its methods must not block.
type Order interface {
	// Enters returns the lane to which the record of a new key is appended. The record has so many units of
	// 8 bytes.
	Enters(hash, units uint32) uint32
	// Ages returns the tier whose oldest sealed basket goes one tier down now, if any. It is called again
	// until it returns false, or until there is no such basket.
	Ages(b *Balance) (tier uint32, ok bool)
	// Forgets returns whether the marks of recency of all records of a basket that has just gone down from
	// that tier are cleared. If so, they count the uses since then, and the uses that a verdict gave are
	// cleared, too.
	Forgets(tier uint32) bool
	// Retires returns the tier whose oldest sealed basket makes room now. If that tier has no sealed basket,
	// the last tier that has one is used.
	Retires(b *Balance) uint32
	// Walks says that Judge will be called from now on for the records of a basket of that tier, of so many
	// units.
	Walks(tier, units uint32)
	// Judge decides about a record of a basket that retires. It may be called more than once for one record.
	Judge(c *Candidate) Verdict
}

// Balance is what a writer has seen in a look over all baskets. Other writers change them during the look.
type Balance struct {
	All     uint32           // number of all baskets
	Reserve uint32           // number of baskets that should be free
	Tiers   [TiersMax]TierOf // what is in each tier
	Share   [TiersMax]uint32 // percent of all baskets that a tier may have, if tuned; otherwise 0
	Aged    [TiersMax]bool   // the oldest sealed basket of the tier is older than tuned
}

// TierOf is a tier in a Balance.
type TierOf struct {
	Baskets uint32 // number of baskets that are not free
	Sealed  uint32 // number of those that can age or retire
}

// Candidate is a record that may leave.
type Candidate struct {
	Hash   uint32
	Tier   uint32 // of its basket
	Uses   int    // up to 3: those since it was appended, and those that its last Verdict gave it
	Given  int    // how many of Uses were given; 0 if Uses is 3, because then they cannot be told apart
	Units  uint32 // of 8 bytes
	Old    bool   // its basket has been in its tier for longer than tuned: it leaves unless it was used
	writer *Writer
}

// Rival returns another record, from the oldest basket of a tier, and a different one at each call. ok is
// false if none is available. The record may be dead, because it is not looked up in the index.
func (c *Candidate) Rival(tier uint32) (hash uint32, uses int, ok bool) {
	if c.writer == nil {
		return 0, 0, false
	}
	return c.writer.rival(tier)
}

// Verdict decides what happens to a record.
type Verdict struct {
	Stays bool
	Tier  uint32 // lane to which it is moved if it stays
	Uses  int    // uses that it has from then on, up to 3
}

// PolicyName is the name of a policy as a number, in the form in which a region has it: its characters, the
// first one lowest.
type PolicyName uint64

// NameOf packs a name. ok is false if it is not a valid name.
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

// valid reports whether the number is that of a name.
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

// PolicyNamed returns the policy of this package with that name; ok is false if there is none.
func PolicyNamed(name string) (p Policy, ok bool) {
	for _, p := range policies {
		if p.Name() == name {
			return p, true
		}
	}
	return nil, false
}

// CheckPolicy returns the error of a policy that breaks the rules of Name and Shape, or nil.
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

// policyOf returns the policy of the store: the given one, or the policy of this package with the name in
// the layout.
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

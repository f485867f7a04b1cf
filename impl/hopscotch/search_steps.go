package hopscotch

import "github.com/samecycle/samecycle/internal/seam"

// The accesses of search.go and search_held.go: each function is the action of that name, and makes
// one access.
//
// An access that is done again compares, and a touch and a look at a base take the key out of what they read,
// on the one line that each function is. Where a line of an inlined function has no instruction of its own
// the compiler leaves a no-op there, and what a get costs is how many instructions it has, these included.

// searchTouch brings the cell into the cache early. What it reads may tell which half to look into
// first; nothing else rests on it.
func (c *cell) searchTouch() (Word0, Key) { w := c.word0.Load(); return Word0(w), Key(w >> keyShift) }

// searchRequest asks for the line of the cell. Unlike searchTouch it reads nothing, and nobody waits for it.
func (c *cell) searchRequest() { seam.Request(&c.word0) }

func (c *cell) searchVersion() Word1 { return Word1(c.word1.Load()) }

func (c *cell) searchBase() (Word0, Key) { w := c.word0.Load(); return Word0(w), Key(w >> keyShift) }

func (d *descriptor) searchHead() Head { return Head(d.head.Load()) }

func (d *descriptor) searchPair() Pair { return Pair(d.pair.Load()) }

func (d *descriptor) searchPlan() Plan { return Plan(d.plan.Load()) }

func (d *descriptor) searchExpect() Word1 { return Word1(d.expect.Load()) }

func (d *descriptor) searchSource() Source { return Source(d.source.Load()) }

func (d *descriptor) searchTarget() Target { return Target(d.target.Load()) }

func (d *descriptor) searchHeadAgain() Head { return Head(d.head.Load()) }

func (c *cell) searchBaseAgain() Word0 { return Word0(c.word0.Load()) }

func (c *cell) searchVersionAgain(was Word1) (same bool) { return Word1(c.word1.Load()) == was }

func (c *cell) searchMember() Word0 { return Word0(c.word0.Load()) }

func (c *cell) searchMemberValue() Word1 { return Word1(c.word1.Load()) }

func (c *cell) searchMemberAgain(was Word0) (same bool) { return Word0(c.word0.Load()) == was }

func (c *cell) searchVersionLast() Word1 { return Word1(c.word1.Load()) }

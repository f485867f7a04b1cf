package hopscotch

import "fmt"

// A conditional delete: the element of a ticket leaves the table if the ticket holds, by one operation on its
// bucket, as an eviction. S27. Specification: spec/tla/hopscotch/Discard.tla.

// discarding is one conditional delete, while it runs.
type discarding struct {
	ticket Ticket
	work   work // what to install
	ref    Ref  // of the operation to help
}

// CompareAndDelete takes the element of the ticket out of the table if the ticket holds. Its value, that of
// the ticket, then belongs to the caller. Of several calls with tickets of one version, and of a Delete of
// the key, one succeeds. Left lists the element, with ReasonDiscarded. Its cell is free at once, and nothing
// is left for a crop. Otherwise ok is false and nothing is changed; this may be so although the value is the
// same (Ticket).
//
// No swap and no update takes effect between the ticket's value and the removal, so the value of the ticket
// is the one that left. If another actor has an operation on the bucket, it is finished first.
//
// Errors: those of Add. Progress: lock-free; it starts again only when another actor has made a step. It does
// not allocate, except for the list of Left.
func (h *Handle) CompareAndDelete(ticket Ticket) (ok bool, err error) {
	if err := h.begin(); err != nil {
		return false, fmt.Errorf("conditional delete of key %v: %w", ticket.key, err)
	}
	ok, err = h.discard(ticket)
	if err != nil {
		return false, fmt.Errorf("conditional delete of key %v: %w", ticket.key, err)
	}
	if ok {
		h.tally.Deleted++
	}
	h.assist()
	return ok, nil
}

// discard prepares and installs until it knows how the conditional delete has ended.
func (h *Handle) discard(ticket Ticket) (ok bool, err error) {
	c := h.table.cellOf(ticket)
	if c == nil {
		return false, nil
	}
	x := discarding{ticket: ticket}
	for range h.table.patience {
		switch h.table.discarding(&x, c) {
		case stepVoid:
			return false, nil
		case stepHelp:
			if err := h.help(x.ref); err != nil {
				return false, err
			}
		case stepInstall:
			if !h.install(&x.work, 0) {
				continue
			}
			h.op.discards = true
			if err := h.drive(); err != nil {
				return false, err
			}
			if h.op.target.Status() == StatusCommitted {
				return true, nil
			}
		case stepDamaged:
			return false, ErrCorrupt
		}
	}
	return false, ErrBusy
}

// discarding finds out what takes the element of the ticket out of its cell c. Its first two accesses are
// those of Still: they save an operation that would be given up, and word 1 of a member is read after its
// word 0, as for every operation on a member.
func (t *Table) discarding(x *discarding, c *cell) step {
	word := c.discardLook()
	if word.Key() != x.ticket.key {
		return stepVoid
	}
	form := word.Form()
	switch form {
	case FormOperating, FormEngaged: // The ticket will be void, but an owner that has died would keep it.
		x.ref = word.Ref()
		return stepHelp
	case FormBase, FormMember:
	default:
		return stepDamaged
	}
	if c.discardValue() != x.ticket.word {
		return stepVoid
	}
	half, index := x.ticket.Place()
	if form == FormMember {
		return t.discardingMember(x, half, index, word)
	}
	return t.discardingBase(x, half, index, word)
}

// discardingMember prepares the drop of a member.
func (t *Table) discardingMember(x *discarding, half, index uint32, word Word0) step {
	offset := word.Distance()
	if offset >= t.window {
		return stepDamaged
	}
	h := &t.halves[half]
	w := &x.work
	*w = work{kind: KindDrop, half: half, home: h.below(index, offset), offset: offset,
		member: view{word, x.ticket.word}}
	base := h.cell(w.home)
	w.base.word1 = base.discardVersion()
	w.base.word0 = base.discardBase()
	switch seen := w.base.word0; {
	case seen.Form() == FormOperating:
		x.ref = seen.Ref()
		return stepHelp
	case seen.Form() != FormBase || !seen.Map().Has(offset) || w.base.word1.Frozen():
		return stepAgain
	case seen.Map()&h.beyond != 0:
		return stepDamaged
	}
	return stepInstall
}

// discardingBase prepares what takes a base out: a clear if it is alone, else a lift of its farthest member.
// That one may be lost itself; then the base is, in its place.
func (t *Table) discardingBase(x *discarding, half, index uint32, word Word0) step {
	h, members := &t.halves[half], word.Map()
	w := &x.work
	*w = work{kind: KindClear, half: half, home: index, base: view{word, x.ticket.word}}
	if members == 0 {
		return stepInstall
	}
	if members&h.beyond != 0 {
		return stepDamaged
	}
	w.kind, w.offset = KindLift, members.Last()
	c := h.at(index, w.offset)
	member := c.discardMember()
	switch {
	case member.Form() == FormEngaged:
		x.ref = member.Ref()
		return stepHelp
	case member.Form() != FormMember || member.Distance() != w.offset:
		return stepAgain
	}
	w.member = view{member, c.discardMemberValue()}
	return stepInstall
}

// The accesses, in the order of the specification.

func (c *cell) discardLook() Word0 { return Word0(c.word0.Load()) }

func (c *cell) discardValue() Word1 { return Word1(c.word1.Load()) }

func (c *cell) discardMember() Word0 { return Word0(c.word0.Load()) }

func (c *cell) discardMemberValue() Word1 { return Word1(c.word1.Load()) }

func (c *cell) discardVersion() Word1 { return Word1(c.word1.Load()) }

func (c *cell) discardBase() Word0 { return Word0(c.word0.Load()) }

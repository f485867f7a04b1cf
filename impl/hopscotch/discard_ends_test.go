package hopscotch

import (
	"errors"
	"fmt"
	"testing"
)

// How a conditional delete ends that takes nothing out, because of what it meets in the bucket.

// memberTicket is a table with a base and one member in half 0, and a ticket of the member.
func memberTicket(t *testing.T) (planted, *Handle, Ticket) {
	t.Helper()
	p := newPlanted(t)
	h := newHandle(t, p.Table, 5)
	k := p.key(0, 2, 1)
	return p, h, mustTicket(t, h, uint32(k), 21)
}

// refused is the error of a conditional delete that takes nothing out: it names the call and the key.
func refused(t *testing.T, h *Handle, k Ticket, want error) {
	t.Helper()
	ok, err := h.CompareAndDelete(k)
	if ok || !errors.Is(err, want) || len(h.Left()) != 0 || h.Tally().Deleted != 0 {
		t.Fatalf("%v, %v, left %v, %+v; want %v", ok, err, h.Left(), h.Tally(), want)
	}
	if text := fmt.Sprintf("conditional delete of key %v: %v", Key(k.Key()), want); err.Error() != text {
		t.Errorf("%q, want %q", err, text)
	}
}

// TestDiscard_AMemberOfADamagedBase: a base that names a member beyond the window is damage, also for who
// takes another member of it out, and nothing is installed there.
func TestDiscard_AMemberOfADamagedBase(t *testing.T) {
	p, h, k := memberTicket(t)
	base := BaseWord(p.key(0, 2, 0), Map(0).With(1).With(4))
	p.put(0, 2, base, MakeWord1(20, 5))
	refused(t, h, k, ErrCorrupt)
	if at := p.halves[0].cell(2).look(); at != (view{base, MakeWord1(20, 5)}) {
		t.Errorf("the base is %v %v", at.word0, at.word1)
	}
	if got := p.word0(0, 3); got.Form() != FormMember || got.Key() != p.key(0, 2, 1) {
		t.Errorf("the member is %v", got)
	}
}

// TestDiscard_AMemberOfAFrozenBase: an idle base with a frozen value is that of an operation which ends at
// this moment, so the conditional delete looks again. Here that moment does not come.
func TestDiscard_AMemberOfAFrozenBase(t *testing.T) {
	p, h, k := memberTicket(t)
	p.patience = 100
	base := BaseWord(p.key(0, 2, 0), Map(0).With(1))
	p.put(0, 2, base, MakeWord1(20, 5).Freeze())
	refused(t, h, k, ErrBusy)
	if at := p.halves[0].cell(2).look(); at != (view{base, MakeWord1(20, 5).Freeze()}) {
		t.Errorf("the base is %v %v", at.word0, at.word1)
	}
	p.put(0, 2, base, MakeWord1(20, 5))
	mustDiscard(t, h, k)
	clean(t, p.Table)
}

// TestDiscard_OfAnOperationThatIsNotFinished: the own operation takes more steps than the patience allows.
// The call says so, and the handle is of no use any more: a cell refers to its descriptor.
func TestDiscard_OfAnOperationThatIsNotFinished(t *testing.T) {
	p, h, k := memberTicket(t)
	p.patience = 1
	refused(t, h, k, ErrBusy)
	if got := p.word0(0, 2); got != OperatingWord(p.key(0, 2, 0), h.op.ref) {
		t.Errorf("the base is %v, want it in the operation of the handle", p.refs.Text(got))
	}
	if err := h.Forget(); !errors.Is(err, ErrBusy) {
		t.Errorf("forget: %v", err)
	}
}

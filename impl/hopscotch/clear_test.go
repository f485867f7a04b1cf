package hopscotch

import (
	"errors"
	"testing"
)

// TestClear_GoesOnWhereAKeyIsGone: of a bucket whose member leaves by the operation that holds the base,
// which the first delete finishes. The member was among what the call had read, and the one after it is
// deleted nevertheless.
func TestClear_GoesOnWhereAKeyIsGone(t *testing.T) {
	p := newPlanted(t)
	p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(2)), MakeWord1(20, 5))
	p.put(0, 4, MemberWord(p.key(0, 2, 3), 2, 1), MakeWord1(23, 1))
	p.aboutMember(KindDrop)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	left := map[uint32]bool{}
	n, err := h.Clear(func(l Leaving) { left[l.Value] = true })
	if n != 4 || err != nil || len(left) != 4 || left[21] {
		t.Errorf("clear: %d, %v, left %v; want 20, 23, 70 and 71: 21 is the other operation's", n, err, left)
	}
	if n := Measure(p.Table); n.Elements != 0 || n.Lost != 0 {
		t.Errorf("the cleared table has %+v", n)
	}
	clean(t, p.Table)
}

// TestClear_CountsInTheBucketThatFails: its base is deleted before the crop finds a member that is none.
func TestClear_CountsInTheBucketThatFails(t *testing.T) {
	p := newPlanted(t)
	p.patience = 100
	p.put(0, 3, BaseWord(p.key(0, 3, 0), 0), MakeWord1(21, 1))
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := h.Clear(nil); n != 1 || !errors.Is(err, ErrBusy) || h.Tally().Deleted != 1 {
		t.Errorf("clear: %d, %v, tally %+v; want the base, which is deleted", n, err, h.Tally())
	}
}

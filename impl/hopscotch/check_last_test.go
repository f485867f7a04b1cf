package hopscotch

import (
	"strings"
	"testing"
)

// What Check says of the last operation of a descriptor whose owner has died.

// lastFound is the one finding about the operation in descriptor 1, of the owner 9 who has died.
func (p planted) lastFound(t *testing.T) Finding {
	t.Helper()
	deadNine(p.Table)
	found := Check(p.Table, CheckOptions{Live: true})
	if len(found) != 1 || found[0].Descriptor != 1 || found[0].Want != WantLast {
		t.Fatalf("found %v, want one finding about the last operation in descriptor 1", found)
	}
	return found[0]
}

// TestCheckLast_NamesTheHead: if each word that a reclaim uses agrees with the others, and one has a bit that
// no step writes, the finding names the head of the operation.
func TestCheckLast_NamesTheHead(t *testing.T) {
	p := newPlanted(t)
	p.hasLeft(KindDrop)
	d := &p.descriptors[1]
	d.source.Store(d.source.Load() | 1<<63)
	head := MakeHead(1, KindDrop, 0, 2)
	want := "of the last operation, which is over, " + head.String()
	if f := p.lastFound(t); f.Word != want || f.Raw != Raw(head) {
		t.Errorf("%q, %v; want %q, %v", f.Word, f.Raw, want, Raw(head))
	}
}

// TestCheckLast_AtEachHome: the operation may have been at any home, the first and the last one of a half
// included.
func TestCheckLast_AtEachHome(t *testing.T) {
	for home := range uint32(8) {
		p := newPlanted(t)
		p.hasLeft(KindNew)
		d := &p.descriptors[1]
		d.head.Store(uint64(MakeHead(1, KindNew, 0, home)))
		d.pair.Store(uint64(MakePair(p.key(0, home, 0), 21)))
		deadNine(p.Table)
		clean(t, p.Table)
		bad := MakePair(KeyNone, 5)
		d.pair.Store(uint64(bad))
		if f := p.lastFound(t); f.Raw != Raw(bad) || !strings.HasSuffix(f.Word, bad.String()) {
			t.Errorf("at home %d: %v, want the pair %v", home, f, bad)
		}
	}
}

// TestCheckLast_OfNobody: a descriptor that is free is in no reclaim, so nothing is said of an operation in
// it. Of nobody a region says that he is not alive.
func TestCheckLast_OfNobody(t *testing.T) {
	p := newPlanted(t)
	p.hasLeft(KindNew)
	p.descriptors[1].pair.Store(5)
	p.lastFound(t)
	p.descriptors[1].owner.Store(0)
	p.alive = func(w Owner) bool {
		if w == 0 {
			t.Error("it is asked whether nobody is alive")
		}
		return w != 0 && w.Number() != 9
	}
	clean(t, p.Table)
}

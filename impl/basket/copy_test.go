package basket

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// TestLook_AtEachRecord: which words can be a record of a hash, and which cannot.
func TestLook_AtEachRecord(t *testing.T) {
	w, _ := failed(t, WriterOptions{})
	for _, x := range []struct {
		unit, hash, units uint32
		word              KeyWord
		want              bool
	}{
		{0, 7, 3, MakeKeyWord(0, 3, 0, 5), true}, {0, 8, 3, MakeKeyWord(0, 3, 0, 5), false},
		{0, 7, 1, MakeKeyWord(0, 0, 0, 0), false}, {0, 7, 32, MakeKeyWord(0, 3, 0, 0), true},
		{0, 7, 33, MakeKeyWord(0, 3, 0, 0), false}, {40, 7, 24, MakeKeyWord(0, 3, 0, 0), true},
		{40, 7, 25, MakeKeyWord(0, 3, 0, 0), false}, {40, 7, 2, MakeKeyWord(0, 0, 0, 0), true},
		{40, 7, 2, MakeKeyWord(0, 1, 0, 0), false}, {40, 7, 2, MakeKeyWord(0, 0, 0, 1), false},
		{40, 7, 2, MakeKeyWord(0, 0, FlagExpires, 0), false}, {40, 7, 3, MakeKeyWord(0, 0, FlagExpires, 0),
			true},
		{40, 7, 3, MakeKeyWord(0, 8, 0, 0), true}, {40, 7, 3, MakeKeyWord(0, 9, 0, 0), false},
	} {
		w.store.appendSize(x.unit, MakeSizeWord(x.hash, x.units))
		w.store.appendHead(x.unit+1, x.word)
		w.store.appendExpiry(x.unit+2, 99)
		r, sound := w.store.look(refOf(x.unit), 7)
		if sound != x.want {
			t.Errorf("%+v: %v", x, sound)
		}
		want := record{unit: x.unit, size: MakeSizeWord(7, x.units), word: x.word}
		if x.word.Flags() == FlagExpires {
			want.expires = 99
		}
		if sound && r != want {
			t.Errorf("%+v: %+v", x, r)
		}
	}
	for _, ref := range []Ref{0, refOf(4 * 32), refOf(1 << 31)} {
		if _, sound := w.store.look(ref, 7); sound {
			t.Errorf("at %d there is a record", ref)
		}
	}
}

// TestChain_OfARecordThatIsTooShort: a chain with a record that has no room for its key is damaged.
func TestChain_OfARecordThatIsTooShort(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	w.store.appendSize(0, MakeSizeWord(7, 2))
	w.store.appendHead(1, MakeKeyWord(0, 5, 0, 0))
	x.refs[7] = 1
	all, links, err := w.Chain(7, nil, nil)
	says(t, err, ErrCorrupt, "chain of hash 0x7: "+ErrCorrupt.Error())
	if all != nil || links != nil {
		t.Errorf("%q %v", all, links)
	}
}

// TestLower_OfAnotherLife: the count of the next life is not changed, and a count that others lower at the
// same time is lowered in the end.
func TestLower_OfAnotherLife(t *testing.T) {
	s := onHeap(t, Layout{Baskets: 4, BasketBytes: 256, Writers: 1})
	for _, x := range []struct{ seen, now, want Hint }{
		{MakeHint(3, 20, 10), MakeHint(3, 20, 10), MakeHint(3, 20, 6)},
		{MakeHint(3, 20, 10), MakeHint(3, 20, 9), MakeHint(3, 20, 5)},
		{MakeHint(3, 20, 10), MakeHint(3, 20, 3), MakeHint(3, 20, 0)},
		{MakeHint(3, 20, 10), MakeHint(4, 20, 10), MakeHint(4, 20, 10)},
	} {
		s.baskets[2].hintBegin(x.now)
		s.lower(dying{2, 4, x.seen})
		if got := s.baskets[2].hintRead(); got != x.want {
			t.Errorf("%#x, and seen %#x: %#x, want %#x", x.now, x.seen, got, x.want)
		}
	}
}

// wavering is an index whose tickets hold only the fourth time.
type wavering struct {
	*failing
	asked int
}

func (x *wavering) Still(hopscotch.Ticket) bool { x.asked++; return x.asked%4 == 0 }

// TestReader_StartsAgain: a call whose ticket does not hold starts again, until one does.
func TestReader_StartsAgain(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	y := &wavering{failing: x}
	other, err := w.store.NewWriter(y, WriterOptions{Number: 2})
	if err != nil {
		t.Fatal(err)
	}
	key := []byte("key")
	for name, call := range map[string]func(dst []byte) (string, error){
		"Get": func(dst []byte) (string, error) {
			value, _, ok, err := other.Get(5, key, dst)
			return fmt.Sprint(string(value), ok), err
		},
		"Has": func([]byte) (string, error) {
			m, ok, err := other.Has(5, key)
			return fmt.Sprint("value", ok && m.Bytes == 5), err
		},
		"Find": func(dst []byte) (string, error) {
			f, value, err := other.Find(5, key, dst)
			return fmt.Sprint(string(value), f.OK()), err
		},
		"Chain": func(dst []byte) (string, error) {
			all, links, err := other.Chain(5, dst, nil)
			return fmt.Sprint(string(all[3:]), len(links) == 1), err
		},
		"absent": func(dst []byte) (string, error) {
			_, _, ok, err := other.Get(5, []byte("none"), dst)
			return fmt.Sprint("value", !ok), err
		},
	} {
		y.asked = 0
		if text, err := call(make([]byte, 0, 8)); text != "value true" && text != "valuetrue" || err != nil {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		if y.asked != 4 {
			t.Errorf("%s asks %d times", name, y.asked)
		}
	}
	y.asked = 0
	x.refs[5] = 77 // torn, and rejected three times
	if err := other.evict(1, 5); err == nil || y.asked != 4 {
		t.Errorf("an eviction: %v, asked %d times", err, y.asked)
	}
}

// TestNoteChain_OfNoRecord: for a number that leads to no record nothing is noted, told or not.
func TestNoteChain_OfNoRecord(t *testing.T) {
	w, _ := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	for _, ref := range []Ref{0, 3, 4, refOf(4 * 32)} {
		w.noteChain(ref, ReasonDead)
	}
	if w.walkTell(); w.Tally() != (Tally{}) {
		t.Errorf("%v", w.Tally())
	}
}

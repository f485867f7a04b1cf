package slots

import (
	"errors"
	"strings"
	"testing"
)

// TestWord: the low half differs between the words of two lives that follow one another and within one, and
// each word that the protocol makes is sound.
func TestWord(t *testing.T) {
	seen := map[uint32]Word{}
	w := Word(0)
	for range 1000 {
		life := []Word{w, w.claimed(), w.claimed().in(Published), w.claimed().in(Taken), w.claimed().in(Done),
			w.claimed().in(Abandoned), w.claimed().in(Failed)}
		for _, x := range life {
			if other, ok := seen[uint32(x)]; ok {
				t.Fatalf("%#x and %#x have one low half", x, other)
			}
			if seen[uint32(x)] = x; !x.Sound() {
				t.Fatalf("%#x is not sound", x)
			}
		}
		w = life[6].freed()
	}
	for _, bad := range []Word{1 << stateBits, Word(Taken), Word(Failed + 1), 1<<stateBits | 0xFF,
		2<<stateBits | 1} {
		if bad.Sound() {
			t.Errorf("%#x is sound", bad)
		}
		if f := bad.freed(); !f.Sound() || f.State() != Free || f.Serial() <= bad.Serial() {
			t.Errorf("%#x is freed to %#x", bad, f)
		}
	}
	if f := Word(1<<64 - 1).freed(); !f.Sound() || f != 0 {
		t.Errorf("the last serial is freed to %#x", f)
	}
	for s, want := range map[State]string{Free: "free", Failed: "failed", 9: "state9"} {
		if s.String() != want {
			t.Errorf("state %d is %q", s, s)
		}
	}
}

// TestOptions: each option out of bounds is named, with what would fit.
func TestOptions(t *testing.T) {
	for _, x := range []struct {
		o    Options
		want string
	}{
		{Options{Slots: 65}, "option Slots is 65, want 1..64"},
		{Options{Slots: -1}, "option Slots is -1, want 1..64"},
		{Options{RequestBytes: 64}, "option RequestBytes is 64, want 128..67108864"},
		{Options{RequestBytes: 200}, "option RequestBytes is 200, want a multiple of 64: choose 192 or 256"},
		{Options{ResponseBytes: 129},
			"option ResponseBytes is 129, want a multiple of 64: choose 128 or 192"},
		{Options{ResponseBytes: AreaMax + 64}, "option ResponseBytes is 67108928, want 128..67108864"},
		{Options{Shared: true, Group: -5}, "option Group is -5"},
		// Of several that are out of bounds the first one is named.
		{Options{Slots: 65, RequestBytes: 64}, "option Slots is 65"},
		{Options{RequestBytes: 64, Shared: true, Group: -5}, "option RequestBytes is 64"},
		{Options{Slots: 65, Shared: true, Group: -5}, "option Slots is 65"},
		{Options{Slots: 64, RequestBytes: AreaMax, ResponseBytes: AreaMax},
			"choose at most 7 slots for areas of " +
				"67108864 and 67108864 bytes, or areas of at most 8388544 bytes for 64 slots"},
		{Options{}, ""}, {Options{Slots: 64, RequestBytes: 8388544, ResponseBytes: 8388544}, ""},
		{Options{Slots: 7, RequestBytes: AreaMax, ResponseBytes: AreaMax}, ""},
	} {
		err := x.o.complete().check()
		switch {
		case x.want == "" && err != nil:
			t.Errorf("%+v: %v", x.o, err)
		case x.want != "" && (!errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%+v: %v, want %s", x.o, err, x.want)
		}
	}
}

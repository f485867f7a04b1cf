package control

import (
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// fields are all kinds of a field, with the bits of the word that the field has, and the bit that says that
// it is tuned.
var fields = []struct {
	field       Field
	word        int
	shift       int
	most, tuned uint64
}{
	{Alone(3), 3, 0, 1<<63 - 1, 1 << 63},
	{First(1), 1, 0, 1<<31 - 1, 1 << 31},
	{Second(2), 2, 32, 1<<31 - 1, 1 << 63},
}

// A field has the value that was written, and is tuned. All other bits of its word are unchanged. A value
// that no build has written is not tuned.
func TestField_HasItsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for i, f := range fields {
		if f.field.Most() != f.most || f.field.Word != f.word {
			t.Errorf("field %d: most %#x of word %d", i, f.field.Most(), f.field.Word)
		}
		for n := range 1000 {
			word, value := r.Uint64(), r.Uint64()&f.most
			if n < 2 {
				word, value = -uint64(n), f.most
			}
			untuned := word &^ f.tuned
			if v, tuned := f.field.Of(untuned); v != untuned>>f.shift&f.most || tuned {
				t.Fatalf("field %d of %#x: %#x, %v", i, untuned, v, tuned)
			}
			want := word&^(f.most<<f.shift) | value<<f.shift | f.tuned
			if now := f.field.In(word, value); now != want {
				t.Fatalf("field %d, %#x in %#x: %#x, want %#x", i, value, word, now, want)
			}
			if v, tuned := f.field.Of(want); v != value || !tuned {
				t.Fatalf("field %d of %#x: %#x, %v", i, want, v, tuned)
			}
		}
	}
}

// Tune makes all changes, and does not change other fields. Read finds the new values.
func TestTune_ChangesWhatIsNamed(t *testing.T) {
	words := make(region.Words, 4)
	for i := range words {
		words[i].Store(1 << 40)
	}
	all := []Change{{Second(2), 7}, {First(1), 5}, {Alone(3), 9}, {First(2), 6}}
	if n := Tune(words, all); n != len(all) {
		t.Errorf("%d changes are made", n)
	}
	for i, want := range []uint64{1 << 40, 1<<40 | 1<<31 | 5, 1<<63 | 7<<32 | 1<<31 | 6, 1<<63 | 9} {
		if got := Read(words, i); got != want {
			t.Errorf("word %d: %#x, want %#x", i, got, want)
		}
	}
	if n := Tune(words, nil); n != 0 {
		t.Errorf("%d of no changes are made", n)
	}
}

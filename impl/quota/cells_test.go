package quota

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/internal/seam"
)

const (
	instant = uint64(8 * AheadMost)
	someone = uint64(0x0004_0003_0002_0001) // has the columns 1 to 4
)

// cells returns a sketch with its words. The cells of someone are 2, 36, 70 and 104, with a penalty behind
// each.
func cells(t *testing.T) (*Sketch, []seam.Uint64) {
	t.Helper()
	words := make([]seam.Uint64, 128)
	s, err := New(words, Layout{Width: 16, Penalties: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, words
}

// holds compares the words that are not 0 with the expected ones.
func holds(t *testing.T, words []seam.Uint64, want map[int]uint64) {
	t.Helper()
	for i := range words {
		if v := words[i].Load(); v != want[i] {
			t.Errorf("word %d is %d (%d ahead), want %d", i, v, int64(v-instant), want[i])
		}
	}
}

// TestCells_OfACharge: each row has the charge, and no other word.
func TestCells_OfACharge(t *testing.T) {
	s, words := cells(t)
	if level := s.Add(someone, instant, 3, atThe); level != 3e7 {
		t.Errorf("the level is %d", level)
	}
	holds(t, words, map[int]uint64{2: instant + 3e7, 36: instant + 3e7, 70: instant + 3e7, 104: instant +
		3e7})
	words[70].Store(instant + 9e7) // others share that cell
	words[2].Store(0)
	if level := s.Level(someone, instant, atThe); level != 0 {
		t.Errorf("the level is %d, and one cell is empty", level)
	}
	if level := s.Add(someone, instant+1e7, 1, atThe); level != 1e7 {
		t.Errorf("the level is %d", level)
	}
	holds(t, words, map[int]uint64{2: instant + 2e7, 36: instant + 4e7, 70: instant + 10e7,
		104: instant + 4e7})
	if level := s.Level(someone, instant+1e7, atThe); level != 1e7 {
		t.Errorf("the level is %d", level)
	}
	if level := s.Add(someone, instant, 1000, atThe); level != 1e9 { // at most twice a burst
		t.Errorf("the level is %d", level)
	}
	if n := s.cell(^uint64(0), 3); n != (3*16+15)*2 {
		t.Errorf("the last cell is %d", n)
	}
	s.Request(someone)
	flat, err := New(words[:64], Layout{Width: 16})
	if err != nil || flat.cell(someone, 2) != 2*16+3 || flat.Layout() != (Layout{16, false}) {
		t.Errorf("without penalties: %v, %d", err, flat.cell(someone, 2))
	}
}

// TestCells_OfATake: an admitted call is charged; a refused call is charged for the calls that it stands
// for.
func TestCells_OfATake(t *testing.T) {
	s, words := cells(t)
	for _, x := range []struct {
		units uint64
		want  Ruling
		level uint64
	}{
		{49, Ruling{}, 49e7}, {1, Ruling{}, 50e7}, {1, Ruling{Denied, 1e7, 0}, 50e7},
		{16, Ruling{Denied, 31e7, 0}, 65e7}, {1000, Ruling{Denied, 100e7, 0}, 100e7},
	} {
		if got := s.Take(someone, instant, x.units, atThe); got != x.want {
			t.Errorf("%d units: %+v, want %+v", x.units, got, x.want)
		}
		if level := s.Level(someone, instant, atThe); level != x.level {
			t.Errorf("%d units: the level is %d, want %d", x.units, level, x.level)
		}
	}
	holds(t, words, map[int]uint64{2: instant + 1e9, 36: instant + 1e9, 70: instant + 1e9, 104: instant +
		1e9})
	later := instant + 1e9
	if got := s.Take(someone, later, 1000, atThe); got != (Ruling{}) {
		t.Errorf("more than a burst is taken for one: %+v", got)
	}
	if level := s.Level(someone, later, atThe); level != 5e8 {
		t.Errorf("the level is %d", level)
	}
}

// TestCells_OfAMark: each row has the penalty, except a row in which others have a later one, or more
// offences.
func TestCells_OfAMark(t *testing.T) {
	s, words := cells(t)
	full := instant + 5e8
	for range 50 {
		if r := s.Judge(someone, instant, 1, atThe); r != (Ruling{}) {
			t.Fatalf("within the limits: %+v", r)
		}
	}
	holds(t, words, map[int]uint64{2: full, 36: full, 70: full, 104: full})
	later, more := MakePenalty(instant+5e9, 3), MakePenalty(instant-4e9, 7)
	words[37].Store(uint64(later))
	words[71].Store(uint64(more)) // over, and none of its offences is forgotten
	if !s.Clear(someone) || s.Look(someone, instant, atThe) != (Ruling{}) {
		t.Error("two rows have no penalty, and it is not clear")
	}
	if r := s.Judge(someone, instant, 1, atThe); r != (Ruling{Suspect, 1e9, 1}) {
		t.Errorf("the first offence: %+v", r)
	}
	full += 1e7
	one := uint64(MakePenalty(instant+1e9, 1))
	holds(t, words, map[int]uint64{2: full, 3: one, 36: full, 37: uint64(later), 70: full,
		71: uint64(MakePenalty(instant+1e9, 7)), 104: full, 105: one})
	if s.Clear(someone) || s.Look(someone, instant, atThe) != (Ruling{Suspect, 1e9, 1}) {
		t.Error("it is clear, or another penalty")
	}
	if r := s.Judge(someone, instant+1e9-8, 1, atThe); r != (Ruling{Suspect, 8, 1}) {
		t.Errorf("just before the end: %+v", r)
	}
	if r := s.Judge(someone, instant+1e9, 1000, atThe); r != (Ruling{Suspect, 2e9, 2}) {
		t.Errorf("at the end, with more than the limit: %+v", r)
	}
}

// TestCells_OfALongBucket: a penalty lasts until the level has come down to a burst.
func TestCells_OfALongBucket(t *testing.T) {
	s, _ := cells(t)
	l := Limits{Rate: 10, Burst: 100, Retry: RetryMin}
	for _, x := range []struct {
		units uint64
		want  Ruling
	}{{100, Ruling{}}, {1, Ruling{Suspect, 1e8, 1}}} {
		if r := s.Judge(someone, instant, x.units, l); r != x.want {
			t.Errorf("%d units: %+v, want %+v", x.units, r, x.want)
		}
	}
	if r := s.Judge(someone, instant+1e8, 11, l); r != (Ruling{Suspect, 11e8, 2}) {
		t.Errorf("another offence: %+v", r)
	}
}

// TestCells_Damaged: a word that no call can have written is shortened by each call that sees it.
func TestCells_Damaged(t *testing.T) {
	s, words := cells(t)
	bad := uint64(MakePenalty(instant+AheadMost+8, 2))
	for _, i := range []int{3, 37, 71, 105} {
		words[i].Store(bad)
	}
	words[4].Store(9)
	short := uint64(MakePenalty(instant+atThe.longest(), 2))
	if r := s.Look(someone, instant, atThe); r != (Ruling{Suspect, 64e9, 2}) {
		t.Errorf("it is shortened to %+v", r)
	}
	holds(t, words, map[int]uint64{3: short, 37: short, 71: short, 105: short, 4: 9})
	if text := fmt.Sprint(Penalty(short)); text != fmt.Sprintf("2 offences until %d", instant+64e9) {
		t.Errorf("it is printed as %s", text)
	}
}

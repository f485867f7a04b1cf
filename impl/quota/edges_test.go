package quota

import "testing"

// rows are the words of someone's levels; a word of penalties is behind each.
var rows = []int{2, 36, 70, 104}

// slow are limits whose bucket drains for longer than a first penalty lasts.
var slow = Limits{Rate: 10, Burst: 100, Retry: RetryMin}

// TestJudge_ToTheNanosecond: an identity is a suspect from one nanosecond above its limits on, and until the
// last nanosecond of its penalty.
func TestJudge_ToTheNanosecond(t *testing.T) {
	for before, want := range map[uint64]Ruling{0: {}, 1: {Suspect, 1e9 + 1, 1}} {
		s, _ := cells(t)
		s.Judge(someone, instant, 50, atThe)
		now := instant + 1e7 - before
		if r := s.Judge(someone, now, 1, atThe); r != want {
			t.Errorf("a call %d ns before there is room: %+v, want %+v", before, r, want)
		}
		if want == (Ruling{}) {
			continue
		}
		if r := s.Judge(someone, now+want.Retry-1, 60, atThe); r != (Ruling{Suspect, 1, 1}) {
			t.Errorf("in the last nanosecond: %+v", r)
		}
	}
}

// TestJudge_RoundsUp: a penalty ends at a multiple of 8 ns. It never lasts for less than the caller was
// told.
func TestJudge_RoundsUp(t *testing.T) {
	odd := Limits{Rate: 7, Burst: 3, Retry: RetryMin}
	for _, x := range []struct {
		l          Limits
		after      uint64
		units      uint64
		want       uint64
		needed, by string
	}{
		{atThe, 0, 60, 1e9, "1000000000", "the wait"},
		{atThe, 1, 60, 1e9 + 7, "1000000000", "the wait"},
		{odd, 2, 4, 142_857_150, "142857143", "the level, 571428572 with a limit of 428571429,"},
		{slow, 0, 1000, 1e10, "10000000000", "the level, which is the highest one,"},
	} {
		s, _ := cells(t)
		if r := s.Judge(someone, instant+x.after, x.units, x.l); r != (Ruling{Suspect, x.want, 1}) {
			t.Errorf("%d ns after a multiple of 8: %+v, want %d ns: %s needs %s", x.after, r, x.want, x.by,
				x.needed)
		}
	}
}

// TestJudge_FarTooMuch: a level is at most twice a burst, whatever is asked for, and with any limits.
func TestJudge_FarTooMuch(t *testing.T) {
	s, words := cells(t)
	s.Judge(someone, instant, 1000, slow)
	end := uint64(MakePenalty(instant+1e10, 1))
	holds(t, words, map[int]uint64{2: instant + 2e10, 3: end, 36: instant + 2e10, 37: end, 70: instant + 2e10,
		71: end, 104: instant + 2e10, 105: end})
	if level := s.Level(someone, instant, slow); level != 2e10 {
		t.Errorf("the level is %d", level)
	}
	early, _ := cells(t)
	if level := early.Add(someone, 5, 1000, atThe); level != 1e9 {
		t.Errorf("5 ns after the begin of the clock the level is %d", level)
	}
}

// TestJudge_ForgetsAtTheEnd: an offence is remembered until 8 times Retry have passed since the end of its
// penalty.
func TestJudge_ForgetsAtTheEnd(t *testing.T) {
	for before, want := range map[uint64]Ruling{0: {Suspect, 1e9, 1}, 1: {Suspect, 2e9 + 1, 2}} {
		s, _ := cells(t)
		s.Judge(someone, instant, 60, atThe)
		if r := s.Judge(someone, instant+1e9+8e9-before, 60, atThe); r != want {
			t.Errorf("%d ns before it is forgotten: %+v, want %+v", before, r, want)
		}
	}
}

// TestMark_KeepsWhatOthersHave: a cell that another identity shares keeps the later end, and the offences
// that are not forgotten.
func TestMark_KeepsWhatOthersHave(t *testing.T) {
	one := MakePenalty(instant+1e9, 1)
	for _, x := range []struct {
		after        uint64
		before, want Penalty
		about        string
	}{
		{0, 0, one, "nothing"},
		{0, MakePenalty(instant-8e9, 7), MakePenalty(instant+1e9, 6), "offences, one of them forgotten"},
		{7, MakePenalty(instant-8e9+8, 7), MakePenalty(instant+1e9+8, 7), "offences, none of them forgotten"},
		{0, MakePenalty(instant+5e9, 0), MakePenalty(instant+5e9, 1), "a later end"},
		{0, MakePenalty(instant+5e9, 3), MakePenalty(instant+5e9, 3), "a later end and more offences"},
		{0, one - 8, one, "an end that is a little earlier"},
		{0, one - 1<<32, one, "an end that has the same lower half"},
	} {
		s, words := cells(t)
		words[37].Store(uint64(x.before))
		s.Judge(someone, instant+x.after, 60, atThe)
		if got := Penalty(words[37].Load()); got != x.want {
			t.Errorf("%s: %v has become %v, want %v", x.about, x.before, got, x.want)
		}
	}
}

// TestClear_AnyRow: one cell without a penalty is enough, in any row.
func TestClear_AnyRow(t *testing.T) {
	for _, empty := range append([]int{-2}, rows...) {
		s, words := cells(t)
		for _, i := range rows {
			if i != empty {
				words[i+1].Store(uint64(MakePenalty(instant-1e9, 1)))
			}
		}
		if got := s.Clear(someone); got != (empty >= 0) {
			t.Errorf("all but word %d have a penalty: clear is %v", empty+1, got)
		}
	}
}

// TestPenalty_LongestIsKept: a penalty that ends AheadMost later can be that of a process with another
// clock. A penalty that ends after that is damage, and is shortened to the longest possible one.
func TestPenalty_LongestIsKept(t *testing.T) {
	for _, x := range []struct{ after, end, want uint64 }{
		{0, AheadMost, AheadMost}, {0, AheadMost + 8, 64e9}, {1, AheadMost + 8, 64e9 + 8},
		{7, AheadMost + 8, 64e9 + 8},
	} {
		for name, call := range map[string]func(s *Sketch, now uint64) Ruling{
			"Look":  func(s *Sketch, now uint64) Ruling { return s.Look(someone, now, atThe) },
			"Judge": func(s *Sketch, now uint64) Ruling { return s.Judge(someone, now, 1, atThe) },
		} {
			s, words := cells(t)
			for _, i := range rows {
				words[i+1].Store(uint64(MakePenalty(instant+x.end, 2)))
			}
			if r := call(s, instant+x.after); r != (Ruling{Suspect, x.want - x.after, 2}) {
				t.Errorf("%s after %d, of an end at %d: %+v", name, x.after, x.end, r)
			}
			for _, i := range rows {
				if p := Penalty(words[i+1].Load()); p != MakePenalty(instant+x.want, 2) {
					t.Errorf("%s after %d, of an end at %d: %d ahead", name, x.after, x.end, p.End()-instant)
				}
			}
		}
	}
}

// TestTake_ToTheNanosecond: a call is refused until exactly the nanosecond that it is told.
func TestTake_ToTheNanosecond(t *testing.T) {
	for before, want := range map[uint64]Ruling{0: {}, 1: {Denied, 1, 0}} {
		s, _ := cells(t)
		s.Take(someone, instant, 50, atThe)
		if r := s.Take(someone, instant+1e7-before, 1, atThe); r != want {
			t.Errorf("%d ns before there is room: %+v, want %+v", before, r, want)
		}
	}
}

// TestCharge_OfOneCell: the change of one word by a charge, with those of the other rows.
func TestCharge_OfOneCell(t *testing.T) {
	for _, x := range []struct {
		before, want uint64
		about        string
	}{
		{instant + 1e9 - 1, instant + 1e9, "one below the highest level"},
		{instant + 1e9, instant + 1e9, "the highest level"},
		{instant + 1e7 - 1<<32, instant + 1e7, "empty, with the same lower half"},
	} {
		for name, charge := range map[string]func(s *Sketch){
			"Add":  func(s *Sketch) { s.Add(someone, instant, 1, atThe) },
			"Take": func(s *Sketch) { s.Take(someone, instant, 1, atThe) },
		} {
			s, words := cells(t)
			words[36].Store(x.before)
			charge(s)
			if got := words[36].Load(); got != x.want {
				t.Errorf("%s: %s: the level is %d ahead, want %d", name, x.about, int64(got-instant),
					int64(x.want-instant))
			}
		}
	}
}

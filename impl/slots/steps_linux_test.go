package slots

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// played is a System that says what a test wants it to say, and notes what it was asked for.
type played struct {
	cannot  bool // sleep
	during  func()
	waking  func()
	dead    [2]bool // by role
	refuses error
	asked   []Role
	woken   []*seam.Uint64
	seen    []uint32
	most    []seam.Duration
}

func (p *played) Sleep(w *seam.Uint64, seen uint32, most seam.Duration) bool {
	p.seen, p.most = append(p.seen, seen), append(p.most, most)
	if p.during != nil {
		p.during()
	}
	return !p.cannot
}

func (p *played) Wake(w *seam.Uint64) {
	if p.woken = append(p.woken, w); p.waking != nil {
		p.waking()
	}
}

func (p *played) Lives(r Role) (bool, error) {
	p.asked = append(p.asked, r)
	return !p.dead[r], p.refuses
}

// both are a service and a client of new memory.
func both(t *testing.T, slots int) (*Service, *Client, *played) {
	t.Helper()
	o, system := Options{Slots: slots, RequestBytes: 128, ResponseBytes: 192}, &played{}
	m := memory(o)
	s, err := Over(m, o, system)
	if err != nil {
		t.Fatal(err)
	}
	c, err := OverClient(m, o, system)
	if err != nil {
		t.Fatal(err)
	}
	return s, c, system
}

// wants holds the counts of a service, and what was woken since the last time.
func (p *played) wants(t *testing.T, s *Service, want Counts, woken ...*seam.Uint64) {
	t.Helper()
	if got := s.Counts(); got != want {
		t.Errorf("the counts are\n%+v\nwant\n%+v", got, want)
	}
	if fmt.Sprint(p.woken) != fmt.Sprint(woken) {
		t.Errorf("%d words were woken, want %d: %v, %v", len(p.woken), len(woken), p.woken, woken)
	}
	p.woken = nil
}

// TestNames: what is printed of outcomes and roles, and the sizes of a slot file.
func TestNames(t *testing.T) {
	text := fmt.Sprint(Pending, Answered, NotDone, Unknown, Outcome(5), ServiceRole, ClientRole, Free,
		Claimed,
		Published, Taken, Done, Abandoned, Failed, State(7))
	if want := "pending answered not done unknown answered service client free claimed published taken " +
		"done " +
		"abandoned failed state7"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	s, c, _ := both(t, 3)
	if c.Slots() != 3 || c.RequestMax() != 120 || c.AnswerMax() != 184 || s.AnswerMax() != 184 {
		t.Errorf("%d slots of %d and %d, %d bytes", c.Slots(), c.RequestMax(), c.AnswerMax(), s.AnswerMax())
	}
	o := Options{}.complete()
	if o != (Options{Slots: 16, RequestBytes: 16384, ResponseBytes: 16384}) || o.mode() != 0o600 {
		t.Errorf("the defaults are %+v with mode %o", o, o.mode())
	}
	if o.Shared = true; o.mode() != 0o660 {
		t.Errorf("for a group the mode is %o", o.mode())
	}
}

// TestOptions_Bounds: the bounds are within, and what lies behind them is not.
func TestOptions_Bounds(t *testing.T) {
	with := func(slots, request, response int) Options {
		return Options{Slots: slots, RequestBytes: request, ResponseBytes: response}
	}
	for _, o := range []Options{with(1, AreaMin, AreaMin), with(SlotsMax, AreaMin, AreaMin),
		with(1, AreaMax, AreaMax), with(1, AreaMin, AreaMax), with(1, AreaMax, AreaMin),
		{Slots: 1, RequestBytes: 128, ResponseBytes: 128, Shared: true},
		{Slots: 1, RequestBytes: 128, ResponseBytes: 128, Group: -1}, with(16, 1<<25, 1<<25-128),
		with(23, 23342144, 23342208)} { // the last one has 2^30 bytes
		if err := o.check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	const begin = "slots: options of a slot file unusable: option "
	for _, x := range []struct {
		o    Options
		want string
	}{
		{with(0, 128, 128), "Slots is 0, want 1..64: choose how many requests are under way at once"},
		{with(1, 127, 128), "RequestBytes is 127, want 128..67108864: choose the bytes of the largest " +
			"request " +
			"or answer"},
		{with(1, 128, AreaMax+64), "ResponseBytes is 67108928, want 128..67108864: choose the bytes of the " +
			"largest request or answer"},
		{with(1, 129, 128), "RequestBytes is 129, want a multiple of 64: choose 128 or 192"},
		{with(1, 191, 128), "RequestBytes is 191, want a multiple of 64: choose 128 or 192"},
		{with(1, 128, 257), "ResponseBytes is 257, want a multiple of 64: choose 256 or 320"},
		{Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128, Shared: true, Group: -1},
			"Group is -1, want 0 or more: choose the number of a group"},
		// Of a file of 2^30 bytes 256 are the header, and 64 of each slot are no area.
		{with(16, 1<<25, 1<<25-64), "Slots is 16, with 1073742080 bytes of file, want at most 1073741824 " +
			"bytes: choose at most 15 slots for areas of 33554432 and 33554368 bytes, or areas of at most " +
			"33554368 bytes for 16 slots"},
		{with(63, AreaMax, AreaMax), "Slots is 63, with 8455721152 bytes of file, want at most 1073741824 " +
			"bytes: " +
			"choose at most 7 slots for areas of 67108864 and 67108864 bytes, or areas of at most 8521664 " +
			"bytes " +
			"for 63 slots"},
		{with(64, AreaMax, 128), "Slots is 64, with 4294979840 bytes of file, want at most 1073741824 " +
			"bytes: " +
			"choose at most 15 slots for areas of 67108864 and 128 bytes, or areas of at most 8388544 " +
			"bytes for " +
			"64 slots"},
	} {
		if err := x.o.check(); !errors.Is(err, ErrOptions) || err.Error() != begin+x.want {
			t.Errorf("%+v:\n%v\nwant\n%s", x.o, err, begin+x.want)
		}
	}
}

// TestBell_IsRung: a request rings, and wakes the service only if that sleeps or is about to.
func TestBell_IsRung(t *testing.T) {
	s, c, system := both(t, 2)
	h := sent(t, c, "a")
	system.wants(t, s, Counts{})
	if s.bellLook() != 1 || s.sleeps.Load() != 0 {
		t.Errorf("the doorbell is %d, and the service sleeps: %d", s.bellLook(), s.sleeps.Load())
	}
	turn(t, s, 1)
	system.wants(t, s, Counts{Requests: 1}, &s.slots[0].state)
	poll(t, c, h, Answered, "re:a")
	system.during = func() {
		if s.sleeps.Load() != 1 {
			t.Error("while it sleeps it does not say so")
		}
		system.during = nil
		h = sent(t, c, "b")
	}
	turn(t, s, 0)
	system.wants(t, s, Counts{Requests: 1, Sleeps: 1}, &s.bell)
	if fmt.Sprint(system.seen, system.most, s.sleeps.Load(), s.bellLook()) != "[1] [1ms] 0 2" {
		t.Errorf("it slept with %v for %v, then %d, %d", system.seen, system.most, s.sleeps.Load(),
			s.bellLook())
	}
	system.waking = func() {
		if s.bellLook() != 3 {
			t.Error("the service is woken ahead of the ring: it would sleep on")
		}
	}
	if err := s.Ring(); err != nil || s.bellLook() != 3 {
		t.Errorf("a ring: %v, the doorbell is %d", err, s.bellLook())
	}
	system.wants(t, s, Counts{Requests: 1, Sleeps: 1}, &s.bell)
	system.waking = nil
	c.Wake(h)
	if err := c.Sleep(h, time.Second); err != nil {
		t.Error(err)
	}
	system.wants(t, s, Counts{Requests: 1, Sleeps: 1}, &s.slots[0].state)
	if n := len(system.seen) - 1; system.seen[n] != uint32(h.word) || system.most[n] != time.Second {
		t.Errorf("the client slept with %#x for %v", system.seen[n], system.most[n])
	}
}

// TestScan_IsFair: a scan begins behind the slot that was served last.
func TestScan_IsFair(t *testing.T) {
	s, c, _ := both(t, 3)
	order := ""
	perform := func(request, dst []byte) []byte {
		order += string(request)
		return dst
	}
	for _, round := range []struct{ withdrawn, want string }{{"ac", "b"}, {"", "cab"}, {"b", "ca"},
		{"c", "ba"}} {
		var all []*Held
		for i := range 3 {
			all = append(all, sent(t, c, string(rune('a'+i))))
		}
		for i, h := range all {
			if strings.ContainsRune(round.withdrawn, rune('a'+i)) {
				if o, _, err := c.GiveUp(h, nil); o != NotDone || err != nil {
					t.Fatal(o, err)
				}
			}
		}
		order = ""
		if n, err := s.Turn(perform, 0); n != len(round.want) || err != nil || order != round.want {
			t.Fatalf("%d were served (%v) in the order %q, want %q", n, err, order, round.want)
		}
		for i, h := range all {
			if strings.ContainsRune(round.want, rune('a'+i)) {
				poll(t, c, h, Answered, "")
			}
		}
	}
}

// TestJudge_EachState: what a service finds in a slot, in a scan and when it begins, by the state.
func TestJudge_EachState(t *testing.T) {
	for word, x := range map[Word]struct {
		counts Counts
		wakes  bool
		want   Word
	}{
		0:                      {Counts{}, false, 0},
		Word(4 << 8):           {Counts{}, false, 4 << 8},
		5<<8 | Word(Claimed):   {Counts{}, false, 5<<8 | Word(Claimed)},
		5<<8 | Word(Done):      {Counts{}, false, 5<<8 | Word(Done)},
		5<<8 | Word(Failed):    {Counts{}, false, 5<<8 | Word(Failed)},
		5<<8 | Word(Taken):     {Counts{Reclaimed: 1}, true, 5<<8 | Word(Failed)},
		5<<8 | Word(Abandoned): {Counts{Reclaimed: 1}, false, 6 << 8},
		5 << 8:                 {Counts{Damaged: 1}, true, 6 << 8},
		4<<8 | Word(Published): {Counts{Damaged: 1}, true, 6 << 8},
		5<<8 | 7:               {Counts{Damaged: 1}, true, 6 << 8},
	} {
		for _, anew := range []bool{false, true} {
			s, _, system := both(t, 1)
			s.slots[0].state.Store(uint64(word))
			want := x.counts
			if anew {
				again, err := Over(s.memory, Options{Slots: 1, RequestBytes: 128, ResponseBytes: 192}, system)
				if err != nil {
					t.Fatal(err)
				}
				s = again
			} else {
				turn(t, s, 0)
				want.Sleeps = 1
			}
			var woken []*seam.Uint64
			if x.wakes {
				woken = append(woken, &s.slots[0].state)
			}
			system.wants(t, s, want, woken...)
			if got := s.slots[0].slotScan(); got != x.want {
				t.Errorf("%v of %d became %v of %d, want %v of %d", word.State(), word.Serial(), got.State(),
					got.Serial(), x.want.State(), x.want.Serial())
			}
		}
	}
}

// TestInherit_EachState: what a client finds in a slot that the one before has left.
func TestInherit_EachState(t *testing.T) {
	for word, want := range map[Word]Word{
		4 << 8: 4 << 8, 5 << 8: 6 << 8, 5<<8 | Word(Claimed): 6 << 8, 5<<8 | Word(Published): 6 << 8,
		5<<8 | Word(Taken): 5<<8 | Word(Abandoned), 5<<8 | Word(Abandoned): 5<<8 | Word(Abandoned),
		5<<8 | Word(Done): 6 << 8, 5<<8 | Word(Failed): 6 << 8, 5<<8 | 7: 6 << 8,
	} {
		_, c, system := both(t, 2)
		c.slots[1].state.Store(uint64(word))
		again, err := OverClient(c.memory, Options{Slots: 2, RequestBytes: 128, ResponseBytes: 192}, system)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.slots[1].slotLook(); got != want || again.slots[0].slotLook() != 0 {
			t.Errorf("%v of %d became %v of %d, want %v of %d", word.State(), word.Serial(), got.State(),
				got.Serial(), want.State(), want.Serial())
		}
	}
}

// TestClaim_LeavesWhatIsNotSound: to the service, which counts it.
func TestClaim_LeavesWhatIsNotSound(t *testing.T) {
	s, c, _ := both(t, 2)
	s.slots[0].state.Store(5 << 8)
	if h, ok, err := c.Claim(); !ok || err != nil || h.index != 1 {
		t.Errorf("claimed %+v %v %v", h, ok, err)
	}
	if _, ok, err := c.Claim(); ok || err != nil {
		t.Errorf("a slot that is not sound was claimed: %v", err)
	}
}

// TestServe_Lengths: a request whose length is none is performed as an empty one; the longest one is whole.
func TestServe_Lengths(t *testing.T) {
	for size, want := range map[uint64]int{120: 120, 121: 0, 1 << 63: 0, 0: 0} {
		s, c, system := both(t, 1)
		h := sent(t, c, "x")
		s.slots[0].request[0].Store(size)
		n := -1
		if _, err := s.Turn(func(request, dst []byte) []byte {
			if n = len(request); len(dst) != 0 || cap(dst) != 184 {
				t.Errorf("the room for the answer has %d of %d bytes", len(dst), cap(dst))
			}
			return append(dst, "answer"...)
		}, 0); err != nil {
			t.Fatal(err)
		}
		counts := Counts{Requests: 1}
		if size > 120 {
			counts.Oversized = 1
		}
		system.wants(t, s, counts, &s.slots[0].state)
		if n != want {
			t.Errorf("of a length of %d there were %d bytes", size, n)
		}
		poll(t, c, h, Answered, "answer")
	}
}

// TestServe_StateChanged: a client that changes the state of a slot that is being served loses the answer,
// and
// it is counted what it did.
func TestServe_StateChanged(t *testing.T) {
	for to, want := range map[State]Counts{Abandoned: {Requests: 1, Dropped: 1}, Done: {Requests: 1,
		Damaged: 1},
		Failed: {Requests: 1, Damaged: 1}} {
		s, c, system := both(t, 1)
		h := sent(t, c, "x")
		if _, err := s.Turn(func(_, dst []byte) []byte {
			s.slots[0].state.Store(uint64(h.word.in(to)))
			return dst
		}, 0); err != nil {
			t.Fatal(err)
		}
		system.wants(t, s, want)
		left := h.word.in(to)
		if to == Abandoned {
			left = h.word.freed()
		}
		if got := s.slots[0].slotScan(); got != left {
			t.Errorf("%v was left as %v, want %v", to, got.State(), left.State())
		}
	}
}

// TestRest_CountsInARow: a sleep that ends at its bound without a ring ends the row of wakes for nothing, and
// one that a ring has not ended is late.
func TestRest_CountsInARow(t *testing.T) {
	s, _, system := both(t, 1)
	early := func(n int) {
		for range n {
			if _, err := s.Turn(echo, time.Hour); err != nil {
				t.Fatal(err)
			}
		}
	}
	early(emptyFree)
	if _, err := s.Turn(echo, 0); err != nil { // at its bound
		t.Fatal(err)
	}
	early(emptyFree)
	system.wants(t, s, Counts{Sleeps: 2*emptyFree + 1})
	early(1)
	system.wants(t, s, Counts{Sleeps: 2*emptyFree + 2, Empty: 1})
	if _, err := s.Turn(echo, 0); err != nil {
		t.Fatal(err)
	}
	system.during = func() { s.bellRing() }
	if _, err := s.Turn(echo, 0); err != nil { // rung, and at its bound
		t.Fatal(err)
	}
	system.wants(t, s, Counts{Sleeps: 2*emptyFree + 4, Empty: 1, Late: 1})
	early(emptyFree - 1) // rung, and early: the late one was the first of the row
	system.wants(t, s, Counts{Sleeps: 3*emptyFree + 3, Empty: 1, Late: 1})
	early(1)
	system.wants(t, s, Counts{Sleeps: 3*emptyFree + 4, Empty: 2, Late: 1})
	system.during, system.cannot = nil, true
	if n, err := s.Turn(echo, 0); n != 0 || err != nil {
		t.Errorf("with a system that cannot sleep: %d %v", n, err)
	}
}

// TestMourn_EachAnswer of the system, in each state of the request.
func TestMourn_EachAnswer(t *testing.T) {
	refused := errors.New("refused")
	for _, x := range []struct {
		state State
		dead  bool
		err   error
		want  Outcome
		left  State
	}{
		{Published, false, nil, Pending, Published}, {Taken, false, nil, Pending, Taken},
		{Published, true, nil, NotDone, Free}, {Taken, true, nil, Unknown, Free},
		{Published, true, refused, Pending, Published}, {Taken, true, refused, Pending, Taken},
		{Failed, false, refused, Unknown, Free}, {Done, false, refused, Answered, Free},
	} {
		s, c, system := both(t, 1)
		h := sent(t, c, "x")
		s.slots[0].slotAnswer([]byte("answer"))
		s.slots[0].state.Store(uint64(h.word.in(x.state)))
		system.dead[ServiceRole], system.refuses = x.dead, x.err
		asked := x.state == Published || x.state == Taken
		o, dst, err := c.Mourn(h, []byte("<"))
		want := "<"
		if x.want == Answered {
			want = "<answer"
		}
		if o != x.want || string(dst) != want || asked && !errors.Is(err, x.err) || !asked && err != nil {
			t.Errorf("%v: %v %q %v", x, o, dst, err)
		}
		if got := states(&c.mailbox); got != x.left.String() {
			t.Errorf("%v: it is left %s", x, got)
		}
		if want := map[bool]string{false: "[]", true: "[service]"}[asked]; fmt.Sprint(system.asked) != want {
			t.Errorf("%v: the system was asked for %v", x, system.asked)
		}
		if lives, err := c.ServiceLives(); lives == x.dead || !errors.Is(err, x.err) {
			t.Errorf("%v: it lives: %v %v", x, lives, err)
		}
	}
}

// TestTidy_EachState: a service frees what a dead client has left, and nothing else; it asks for the client
// behind the look, and only where that matters.
func TestTidy_EachState(t *testing.T) {
	refused := errors.New("refused")
	for state := Free; state <= Failed; state++ {
		for _, x := range []struct {
			dead bool
			err  error
		}{{false, nil}, {true, nil}, {true, refused}} {
			s, _, system := both(t, 2)
			w := Word(5<<8 | uint64(state))
			if state == Free {
				w = 4 << 8
			}
			s.slots[1].state.Store(uint64(w))
			system.dead[ClientRole], system.refuses = x.dead, x.err
			ours := state == Claimed || state == Done || state == Failed
			err := s.Tidy()
			if ours && !errors.Is(err, x.err) || !ours && err != nil {
				t.Errorf("%v %v: %v", state, x, err)
			}
			want, counts, asked := w, Counts{}, "[]"
			if ours {
				asked = "[client]"
			}
			if ours && x.dead && x.err == nil {
				want, counts = 6<<8, Counts{Reclaimed: 1}
			}
			system.wants(t, s, counts)
			if got := s.slots[1].slotScan(); got != want || fmt.Sprint(system.asked) != asked {
				t.Errorf("%v %v: it is left %v of %d, asked for %v", state, x, got.State(), got.Serial(),
					system.asked)
			}
		}
	}
}

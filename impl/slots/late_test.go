package slots

import (
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// scripted is a System whose sleeps a test writes.
type scripted struct {
	sleep func(most time.Duration)
	woken int
}

func (s *scripted) Sleep(_ *seam.Uint64, _ uint32, most seam.Duration) bool {
	s.sleep(most)
	return true
}

func (s *scripted) Wake(*seam.Uint64)        { s.woken++ }
func (s *scripted) Lives(Role) (bool, error) { return true, nil }

// memory is that of a slot file, at a cache line.
func memory(o Options) []byte {
	size := int(o.geometry().size())
	b := make([]byte, size+lineBytes)
	return b[-uintptr(unsafe.Pointer(&b[0]))%lineBytes:][:size]
}

// TestLate_Canary: the count of lost wake-ups counts one. While the service sleeps, a request is sent. If the
// sleep goes on to its bound although the client has called Wake, that was one; if it ends early, it was
// none.
func TestLate_Canary(t *testing.T) {
	for lost, bound := range map[bool]time.Duration{false: time.Hour, true: time.Millisecond} {
		o := Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128}
		m, system := memory(o), &scripted{}
		s, err := Over(m, o, system)
		if err != nil {
			t.Fatal(err)
		}
		c, err := OverClient(m, o, system)
		if err != nil {
			t.Fatal(err)
		}
		var h Held
		system.sleep = func(most time.Duration) {
			h, _, err = c.Claim()
			if err == nil {
				err = c.Send(&h, []byte("x"))
			}
			if err != nil || system.woken != 1 {
				t.Fatalf("the client woke %d times (%v)", system.woken, err)
			}
			if lost {
				time.Sleep(most)
			}
		}
		if n, err := s.Turn(func(_, dst []byte) []byte { return dst }, bound); n != 0 ||
			err != nil {
			t.Fatal(n, err)
		}
		if n := s.Counts(); (n.Late == 1) != lost {
			t.Errorf("lost %v: %+v", lost, n)
		}
		if n, err := s.Turn(func(_, dst []byte) []byte { return dst }, time.Second); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
}

// TestOver_Refused: memory of another size or place, or with something else in it, is refused.
func TestOver_Refused(t *testing.T) {
	o := Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128}
	good, other := memory(o), memory(o)
	other[0] = 1
	for name, m := range map[string][]byte{"short": good[:len(good)-64], "at no line": make([]byte,
		len(good)+8)[8:],
		"something else": other} {
		if s, err := Over(m, o, &scripted{}); err == nil || s != nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	if _, err := OverClient(good, o, &scripted{}); err == nil {
		t.Error("a client of memory without a slot file: it is taken")
	}
	for _, x := range []struct{ slots int }{{1}, {65}} {
		_, err := Over(good, Options{Slots: x.slots, RequestBytes: 128, ResponseBytes: 128}, &scripted{})
		if (err == nil) != (x.slots == 1) {
			t.Errorf("%d slots: %v", x.slots, err)
		}
	}
}

// TestRest_WokenForNothing: wakes without a request are answered at once 16 times in a row, and then with a
// rest; a request ends the row.
func TestRest_WokenForNothing(t *testing.T) {
	o := Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128}
	m, system := memory(o), &scripted{sleep: func(time.Duration) {}}
	s, err := Over(m, o, system)
	if err != nil {
		t.Fatal(err)
	}
	c, err := OverClient(m, o, system)
	if err != nil {
		t.Fatal(err)
	}
	turns := func(n int, want uint64) {
		t.Helper()
		for range n {
			if _, err := s.Turn(func(_, dst []byte) []byte { return dst }, time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Counts().Empty; got != want {
			t.Fatalf("%d rests, want %d", got, want)
		}
	}
	turns(emptyFree, 0)
	turns(2, 2)
	h, _, err := c.Claim()
	if err == nil {
		err = c.Send(&h, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	turns(1+emptyFree, 2) // the request, and a row of its own
	turns(1, 3)
}

// TestRest_HowLong: a service that is woken for nothing rests from the 17th time on, for 16 milliseconds each
// time, and no longer than it is to sleep.
func TestRest_HowLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128}
		s, err := Over(memory(o), o, &scripted{sleep: func(time.Duration) {}})
		if err != nil {
			t.Fatal(err)
		}
		for n, x := range []struct{ most, want time.Duration }{16: {time.Hour, 16 * time.Millisecond},
			17: {time.Hour, 16 * time.Millisecond}, 18: {16*time.Millisecond + 1, 16 * time.Millisecond},
			19: {16 * time.Millisecond, 16 * time.Millisecond},
			20: {16*time.Millisecond - 1, 16*time.Millisecond - 1},
			21: {time.Millisecond, time.Millisecond}} {
			if x.most == 0 {
				x.most = time.Hour
			}
			begin := time.Now()
			if _, err := s.Turn(func(_, dst []byte) []byte { return dst }, x.most); err != nil {
				t.Fatal(err)
			}
			if d := time.Since(begin); d != x.want {
				t.Errorf("turn %d of at most %v rests for %v, want %v", n, x.most, d, x.want)
			}
		}
	})
}

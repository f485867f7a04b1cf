package slots

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var small = Options{Slots: 2, RequestBytes: 128, ResponseBytes: 192}

// pair is a service and a client of a new file.
func pair(t *testing.T, o Options) (*Service, *Client, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.slots")
	s, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Dial(path, os.Geteuid())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // a test may have closed one
		for _, m := range []*mailbox{&s.mailbox, &c.mailbox} {
			if err := m.Close(); err != nil && !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		}
	})
	return s, c, path
}

// echo answers with the request in front of what was there before.
func echo(request, dst []byte) []byte { return append(append(dst, "re:"...), request...) }

// sent is a request that was sent.
func sent(t *testing.T, c *Client, request string) *Held {
	t.Helper()
	h, ok, err := c.Claim()
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := c.Send(&h, []byte(request)); err != nil {
		t.Fatal(err)
	}
	return &h
}

func turn(t *testing.T, s *Service, want int) {
	t.Helper()
	if n, err := s.Turn(echo, time.Millisecond); n != want || err != nil {
		t.Fatalf("the service performed %d requests (%v), want %d", n, err, want)
	}
}

// poll wants an outcome, and the answer of it.
func poll(t *testing.T, c *Client, h *Held, want Outcome, answer string) {
	t.Helper()
	o, got, err := c.Poll(h, nil)
	if o != want || string(got) != answer || err != nil {
		t.Fatalf("the request is %v, answer %q (%v); want %v, %q", o, got, err, want, answer)
	}
}

func states(m *mailbox) string {
	var all []string
	for i := range m.slots {
		all = append(all, m.slots[i].slotLook().State().String())
	}
	return strings.Join(all, " ")
}

func wantStates(t *testing.T, m *mailbox, want string) {
	t.Helper()
	if got := states(m); got != want {
		t.Fatalf("the slots are %s, want %s", got, want)
	}
}

// TestLife: a request goes through its states, and its answer is its own, in each slot and each life.
func TestLife(t *testing.T) {
	s, c, _ := pair(t, small)
	for n := range 20 {
		a, b := sent(t, c, fmt.Sprint("a", n)), sent(t, c, fmt.Sprint("b", n))
		if _, ok, err := c.Claim(); ok || err != nil {
			t.Fatalf("a third slot of two was claimed (%v)", err)
		}
		poll(t, c, a, Pending, "")
		turn(t, s, 2)
		wantStates(t, &s.mailbox, "done done")
		poll(t, c, b, Answered, fmt.Sprint("re:b", n))
		poll(t, c, a, Answered, fmt.Sprint("re:a", n))
		turn(t, s, 0)
	}
	if n := s.Counts(); n.Requests != 40 || n.Damaged+n.Dropped+n.Reclaimed+n.Oversized != 0 {
		t.Errorf("counts: %+v", n)
	}
}

// TestCapacity: requests and answers of each length up to the capacity come whole, and one byte more does not
// overwrite what is behind (G2).
func TestCapacity(t *testing.T) {
	s, c, _ := pair(t, small)
	answered := func(request, dst []byte) []byte {
		for len(dst) < len(request) {
			dst = append(dst, request[len(dst)]^0xFF)
		}
		return dst
	}
	for n := range c.RequestMax() + 2 {
		request := make([]byte, n)
		for i := range request {
			request[i] = byte(i + n)
		}
		beside := sent(t, c, "beside")
		h, ok, err := c.Claim()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		err = c.Send(&h, request)
		if fits := n <= c.RequestMax(); !fits {
			if !errors.Is(err, ErrTooLarge) {
				t.Fatalf("%d bytes of %d: %v", n, c.RequestMax(), err)
			}
			wantStates(t, &c.mailbox, "published free")
		} else if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Turn(answered, time.Millisecond); err != nil {
			t.Fatal(err)
		}
		poll(t, c, beside, Answered, string(answered([]byte("beside"), nil)))
		if n <= c.RequestMax() {
			poll(t, c, &h, Answered, string(answered(request, nil)))
		}
	}
	for n := range c.AnswerMax() + 10 {
		h := sent(t, c, "x")
		if _, err := s.Turn(func(_, dst []byte) []byte { return append(dst, make([]byte, n)...) },
			0); err != nil {
			t.Fatal(err)
		}
		poll(t, c, h, Answered, string(make([]byte, min(n, c.AnswerMax()))))
	}
}

// TestGiveUp: what nobody has taken is withdrawn and never performed; what is taken is abandoned, and its
// slot comes back.
func TestGiveUp(t *testing.T) {
	s, c, _ := pair(t, small)
	h := sent(t, c, "withdrawn")
	if o, _, err := c.GiveUp(h, nil); o != NotDone || err != nil {
		t.Fatal(o, err)
	}
	turn(t, s, 0)
	h = sent(t, c, "abandoned")
	performed := 0
	n, err := s.Turn(func(request, dst []byte) []byte {
		performed++
		if o, _, err := c.GiveUp(h, nil); o != Unknown || err != nil {
			t.Error(o, err)
		}
		wantStates(t, &c.mailbox, "abandoned free")
		return echo(request, dst)
	}, time.Millisecond)
	if n != 1 || performed != 1 || err != nil {
		t.Fatal(n, performed, err)
	}
	wantStates(t, &c.mailbox, "free free")
	h = sent(t, c, "answered")
	turn(t, s, 1)
	if o, answer, err := c.GiveUp(h, nil); o != Answered || string(answer) != "re:answered" || err != nil {
		t.Fatal(o, answer, err)
	}
	if n := s.Counts(); n.Dropped != 1 || n.Damaged != 0 {
		t.Errorf("counts: %+v", n)
	}
}

// TestLateSteps: the steps that are made with a word of an earlier life change nothing.
func TestLateSteps(t *testing.T) {
	s, c, _ := pair(t, Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128})
	x := &c.slots[0]
	h := sent(t, c, "first")
	old := h.word
	turn(t, s, 1)
	poll(t, c, h, Answered, "re:first")
	for range 3 {
		now := sent(t, c, "later")
		for name, step := range map[string]func() bool{
			"slotTake":     func() bool { return x.slotTake(old) },
			"slotWithdraw": func() bool { return x.slotWithdraw(old) },
			"slotDone":     func() bool { return x.slotDone(old.in(Taken)) },
			"slotFree":     func() bool { return x.slotFree(old.in(Done)) },
			"slotAbandon":  func() bool { return x.slotAbandon(old.in(Taken)) },
			"slotDrop":     func() bool { return x.slotDrop(old.in(Abandoned)) },
			"slotFail":     func() bool { return x.slotFail(old.in(Taken)) },
			"slotPublish":  func() bool { return x.slotPublish(old.in(Claimed)) },
			"slotClaim":    func() bool { return x.slotClaim(old.freed()) && old.freed() != now.word },
		} {
			if step() {
				t.Fatalf("%s of an earlier life changed the slot", name)
			}
		}
		turn(t, s, 1)
		poll(t, c, now, Answered, "re:later")
	}
}

// TestServiceDies: what it had taken is of unknown outcome, what it had not is withdrawn, and with the next
// service, which may be the one to find it, too.
func TestServiceDies(t *testing.T) {
	for _, next := range []bool{false, true} {
		s, c, path := pair(t, small)
		taken := sent(t, c, "taken")
		if w := s.slots[0].slotScan(); !s.slots[0].slotTake(w) {
			t.Fatal("it cannot be taken")
		}
		waits := sent(t, c, "waits")
		if o, _, err := c.Mourn(taken, nil); o != Pending || err != nil {
			t.Fatalf("while the service lives: %v %v", o, err)
		}
		if err := s.Close(); err != nil { // the lock ends as it does with a process
			t.Fatal(err)
		}
		if next {
			again, err := Create(path, small)
			if err != nil {
				t.Fatal(err)
			}
			wantStates(t, &c.mailbox, "failed published")
			turn(t, again, 1)
			poll(t, c, waits, Answered, "re:waits")
			poll(t, c, taken, Unknown, "")
			if n := again.Counts(); n.Reclaimed != 1 || n.Requests != 1 {
				t.Errorf("counts: %+v", n)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		} else {
			for h, want := range map[*Held]Outcome{taken: Unknown, waits: NotDone} {
				if o, _, err := c.Mourn(h, nil); o != want || err != nil {
					t.Fatalf("%v %v, want %v", o, err, want)
				}
			}
		}
		wantStates(t, &c.mailbox, "free free")
	}
}

// TestClientDies in each state: its slots come back, by the next client and by the service.
func TestClientDies(t *testing.T) {
	for _, next := range []bool{false, true} {
		for state := Claimed; state <= Failed; state++ {
			s, c, path := pair(t, Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128})
			h, _, err := c.Claim()
			if err != nil {
				t.Fatal(err)
			}
			if !s.slots[0].slotReclaim(h.word, h.word.in(state)) {
				t.Fatal("the state cannot be set")
			}
			if err := s.Tidy(); err != nil || states(&s.mailbox) != state.String() {
				t.Fatalf("while the client lives: %s (%v)", states(&s.mailbox), err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			want := "free"
			if next {
				again, err := Dial(path, os.Geteuid())
				if err != nil {
					t.Fatal(err)
				}
				if state == Taken || state == Abandoned {
					want = "abandoned" // the service has it, as far as a client can see
				}
				wantStates(t, &s.mailbox, want)
				if err := again.Close(); err != nil {
					t.Error(err)
				}
			} else {
				if err := s.Tidy(); err != nil {
					t.Fatal(err)
				}
				if state == Published || state == Taken {
					want = map[State]string{Published: "done", Taken: "failed"}[state]
				}
				if _, err := s.Turn(echo, 0); err != nil {
					t.Fatal(err)
				}
				wantStates(t, &s.mailbox, want)
				if err := s.Tidy(); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Turn(echo, 0); err != nil {
				t.Fatal(err)
			}
			wantStates(t, &s.mailbox, "free")
		}
	}
}

// TestRoles: a file has one service and one client at a time.
func TestRoles(t *testing.T) {
	_, c, path := pair(t, small)
	if _, err := Create(path, small); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "service") {
		t.Errorf("a second service: %v", err)
	}
	if _, err := Dial(path, os.Geteuid()); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(),
		"client") {
		t.Errorf("a second client: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("a second close: %v", err)
	}
}

// TestFiles_Refused: what is no slot file of this user, or one of other options, is refused and stays.
func TestFiles_Refused(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	s, err := Create(good, small)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, mode fs.FileMode, content []byte) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, content, mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link, fifo := filepath.Join(dir, "link"), filepath.Join(dir, "fifo")
	if err := errors.Join(os.Symlink(good, link), unix.Mkfifo(fifo, 0o600)); err != nil {
		t.Fatal(err)
	}
	other := append([]byte(nil), image...)
	other[offsetSlots] = 3
	cases := map[string]bool{link: true, fifo: true, dir: true, write("empty", 0o600, nil): true,
		write("short", 0o600, image[:len(image)-64]): true, write("text", 0o600, make([]byte,
			len(image))): true,
		write("slots", 0o600, other): true, write("others", 0o666, image): true, write("good2", 0o600,
			image): false}
	for path, refused := range cases {
		s, err := Create(path, small)
		if refused != errors.Is(err, ErrFile) || (s == nil) != refused {
			t.Errorf("serve %s: %v, want refused %v", filepath.Base(path), err, refused)
		}
		if s != nil {
			_ = s.Close()
		}
		c, err := Dial(path, os.Geteuid())
		if refused != errors.Is(err, ErrFile) || (c == nil) != refused {
			t.Errorf("dial %s: %v, want refused %v", filepath.Base(path), err, refused)
		}
		if c != nil {
			_ = c.Close()
		}
	}
	if _, err := Create(good, Options{Slots: 3, RequestBytes: 128, ResponseBytes: 192}); !errors.Is(err,
		ErrFile) {
		t.Errorf("other options: %v", err)
	}
	if _, err := Dial(good, os.Geteuid()+1); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(),
		"owner") {
		t.Errorf("another owner: %v", err)
	}
	if _, err := Dial(filepath.Join(dir, "none"), os.Geteuid()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Create(filepath.Join(dir, "no", "folder"), small); !errors.Is(err, ErrSystem) {
		t.Errorf("no folder: %v", err)
	}
}

// TestCreate_Mode: the file is for its owner alone, or for a group, whatever the umask.
func TestCreate_Mode(t *testing.T) {
	defer unix.Umask(unix.Umask(0o177))
	for _, shared := range []bool{false, true} {
		o := small
		o.Shared, o.Group = shared, os.Getegid()
		path := filepath.Join(t.TempDir(), "a.slots")
		for range 2 { // the second one finds the file
			s, err := Create(path, o)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil || info.Mode() != fs.FileMode(o.mode()) ||
				info.Size() != int64(o.geometry().size()) {
				t.Errorf("shared %v: %v %d (%v)", shared, info.Mode(), info.Size(), err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestTruncated: whoever uses a file that somebody has truncated is told, and does not fault.
func TestTruncated(t *testing.T) {
	s, c, path := pair(t, small)
	h := sent(t, c, "x")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Turn(echo, time.Millisecond); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), "truncated") {
		t.Errorf("the service: %v", err)
	}
	if err := s.Tidy(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("tidy: %v", err)
	}
	if err := s.Ring(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("ring: %v", err)
	}
	if o, _, err := c.Poll(h, nil); o != Unknown || !errors.Is(err, ErrCorrupt) {
		t.Errorf("the client: %v %v", o, err)
	}
	if _, _, err := c.Claim(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("claim: %v", err)
	}
	if o, _, err := c.GiveUp(h, nil); o != Unknown || !errors.Is(err, ErrCorrupt) {
		t.Errorf("give up: %v %v", o, err)
	}
	if err := c.Sleep(h, time.Millisecond); err != nil && !errors.Is(err, ErrCorrupt) {
		t.Errorf("sleep: %v", err)
	}
}

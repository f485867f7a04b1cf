package clients

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// languages make the command of a client, or say why there is none.
var languages = map[string]func(t *testing.T) []string{
	"c": func(t *testing.T) []string {
		return []string{compiled(t, "client.c")}
	},
	"c of 32 bits": func(t *testing.T) []string {
		needs(t, wideTimes)
		return []string{compiled(t, "client.c", wideTimes...)}
	},
	"python": func(t *testing.T) []string {
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("NOT RUN: there is no python3: install one")
		}
		readSources(t)
		out, err := exec.Command(python, "-c", "import platform,struct;print(platform.machine(),"+
			"struct.calcsize('P'))").Output()
		if err != nil || strings.TrimSpace(string(out)) != "x86_64 8" {
			t.Skipf("NOT RUN: the client in Python is for x86-64, and this is %q (%v): run the test there",
				out, err)
		}
		return []string{python, "-B", filepath.Join("testdata", "client.py")}
	},
}

// inEach runs a test with the client of each language.
func inEach(t *testing.T, f func(t *testing.T, command []string)) {
	t.Helper()
	for name, make := range languages {
		t.Run(name, func(t *testing.T) { f(t, make(t)) })
	}
}

// client is a process with a client.
type client struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Reader
}

// begin starts the client of a slot file; times are in milliseconds. It does not look whether it could open
// it.
func begin(t *testing.T, command []string, path string, times ...string) *client {
	t.Helper()
	args := append(append(command[1:len(command):len(command)], path), times...)
	c := &client{t: t, cmd: exec.Command(command[0], args...)}
	c.cmd.Stderr = os.Stderr
	c.cmd.Env = append(os.Environ(), "PYTHONPATH=python")
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out = in, bufio.NewReader(out)
	t.Cleanup(func() {
		_ = in.Close()
		_ = c.cmd.Wait() // it may have been killed
	})
	return c
}

// open is begin of one that can open the file.
func open(t *testing.T, command []string, path string, times ...string) *client {
	t.Helper()
	c := begin(t, command, path, times...)
	if line := c.line(); line != "open" {
		t.Fatalf("the client says %q", line)
	}
	return c
}

func (c *client) line() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("the client says %q, %v", line, err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (c *client) say(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

// wants gives a command, and wants an answer with this in it.
func (c *client) wants(want, format string, args ...any) {
	c.t.Helper()
	c.say(format, args...)
	if got := c.line(); !strings.Contains(got, want) {
		c.t.Fatalf("%.50s: %q, want %q", fmt.Sprintf(format, args...), got, want)
	}
}

// serving starts a service; the test may end it.
func serving(t *testing.T, own *cache.Cache, o remote.Options, path string) *remote.Service {
	t.Helper()
	s, err := remote.Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(context.Background(), own) }()
	t.Cleanup(func() {
		_ = s.Close() // the test may have closed it
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

func newCache(t *testing.T) *cache.Cache {
	t.Helper()
	own, err := cache.Open("", cache.Options{Bytes: 1 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	return own
}

// TestClient_Commands: each operation gives what it does in Go, in the cache of the service.
func TestClient_Commands(t *testing.T) {
	inEach(t, func(t *testing.T, command []string) {
		own, path := newCache(t), filepath.Join(t.TempDir(), "a.slots")
		s := serving(t, own, remote.Options{File: slots.Options{RequestBytes: 8192, ResponseBytes: 4096}},
			path)
		c := open(t, command, path)
		c.wants("absent", "get a")
		c.wants("ok", "set a one")
		c.wants("one ok", "get a")
		if v, ok, err := own.Get([]byte("a"), nil); string(v) != "one" || !ok || err != nil {
			t.Fatalf("the cache has %q, %v, %v", v, ok, err)
		}
		c.wants("ok", "set a")
		c.wants(" ok", "get a")
		c.wants("ok", "del a")
		c.wants("absent", "del a")
		c.wants("two ok", "batch b two")
		c.wants("absent", "get b")
		c.wants("too large", "set a %s", strings.Repeat("x", 8192))
		if err := own.Set([]byte("large"), make([]byte, 4096)); err != nil {
			t.Fatal(err)
		}
		c.wants("too large", "get large")
		for n := 0; n < 4070; n += 37 {
			value := strings.Repeat("x", n)
			c.wants("ok", "set k%d %s", n, value)
			c.wants(value+" ok", "get k%d", n)
		}
		if line := begin(t, command, path).line(); !strings.Contains(line, "another client") {
			t.Errorf("a second client says %q", line)
		}
		if line := begin(t, command, "doc.go").line(); !strings.Contains(line, "open: ") {
			t.Errorf("the client of a text says %q", line)
		}
		for _, missing := range []string{"none.slots", "doc.go/a.slots"} {
			if line := begin(t, command, missing).line(); !strings.Contains(line, "open: ") {
				t.Errorf("the client of %s says %q", missing, line)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n := s.Counts(); n.Damaged+n.Malformed+n.Oversized+n.Dropped+n.Late != 0 {
			t.Errorf("counts: %+v", n)
		}
	})
}

// TestClient_NoTimeOut: over many requests each sleep ends with a wake, in a process that has the file mapped
// at another address and never looks by itself within the time of the test (G3).
func TestClient_NoTimeOut(t *testing.T) {
	inEach(t, func(t *testing.T, command []string) {
		path := filepath.Join(t.TempDir(), "a.slots")
		s := serving(t, newCache(t), remote.Options{Idle: remote.WaitMax}, path)
		c := open(t, command, path, "600000", "600000")
		c.wants("0 wrong, 0 timed out", "loop p 2000")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n := s.Counts(); n.Late != 0 || n.Operations != 4000 {
			t.Errorf("counts: %+v, want 4000 operations and no late one", n)
		}
	})
}

// TestClient_Killed: a client that is killed anywhere leaves a file with which the next one works, with all
// slots.
func TestClient_Killed(t *testing.T) {
	inEach(t, func(t *testing.T, command []string) {
		path := filepath.Join(t.TempDir(), "a.slots")
		s := serving(t, newCache(t), remote.Options{File: slots.Options{Slots: 2}}, path)
		for n := range 12 {
			c := open(t, command, path)
			c.say("loop p%d 1000000", n)
			for before := s.Counts().Requests; s.Counts().Requests < before+uint64(n%5); {
			}
			if err := c.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = c.cmd.Wait() // its end is what was asked for
		}
		c := open(t, command, path)
		c.wants("0 wrong, ", "loop p 100")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n := s.Counts(); n.Damaged+n.Malformed+n.Oversized != 0 {
			t.Errorf("counts: %+v", n)
		}
	})
}

// TestClient_NoService: a client says that nobody serves it, within its bound, and goes on with the next
// service.
func TestClient_NoService(t *testing.T) {
	want := map[bool]string{true: "outcome unknown", false: "no service"}
	inEach(t, func(t *testing.T, command []string) {
		own, path := newCache(t), filepath.Join(t.TempDir(), "a.slots")
		s := serving(t, own, remote.Options{File: slots.Options{Slots: 1}}, path)
		c := open(t, command, path, "60000", "5")
		c.wants("ok", "set a one")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		c.wants(want[strings.Contains(t.Name(), "python")], "set a two")
		c.wants("no service", "set a three")
		serving(t, own, remote.Options{File: slots.Options{Slots: 1}}, path)
		c.wants("ok", "set b four")
		c.wants(" ok", "get a")
		c.wants("four ok", "get b")
	})
}

// TestClient_Timeout: the service lives and takes nothing. C withdraws its request, which is never done.
// Python cannot: the outcome is unknown, the slot is lost until the service has answered, and then comes
// back.
func TestClient_Timeout(t *testing.T) {
	inEach(t, func(t *testing.T, command []string) {
		own, path := newCache(t), filepath.Join(t.TempDir(), "a.slots")
		s, err := remote.Create(path, remote.Options{File: slots.Options{Slots: 1}})
		if err != nil {
			t.Fatal(err)
		}
		c := open(t, command, path, "1000")
		withdraws := !strings.Contains(t.Name(), "python")
		if withdraws {
			c.wants("not done: its time was over", "set a one")
			c.wants("not done: its time was over", "set a two")
		} else {
			c.wants("outcome unknown: the time was over", "set a one")
			c.wants("no slot was free", "set a two")
		}
		ended := make(chan error)
		go func() { ended <- s.Serve(context.Background(), own) }()
		for n := range 5 {
			c.wants("ok", "set b %d", n)
		}
		c.wants(map[bool]string{true: "absent", false: "one ok"}[withdraws], "get a")
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestClient_TTL: a set keeps its value for as long as it says, as the cache does, or for ever. A time that
// is none is refused, and the key has what it had.
func TestClient_TTL(t *testing.T) {
	const hour, longest = int64(time.Hour), 1<<63 - 1
	inEach(t, func(t *testing.T, command []string) {
		own, err := cache.Open("", cache.Options{Bytes: 1 << 20, NoJanitor: true, TTL: time.Minute,
			Clock: func() time.Time { return time.UnixMilli(1_800_000_000_000) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = own.Close() })
		path := filepath.Join(t.TempDir(), "a.slots")
		serving(t, own, remote.Options{}, path)
		c := open(t, command, path)
		for _, x := range []struct {
			nanoseconds int64
			left        time.Duration // 0: for ever
		}{{hour, time.Hour}, {0, time.Minute}, {-1, 0}, {1, time.Millisecond},
			{longest, time.Duration(longest).Truncate(time.Millisecond)}} {
			c.wants("ok", "keep a %d", x.nanoseconds)
			left, ok, err := own.TTL([]byte("a"))
			if !ok || err != nil || left != x.left {
				t.Errorf("kept for %d ns: %v %v %v, want %v", x.nanoseconds, left, ok, err, x.left)
			}
		}
		c.wants("request malformed", "keep a -2")
		c.wants("kept ok", "get a")
	})
}

// TestClient_Quota: who calls too often is told so, with the time to wait, whatever it calls; and so is who
// asks for a key that is asked for too often, first as of a suspect, then as of one that is denied.
func TestClient_Quota(t *testing.T) {
	inEach(t, func(t *testing.T, command []string) {
		now := time.UnixMilli(1_800_000_000_000)
		own, err := cache.Open("", cache.Options{Bytes: 1 << 20, NoJanitor: true,
			Quota: cache.Quota{Object: 10, Retry: 250 * time.Millisecond, Client: 40},
			Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "a.slots")
		s := serving(t, own, remote.Options{}, path)
		c := open(t, command, path)
		c.wants("ok", "set a one")
		for range 10 {
			c.wants("one ok", "get a")
		}
		python := strings.Contains(t.Name(), "python")
		c.wants(map[bool]string{true: "0.25 s", false: "250 ms"}[python], "get a") // the first offence
		c.wants("asked for too often", "get a")
		for range 27 { // those that were held count for the client, too, which is at its limit then
			c.wants("ok", "set b two")
		}
		c.wants("this client calls too often", "set c three")
		c.wants("this client calls too often", "del a")
		c.wants(map[bool]string{true: "0.025 s", false: "25 ms"}[python], "get b")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n := s.Counts(); n.Held != 5 {
			t.Errorf("%d calls were held, want 5", n.Held)
		}
	})
}

// TestClient_Many: a batch whose results have no room in the response area is too large, and so is one of
// more operations than a request may have. One of as many as there may be is done.
func TestClient_Many(t *testing.T) {
	inEach(t, func(t *testing.T, command []string) {
		for bytes, fits := range map[int]int{128: (128 - 8) / 8, 1 << 16: remote.OpsMax} {
			path := filepath.Join(t.TempDir(), "a.slots")
			serving(t, newCache(t), remote.Options{File: slots.Options{RequestBytes: 1 << 16,
				ResponseBytes: bytes}}, path)
			c := open(t, command, path)
			c.wants("absent", "many a %d", fits)
			c.wants("too large", "many a %d", fits+1)
			c.wants("too large", "many a %d", 2*fits)
			c.wants("absent", "get a")
		}
	})
}

// TestPython_Types: what is no bytes is refused, and not stored as something else; a short time is no
// default.
func TestPython_Types(t *testing.T) {
	command := languages["python"](t)
	own, path := newCache(t), filepath.Join(t.TempDir(), "a.slots")
	serving(t, own, remote.Options{}, path)
	cmd := exec.Command(command[0], "-B", "-c", `
import sys, samecycle_slots as slots
with slots.Client(sys.argv[1]) as c:
    for key, value in ((b"k", 5), (5, b"v"), ("k", b"v"), (b"k", "v"), (b"k", None), (b"k", [1])):
        try:
            c.set(key, value)
            print("stored", key, value)
        except slots.BadRequest as e:
            if "use bytes" not in str(e):
                print(e)
    c.set(bytearray(b"k"), memoryview(b"v"))
    c.set(b"short", b"v", ttl=1e-12)
`, path)
	cmd.Env = append(os.Environ(), "PYTHONPATH=python")
	if out, err := cmd.CombinedOutput(); len(out) > 0 || err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if v, ok, err := own.Get([]byte("k"), nil); string(v) != "v" || !ok || err != nil {
		t.Errorf("the cache has %q, %v, %v", v, ok, err)
	}
	if left, ok, err := own.TTL([]byte("short")); ok && left == 0 || err != nil {
		t.Errorf("a value that was set for a moment stays for ever: %v, %v, %v", left, ok, err)
	}
}

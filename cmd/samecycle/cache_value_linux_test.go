package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// onInput calls f with the standard input of this process replaced.
func onInput(t *testing.T, in *os.File, f func()) {
	t.Helper()
	before := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = before }()
	f()
}

// aPipe is both ends of a pipe.
func aPipe(t *testing.T) (in, out *os.File) {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); out.Close() })
	return in, out
}

// TestCacheSet_Interrupted: an interrupt ends a command that waits for its value, and what came so far is not
// stored; nor is it if the other end of the pipe has ended by the same interrupt.
func TestCacheSet_Interrupted(t *testing.T) {
	path, slots := aCache(t), filepath.Join(t.TempDir(), "none.slots")
	none := filepath.Join(t.TempDir(), "new.cache")
	lines := []string{"set " + path + " cut", "set " + none + " cut --size 1MiB",
		"call " + slots + " set cut"}
	for _, line := range lines {
		for _, ends := range []bool{false, true} {
			in, out := aPipe(t)
			ctx, interrupt := context.WithCancelCause(t.Context())
			if _, err := out.WriteString("half of "); err != nil {
				t.Fatal(err)
			}
			if ends {
				out.Close()
			}
			interrupt(errInterrupted)
			var code int
			var text, said string
			onInput(t, in, func() {
				code, text, said = callWith(ctx, append([]string{"cache"}, strings.Fields(line)...)...)
			})
			if code != exitInterrupted || text != "" || said != "samecycle: interrupted\n" {
				t.Errorf("%s, the pipe has ended: %v: status %d, %q, %q", line, ends, code, text, said)
			}
		}
	}
	if code, out, _ := call("cache", "get", path, "cut"); code != exitRed {
		t.Errorf("%q was stored", out)
	}
	if _, err := os.Stat(none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a cache was made: %v", err)
	}
}

// endless is an input without an end, which counts what is read of it.
type endless struct{ read atomic.Int64 }

func (e *endless) Read(b []byte) (int, error) {
	e.read.Add(int64(len(b)))
	return len(b), nil
}

// TestInputOf_Bound: of an input not more is read than there is room for, and one byte.
func TestInputOf_Bound(t *testing.T) {
	for _, most := range []int{0, 1, 4000, 1 << 20} {
		var in endless
		value, err := inputOf(t.Context(), &in, most)
		if value != nil || !errors.Is(err, errLarge) || in.read.Load() != int64(most)+1 {
			t.Errorf("at most %d: %d read, a value of %d, %v", most, in.read.Load(), len(value), err)
		}
		value, err = inputOf(t.Context(), bytes.NewReader(make([]byte, most)), most)
		if len(value) != most || err != nil {
			t.Errorf("%d of %d: %d, %v", most, most, len(value), err)
		}
	}
	bad := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader("a"), failing{bad})
	if _, err := inputOf(t.Context(), in, 9); !errors.Is(err, bad) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestCacheSet_TooLarge: a value for which there is no room is refused in words of the command, wherever it
// comes from, and the old one stays. The largest one that there is room for is stored.
func TestCacheSet_TooLarge(t *testing.T) {
	path := aCache(t)
	c, err := cache.Attach(path, cache.Options{NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	most := c.ValueMax(len("alice"))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{most, most + 1, 3 << 20} {
		value := strings.Repeat("v", n)
		file := filepath.Join(t.TempDir(), "value")
		if err := os.WriteFile(file, []byte(value), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		ways := map[string][]string{"input": {"cache", "set", path, "alice"},
			"line": {"cache", "set", path, "alice", value}}
		for name, args := range ways {
			onInput(t, in, func() {
				code, _, said := call(args...)
				fits := code == exitOK && said == ""
				refused := code == exitRed && !strings.Contains(said, "BasketBytes") &&
					strings.Contains(said, "make a new cache with a larger --size")
				if n <= most && !fits || n > most && !refused {
					t.Errorf("%d bytes from the %s: status %d, %q", n, name, code, said)
				}
			})
		}
		in.Close()
	}
	if _, out, _ := call("cache", "get", path, "alice"); len(out) != most {
		t.Errorf("a value of %d bytes, want %d", len(out), most)
	}
}

// TestRoom_TooLarge: nobody is told to make a cache with larger baskets than --size gives.
func TestRoom_TooLarge(t *testing.T) {
	for basket, want := range map[uint32]string{0: "more than 100 bytes; make it smaller, or store it",
		1 << 20: "--size", 2 << 20: "--size", 4 << 20: "in parts", 64 << 20: "in parts"} {
		if err := (room{5, 10, 100, basket}).tooLarge(); !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", basket, err)
		}
	}
}

// TestCacheSet_LongKey: a key for which there is no room is told as that, even with an empty value, and with
// the longest one that there is room for.
func TestCacheSet_LongKey(t *testing.T) {
	path := aCache(t)
	c, err := cache.Attach(path, cache.Options{NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	most := c.ValueMax(0)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{
		most:             "",
		most + 1:         "a larger --size",
		cache.KeyMax + 1: "a larger --size",
	} {
		code, _, said := call("cache", "set", path, strings.Repeat("k", n), "")
		if want != "" {
			want = fmt.Sprintf("samecycle: the key is too long: it has %d bytes, and a key can have at "+
				"most %d bytes here; use a shorter one, or make a new cache with %s\n", n, most, want)
		}
		if said != want || (code == exitOK) != (want == "") {
			t.Errorf("%d bytes: status %d, %q, want %q", n, code, said, want)
		}
	}
	if err := (room{cache.KeyMax + 1, cache.KeyMax, 0, 4 << 20}).tooLarge(); strings.Contains(err.Error(),
		"--size") {
		t.Errorf("%v: no cache has longer keys", err)
	}
}

// TestCacheSet_Empty: an empty file on the standard input is an empty value, which is one that is there.
func TestCacheSet_Empty(t *testing.T) {
	path := aCache(t)
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	onInput(t, null, func() {
		if code, out, said := call("cache", "set", path, "empty"); code != exitOK || out != "" || said != "" {
			t.Errorf("status %d, %q, %q", code, out, said)
		}
	})
	code, out, _ := call("cache", "get", path, "empty", "--json")
	if g := asJSON[gotten](t, out); code != exitOK || !g.Found || g.Value == nil || len(g.Value) != 0 {
		t.Errorf("status %d, %s", code, out)
	}
	if !strings.Contains(out, `"value": ""`) {
		t.Errorf("%s", out)
	}
}

// TestCacheSet_WithoutAFile: who leaves FILE out, where no terminal is the input, gets no cache under the
// name of the key. With --size a value from the input makes one.
func TestCacheSet_WithoutAFile(t *testing.T) {
	key := filepath.Join(t.TempDir(), "alice")
	in, out := aPipe(t)
	if _, err := out.WriteString("picture"); err != nil {
		t.Fatal(err)
	}
	out.Close()
	onInput(t, in, func() {
		code, out, said := call("cache", "set", key, "token 1")
		if code != exitUsage || out != "" || !strings.Contains(said, "VALUE is missing: name FILE, KEY and "+
			"VALUE; to make a cache for a value from the standard input, add --size 256MiB\n") {
			t.Errorf("status %d, %q, %q", code, out, said)
		}
		if _, err := os.Lstat(key); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a cache was made: %v", err)
		}
		if code, _, said := call("cache", "set", key, "k", "--size", "1MiB"); code != exitOK {
			t.Errorf("status %d, %q", code, said)
		}
	})
	if code, out, said := call("cache", "get", key, "k"); code != exitOK || out != "picture" {
		t.Errorf("status %d, %q, %q", code, out, said)
	}
}

// TestCacheSet_TTL: without --ttl a value has the end that ttl.default says, and with 0 none.
func TestCacheSet_TTL(t *testing.T) {
	path := aCache(t)
	for _, x := range []struct {
		args      string
		code      int
		said      string
		low, high float64 // seconds that a is kept then
	}{
		{"set FILE a v --ttl 0 --if-absent", exitOK, "", 0, 0}, // nobody has tuned it
		{"tune FILE ttl.default=2h", exitOK, "", 0, 0},
		{"set FILE a v", exitOK, "", 7000, 7201},
		{"set FILE a v --ttl 0", exitOK, "", 0, 0},
		{"set FILE a v --ttl 1h", exitOK, "", 3000, 3601},
		{"set FILE a v --ttl=0s", exitOK, "", 0, 0},
		{"set FILE c v --ttl 0 --if-absent", exitOK, "", 0, 0},
		{"set FILE b v --ttl 3h --if-absent", exitOK, "", 0, 0},
		{"set FILE a v --ttl -1s", exitUsage, "--ttl -1s: use a duration above 0, 0 for no end, or leave " +
			"it out for ttl.default", 0, 0},
	} {
		args := strings.Fields(strings.ReplaceAll(x.args, "FILE", path))
		code, _, said := call(append([]string{"cache"}, args...)...)
		if code != x.code || !strings.Contains(said, x.said) || x.said == "" && said != "" {
			t.Errorf("%s: status %d, %q", x.args, code, said)
		}
		_, out, _ := call("cache", "get", path, "a", "--json")
		if g := asJSON[gotten](t, out); g.Seconds < x.low || g.Seconds > x.high {
			t.Errorf("%s: kept for %g s, want %g to %g", x.args, g.Seconds, x.low, x.high)
		}
	}
	for key, low := range map[string]float64{"b": 10000, "c": 0} { // c has no end
		_, out, _ := call("cache", "get", path, key, "--json")
		if g := asJSON[gotten](t, out); !g.Found || g.Seconds < low || low == 0 && g.Seconds != 0 {
			t.Errorf("%s: %s", key, out)
		}
	}
}

// TestCache_KeysInBase64: a key that no command line can have, as that of a number, is listed so that each
// command can be given it.
func TestCache_KeysInBase64(t *testing.T) {
	path := aCache(t)
	const key = "\x00\x00\x00\x2a"
	name := base64.StdEncoding.EncodeToString([]byte(key))
	c, err := cache.Attach(path, cache.Options{NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Set([]byte(key), []byte("answer")), c.Close()); err != nil {
		t.Fatal(err)
	}
	_, out, _ := call("cache", "keys", path, "--prefix", "\x00")
	if want := "--key-base64 " + name; !strings.Contains(out, want) {
		t.Errorf("keys: %q, want %q", out, want)
	}
	if _, out, _ = call("cache", "keys", path, "--prefix", "alice"); strings.Contains(out, "base64") {
		t.Errorf("keys: %q", out)
	}
	_, out, _ = call("cache", "keys", path, "--prefix", "\x00", "--json")
	var k listedKey
	if err := json.Unmarshal([]byte(out), &k); err != nil || string(k.Exact) != key {
		t.Errorf("keys: %v, %s", err, out)
	}
	for _, x := range []struct {
		args      string
		code      int
		out, said string
	}{
		{"get FILE " + name, exitOK, "answer", ""},
		{"set FILE " + name + " other", exitOK, "", ""},
		{"get FILE " + name, exitOK, "other", ""},
		{"get FILE YWxpY2U=", exitOK, "one", ""},
		{"del FILE " + name + " YWxpY2U=", exitOK, "\"alice\": deleted\n", ""},
		{"get FILE " + name, exitRed, "", `no key "\x00\x00\x00*"`},
		{"get FILE alice!", exitUsage, "", `the key "alice!" is not in base64`},
		{"set FILE alice! v", exitUsage, "", `the key "alice!" is not in base64`},
		{"del FILE YWxpY2U= YWxpY2U", exitUsage, "", `the key "YWxpY2U" is not in base64`},
	} {
		args := strings.Fields(strings.ReplaceAll(x.args, "FILE", path))
		code, out, said := call(append(append([]string{"cache"}, args...), "--key-base64")...)
		if code != x.code || !strings.Contains(out, x.out) || !strings.Contains(said, x.said) ||
			x.said == "" && said != "" || x.out == "" && out != "" {
			t.Errorf("%s: status %d, %q, %q", x.args, code, out, said)
		}
	}
}

// stopping is an input which an interrupt ends, of which this program hears a little later.
type stopping struct{ interrupt context.CancelCauseFunc }

func (s stopping) Read([]byte) (int, error) {
	time.AfterFunc(time.Millisecond, func() { s.interrupt(errInterrupted) })
	return 0, io.EOF
}

// TestInputOf_InterruptedAtTheEnd: the end of a pipe whose other end was interrupted is not that of a value.
func TestInputOf_InterruptedAtTheEnd(t *testing.T) {
	defer func(before time.Duration) { interruptTime = before }(interruptTime)
	interruptTime = time.Hour
	ctx, interrupt := context.WithCancelCause(t.Context())
	if value, err := inputOf(ctx, stopping{interrupt}, 9); !errors.Is(err, errInterrupted) {
		t.Errorf("%q, %v", value, err)
	}
}

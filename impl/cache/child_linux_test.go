package cache

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The test binary runs itself as another process of the cache: childVariable has the file, and how many bits
// of hashes tests leave. It reads orders from its input, a line each, and answers each with a line.
const childVariable = "CACHE_TEST_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		bits, path, _ := strings.Cut(job, " ")
		n, err := strconv.Atoi(bits)
		if err == nil {
			o := Options{hashBits: n}
			if years, wrong := os.LookupEnv(childCalendar); wrong {
				o.wall = wrongCalendar(years)
			}
			err = childServe(path, o)
		}
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	if os.Getenv("SAMECYCLE_MUTANT") != "" { // samecycle mutants runs them, thousands of times
		if err := flag.Set("test.short", "true"); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

const childBytes = 2 << 20

// childCalendar has the years by which the calendar clock of the child is wrong.
const childCalendar = "CACHE_TEST_CALENDAR"

// wrongCalendar is a calendar clock that is wrong by so many years.
func wrongCalendar(years string) func() time.Time {
	n, err := strconv.Atoi(years)
	if err != nil {
		panic(err)
	}
	return func() time.Time { return time.Now().AddDate(n, 0, 0) }
}

// childServe obeys until its input ends.
func childServe(path string, o Options) error {
	c, err := Attach(path, o)
	if errors.Is(err, fs.ErrNotExist) {
		o.Bytes = childBytes
		c, err = Open(path, o)
	}
	if err != nil {
		return err
	}
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		switch answer, err := childObey(c, words); {
		case err != nil:
			fmt.Println("error:", err)
		default:
			fmt.Println(answer)
		}
	}
	if err := c.Close(); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}

// childObey does one thing. A storm never ends.
func childObey(c *Cache, words []string) (string, error) {
	switch words[0] {
	case "get":
		v, ok, err := c.Get([]byte(words[1]), nil)
		if !ok || err != nil {
			return "none", err
		}
		return "value " + string(v), nil
	case "set":
		return "set", c.Set([]byte(words[1]), []byte(words[2]))
	case "delete":
		ok, err := c.Delete([]byte(words[1]))
		return fmt.Sprintf("deleted %v", ok), err
	case "ttl":
		ms, err := strconv.Atoi(words[3])
		if err != nil {
			return "", err
		}
		return "set", c.SetTTL([]byte(words[1]), []byte(words[2]), time.Duration(ms)*time.Millisecond)
	case "number": // of a value whose words all have it
		v, ok, err := c.Get([]byte(words[1]), nil)
		if !ok || err != nil {
			return "none", err
		}
		n, whole := stormNumber(v)
		return fmt.Sprintf("number %d of %d bytes, whole %v", n, len(v), whole), nil
	case "fill":
		return "", childFill(c)
	case "loop": // gets for ever
		for {
			if _, _, err := c.Get([]byte(words[1]), nil); err != nil {
				return "", err
			}
		}
	case "churn":
		return "", childChurn(c)
	case "storm":
		return "", childStorm(c, words[1])
	}
	return childTuned(c, words)
}

// childTuned obeys orders that are about live parameters, and those beside which they are given.
func childTuned(c *Cache, words []string) (string, error) {
	switch words[0] {
	case "background": // does the second order beside others, until it fails
		go func() {
			answer, err := childObey(c, words[1:])
			fmt.Fprintf(os.Stderr, "%v has ended: %s, %v\n", words[1:], answer, err)
			os.Exit(1)
		}()
		return "begun", nil
	case "value": // of a live parameter
		return childValue(c, words[1])
	case "left": // of the time of an entry
		left, ok, err := c.TTL([]byte(words[1]))
		return fmt.Sprint(left.Round(time.Minute), " ", ok), err
	case "work": // sets and finds so many keys, and does not find as many
		n, err := strconv.Atoi(words[2])
		for i := 0; i < n && err == nil; i++ {
			k := stormKey(words[1], uint64(i))
			err = c.Set(k, k)
			if err == nil {
				_, _, err = c.Get(k, nil)
			}
			if err == nil {
				_, _, err = c.Get(stormKey("none", uint64(i)), nil)
			}
		}
		return "worked", err
	case "stats":
		s, err := c.Stats()
		return fmt.Sprint(s.Sets, " ", s.Hits, " ", s.Misses), err
	case "turns": // of its janitor
		return fmt.Sprint(c.turns.Load()), nil
	case "tune": // both numbers of compaction for ever, one like the other
		for n := uint64(1); ; n = n%99 + 1 {
			if err := c.TuneAll(Setting{"compact.living", n}, Setting{"compact.gain", n}); err != nil {
				return "", err
			}
		}
	case "storm-quietly": // sets and gets some keys for ever, for which there is room
		for n := uint64(0); ; n++ {
			k := stormKey(words[1], n%10)
			if err := c.Set(k, stormValue(n, 1+int(n%50))); err != nil {
				return "", err
			}
			if v, ok, err := c.Get(k, nil); err != nil || !ok {
				return "", fmt.Errorf("%s: %x, %v, %w", k, v, ok, err)
			}
		}
	}
	return childAsks(c, words)
}

// childValue is a live parameter as this process finds it.
func childValue(c *Cache, name string) (string, error) {
	for _, x := range c.Parameters() {
		if x.Name == name {
			return fmt.Sprint(x.Value), nil
		}
	}
	return "", fmt.Errorf("no parameter %s", name)
}

// Storms. A process sets the keys of its own name in turn, each to a number that only grows, and says so when
// the set has returned.
const (
	stormKeys = 50
	stormMost = 3000 // bytes of a value
)

func stormKey(name string, i uint64) []byte { return fmt.Appendf(nil, "%s-%d", name, i%stormKeys) }

// stormValue has the number in each of its words.
func stormValue(n uint64, words int) []byte {
	var b []byte
	for range words {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// stormNumber is the number of a value that is whole.
func stormNumber(value []byte) (uint64, bool) {
	if len(value) < 8 || len(value)%8 != 0 {
		return 0, false
	}
	n := binary.LittleEndian.Uint64(value)
	for ; len(value) > 0; value = value[8:] {
		if binary.LittleEndian.Uint64(value) != n {
			return 0, false
		}
	}
	return n, true
}

func childStorm(c *Cache, name string) error {
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for n := uint64(0); ; n++ {
		if err := c.Set(stormKey(name, n), stormValue(n, 1+r.IntN(stormMost/8))); err != nil {
			return err
		}
		if _, err := os.Stdout.WriteString(strconv.FormatUint(n, 10) + "\n"); err != nil {
			return err
		}
	}
}

// churnKeys are those of childChurn.
const churnKeys = 1000

// childChurn sets and deletes for ever, more than the cache has room for, and says nothing.
func childChurn(c *Cache) error {
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 2))
	for n := uint64(1); ; n++ {
		k := key(r.IntN(churnKeys))
		switch r.IntN(4) {
		case 0:
			if _, err := c.Delete(k); err != nil {
				return err
			}
		case 1:
			if v, ok, err := c.Get(k, nil); err != nil {
				return err
			} else if _, whole := stormNumber(v); ok && !whole {
				return fmt.Errorf("%x has %.32x, which nobody has set", k, v)
			}
		default:
			if err := c.Set(k, stormValue(n, 1+r.IntN(200))); err != nil {
				return err
			}
		}
	}
}

// Keys that a test alone sets, and those that childFill sets.
const (
	watched   = 40
	fillFirst = 1 << 20
)

// childFill sets new keys for ever, and gets the watched ones, so that they are moved whenever their basket
// retires. It sets none of them.
func childFill(c *Cache) error {
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 3))
	for n := 0; ; n++ {
		if err := c.Set(key(fillFirst+n), stormValue(uint64(n), 1+r.IntN(100))); err != nil {
			return err
		}
		if _, _, err := c.Get(key(r.IntN(watched)), nil); err != nil {
			return err
		}
	}
}

// child is another process.
type child struct {
	t    testing.TB
	cmd  *exec.Cmd
	out  *bufio.Reader
	in   interface{ Write([]byte) (int, error) }
	done atomic.Bool
}

// startChild is another process that has the cache open. more are variables of its environment.
func startChild(t testing.TB, path string, hashBits int, more ...string) *child {
	t.Helper()
	c := launch(t, path, hashBits, more...)
	if line := c.line(); line != "ready" {
		t.Fatalf("the other process says %q", line)
	}
	return c
}

// launch is startChild, but the process may not have opened the cache yet.
func launch(t testing.TB, path string, hashBits int, more ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, cmd: exec.Command(self)}
	c.cmd.Env = append(append(os.Environ(), fmt.Sprintf("%s=%d %s", childVariable, hashBits, path)), more...)
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.kill)
	return c
}

// line is what it says next, "" at its end.
func (c *child) line() string {
	line, err := c.out.ReadString('\n')
	if err != nil {
		return "" // what it was about to say when it was killed does not count
	}
	return strings.TrimSuffix(line, "\n")
}

// order tells it to do something, without waiting for an answer.
func (c *child) order(format string, args ...any) {
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Errorf("order to the other process: %v", err)
	}
}

// ask is order with its answer.
func (c *child) ask(format string, args ...any) string {
	c.order(format, args...)
	return c.line()
}

// kill ends it as nothing else does, at whatever instruction.
func (c *child) kill() {
	if c.done.CompareAndSwap(false, true) {
		_ = c.cmd.Process.Kill()
	}
}

// stop lets it stand still at whatever instruction, and resume lets it go on.
func (c *child) stop() { c.signal(syscall.SIGSTOP) }

func (c *child) resume() { c.signal(syscall.SIGCONT) }

func (c *child) signal(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatalf("%v to the other process: %v", s, err)
	}
}

// end lets it close the cache, and waits for its end.
func (c *child) end() {
	c.t.Helper()
	if err := c.in.(io.Closer).Close(); err != nil {
		c.t.Fatal(err)
	}
	c.wait()
}

// wait reads to its end, and returns the last line that is whole.
func (c *child) wait() (last string) {
	for {
		line := c.line()
		if line == "" {
			_ = c.cmd.Wait()
			return last
		}
		last = line
	}
}

// cacheFile is a path for a cache.
func cacheFile(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "cache")
}

// A judge of mutants (samecycle mutants) gets the tests in their short form.
func TestMain_ShortForAJudge(t *testing.T) {
	const judged = "SAMECYCLE_MUTANT"
	if os.Getenv(judged) != "" {
		if !testing.Short() {
			t.Error("a judge gets the long form")
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestMain_ShortForAJudge$")
	cmd.Env = append(os.Environ(), judged+"=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

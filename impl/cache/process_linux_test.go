package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/region"
)

// inFile are options for a cache that other processes have, too.
func inFile(bits int) Options { return Options{Bytes: childBytes, NoJanitor: true, hashBits: bits} }

// Two processes see one another's sets at once, and the cache outlives both.
func TestProcesses_ShareAndRestart(t *testing.T) {
	for _, bits := range []int{32, 2} {
		path := cacheFile(t)
		if _, err := Attach(path, inFile(bits)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("attach to nothing: %v", err)
		}
		c := open(t, path, inFile(bits))
		other := startChild(t, path, bits)
		set(t, c, "a", "1")
		if got := other.ask("get a"); got != "value 1" {
			t.Errorf("the other process finds %q", got)
		}
		if got := other.ask("set b 2"); got != "set" {
			t.Errorf("the other process says %q", got)
		}
		want(t, c, "b", "2")
		if got := other.ask("delete a"); got != "deleted true" {
			t.Errorf("the other process says %q", got)
		}
		want(t, c, "a", "")
		set(t, c, "c", "3")
		other.kill()
		other.wait()
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		next := startChild(t, path, bits)
		for key, value := range map[string]string{"a": "none", "b": "value 2", "c": "value 3"} {
			if got := next.ask("get %s", key); got != value {
				t.Errorf("after a restart %s is %q, want %q", key, got, value)
			}
		}
		c, err := Attach(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want(t, c, "b", "2")
		if o := c.Options(); o.Bytes != childBytes || o.hashBits != bits || o.Hash != HashXXH3 {
			t.Errorf("%+v", o)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Processes set and are killed in the middle of it, one after the other. The others go on, and nothing that
// was acknowledged is missing: there is room for all, and there are free baskets beyond the one that a
// process may die with, so that who makes room can move what lives.
func TestProcesses_KilledInTheMiddleOfSets(t *testing.T) {
	for _, bits := range []int{32, 3} {
		t.Run(fmt.Sprint(bits), func(t *testing.T) {
			path := cacheFile(t)
			c := open(t, path, inFile(bits))
			tuned(t, c, "janitor.reserve", 8)
			r := rand.New(rand.NewPCG(1, uint64(bits)))
			stay := startChild(t, path, bits)
			stay.order("storm stay")
			soon(t, "the one that stays has said a number", func() bool { return c.Len() > 1 })
			for round := range 8 {
				name := fmt.Sprintf("p%d", round%2)
				victim := startChild(t, path, bits)
				victim.order("storm %s", name)
				time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
				victim.kill()
				last := victim.wait()
				n, err := strconv.ParseUint(last, 10, 64)
				if last != "" && err != nil { // else it was killed ahead of its first set
					t.Errorf("the victim says %q", last)
				}
				if bits == 32 {
					checkStorm(t, c, name, n, err == nil)
				}
			}
			stay.kill()
			last := stay.wait()
			n, err := strconv.ParseUint(last, 10, 64)
			if err != nil {
				t.Fatalf("the one that stayed says %q at its end", last)
			}
			checkStorm(t, c, "stay", n, bits == 32)
			set(t, c, "own", "value")
			want(t, c, "own", "value")
			atRest(t, c)
		})
	}
}

// atRest checks a cache of which all other processes have ended.
func atRest(t *testing.T, c *Cache) {
	t.Helper()
	f, err := c.Check()
	if err == nil {
		err = f.Err()
	}
	if err != nil {
		t.Error(err)
	}
}

// checkStorm holds the keys of a storm against the last set that was acknowledged.
func checkStorm(t *testing.T, c *Cache, name string, last uint64, all bool) {
	t.Helper()
	for i := range uint64(stormKeys) {
		value, ok, err := c.Get(stormKey(name, i), nil)
		if err != nil {
			t.Fatal(err)
		}
		least := last - (last-i)%stormKeys // the last acknowledged number of the key
		if i > last {
			continue // none
		}
		n, whole := stormNumber(value)
		if ok && (!whole || n%stormKeys != i) {
			t.Errorf("%s: key %d has %.32x, which nobody has set", name, i, value)
		}
		if all && (!ok || n < least || n > last+1) {
			t.Errorf("%s: key %d has %d, %v, want %d or the next", name, i, n, ok, least)
		}
	}
}

// E1: a reader that is killed leaves nothing that others wait for.
func TestReportE1_KilledReaders(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, Options{Bytes: 32 << 20, BasketBytes: 2 << 20, NoJanitor: true, hashBits: 32})
	set(t, c, "large", string(make([]byte, 2_000_000))) // so most kills are in the middle of a copy
	r := rand.New(rand.NewPCG(1, 2))
	slowest := time.Duration(0)
	for range max(shorter(60), 12) {
		reader := startChild(t, path, 32)
		reader.order("loop large")
		for end := time.Now().Add(time.Duration(r.IntN(10)) * time.Millisecond); time.Now().Before(end); {
			begin := time.Now()
			set(t, c, "small", "1")
			if _, err := c.Delete([]byte("small")); err != nil {
				t.Fatal(err)
			}
			slowest = max(slowest, time.Since(begin))
		}
		reader.kill()
		reader.wait()
		set(t, c, "small", "2")
	}
	if slowest > time.Second {
		t.Errorf("an operation took %v", slowest)
	}
	all, err := c.region.Attachments()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Alive && a.Process != c.region.Process() {
			t.Errorf("%+v counts as alive", a)
		}
	}
}

// E6: of any number of processes that open a fresh name at once, all have one cache.
func TestReportE6_FirstOpen(t *testing.T) {
	for range 3 {
		path := cacheFile(t)
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				c := startChild(t, path, 32)
				if got := c.ask("set k%d v%d", i, i); got != "set" {
					t.Errorf("the process says %q", got)
				}
				c.kill()
				c.wait()
			})
		}
		for range 2 { // and in this process
			wg.Go(func() {
				c, err := Open(path, inFile(32))
				if err != nil {
					t.Error(err)
					return
				}
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		c := open(t, path, inFile(32))
		for i := range 6 {
			want(t, c, fmt.Sprintf("k%d", i), fmt.Sprintf("v%d", i))
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Who opens a cache whose file another one is making waits until it is finished, and then has it. Who
// attaches does not wait: that is the error.
func TestOpen_UnfinishedFile(t *testing.T) {
	path := cacheFile(t)
	c, err := Open(path, inFile(32))
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "k", "v")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var magic [8]byte // the first word, which is written last
	if _, err := f.ReadAt(magic[:], 0); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(make([]byte, len(magic)), 0); err != nil {
		t.Fatal(err)
	}
	if c, err := Attach(path, inFile(32)); c != nil || !errors.Is(err, region.ErrUnfinished) ||
		!strings.HasPrefix(err.Error(), "cache: ") {
		t.Errorf("attached to a file that is not finished: %v, %v", c, err)
	}
	opened := make(chan error)
	go func() {
		c, err := Open(path, inFile(32))
		if err == nil {
			want(t, c, "k", "v")
			err = c.Close()
		}
		opened <- err
	}()
	time.Sleep(50 * time.Millisecond) // it waits by now
	if _, err := f.WriteAt(magic[:], 0); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Errorf("opened a file that is finished meanwhile: %v", err)
	}
}

// E6: of processes that open a fresh name at once one is killed in the midst of that. All others have one
// cache, whoever was about to make it, and it is sound.
func TestReportE6_KilledWhileItOpens(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 1))
	for round := range max(shorter(60), 10) {
		path := cacheFile(t)
		victim := launch(t, path, 32)
		var others []*child
		for range 2 {
			others = append(others, launch(t, path, 32))
		}
		time.Sleep(time.Duration(r.IntN(25_000)) * time.Microsecond)
		victim.kill()
		for i, p := range others {
			if line := p.line(); line != "ready" {
				t.Fatalf("round %d: the process says %q", round, line)
			}
			if got := p.ask("set k%d v", i); got != "set" {
				t.Errorf("round %d: the process says %q", round, got)
			}
		}
		victim.wait()
		c := open(t, path, inFile(32))
		for i, p := range others {
			want(t, c, fmt.Sprint("k", i), "v")
			p.end()
		}
		atRest(t, c)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// E8: what a process had that dies right after its first set is taken back: its handles and its place in the
// table of processes at once, and the basket that it had begun when the janitor needs room. No entry leaves.
func TestReportE8_LoansOfTheDead(t *testing.T) {
	path := cacheFile(t)
	o := inFile(32)
	o.BasketBytes = 64 << 10
	o.NoJanitor = false
	c := open(t, path, o)
	rounds := 40 // more than there are writers, and baskets
	if !testing.Short() {
		rounds = 2*region.Processes + 2 // and each entry of the process table is used again
	}
	if layout := c.store.Layout(); int(layout.Writers) >= rounds || int(layout.Baskets) >= rounds {
		t.Fatalf("%v: the test needs more rounds", layout)
	}
	for i := range rounds {
		p := startChild(t, path, 32)
		if got := p.ask("set k%d v", i); got != "set" {
			t.Fatalf("round %d: the process says %q", i, got)
		}
		p.kill()
		p.wait()
	}
	set(t, c, "own", "value")
	for i := range c.store.Layout().Baskets / 2 { // there is room for these beside one entry of each process
		soon(t, "the janitor has room", func() bool { return statsOf(t, c).FreeBaskets > 1 })
		set(t, c, fmt.Sprint("large ", i), string(make([]byte, 60_000)))
	}
	for i := range rounds {
		if _, ok, err := c.Get(fmt.Appendf(nil, "k%d", i), nil); !ok || err != nil {
			t.Errorf("key %d: %v, %v", i, ok, err)
		}
	}
}

// J1: a region of another version, another size, other hashes, or of something else is an error that says
// what was found, what was wanted, and what to do. The one who has it open is not disturbed.
func TestReportJ1_OtherLayouts(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	set(t, c, "a", "1")
	for _, o := range []Options{{Bytes: childBytes * 2}, {BasketBytes: 4 << 10}, {Entries: 777},
		{Hash: HashSip}, {hashBits: 7}} {
		for _, f := range []func(string, Options) (*Cache, error){Open, Attach} {
			_, err := f(path, o)
			var e *region.Error
			if !errors.Is(err, region.ErrLayout) || !errors.As(err, &e) || e.File != path || e.Found == "" ||
				e.Want == "" || e.Do == "" {
				t.Errorf("%+v: %v", o, err)
			}
		}
	}
	for field, o := range map[string]Options{"hash of cache is xxh3, want siphash": {Hash: HashSip},
		"policy of cache is ageing, want tinylfu": {Policy: TinyLFU{}}} {
		if _, err := Open(path, o); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%v, want one with %q", err, field)
		}
	}
	want(t, c, "a", "1")
	other := cacheFile(t)
	const some = "some text that is no region at all, but long enough to be looked at"
	if err := os.WriteFile(other, []byte(some), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other, Options{}); !errors.Is(err, region.ErrMagic) && !errors.Is(err, region.ErrSize) {
		t.Errorf("a text: %v", err)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != some {
		t.Errorf("the text is %q, %v", text, err)
	}
}

// J2: a file that is cut short, or whose header has a wrong bit, is an error; never a fault, and never a
// cache with other options.
func TestReportJ2_DamagedFiles(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	for i := range 100 {
		set(t, c, fmt.Sprint(i), "value")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header := int(c.region.Layout().Offset(region.Own, region.OwnProcesses))
	bad := cacheFile(t)
	f, err := os.OpenFile(bad, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write := func(b []byte) { // only what differs from the good file
		size := int64(len(b))
		if len(b) == len(good) && size == fileSize(t, f) {
			b = b[:header]
		}
		if _, err := f.WriteAt(b, 0); err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
	}
	try := func(what string, b []byte) {
		t.Helper()
		write(b)
		c, err := Attach(bad, Options{NoJanitor: true})
		if err == nil {
			err = c.Close()
			if o := c.Options(); o.Bytes != childBytes || o.Entries == 0 {
				t.Errorf("%s: opened with %+v, %v", what, o, err)
			}
			if what != "" {
				t.Errorf("%s: no error", what)
			}
			return
		}
		if what == "" {
			t.Errorf("the good file: %v", err)
		}
	}
	try("", good)
	for at := 0; at < len(good); at += len(good)/16 + 1 {
		for _, cut := range []int{at - 1, at, at + 1} {
			if cut >= 0 && cut < len(good) {
				try(fmt.Sprintf("cut to %d bytes", cut), good[:cut])
			}
		}
	}
	for bit := range header * 8 {
		good[bit/8] ^= 1 << (bit % 8)
		try(fmt.Sprintf("bit %d of the header", bit), good)
		good[bit/8] ^= 1 << (bit % 8)
	}
}

func fileSize(t *testing.T, f *os.File) int64 {
	t.Helper()
	i, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return i.Size()
}

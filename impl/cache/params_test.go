package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"time"
)

// live is a live parameter of a cache.
func live(t testing.TB, c *Cache, name string) Parameter {
	t.Helper()
	all := c.Parameters()
	i := slices.IndexFunc(all, func(x Parameter) bool { return x.Name == name })
	if i < 0 {
		t.Fatalf("no parameter %s in %+v", name, all)
	}
	return all[i]
}

// tuned tunes a parameter, and finds it so.
func tuned(t testing.TB, c *Cache, name string, value uint64) {
	t.Helper()
	if err := c.Tune(name, value); err != nil {
		t.Fatal(err)
	}
	if x := live(t, c, name); x.Value != value || !x.Tuned || x.Damaged {
		t.Errorf("%s is %+v, want %d", name, x, value)
	}
}

// Each row of the table says all that there is to say, its default is within its bounds, and these fit into
// its field, in the smallest cache and in the largest. No two rows have bits or names in common.
func TestParameters_TableIsSound(t *testing.T) {
	var used [paramsMost]uint64
	names := map[string]bool{}
	for i, r := range parameterRows {
		if r.name == "" || names[r.name] || r.unit == "" || len(r.meaning) < 20 {
			t.Errorf("row %d: %q, %q, %q", i, r.name, r.unit, r.meaning)
		}
		names[r.name] = true
		f := r.field
		if f.Word < 0 || f.Word >= paramsMost || f.Shift+f.Bits > 64 {
			t.Fatalf("%s: its field is %+v", r.name, f)
		}
		bits := (f.Most()<<1 | 1) << f.Shift
		if used[f.Word]&bits != 0 {
			t.Errorf("%s: its bits belong to another parameter, too", r.name)
		}
		used[f.Word] |= bits
		for _, o := range []Options{{Bytes: BytesMin}, {}, {Bytes: BytesMax}} {
			g, err := geometryOf(o.complete())
			if err != nil {
				t.Fatal(err)
			}
			normal, least, most := r.normal(g.basket), r.least(g.basket), r.most(g.basket)
			if normal < least || normal > most || most > f.Most() {
				t.Errorf("%s: %d of %d..%d, %d fit into its field", r.name, normal, least, most, f.Most())
			}
		}
	}
}

// The page about the cache has a row for each parameter, in their order, with its unit, its default, its
// bounds and its meaning. Those of all tiers have one row, in which N stands for the number of the tier.
func TestParameters_AreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "cache.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), "`", "")
	c, last := open(t, "", Options{NoJanitor: true}), 0
	for _, x := range c.Parameters() {
		x.Name = regexp.MustCompile(`\.\d+\.`).ReplaceAllString(x.Name, ".N.")
		most := fmt.Sprint(x.Most)
		if x.Most == 100*365*24*3600*1000 {
			most = "100 years"
		}
		row := fmt.Sprintf("\n| %s | %s | %d | %d to %s | %s |\n", x.Name, x.Unit, x.Default, x.Least, most,
			x.Meaning)
		if x.Name == "janitor.reserve" { // depends on the cache
			row = fmt.Sprintf("\n| %s | %s | a 128th of all, but 1 to 8, and 2 at least with TinyLFU | "+
				"1 to half of all | %s |\n", x.Name, x.Unit, x.Meaning)
		}
		at := strings.Index(text, row)
		if at < last {
			t.Errorf("docs/cache.md has no row %q, or not behind those before it", row)
		}
		last = max(at, last)
	}
}

// A new cache has the defaults; a change of one parameter changes no other one, to each of its bounds; and
// Stats has what Parameters has.
func TestTune_ChangesOne(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Tiers: basket.TiersMax})
	want := c.Parameters()
	for i, x := range want {
		if x.Value != x.Default || x.Tuned || x.Damaged || x.Name != parameterRows[i].name {
			t.Errorf("of a new cache: %+v", x)
		}
	}
	for i := range want {
		for _, value := range []uint64{want[i].Least, want[i].Most, want[i].Default} {
			if err := c.Tune(want[i].Name, value); err != nil {
				t.Fatal(err)
			}
			want[i].Value, want[i].Tuned = value, true
			if all := c.Parameters(); !reflect.DeepEqual(all, want) {
				t.Errorf("behind %s=%d: %+v\nwant %+v", want[i].Name, value, all, want)
			}
		}
	}
	s, err := c.Stats()
	if err != nil || !reflect.DeepEqual(s.Parameters, want) {
		t.Errorf("Stats has %+v, %v", s.Parameters, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Tune("ttl.default", 1); !errors.Is(err, ErrClosed) {
		t.Errorf("after the close: %v", err)
	}
	if all := c.Parameters(); all != nil {
		t.Errorf("after the close: %+v", all)
	}
}

// J5: a change that is refused leaves all as before, and says why. What is similar to a wrong name is named.
func TestReportJ5_RefusedChanges(t *testing.T) {
	c := open(t, "", small())
	tuned(t, c, "compact.gain", 20)
	before, half := c.Parameters(), uint64(c.store.Layout().Baskets/2)
	for _, x := range []struct {
		settings []Setting
		reason   error
		says     string
	}{
		{[]Setting{{"ttl.defualt", 1}}, ErrParameter, "did you mean ttl.default?"},
		{[]Setting{{"janitor", 1}}, ErrParameter, "did you mean janitor.every or janitor.reserve or"},
		{[]Setting{{"TTL", 1}}, ErrParameter, "did you mean ttl.default?"},
		{[]Setting{{"QUOTA.CLIENT", 1}}, ErrParameter, "did you mean quota.client?"},
		{[]Setting{{"zzz", 1}}, ErrParameter, "one of ttl.default, compact.living"},
		{[]Setting{{"", 1}}, ErrParameter, `live parameter "" is unknown`},
		{[]Setting{{strings.Repeat("x", 1000), 1}}, ErrParameter, "one of ttl.default"},
		{[]Setting{{"compact.living", 0}}, ErrValue, "is 0, want 1..99 percent"},
		{[]Setting{{"compact.living", 100}}, ErrValue, "is 100, want 1..99 percent"},
		{[]Setting{{"compact.gain", 1 << 32}}, ErrValue, "want 1..100 percent"},
		{[]Setting{{"ttl.default", 1<<64 - 1}}, ErrValue, "want 0..3153600000000 ms"},
		{[]Setting{{"janitor.reserve", 1 << 20}}, ErrValue, " baskets: choose a value within the bounds"},
		{[]Setting{{"janitor.reserve", half + 1}}, ErrValue, fmt.Sprintf("want 1..%d baskets", half)},
		{[]Setting{{"janitor.every", 50}, {"janitor.run", 9}}, ErrValue, "janitor.run is 9, want 0..8"},
		{[]Setting{{"janitor.every", 50}, {"nothing", 9}}, ErrParameter, "nothing"},
		{[]Setting{{"janitor.every", 50}, {"janitor.every", 60}}, ErrValue, "one value for each name"},
	} {
		err := c.TuneAll(x.settings...)
		var e *TuneError
		if !errors.Is(err, x.reason) || !errors.As(err, &e) || e.Found == "" || e.Want == "" || e.Do == "" ||
			!strings.Contains(err.Error(), x.says) {
			t.Errorf("%.60v: %v, want %v with %q", x.settings, err, x.reason, x.says)
		}
		if after := c.Parameters(); !reflect.DeepEqual(after, before) {
			t.Errorf("%.60v: %+v, was %+v", x.settings, after, before)
		}
	}
	if err := c.TuneAll(); err != nil {
		t.Errorf("no change at all: %v", err)
	}
}

// A word that is out of bounds counts as the default, is shown and found, and is repaired by the next change.
// The other parameter of its word is as it was.
func TestParameters_Damaged(t *testing.T) {
	o := small()
	o.Tiers = basket.TiersMax
	c := open(t, "", o)
	tuned(t, c, "compact.living", 50)
	for i, r := range parameterRows {
		f := r.field
		w := &c.params.words[f.Word]
		sound := w.Load()
		for _, bits := range []uint64{1, f.Most(), f.Most()<<1 | 1} {
			w.Store(sound&^((f.Most()<<1|1)<<f.Shift) | bits<<f.Shift)
			x := live(t, c, r.name)
			if !x.Damaged || x.Tuned || x.Value != x.Default {
				t.Errorf("%s with %#x: %+v", r.name, bits, x)
			}
			says := fmt.Sprintf("live parameter %s is out of bounds, want %d..%d %s: tune it anew", r.name,
				x.Least, x.Most, x.Unit)
			if found, err := c.Check(); err != nil || len(found.Region) != 1 ||
				found.Region[0].Error() != says || !strings.Contains(found.Err().Error(), says) {
				t.Errorf("%s: a check finds %v, %v", r.name, found.Region, err)
			}
		}
		if i != liveLiving && live(t, c, "compact.living").Value != 50 {
			t.Errorf("damage of %s has changed compact.living", r.name)
		}
		if i == liveTTL {
			set(t, c, "k", "v")
			if left, ok, err := c.TTL([]byte("k")); left != 0 || !ok || err != nil {
				t.Errorf("by a damaged default an entry lives for %v, %v, %v", left, ok, err)
			}
		}
		tuned(t, c, r.name, live(t, c, r.name).Default)
		w.Store(sound)
	}
	if found, err := c.Check(); err != nil || found.Err() != nil {
		t.Errorf("%v, %v", found.Err(), err)
	}
}

// A word counts exactly where its value is within the bounds, both of which are: the cache works by it, and
// shows it. Elsewhere the default counts.
func TestParameters_BoundsOfAWord(t *testing.T) {
	o := small()
	o.Tiers = basket.TiersMax
	c := open(t, "", o)
	for i, r := range parameterRows {
		row, w := c.params.rows[i], &c.params.words[r.field.Word]
		sound := w.Load()
		values := []uint64{0, row.least, row.least + 1, row.most - 1, row.most, r.field.Most()}
		if row.least > 0 {
			values = append(values, row.least-1)
		}
		if row.most < r.field.Most() {
			values = append(values, row.most+1)
		}
		for _, v := range values {
			w.Store(r.field.In(sound, v))
			x, within := live(t, c, r.name), v >= row.least && v <= row.most
			want := row.normal
			if within {
				want = v
			}
			if x.Value != want || x.Tuned != within || x.Damaged == within || c.params.value(i) != want ||
				x.Default != row.normal || x.Least != row.least || x.Most != row.most {
				t.Errorf("%s with %d in its word: %+v, and %d is in force, want %d", r.name, v, x,
					c.params.value(i), want)
			}
		}
		w.Store(sound)
	}
}

// Two who change the two parameters of one word lose no change, and nobody sees half of one who changes both.
func TestTune_TwoOfOneWord(t *testing.T) {
	c := open(t, "", small())
	var wg sync.WaitGroup
	const last = 99
	for _, name := range []string{"compact.living", "compact.gain"} {
		wg.Go(func() {
			for n := range uint64(20 * last) {
				if err := c.Tune(name, n%last+1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, name := range []string{"compact.living", "compact.gain"} {
		if x := live(t, c, name); x.Value != last {
			t.Errorf("%s is %d, want %d", name, x.Value, last)
		}
	}
	wg.Go(func() {
		for n := range uint64(20 * last) {
			v := n%last + 1
			if err := c.TuneAll(Setting{"compact.gain", v}, Setting{"compact.living", v}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 20 * last {
		if x := c.params.tuning(); x.Living != x.Gain {
			t.Fatalf("half a change was seen: %+v", x)
		}
	}
	wg.Wait()
}

// The default time is that of each call that gives none, of whatever type, unless the process has one.
func TestTune_DefaultTime(t *testing.T) {
	path := cacheFile(t)
	c, own := open(t, path, Options{Bytes: 1 << 20}), open(t, path, Options{TTL: time.Hour})
	typed, err := NewTyped[string, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string]func(*Cache, string) error{
		"set":   func(c *Cache, k string) error { return c.Set([]byte(k), []byte("v")) },
		"typed": func(c *Cache, k string) error { return typed.Set(k, "v") },
		"absent": func(c *Cache, k string) error {
			_, err := c.SetIfAbsent([]byte(k), []byte("v"))
			return err
		},
		"swap": func(c *Cache, k string) error {
			_, err := c.CompareAndSwap([]byte("there"), []byte("v"), []byte("v"))
			return err
		},
		"add": func(c *Cache, k string) error { _, err := c.Add([]byte(k), 1); return err },
		"compute": func(c *Cache, k string) error {
			_, _, err := c.Compute([]byte(k), func([]byte, bool) ([]byte, Op) { return []byte("v"), Write })
			return err
		},
	}
	const rounded = 2 * time.Millisecond // the end up and the time of the look down, each by less than half
	later := rounded + max(c.clock.near, own.clock.near)
	for _, minutes := range []uint64{5, 7, 0} {
		tuned(t, c, "ttl.default", minutes*60_000)
		set(t, c, "there", "v")
		for name, f := range sets {
			for whose, x := range map[string]*Cache{"cache": c, "process": own} {
				k, lives := name+" of the "+whose, time.Duration(minutes)*time.Minute
				if whose == "process" && name != "typed" {
					lives = time.Hour
				}
				if _, err := c.Delete([]byte(k)); err != nil {
					t.Fatal(err)
				}
				if err := f(x, k); err != nil {
					t.Fatal(err)
				}
				if name == "swap" {
					k = "there"
				}
				left, ok, err := c.TTL([]byte(k))
				if !ok || err != nil || left > lives+later || left < lives-time.Minute ||
					lives == 0 && left != 0 {
					t.Errorf("%d minutes: %s is found for %v, %v, %v; want %v", minutes, k, left, ok, err,
						lives)
				}
			}
		}
	}
	if err := c.SetTTL([]byte("own"), nil, 0); err != nil {
		t.Fatal(err)
	}
	if left, ok, err := c.TTL([]byte("own")); left != 0 || !ok || err != nil {
		t.Errorf("without an end: %v, %v, %v", left, ok, err)
	}
}

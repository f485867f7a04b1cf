package cache

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// shaping is the default policy with a name of its own. It tells each time that it is asked for its shape.
type shaping struct {
	Ageing
	asked func()
}

func (shaping) Name() string { return "shaping" }

func (s shaping) Shape(tiers uint32) (uint32, uint32) {
	s.asked()
	return s.Ageing.Shape(tiers)
}

// Somebody else may make the cache just when this process has found none, and divides the bytes of one: it
// has the other one's cache then, or is told how that one differs.
func TestOpen_MadeMeanwhile(t *testing.T) {
	others := Options{Bytes: 2 << 20, Entries: 3000, NoJanitor: true, Policy: shaping{asked: func() {}}}
	for says, o := range map[string]Options{"": {NoJanitor: true}, "entries of cache is 3000, want 4000": {
		Entries: 4000}, "bytes of cache is 2097152, want 1048576": {Bytes: 1 << 20, Entries: 3000},
		"hash of cache is xxh3, want siphash": {Hash: HashSip}} {
		path, asked, at := cacheFile(t), 0, 0
		o.Policy = shaping{asked: func() {
			if asked++; asked == at {
				set(t, open(t, path, others), "k", "of another one")
			}
		}}
		if err := o.check(); err != nil {
			t.Fatal(err)
		}
		at, asked = asked+1, 0
		c, err := Open(path, o)
		if asked < at {
			t.Fatal("nobody makes a cache meanwhile: the test needs that")
		}
		if says != "" {
			if c != nil || !errors.Is(err, region.ErrLayout) || !strings.HasPrefix(err.Error(), "cache: ") ||
				!strings.Contains(err.Error(), says) {
				t.Errorf("%v, want %q", err, says)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want(t, c, "k", "of another one")
		if is := c.Options(); is.Bytes != others.Bytes || is.Entries != others.Entries {
			t.Errorf("%+v", is)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Attach opens what is there, and makes nothing: neither of options that are out of bounds, nor where there
// is no file.
func TestAttach_MakesNothing(t *testing.T) {
	path := cacheFile(t)
	if c, err := Attach(path, Options{Bytes: 1}); c != nil || !errors.Is(err, ErrOptions) {
		t.Errorf("options out of bounds: %v, %v", c, err)
	}
	if c, err := Attach(path, small()); c != nil || !errors.Is(err, fs.ErrNotExist) ||
		!errors.Is(err, region.ErrSystem) || !strings.HasPrefix(err.Error(), "cache: ") {
		t.Errorf("no file: %v, %v", c, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	for _, view := range []func(string, Options) (*Cache, error){Open, Attach} {
		c, err := view(path, small())
		if err != nil {
			t.Fatal(err)
		}
		if c.File() != path {
			t.Errorf("the file is %q, want %q", c.File(), path)
		}
		if err := c.Close(); err != nil || c.File() != path {
			t.Errorf("%v, behind the close the file is %q, want %q", err, c.File(), path)
		}
	}
	if c := open(t, "", small()); c.File() != "" {
		t.Errorf("a cache on the heap has the file %q", c.File())
	}
}

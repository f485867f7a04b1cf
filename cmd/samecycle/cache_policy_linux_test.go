package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
)

// oddPolicy is one of a program's own, with a shape and words that no policy of the cache has.
type oddPolicy struct{ cache.Ageing }

func (oddPolicy) Name() string                        { return "odd" }
func (oddPolicy) Shape(uint32) (tiers, lanes uint32)  { return 3, 2 }
func (oddPolicy) Words(records uint64) (words uint64) { return records / 100 }

// TestCache_PolicyOfAProgram: the commands work on a cache whose policy they do not have, as far as they
// change no entry; the others say why they do not.
func TestCache_PolicyOfAProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	c, err := cache.Open(path, cache.Options{Bytes: 1 << 20, Policy: oddPolicy{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Set([]byte("k"), []byte("value")); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"get FILE k":                      "value",
		"keys FILE":                       `"k"`,
		"stats FILE":                      "policy odd",
		"suspects FILE":                   "",
		"tune FILE tier.2.share=7":        "tier.2.share: 7 percent, was 0",
		"top FILE --once --interval 10ms": "odd",
		"top FILE --json --interval 10ms": `"odd"`,
	} {
		code, out, errOut := call(append([]string{"cache"},
			strings.Fields(strings.Replace(args, "FILE", path, 1))...)...)
		if code != exitOK || errOut != "" || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %q, %q, want %q", args, code, out, errOut, want)
		}
	}
	dir := t.TempDir()
	for _, args := range []string{"set FILE k v", "del FILE k", "serve FILE --slots " + dir + " --client a",
		"serve FILE --size 1MiB --slots " + dir + " --client a"} {
		code, out, errOut := call(append([]string{"cache"},
			strings.Fields(strings.Replace(args, "FILE", path, 1))...)...)
		if code != exitRed || out != "" || !strings.Contains(errOut, "policy odd") {
			t.Errorf("%s: status %d, %q, %q", args, code, out, errOut)
		}
	}
	if s, err := c.Stats(); err != nil || s.All.Hits != 1 || s.Entries != 1 || s.All.Sets != 1 ||
		len(c.Parameters()) == 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

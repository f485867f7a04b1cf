package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// tableNamed is a table of a frame.
func tableNamed(t *testing.T, f topFrame, name string) topTable {
	t.Helper()
	for _, x := range f.Tables {
		if x.Name == name {
			return x
		}
	}
	t.Fatalf("no table %s in %+v", name, f.Tables)
	return topTable{}
}

// TestCacheTop_Suspects: the keys that are suspects are shown, those that have to wait longest first, with
// their offences, and some of many. Whatever is in a key, it stays on its line. A long search is not made at
// each look.
func TestCacheTop_Suspects(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	path := filepath.Join(t.TempDir(), "a.cache")
	c, err := cache.Open(path, cache.Options{Bytes: 16 << 20, NoJanitor: true,
		Quota: cache.Quota{Object: 10, Retry: time.Second}, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	hammer := func(key string) {
		t.Helper()
		if err := c.Set([]byte(key), []byte("v")); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if _, _, err := c.Ask(1, []byte(key), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	w, err := openTop(path, c)
	if err != nil {
		t.Fatal(err)
	}
	frame := func() topTable {
		t.Helper()
		f, err := w.frame()
		if err != nil {
			t.Fatal(err)
		}
		return tableNamed(t, f, "suspects")
	}
	if x := frame(); len(x.Rows) != 0 {
		t.Errorf("without suspects: %v", x.Rows)
	}
	long := strings.Repeat("x", 100)
	hammer("a\n\x1b[2J")
	hammer(long)
	now = now.Add(time.Second)
	hammer(long)
	x := frame()
	if w.search <= 0 || w.search > time.Minute {
		t.Errorf("the search of few entries took %v", w.search)
	}
	want := fmt.Sprint([][]any{{`"` + long[:keyShown] + `..."`, cellDuration(2), 2}})
	if got := fmt.Sprint(x.Rows); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for i := range suspectsMost {
		hammer(fmt.Sprint("key ", i))
	}
	hammer("a\n\x1b[2J")
	w.searched, w.search = time.Now(), time.Hour
	if x := frame(); len(x.Rows) != 1 {
		t.Errorf("a search that takes an hour was made again at once: %v", x.Rows)
	}
	w.search = 0
	x = frame()
	if n := len(x.Rows); n != suspectsMost+1 || x.Rows[n-1][0] != "and 2 more" || x.Rows[0][2] != 2 {
		t.Fatalf("%v", x.Rows)
	}
	text := strings.Join(x.lines(), "\n")
	if strings.Contains(text, "\x1b") || len(x.lines()) != 2+len(x.Rows) {
		t.Errorf("%q", text)
	}
}

// TestShownKey_WholeCharacters: a key is cut behind a whole character, and one that is no text behind a byte.
func TestShownKey_WholeCharacters(t *testing.T) {
	for key, want := range map[string]string{
		strings.Repeat("x", 32):            strings.Repeat("x", 32),
		strings.Repeat("x", 33):            strings.Repeat("x", 32) + "...",
		strings.Repeat("日", 11):            strings.Repeat("日", 10) + "...",
		strings.Repeat("x", 29) + "日日":     strings.Repeat("x", 29) + "日...",
		strings.Repeat("x", 31) + "😀":      strings.Repeat("x", 31) + "...",
		strings.Repeat("\x97", 33):         strings.Repeat("\x97", 32) + "...",
		strings.Repeat("x", 31) + "\xe6xx": strings.Repeat("x", 31) + "\xe6...",
	} {
		if got := shownKey([]byte(key)); got != strconv.Quote(want) {
			t.Errorf("%q: %s, want %q", key, got, want)
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/cachestorm"
	"github.com/samecycle/samecycle/internal/cachestorm/hostile"
	"github.com/samecycle/samecycle/internal/cachestorm/hostileslots"
)

// TestCachePages: the pages that are kept say what the files of figures beside them say.
func TestCachePages(t *testing.T) {
	isOnPage(t, "storm.json", writeStorm)
	isOnPage(t, "hostile.json", writeHostile)
	isOnPage(t, "hostile-slots.json", writeHostileSlots)
}

func isOnPage[R cachestorm.Report | hostile.Report | hostileslots.Report](t *testing.T, name string,
	print printed[R]) {
	t.Helper()
	path := filepath.Join("../../results/cache", name)
	x := cacheFigures[R]{path: path, print: print}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &x)
	}
	beside, _ := pageOf(path)
	page, bad := os.ReadFile(beside)
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	if !strings.Contains(string(page), figuresBegin+x.section()+figuresEnd) {
		t.Errorf("%s is of other figures than %s: a run with --out writes both; now it has to say\n%s",
			beside, path, x.section())
	}
}

// TestCachePage_Written: a run writes its figures between the marks of the page beside its file, and nothing
// else of it; a page without marks, and a file beside which there is none, stay as they are.
func TestCachePage_Written(t *testing.T) {
	dir := t.TempDir()
	x := cacheFigures[hostile.Report]{Command: "samecycle x", Commit: "abc", print: writeHostile,
		Tools: map[string]string{"go": "1", "b": "2"}, path: filepath.Join(dir, "x.json")}
	page := filepath.Join(dir, "x.md")
	if err := x.save(&hostile.Report{Words: 5, Ended: "early"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(page); !os.IsNotExist(err) {
		t.Errorf("a page was made: %v", err)
	}
	for _, c := range []struct{ before, after string }{
		{"head\n", "head\n"},
		{"head\n" + figuresBegin + "old\n", "head\n" + figuresBegin + "old\n"},
		{"head\n" + figuresBegin + "old\n" + figuresEnd + "\ntail\n", "head\n" + figuresBegin +
			"Command `samecycle x`, commit abc, b 2, go 1:\n\n```\n5 words overwritten in 0 rounds\n" +
			"0 attempts to open the file, 0 of which were refused; 0 of the files were cut\n" +
			"0 calls: 0 errors; gets: 0 absent keys, 0 true values, 0 overwritten values\n" +
			"0 records told; the longest call took 0.0 ms on the wall; a round allocated 0 bytes at most\n" +
			"seed 0, ended: early\nno fault\n```\n" + figuresEnd + "\ntail\n"},
	} {
		if err := os.WriteFile(page, []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := x.save(x.Report); err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(page); err != nil || string(now) != c.after {
			t.Errorf("%q became %q, want %q (%v)", c.before, now, c.after, err)
		}
	}
}

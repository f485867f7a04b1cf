package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
)

// topRow is a row of a table of a frame, by the text of its first cell.
func topRow(t *testing.T, f topFrame, table, row string) []any {
	t.Helper()
	for _, x := range f.Tables {
		for _, cells := range x.Rows {
			if x.Name == table && cells[0] == row {
				return cells
			}
		}
	}
	t.Fatalf("no row %s in table %s of %+v", row, table, f.Tables)
	return nil
}

// TestCacheTop_Once: one frame as text and as JSON has each table, and what another process has done.
func TestCacheTop_Once(t *testing.T) {
	path := aCache(t)
	if code, out, errOut := call("cache", "tune", path, "janitor.run=3"); code != exitOK {
		t.Fatal(out, errOut)
	}
	code, out, errOut := call("cache", "top", path, "--once", "--interval", "10ms")
	text := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{path, "rates over ", "CALLS OF ALL PROCESSES", "sets 0.0 1 ", "SIZES",
		"entries 1 ", "BASKETS", "sealed 1 ", "TIERS", "AGES OF BASKETS", "LIVE PARAMETERS",
		"janitor.run 3 processes 1 tuned", "PROCESSES", "this one"} {
		if code != exitOK || errOut != "" || !strings.Contains(text, want) {
			t.Errorf("status %d, %q, no %q in\n%s", code, errOut, want, out)
		}
	}
	code, out, errOut = call("cache", "top", path, "--json", "--interval", "10ms")
	f := asJSON[topFrame](t, out)
	if code != exitOK || errOut != "" || f.File != path || f.Seconds <= 0 || len(f.Tables) != len(topTables) {
		t.Errorf("status %d, %q, %s", code, errOut, out)
	}
	for _, x := range f.Tables {
		for _, row := range x.Rows {
			if len(row) != len(x.Columns) {
				t.Errorf("table %s has the columns %q, and a row %v", x.Name, x.Columns, row)
			}
		}
	}
	if row := topRow(t, f, "sizes", "entries"); row[1] != 1.0 {
		t.Errorf("%v", row)
	}
}

// TestCacheTop_Rates: a rate is what was counted between two looks, by any process, over the time between.
func TestCacheTop_Rates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	c, err := cache.Open(path, cache.Options{Bytes: 1 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	w, err := openTop(c.File(), c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.frame()
	if row := topRow(t, f, "calls of all processes", "hits"); err != nil || f.Seconds != 0 || row[1] != nil {
		t.Errorf("of the first look: %v, %v, %v", f.Seconds, row, err)
	}
	for range 30 {
		if err := c.Set([]byte("k"), []byte("v")); err != nil {
			t.Fatal(err)
		}
	}
	w.before.time = w.before.time.Add(-2 * time.Second)
	if f, err = w.frame(); err != nil {
		t.Fatal(err)
	}
	row := topRow(t, f, "calls of all processes", "sets")
	rate, ok := row[1].(float64)
	if want := 30 / f.Seconds; !ok || rate != want || row[2] != uint64(30) || f.Seconds < 2 {
		t.Errorf("%v in %v s, want %v a second", row, f.Seconds, want)
	}
	if f.Note != "" {
		t.Errorf("a note: %s", f.Note)
	}
	if err := os.Remove(c.File()); err != nil {
		t.Fatal(err)
	}
	const gone = "the name leads to this cache no more"
	if f, err = w.frame(); err != nil || !strings.Contains(f.title(), gone) {
		t.Errorf("%s, %v", f.title(), err)
	}
}

// TestCacheTop_Page: the page is sound, has each cell, refers to nothing else, and takes a name of a file for
// nothing but text. What is no such page is not overwritten.
func TestCacheTop_Page(t *testing.T) {
	path, page := aCache(t), filepath.Join(t.TempDir(), "page.html")
	for range 2 { // the second one replaces the first
		code, out, errOut := call("cache", "top", path, "--html", page, "--interval", "10ms")
		if code != exitOK || out != "" || errOut != "" {
			t.Fatal(code, out, errOut)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	words, tables, err := readPage(text)
	if err != nil || tables != len(topTables) {
		t.Errorf("%d tables, %v", tables, err)
	}
	for _, want := range []string{path, "hit ratio", "janitor.run", "oldest quarter", "this one",
		"sealed"} {
		if !slices.Contains(words, want) {
			t.Errorf("no cell %q in %q", want, words)
		}
	}
	for _, no := range []string{"http:", "https:", "src=", "href=", "url("} {
		if bytes.Contains(text, []byte(no)) {
			t.Errorf("the page has %q", no)
		}
	}
	const bad = "<script>alert(1)</script>"
	evil := topFrame{File: bad, Tables: []topTable{{Name: bad, Columns: []string{bad}, Rows: [][]any{{bad}}},
		{Name: "empty", Columns: []string{"a", "b"}}}}
	if err := writeTopPage(evil, page); err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(page)
	if words, _, bad := readPage(text); err != nil || bad != nil || bytes.Contains(text, []byte("<script")) ||
		!slices.Contains(words, "none") {
		t.Errorf("%q, %v, %v", words, err, bad)
	}
	own := filepath.Join(t.TempDir(), "own.html")
	if err := os.WriteFile(own, []byte("a page of somebody"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errOut := call("cache", "top", path, "--html", own, "--interval", "10ms")
	if text, err := os.ReadFile(own); code != exitRed || !strings.Contains(errOut, "would be lost") ||
		err != nil || string(text) != "a page of somebody" {
		t.Errorf("status %d, %q; the file has %q, %v", code, errOut, text, err)
	}
}

// readPage reads a page, each of whose elements has to end, and returns its texts.
func readPage(page []byte) (words []string, tables int, err error) {
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return words, tables, nil
		}
		if err != nil {
			return words, tables, err
		}
		switch x := token.(type) {
		case xml.StartElement:
			if x.Name.Local == "table" {
				tables++
			}
		case xml.CharData:
			if word := strings.TrimSpace(string(x)); word != "" {
				words = append(words, word)
			}
		}
	}
}

// TestCacheTop_ReadPageFindsFaults: a page that has no end, or none of an element, is found.
func TestCacheTop_ReadPageFindsFaults(t *testing.T) {
	for _, page := range []string{"<html><body>", "<html><body></html>", "<p><b>a</p>", "<p>&lt</p"} {
		if words, _, err := readPage([]byte(page)); err == nil {
			t.Errorf("%s: %q", page, words)
		}
	}
}

// TestCacheTop_CommandLine: what cannot be is said, with what can.
func TestCacheTop_CommandLine(t *testing.T) {
	path := aCache(t)
	for args, want := range map[string]string{
		"":                        "FILE is missing",
		path:                      "the output is no terminal: use --once, --json or --html FILE",
		path + " --interval 1us":  "--interval is 1µs: use 10ms or more",
		path + " --html x --json": "use one of them",
	} {
		code, _, errOut := call(append([]string{"cache", "top"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("top %s: status %d, %q, want %q", args, code, errOut, want)
		}
	}
}

// TestCacheTop_CellsForPrograms: a cell that is not known is null, and others keep their numbers.
func TestCacheTop_CellsForPrograms(t *testing.T) {
	text, err := json.Marshal([]any{nil, cellBytes(1 << 20), cellShare(0.5), cellDuration(90), "a",
		uint64(7)})
	if want := `[null,1048576,0.5,90,"a",7]`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}

// TestAgeOf_ClocksApart: the clock of a cache may be a little ahead of the calendar; more is no age.
func TestAgeOf_ClocksApart(t *testing.T) {
	now := &topSample{time: time.UnixMilli(5000)}
	for opened, want := range map[uint64]any{0: nil, 1: cellDuration(4.999), 5000: cellDuration(0),
		6000: cellDuration(0), 6001: nil} {
		if got := ageOf(basket.Info{Opened: opened}, now); got != want {
			t.Errorf("opened at %d ms: %v, want %v", opened, got, want)
		}
	}
}

// TestCacheTop_Tiers: each tier has a row with what is in it, and the ages of baskets grow from row to row.
func TestCacheTop_Tiers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	c, err := cache.Open(path, cache.Options{Bytes: 1 << 20, Tiers: 2, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 2000 {
		if err := c.Set(fmt.Append(nil, i), make([]byte, 300)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := openTop(path, c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.frame(); err != nil {
		t.Fatal(err)
	}
	f, err := w.frame()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range f.Tables {
		switch x.Name {
		case "tiers":
			entries := 0
			for _, row := range x.Rows {
				entries += row[2].(int)
			}
			all := topRow(t, f, "sizes", "entries")[1]
			if len(x.Rows) != 2 || entries != all || entries == 0 || x.Rows[0][5] != 0.0 {
				t.Errorf("%v, %v entries in all", x.Rows, all)
			}
		case "ages of baskets":
			last := cellDuration(0)
			for _, row := range x.Rows {
				from, to := row[2].(cellDuration), row[3].(cellDuration)
				if from < last || to < from {
					t.Errorf("%v behind an age of %v s", row, last)
				}
				last = to
			}
			if len(x.Rows) != ageGroups {
				t.Errorf("%v", x.Rows)
			}
		}
	}
}

// TestCacheTop_DumbTerminal: one that cannot move its cursor gets no live view, and is told what it can have.
func TestCacheTop_DumbTerminal(t *testing.T) {
	t.Setenv("TERM", "dumb")
	path := aCache(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	for flag, want := range map[string]int{"--interval=10ms": exitUsage, "--once": exitOK} {
		var out, said bytes.Buffer
		code := run(ctx, &app{out: &out, err: &said, width: 80}, []string{"cache", "top", path, flag})
		if code != want || strings.Contains(out.String(), "\x1b") ||
			strings.Contains(said.String(), "use --once, --json or --html FILE") != (want == exitUsage) {
			t.Errorf("%s: status %d, want %d; %q, %q", flag, code, want, out.String(), said.String())
		}
	}
}

// TestShowTop_Signals: a signal that would end the program at once makes the view leave its screen, and show
// the cursor, before it ends.
func TestShowTop_Signals(t *testing.T) {
	caught := make(chan os.Signal, 2) // so that a view that does not catch it ends this test alone
	signal.Notify(caught, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(caught)
	c, err := cache.Open("", cache.Options{Bytes: 1 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGQUIT} {
		ctx, cancel := context.WithCancel(t.Context())
		giveUp := time.AfterFunc(20*time.Second, func() {
			t.Errorf("%v does not end it", s)
			cancel()
		})
		shown, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- showTop(ctx, &topWatch{cache: c}, time.Hour, new(silent), out)
			out.Close()
		}()
		last := signalled(t, shown, s)
		giveUp.Stop()
		cancel()
		if err := <-ended; err != nil || !strings.Contains(last, "\x1b[?1049l") ||
			!strings.Contains(last, "\x1b[?25h") {
			t.Errorf("%v: %v, and the terminal is left with %q", s, err, last)
		}
	}
}

// signalled sends this process a signal as soon as the view has its screen, and returns what it shows then.
func signalled(t *testing.T, shown io.Reader, s syscall.Signal) (last string) {
	t.Helper()
	const begin = "\x1b[?1049h"
	text, sent := "", false
	for buffer := make([]byte, 4096); ; {
		n, err := shown.Read(buffer)
		text += string(buffer[:n])
		if err != nil {
			_, last, _ = strings.Cut(text, begin)
			return last
		}
		if !sent && strings.Contains(text, begin) {
			sent = true
			if err := syscall.Kill(os.Getpid(), s); err != nil {
				t.Error(err)
			}
		}
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/ours"
	"github.com/samecycle/samecycle/internal/trace/policy"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

// traceFile writes a trace and returns its path.
func traceFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTrace_Table: the rows of a small trace, whose figures can be counted by hand: with room for two of
// three objects LRU has one hit in a b a c b a, and the optimum two.
func TestTrace_Table(t *testing.T) {
	file := traceFile(t, "few", "a\nb\na\nc\nb\na\n")
	code, out, errOut := call("trace", file, "--size", "128B", "--size", "100%", "--object", "64B")
	for _, want := range []string{
		file + "\n  6 requests for 3 objects, 192 B together, each taken for 64 B (--object); format text\n",
		"\n128B: 2 objects        samecycle            NOT RUN",
		"\n                       LRU                  16.67 %    16.67 %\n",
		"Belady               50.00 %    50.00 %    +33.33  knows the future: the optimum\n",
		"\n                       LRU                  50.00 %    50.00 %\n",
		"ARC                  50.00 %    50.00 %     +0.00\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if code != exitRed || errOut != "" || t.Failed() { // a row is NOT RUN
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}

// TestTrace_OneSize: where the sizes of a trace are all the same, Belady's policy is the optimum.
func TestTrace_OneSize(t *testing.T) {
	for sizes, want := range map[[2]int]bool{{64, 64}: true, {64, 65}: false} {
		file := traceFile(t, "sizes.csv", fmt.Sprintf("1,a,%d\n2,b,%d\n3,a,%[1]d\n", sizes[0], sizes[1]))
		code, out, _ := call("trace", file, "--size", "100%")
		if code != exitRed || strings.Contains(out, "knows the future: the optimum\n") != want ||
			strings.Contains(out, "objects differ in size") == want {
			t.Errorf("sizes %d: status %d\n%s", sizes, code, out)
		}
	}
}

// TestTrace_TellsWhatItDoes: a trace that has been read is being replayed from then on, and not only when the
// first of its requests have been.
func TestTrace_TellsWhatItDoes(t *testing.T) {
	var told []string
	f := traceFlags{bytes: 64, wanted: []size{{text: "100%", share: 1}}}
	_, err := f.one(t.Context(), traceFile(t, "few", "a\nb\na\n"), func(what string, share float64) {
		told = append(told, fmt.Sprintf("%s %.2f", what, share))
	})
	if err != nil || !slices.Contains(told, "replaying few 0.10") ||
		told[len(told)-1] != "replaying few 1.00" {
		t.Errorf("%q: %v", told, err)
	}
}

// TestTrace_JSON: the same figures, and what was made is named so that it can be made again.
func TestTrace_JSON(t *testing.T) {
	file := traceFile(t, "sizes.csv", "1,a,10\n2,b,1000\n3,a,10\n4,c,0\n5,b,999\n")
	code, out, _ := call("trace", file, "--size", "10", "--json", "--requests", "4")
	r := asJSON[traceReport](t, out)
	if code != exitRed || len(r.Traces) != 1 {
		t.Fatalf("status %d: %s", code, out)
	}
	none := regexp.MustCompile(`"hit_ratio": null,\s+"byte_hit_ratio": null,\s+"points_above_lru": null,\s+` +
		`"complete": false,\s+"not_run": `)
	if rows := none.FindAllString(out, -1); len(rows) != 2 { // of the two of this project
		t.Errorf("%d rows without figures: %s", len(rows), out)
	}
	part := r.Traces[0]
	if part.Requests != 4 || part.Objects != 2 || part.Bytes != 1010 || part.Resized != 1 ||
		part.Empty != 1 || part.Format != "csv" || part.Object != 0 || part.Cut || len(part.Sizes) != 1 {
		t.Errorf("%+v", part)
	}
	for _, row := range part.Sizes[0].Caches {
		if strings.HasPrefix(row.Cache, ours.Name) {
			if row.NotRun == "" || row.Complete {
				t.Errorf("a cache of 10 bytes: %+v", row)
			}
			continue
		}
		if row.Hits != 1 || row.Requests != 4 || row.HitRatio != 0.25 || row.ByteHitRatio != 10.0/2020 ||
			!row.Complete || (row.Cache == optimum) != strings.Contains(row.Note, "no optimum") {
			t.Errorf("%+v", row)
		}
	}
	line := []string{"trace", "--zipf", "50,0.9,7", "--scan", "30", "--requests", "1000", "--json"}
	code, out, _ = call(line...)
	name := asJSON[traceReport](t, out).Traces[0].Name
	if _, again, _ := call(line...); code != exitRed || out != again { // ours is not run on so little
		t.Errorf("status %d; another time it is another trace\n%s\n%s", code, out, again)
	}
	for _, want := range []string{"1000 requests", "50 objects", "skew 0.9", "seed 7", "scan of 30"} {
		if !strings.Contains(name, want) {
			t.Errorf("%q does not say %q", name, want)
		}
	}
}

// TestTrace_Refusals: each says what is wrong and what to do.
func TestTrace_Refusals(t *testing.T) {
	file := traceFile(t, "few", "1\n2\n3\nx\n")
	empty, list := traceFile(t, "empty", ""), traceFile(t, "list", "milk")
	strange := traceFile(t, "strange", "\x01\x02")
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"", exitUsage, "FILE is missing; without a trace of your own make one: --zipf"},
		{"x --zipf 1,1,1", exitUsage, `leave them out, or "x"`},
		{"--scan 5 --format arc", exitUsage, "--format is for files"},
		{"- x -", exitUsage, "- is named twice: the standard input can be read once, so name it once"},
		{"x --format tar", exitUsage, "use one of arc, lirs"},
		{"--zipf 1,1", exitUsage, "use N,S,SEED"},
		{"--zipf 1,x,1", exitUsage, "a whole number of objects, a skew and a seed"},
		{"--zipf 0,1,1", exitUsage, "0 objects: use 1 to"},
		{"--zipf 9,11,1", exitUsage, "a skew of 11: use 0 to 10"},
		{"x --size 0", exitUsage, "--size 0: a cache of no size has no hits"},
		{"x --size 0%", exitUsage, "--size 0%: a cache of no size has no hits"},
		{"x --size 101%", exitUsage, "use at most 100%"},
		{"x --size -5", exitUsage, "use a size as 64MiB"},
		{"x --size 5XB", exitUsage, "use a size as 64MiB"},
		{"x --size 1e30", exitUsage, "use at most 4194304TiB"},
		{"x --kill-every 1s", exitUsage, "are for --processes: add it"},
		{"x --duration 1s", exitUsage, "are for --processes: add it"},
		{"x --processes 2 --kill-every 1ms", exitUsage, "use 10ms or more, or 0 for no deaths"},
		{"x --processes 2 --duration -1s", exitUsage, "use a duration like 10s"},
		{"x y --processes 2", exitUsage, "--processes replays one trace"},
		{"x --processes 2 --size 1% --size 2%", exitUsage, "give --size once"},
		{"x --processes 2 --svg x.svg", exitUsage, "leave one out"},
		{"trace-worker", exitRed, "no such file"},
		{"--scan 2000 --requests 2000 --processes 64 --size 10%", exitUsage,
			"--processes 64: the cache cannot have so many processes: of this size it has room for 19 "},
		{"--scan 2000 --requests 2000 --processes 22 --kill-every 0s --size 10%", exitUsage,
			"--processes 22: the cache cannot have so many processes: of this size it has room for 21,"},
		{"--scan 20000 --requests 20000 --processes 63 --size 100%", exitUsage,
			"--processes 63: the cache cannot have so many processes: there is room for 62 beside"},
		{"--scan 100 --requests 10 --processes 2 --size 1%", exitRed, "too small for this cache"},
		{"x --basket 2KiB", exitUsage, "use a power of two from 4KiB to 64MiB"},
		{"x --basket 5KiB", exitUsage, "use a power of two from 4KiB to 64MiB"},
		{"x --object 0", exitUsage, "use a size from 1B to 1GiB"},
		{"x --object 5%", exitUsage, "use a size from 1B to 1GiB"},
		{"x y --svg z.svg", exitUsage, "--svg draws one trace"},
		{filepath.Join(t.TempDir(), "missing"), exitRed, "no such file"},
		{file, exitRed, file + `, line 4: unreadable: the block "x" is no whole number; mend it`},
		{empty, exitRed, empty + ": no request in it: name a file with a trace"},
		{strange, exitRed, strange + ": unknown format: say which one it is with --format (arc,"},
		{file + " --format text --object 64 --size 63B", exitRed,
			"--size 63B is less than the smallest object"},
		{file + " --format text --svg " + list, exitRed, "is no picture, and would be lost"},
		{file + " --format text --svg " + filepath.Dir(list), exitRed, "it is a folder"},
		{"--scan 5 --requests 9 --size 100% --svg " + filepath.Join(t.TempDir(), "x.svg"), exitRed,
			"give --size twice"},
		{"--scan 5 --requests 9 --object 1B --size 41% --size 42% --svg " + filepath.Join(t.TempDir(), "x"),
			exitRed, "give --size twice"},
	} {
		code, out, errOut := call(append([]string{"trace"}, strings.Fields(c.line)...)...)
		if code != c.code || !strings.Contains(errOut, c.says) || out != "" {
			t.Errorf("%s: status %d, want %q\n%s%s", c.line, code, c.says, out, errOut)
		}
	}
}

// TestTrace_NumbersOutOfBounds: 0 is a number as well, and not what a flag has that was left out.
func TestTrace_NumbersOutOfBounds(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"x --requests -1", "use 1 to 1073741824, or leave it out"},
		{"x --requests 0", "--requests 0: use 1 to 1073741824, or leave it out"},
		{"--zipf 9,1,1 --requests 0", "--requests 0: use 1 to 1073741824, or leave it out"},
		{"x --requests 1073741825", "use 1 to 1073741824, or leave it out"},
		{"--scan 5 --requests 1073741825", "use 1 to 1073741824, or leave it out"},
		{"--scan -1", "--scan -1: use 1 to 67108864 objects"},
		{"--scan 0", "--scan 0: use 1 to 67108864 objects"},
		{"--zipf 9,1,1 --scan 0", "--scan 0: use 1 to 67108864 objects"},
		{"x --processes -1", "use 1 to 64"},
		{"x --processes 0", "--processes 0: use 1 to 64"},
		{"x --processes 0 --policy tinylfu", "--processes 0: use 1 to 64"},
		{"x --processes 65", "use 1 to 64"},
	} {
		code, out, errOut := call(append([]string{"trace"}, strings.Fields(c.line)...)...)
		if code != exitUsage || !strings.Contains(errOut, c.says) || out != "" {
			t.Errorf("%s: status %d, want %q\n%s%s", c.line, code, c.says, out, errOut)
		}
	}
}

// stopper ends a run when the first cache has seen so many requests.
type stopper struct {
	left int
	stop func()
}

func (s *stopper) Access(uint64, uint32) bool {
	if s.left--; s.left == 0 {
		s.stop()
	}
	return s.left%2 == 0
}

// withCaches replaces the caches of the command for the length of a test.
func withCaches(t *testing.T, caches ...replay.Cache) {
	before := traceCaches
	traceCaches = func(uint32) []replay.Cache { return caches }
	t.Cleanup(func() { traceCaches = before })
}

// TestTrace_Interrupted: what is done so far is printed, and marked.
func TestTrace_Interrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	withCaches(t, replay.Cache{Name: "own", New: func(uint64, *trace.Trace) (policy.Replayed, error) {
		return &stopper{20_000, func() { cancel(errInterrupted) }}, nil
	}})
	code, out, errOut := callWith(ctx, "trace", "--scan", "100", "--requests", "100000")
	part := regexp.MustCompile(`own +50\.00 % .* INCOMPLETE: the first 24 %`)
	if code != exitInterrupted || !part.MatchString(out) ||
		!strings.Contains(out, "INCOMPLETE: not begun\n") &&
			strings.Count(out, "INCOMPLETE: the first") != 2 ||
		!strings.HasSuffix(out, "\nINCOMPLETE: interrupted\n") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
	code, out, _ = callWith(ctx, "trace", "--scan", "100", "--requests", "100000", "--json")
	if r := asJSON[traceReport](t, out); code != exitInterrupted || r.Incomplete != "interrupted" {
		t.Errorf("status %d\n%s", code, out)
	}
}

// TestTrace_InterruptedPicture: where too little is done for a picture, its lack does not cost the table.
func TestTrace_InterruptedPicture(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	withCaches(t, replay.Cache{Name: "own", New: func(uint64, *trace.Trace) (policy.Replayed, error) {
		return &stopper{20_000, func() { cancel(errInterrupted) }}, nil
	}})
	file := filepath.Join(t.TempDir(), "x.svg")
	code, out, errOut := callWith(ctx, "trace", "--scan", "100", "--requests", "100000", "--svg", file)
	part := regexp.MustCompile(`own +50\.00 % .* INCOMPLETE: the first`)
	if code != exitInterrupted || !part.MatchString(out) || !strings.HasSuffix(out,
		"\nINCOMPLETE: interrupted; no picture: a picture needs two sizes at least\n") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the picture: %v", err)
	}
}

// TestTrace_KeepsTables: what fails behind a table, another trace or the picture, does not cost the table.
// The picture has a folder when the run begins, and none when it ends.
func TestTrace_KeepsTables(t *testing.T) {
	good, bad := traceFile(t, "good", "1\n2\n1\n"), traceFile(t, "bad", "1\n2\n3\nx\n")
	folder := filepath.Join(t.TempDir(), "folder")
	withCaches(t, replay.Cache{Name: "own", New: func(uint64, *trace.Trace) (policy.Replayed, error) {
		err := os.RemoveAll(folder)
		if err == nil {
			err = os.WriteFile(folder, nil, 0o600)
		}
		return &stopper{-1, nil}, err
	}})
	picture := []string{good, "--size", "1KiB", "--size", "2KiB", "--svg", filepath.Join(folder, "x.svg")}
	for says, args := range map[string][]string{
		bad + ", line 4: unreadable: ": {good, bad, good},
		"no picture: ":                 picture,
	} {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		code, out, errOut := call(append([]string{"trace"}, args...)...)
		if code != exitRed || errOut != "" || strings.Count(out, "2 objects, 2 KiB together") != 1 ||
			!strings.Contains(out, "\nINCOMPLETE: "+says) {
			t.Errorf("%v: status %d\n%s%s", args, code, out, errOut)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		code, out, _ = call(append([]string{"trace", "--json"}, args...)...)
		if r := asJSON[traceReport](t, out); code != exitRed || len(r.Traces) != 1 ||
			!strings.HasPrefix(r.Incomplete, says) {
			t.Errorf("%v: status %d\n%s", args, code, out)
		}
	}
}

// TestTrace_Caches: a cache that cannot be so small is NOT RUN, and the others are; a fault ends the run.
func TestTrace_Caches(t *testing.T) {
	var fault error
	own := replay.Cache{Name: "own", New: func(uint64, *trace.Trace) (policy.Replayed, error) {
		return nil, fault
	}}
	withCaches(t, append([]replay.Cache{own}, replay.Models()...)...)
	fault = fmt.Errorf("%w: use 1MiB or more", replay.ErrCapacity)
	code, out, _ := call("trace", "--scan", "100", "--requests", "1000", "--size", "10%")
	if code != exitRed || !strings.Contains(out, "LRU            0.00 %") ||
		!regexp.MustCompile(`own +NOT RUN +the size is too small for this cache: use 1MiB`).MatchString(out) {
		t.Errorf("status %d\n%s", code, out)
	}
	fault = errors.New("broken")
	if code, _, errOut := call("trace", "--scan", "100", "--requests", "200"); code != exitRed ||
		!strings.Contains(errOut, "own: broken") {
		t.Errorf("status %d: %s", code, errOut)
	}
}

// TestTrace_Picture: with more sizes than the table has by itself; the next one takes its place.
func TestTrace_Picture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "folder", "x.svg")
	for range 2 {
		code, out, errOut := call("trace", "--zipf", "1000,1,1", "--requests", "3000", "--svg", file)
		if code != exitRed || !strings.Contains(out, "\n0.5 %: ") || !strings.Contains(out, "\n50 %: ") {
			t.Errorf("status %d\n%s%s", code, out, errOut)
		}
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte("S3-FIFO")) || !bytes.Contains(text, []byte("50 %")) {
			t.Errorf("%v: %.300s", err, text)
		}
	}
}

// TestSizeOf: bytes with a unit, and percentages.
func TestSizeOf(t *testing.T) {
	for text, want := range map[string]uint64{"4096": 4096, "64B": 64, "64MiB": 64 << 20, "64 mib": 64 << 20,
		"1.5KiB": 1536, "2GB": 2e9, "1T": 1 << 40} {
		if s, err := sizeOf(text); err != nil || s.bytes != want || s.share != 0 {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
	if s, err := sizeOf("2.5%"); err != nil || s.share != 0.025 || s.text != "2.5 %" {
		t.Errorf("%+v, %v", s, err)
	}
	for _, text := range []string{"", "x", "1 2", "NaN", "inf", "-1", "+1", "1Q", "%", "5%%", "0x10"} {
		if s, err := sizeOf(text); err == nil {
			t.Errorf("%q is taken for %+v", text, s)
		}
	}
}

// TestTrace_Ours: the cache of this project is one of the rows, and says how it is made.
func TestTrace_Ours(t *testing.T) {
	code, out, errOut := call("trace", "--zipf", "2000,0.9,1", "--requests", "20000", "--size", "20%",
		"--basket", "4KiB")
	row := regexp.MustCompile(`\n20 %: 381 objects +samecycle +[0-9.]+ % +[0-9.]+ % +[+-][0-9.]+  ` +
		`\d+ baskets of 4 KiB, \d+ objects in the end\n`)
	if code != exitOK || !row.MatchString(out) {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}

// TestTrace_Processes: the trace goes through processes, one of which is killed; the verdict and the ratios
// are printed.
func TestTrace_Processes(t *testing.T) {
	line := strings.Fields("trace --zipf 3000,0.9,1 --requests 40000 --processes 2 --kill-every 50ms " +
		"--duration 500ms --size 20% --basket 4KiB")
	code, out, errOut := call(line...)
	for _, want := range []string{`\n  2 processes on one file of \S+ KiB with baskets of 4 KiB, and ` +
		`one more, which is killed every 50ms: [1-9]\d* times?\n`,
		`\n  [\d,]+ requests in \S+ s, the trace \d+ times?\n`,
		`\n20 %: \d+ objects +samecycle +\d\d\.\d\d % +\d\d\.\d\d % +[+-]\d\.\d\d\n +LRU +\d\d\.\d\d % `,
		`\n  in the end: \d+ objects of \S+ KiB, each value compared; structure checked\nverdict: PASS\n$`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%s is missing", want)
		}
	}
	if code != exitOK || t.Failed() {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
	code, out, errOut = call(append(line, "--json", "--kill-every", "0", "--duration", "0")...)
	r := asJSON[crewReport](t, out)
	rows := r.Trace.Sizes[0].Caches
	if code != exitOK || r.Verdict != "PASS" || r.Kills != 0 || r.Passes != 1 || rows[0].Requests != 40_000 ||
		rows[1].Requests != 40_000 || rows[0].HitRatio < rows[1].HitRatio-0.05 {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}

// TestTrace_ProcessesInterrupted: there is no verdict, but what was done so far.
func TestTrace_ProcessesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	folder, before := t.TempDir(), sharedFolder
	sharedFolder = func() string { return folder }
	t.Cleanup(func() { sharedFolder = before })
	go func() {
		for entries := 0; entries == 0; time.Sleep(100 * time.Millisecond) { // until a process sets
			files, _ := filepath.Glob(filepath.Join(folder, "*", "*"))
			for _, file := range files {
				if c, err := cache.Attach(file, cache.Options{NoJanitor: true}); err == nil {
					entries += c.Len()
					_ = c.Close()
				}
			}
		}
		cancel(errInterrupted)
	}()
	code, out, errOut := callWith(ctx, "trace", "--zipf", "3000,0.9,1", "--requests", "40000", "--processes",
		"1", "--duration", "1h", "--size", "20%")
	if code != exitInterrupted ||
		!strings.HasSuffix(out, "\nINCOMPLETE: interrupted\nverdict: INCOMPLETE\n") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}

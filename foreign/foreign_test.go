package foreign

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign/driver"
)

const haxmap = "github.com/alphadose/haxmap@v1.4.1"

// prepared builds a target for the test, or skips it if the module cannot be had.
func prepared(t *testing.T, spec string, e edits) *Work {
	t.Helper()
	return preparedWith(t, spec, Options{}, e)
}

func preparedWith(t *testing.T, spec string, o Options, e edits) *Work {
	t.Helper()
	target, err := ParseTarget(spec)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	w, err := prepare(ctx, target, o, e)
	if errors.Is(err, ErrDownload) {
		t.Skipf("NOT RUN: it needs the source of %s: %v", spec, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if exists(w.Folder) {
			t.Errorf("%s is still there", w.Folder)
		}
	})
	return w
}

func explored(t *testing.T, w *Work) map[string]driver.Result {
	t.Helper()
	report, err := w.Explore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]driver.Result{}
	for _, s := range report.Results {
		results[s.Name] = s
		t.Logf("%-20s %-8s %4d programs %8d schedules %9d steps %v", s.Name, s.Status, s.Programs,
			s.Schedules, s.Steps, s.Elapsed)
	}
	return results
}

// TestHaxmap: two callers both store one key, and both get one deleted value.
func TestHaxmap(t *testing.T) {
	w := prepared(t, haxmap, edits{})
	for _, d := range differences(t, w) {
		t.Error(d)
	}
	if len(w.Notes) != 0 {
		t.Errorf("haxmap starts nothing, yet: %v", w.Notes)
	}
	results := explored(t, w)
	for name, want := range map[string][2]string{
		"get-or-set":  {"11 stored", "21 stored"},
		"get-and-del": {"-> 5", "-> 5"},
	} {
		s := results[name]
		if s.Status != driver.Found || s.Kind != string(explore.Verdict) {
			t.Fatalf("%s is %s: %s", name, s.Status, s.Message)
		}
		// Either actor's answer alone is right, so both must be there.
		_, rest, first := strings.Cut(s.History, want[0])
		if both := strings.Contains(s.History, want[1]) &&
			(want[0] != want[1] || strings.Contains(rest, want[1])); !first || !both {
			t.Errorf("%s: the history is not the one of the fault:\n%s", name, s.History)
		}
		if s.Elapsed > time.Second {
			t.Errorf("%s was found after %v of exploring", name, s.Elapsed)
		}
		replayed(t, w, s)
	}
	for _, name := range []string{"set-get", "swap"} {
		if s := results[name]; s.Status != driver.Clean || !s.Exhaustive || s.Schedules < 100 {
			t.Errorf("%+v", s)
		}
	}
}

// replayed holds a replay of the failing schedule against the failure.
func replayed(t *testing.T, w *Work, s driver.Result) {
	t.Helper()
	if target, err := TokenTarget(s.Token); err != nil || target != w.Target {
		t.Errorf("token of %v, %v", target, err)
	}
	again, err := w.Replay(t.Context(), s.Token)
	if err != nil {
		t.Fatal(err)
	}
	got := again.Results[0]
	if again.Status() != driver.Found || got.History != s.History || got.Table != s.Table {
		t.Errorf("the replay is %s:\n%s%s", got.Status, got.History, got.Table)
	}
	for _, place := range []string{"map.go:", "list.go:"} { // of haxmap's source
		if !strings.Contains(again.Text(), place) {
			t.Errorf("no line of %s in the report:\n%s", place, again.Text())
		}
	}
}

// TestReplayByToken is the way of a person who has a token and nothing else.
func TestReplayByToken(t *testing.T) {
	w := prepared(t, haxmap, edits{})
	token := explored(t, w)["get-or-set"].Token
	var log bytes.Buffer
	report, err := Replay(t.Context(), token, Options{Log: &log})
	if err != nil || report.Status() != driver.Found {
		t.Fatalf("%s, %v", report.Status(), err)
	}
	if !strings.Contains(log.String(), "building") {
		t.Errorf("log is %q", log.String())
	}
}

// TestSyncMap: the map of this toolchain stays clean, and the search did look.
func TestSyncMap(t *testing.T) {
	w := prepared(t, standardMap, edits{})
	for _, d := range differences(t, w) {
		t.Error(d)
	}
	for name, s := range explored(t, w) {
		if s.Status != driver.Clean || !s.Exhaustive || s.Schedules < 100 || s.Preemptions < 2 {
			t.Errorf("%s: %+v", name, s)
		}
		// Pairs makes b(b+1)/2 programs of b bodies: 5 single calls, 25 and 16 double ones.
		want := map[string]int{"one-call-absent": 15, "one-call-present": 15, "two-calls-absent": 325,
			"two-calls-present": 325, "two-calls-level": 136, "two-calls-chain": 136}[name]
		if want == 0 {
			want = 1
		}
		if s.Programs != want {
			t.Errorf("%s has %d programs, want %d", name, s.Programs, want)
		}
		if strings.HasPrefix(name, "one-call") && s.Complete != want {
			t.Errorf("%s: all interleavings of %d programs, want %d", name, s.Complete, want)
		}
	}
}

// TestCanaries breaks sync.Map in one place each. The suite that is aimed at the place must find
// it, or a clean result of that suite means nothing.
func TestCanaries(t *testing.T) {
	replace := func(from, to string) func(string, []byte) []byte {
		return func(name string, text []byte) []byte {
			return bytes.Replace(text, []byte(from), []byte(to), 1)
		}
	}
	for _, c := range []struct {
		name, suite string
		e           edits
	}{
		// The adapter looks and then stores, in two operations of the map.
		{"two operations", "first-use", edits{driver: replace(
			"return answer(t.m.LoadOrStore(c.Key, c.Value))",
			`if v, ok := t.m.Load(c.Key); ok {
				return answer(v, ok)
			}
			t.m.Store(c.Key, c.Value)
			return driver.Answer{Value: c.Value}`)}},
		// Under the lock, LoadOrStore does not look again whether the key has come.
		{"no second look", "first-use", edits{source: replace(
			"if v, ok := oldEntry.lookup(key); ok {", "if v, ok := oldEntry.lookup(key); ok && false {")}},
		// Both LoadOrStore and Swap insert into a level that has been taken out of the trie.
		{"dead level", "shrink", edits{source: replace(
			"(n == nil || n.isEntry) && !i.dead.Load()", "(n == nil || n.isEntry)")}},
		// A change of a value or a deletion goes by what was seen before the lock was held.
		{"stale entry", "swap", edits{source: replace(
			"n = slot.Load()\n\t\tif !i.dead.Load()", "if !i.dead.Load()")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, changed := watched(c.e)
			w := prepared(t, standardMap, e)
			if !*changed {
				t.Fatalf("the place to break is not in the source of %v: write the canary anew", w.Target)
			}
			if n := len(differences(t, w)); (n > 0) != (e.source != nil) {
				t.Errorf("%d differences beside imports", n)
			}
			s := explored(t, w)[c.suite]
			if s.Status != driver.Found || s.Token == "" {
				t.Errorf("%s is %s: %s", c.suite, s.Status, s.Message)
			}
			t.Logf("%s\n%s", s.Message, s.History)
		})
	}
}

// watched tells whether an edit changed anything.
func watched(e edits) (edits, *bool) {
	changed := new(bool)
	watch := func(f func(string, []byte) []byte) func(string, []byte) []byte {
		if f == nil {
			return nil
		}
		return func(name string, text []byte) []byte {
			out := f(name, text)
			*changed = *changed || !bytes.Equal(out, text)
			return out
		}
	}
	return edits{source: watch(e.source), driver: watch(e.driver)}, changed
}

func TestTargets(t *testing.T) {
	for spec, want := range map[string]Target{
		"sync.Map":          {"sync.Map", ""},
		"sync.Map@go1.26.0": {"sync.Map", "go1.26.0"},
		haxmap:              {"github.com/alphadose/haxmap", "v1.4.1"},
		"example.com/m@v1":  {"example.com/m", "v1"},
		"./folder":          {"./folder", ""},
		"..":                {"..", ""},
	} {
		got, err := ParseTarget(spec)
		if err != nil || got != want || got.String() != spec {
			t.Errorf("%s is %+v, %v", spec, got, err)
		}
	}
	empty, outer, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "file.go")
	inner := filepath.Join(outer, "inner")
	hidden := filepath.Join(inner, "go.mod") // a link to itself, which nobody can follow, not even root
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Mkdir(inner, 0o700),
		os.WriteFile(filepath.Join(outer, "go.mod"), []byte("module example.com/outer\n"), 0o600),
		os.Symlink("go.mod", hidden)); err != nil {
		t.Fatal(err)
	}
	for spec, says := range map[string]string{
		"":                            "",
		"sync.Pool":                   "",
		"github.com/alphadose/haxmap": "",
		"./none":                      "none: no such file or directory; name a folder that can be read",
		"./...":                       "./... names several packages, whose tests are explored with --test",
		file:                          file + " is no folder; name the one that it is in",
		empty:                         "no go.mod in or above " + empty + ": make it a module",
		inner:                         "stat " + hidden + ": too many levels of symbolic links; name",
	} {
		_, err := Explore(t.Context(), spec, Options{})
		if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", spec, err)
		}
	}
	_, err := ParseTarget("sync.Pool")
	for _, want := range append(Targets(), "MODULE@VERSION") {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
}

// TestOtherVersions: nothing is explored under the name of a version that it does not have.
func TestOtherVersions(t *testing.T) {
	_, err := Explore(t.Context(), "sync.Map@go1.24.0", Options{})
	if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), "GOTOOLCHAIN") {
		t.Errorf("another toolchain's map: %v", err)
	}
	a, err := Target{Name: "github.com/alphadose/haxmap", Version: "v1.4.1"}.adapter()
	if err != nil {
		t.Fatal(err)
	}
	a.sums = map[string]string{"v1.4.1": "h1:other"}
	_, err = a.download(t.Context(), t.TempDir(), "v1.4.1")
	if errors.Is(err, ErrDownload) {
		t.Skipf("NOT RUN: it needs the source of %s: %v", haxmap, err)
	}
	if !errors.Is(err, ErrSource) {
		t.Errorf("a module with another checksum: %v", err)
	}
}

// TestOffline: without a network and without a module cache the error says what is missing.
func TestOffline(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
	for spec, missing := range map[string]string{
		haxmap:      "alphadose/haxmap",
		standardMap: "porcupine", // the driver needs it
	} {
		_, err := Explore(t.Context(), spec, Options{})
		if !errors.Is(err, ErrDownload) || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

func TestTokens(t *testing.T) {
	for token, want := range map[string]error{
		"nonsense": explore.ErrToken,
		"sx1~S04AddCollisionEmpty~k0a0b0p-1m10000s50~ab.~76ec5094":     ErrToken,
		"sx1~example.com%2Fm%40v1%23p~k0a0b0p-1m10000s50~ab.~f6d438d0": ErrTarget,
	} {
		if _, err := Replay(t.Context(), token, Options{}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", token, err, want)
		}
	}
}

// TestTokens_Damaged: a token that was not copied whole is refused before anything is fetched or built, for
// which there is no folder here, with its beginning and what is wrong with it.
func TestTokens_Damaged(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	const name = "sx1~github.com%2Falphadose%2Fhaxmap%40v1.4.1%23get-or-set"
	for token, wrong := range map[string]string{
		name + "~k0a0b0p-1m10000s50~ab.~00000000": `checksum is "00000000", should be "e29af476"; copy it ` +
			"whole",
		name + "~k0a0b0p-1m10000s50~ab7.~e29af476": `checksum is "e29af476", should be "`,
		name + "~k0a0b0~ab.~0babca32":              `options "k0a0b0"`,
	} {
		for _, again := range []func(context.Context, string, Options) (Report, error){Replay, Minimise} {
			_, err := again(t.Context(), token, Options{})
			if !errors.Is(err, explore.ErrToken) || !strings.Contains(err.Error(), wrong) ||
				!strings.HasPrefix(err.Error(), `"`+name+`~`) {
				t.Errorf("%s: %v, want %q", token, err, wrong)
			}
		}
	}
}

// TestCancel: a search that is not wanted any more ends with the context's error and leaves no
// folder.
func TestCancel(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Explore(ctx, standardMap, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "samecycle-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRoot(t *testing.T) {
	if _, err := findRoot(t.TempDir()); !errors.Is(err, ErrRoot) {
		t.Errorf("a folder outside of the project: %v", err)
	}
	t.Chdir(t.TempDir())
	root, err := findRoot("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "foreign", "adapters")); err != nil {
		t.Errorf("%s is not the project: %v", root, err)
	}
}

// TestStatus: what was not covered is never taken for clean.
func TestStatus(t *testing.T) {
	of := func(all ...driver.Status) driver.Status {
		var r Report
		for _, s := range all {
			r.Results = append(r.Results, driver.Result{Status: s})
		}
		return r.Status()
	}
	for _, c := range []struct{ got, want driver.Status }{
		{of(), driver.Unknown},
		{of(driver.Clean, driver.Clean), driver.Clean},
		{of(driver.Clean, driver.Unknown, driver.Clean), driver.Unknown},
		{of(driver.Unknown, driver.Found, driver.Clean), driver.Found},
		{of(driver.Clean, ""), driver.Unknown},
		{of(driver.Skipped, driver.Clean, driver.Skipped), driver.Clean},
		{of(driver.Skipped, driver.Found), driver.Found},
		{of(driver.Skipped, driver.Unknown, driver.Clean), driver.Unknown},
		{of(driver.Skipped, driver.Skipped), driver.Unknown},
	} {
		if c.got != c.want {
			t.Errorf("status %q, want %q", c.got, c.want)
		}
	}
}

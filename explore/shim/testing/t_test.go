package testing

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	std "testing"
)

// TestT_IsATB: a function that takes a testing.TB takes a T of this package.
func TestT_IsATB(t *std.T) {
	var tb std.TB = New("x", nil)
	if tb.Helper(); tb.Name() != "x" {
		t.Error(tb.Name())
	}
}

// TestT_Ends: FailNow and SkipNow end the function, and those of a subtest end that alone.
func TestT_Ends(t *std.T) {
	const skip = "NOT RUN: b"
	for name, c := range map[string]struct {
		f               func(t *T)
		failed, skipped bool
		logs            []string
	}{
		"passes": {func(t *T) { t.Log("a", 1) }, false, false, []string{"a 1"}},
		"error":  {func(t *T) { t.Errorf("b %d", 1); t.Log("c") }, true, false, []string{"b 1", "c"}},
		"fatal":  {func(t *T) { t.Fatal("b"); t.Log("c") }, true, false, []string{"b"}},
		"skip":   {func(t *T) { t.Skip("NOT RUN: b"); t.Log("c") }, false, true, []string{skip}},
		"sub fatal": {func(t *T) { t.Run("s t", func(t *T) { t.Fatal("b") }); t.Log("c") }, true, false,
			[]string{"x/s_t: b", "c"}},
		"sub skips": {func(t *T) { t.Run("s", func(t *T) { t.Skip("NOT RUN: b") }); t.Log("c") },
			false, false, []string{"x/s: " + skip, "c"}},
		"sub of sub": {func(t *T) { t.Run("s", func(t *T) { t.Run("u", func(t *T) { t.Fail() }) }) },
			true, false, nil},
		"output":     {func(t *T) { _, _ = t.Output().Write([]byte("b\n")) }, false, false, []string{"b"}},
		"in cleanup": {func(t *T) { t.Cleanup(func() { t.Fatal("b") }) }, true, false, []string{"b"}},
		"within skip": {func(t *T) { t.RunWithin(func(t *T) { t.Skip("NOT RUN: b") }); t.Log("c") },
			false, true, []string{skip}},
	} {
		x := New("x", nil)
		x.RunTest(c.f)
		if o := x.Outcome(); !o.Ended || o.Failed != c.failed || o.Skipped != c.skipped ||
			!slices.Equal(withoutLines(o.Logs), c.logs) {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// at matches the place of a message.
var at = regexp.MustCompile(`\bt_test\.go:\d+: `)

// withoutLines returns messages without their places.
func withoutLines(logs []string) (all []string) {
	for _, l := range logs {
		all = append(all, at.ReplaceAllString(l, ""))
	}
	return all
}

func help(t *T, text string) {
	t.Helper()
	t.Error(text)
}

// TestT_Lines: a message has the line of its call, or that of the call of a helper, as in the original; what
// is written to Output has none.
func TestT_Lines(t *std.T) {
	line := 0
	x := New("x", nil)
	x.RunTest(func(t *T) {
		_, _, line, _ = runtime.Caller(0)
		t.Log("a")
		help(t, "b")
		t.Run("s", func(t *T) { help(t, "c") })
		_, _ = t.Output().Write([]byte("d\n"))
		t.Cleanup(func() { help(t, "e") })
	})
	var want []string
	for i, what := range []string{"a", "b", "c", "d", "e"} {
		text := fmt.Sprintf("t_test.go:%d: %s", line+1+i, what)
		want = append(want, map[string]string{"c": "x/s: " + text, "d": what}[what])
		if want[i] == "" {
			want[i] = text
		}
	}
	if o := x.Outcome(); !slices.Equal(o.Logs, want) {
		t.Errorf("%q, not %q", o.Logs, want)
	}
}

// TestT_ContextAsked: the context of a test has ended when its functions of Cleanup are called, also if
// nobody asked for it earlier.
func TestT_ContextAsked(t *std.T) {
	for name, early := range map[string]bool{"early": true, "late": false} {
		x, before, behind := New("x", nil), error(nil), error(nil)
		x.RunTest(func(t *T) {
			if early {
				before = t.Context().Err()
			}
			t.Cleanup(func() { behind = t.Context().Err() })
		})
		if before != nil || behind == nil {
			t.Errorf("%s: the context says %v in the test and %v behind it", name, before, behind)
		}
	}
}

// TestT_Names: subtests of one name are numbered, as in the original.
func TestT_Names(t *std.T) {
	x, names := New("x", nil), []string(nil)
	x.RunTest(func(t *T) {
		for range 3 {
			t.Run("a", func(t *T) { names = append(names, t.Name()) })
		}
	})
	if want := []string{"x/a", "x/a#01", "x/a#02"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// TestT_PanicsGoOn: what is no FailNow is not recovered from, and what comes after the end is a panic.
func TestT_PanicsGoOn(t *std.T) {
	said := func(f func()) (text string) {
		defer func() {
			if err, ok := recover().(error); ok {
				text = err.Error()
			}
		}()
		f()
		return "nothing"
	}
	x := New("x", nil)
	var m map[int]int
	if text := said(func() { x.RunTest(func(t *T) { m[1] = 1 }) }); !strings.Contains(text, "nil map") {
		t.Error(text)
	}
	x = New("x", nil)
	const elsewhere = "FailNow or Fatal was called in a goroutine other than that of x\nb"
	if text := said(func() { x.Fatal("b") }); at.ReplaceAllString(text, "") != elsewhere {
		t.Error(text)
	}
	x = New("x", nil)
	x.RunTest(func(*T) {})
	defer func() {
		if r := recover(); r != "Log in goroutine after x has completed: b" {
			t.Error(r)
		}
	}()
	x.Log("b")
}

// TestT_Environment: variables and the working folder are as before once the test has ended, and its folders
// are gone.
func TestT_Environment(t *std.T) {
	t.Setenv("SAMECYCLE_A", "before")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	x, folder := New("x", nil), ""
	x.RunTest(func(t *T) {
		t.Setenv("SAMECYCLE_A", "in it")
		t.Setenv("SAMECYCLE_B", "in it")
		folder = t.TempDir()
		t.Chdir(folder)
		if a, b := os.Getenv("SAMECYCLE_A"), os.Getenv("SAMECYCLE_B"); a+b != "in itin it" {
			t.Errorf("%q, %q", a, b)
		}
	})
	_, set := os.LookupEnv("SAMECYCLE_B")
	now, err := os.Getwd()
	if _, gone := os.Stat(folder); x.Outcome().Failed || os.Getenv("SAMECYCLE_A") != "before" || set ||
		err != nil || now != here || !os.IsNotExist(gone) {
		t.Errorf("%+v; %q, %t; in %s; %v", x.Outcome(), os.Getenv("SAMECYCLE_A"), set, now, gone)
	}
}

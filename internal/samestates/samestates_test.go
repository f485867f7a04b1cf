package samestates

import (
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

func setOf(t *testing.T, states ...string) Set {
	t.Helper()
	set, err := NewSet(func(f func(string)) error {
		for _, s := range states {
			f(s)
		}
		return nil
	})
	if err != nil || set.Len() != len(states) {
		t.Fatalf("%d states of %v: %v", set.Len(), states, err)
	}
	return set
}

// A state that one side has and the other one lacks is a difference, whichever side it is.
func TestDifference_OfEitherSide(t *testing.T) {
	for _, x := range []struct{ spec, model, says string }{
		{"a b", "b a", ""},
		{"a b c", "a b", "1 states in TLC only, such as\nc\n0 states in the model only"},
		{"a", "a b c", "0 states in TLC only, such as\n\n2 states in the model only"},
		{"a b", "a c", "1 states in TLC only, such as\nb\n1 states in the model only, such as\nc"},
	} {
		d := Difference(setOf(t, strings.Fields(x.spec)...), setOf(t, strings.Fields(x.model)...))
		if (d == "") != (x.says == "") || !strings.HasPrefix(d, x.says) {
			t.Errorf("TLC %s, model %s: %q, want %q", x.spec, x.model, d, x.says)
		}
	}
}

var reValue = regexp.MustCompile(`x = \d+`)

// readValues reads the states of Tiny.tla, of one variable.
func readValues(dump io.Reader, f func(text string)) error {
	text, err := io.ReadAll(dump)
	for _, value := range reValue.FindAllString(string(text), -1) {
		f(value)
	}
	return err
}

// A dump that lacks a state, or has one too many, is no set to compare with: whatever the other side is.
func TestDumped_RefusesAnIncompleteDump(t *testing.T) {
	jvms := Machines(t)
	folder := t.TempDir()
	whole := filepath.Join(folder, "whole")
	r := Run(t, jvms, tlc.Job{Dir: "../tlc/testdata", Module: "Tiny", Config: "TinyOk.cfg",
		Args: []string{"-dump", whole}})
	text := Read(t, whole+".dump")
	last := strings.LastIndex(text, "State ")
	for name, c := range map[string]struct {
		text string
		good bool
	}{
		"as TLC writes it": {text, true},
		"the last missing": {text[:last], false},
		"cut in the last":  {text[:last+len("State 6:")], false},
		"one for another":  {strings.Replace(text, "x = 3", "x = 2", 1), false},
		"one twice":        {text + text[last:], true},
		"one too many":     {text + "State 7:\nx = 9\n", false},
		"empty":            {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, name)
			Write(t, path, c.text)
			set, err := dumped(path, readValues, r.Distinct)
			if (err == nil) != c.good || err != nil && !errors.Is(err, ErrDump) {
				t.Errorf("%d states of %d: %v", set.Len(), r.Distinct, err)
			}
		})
	}
}

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// TestRegionCommands_TheFileIsCut: whoever has a file open whose pages somebody takes away does not die of
// it. The error names the file, and says what to do.
func TestRegionCommands_TheFileIsCut(t *testing.T) {
	type table = *hopscotch.Table
	for name, c := range map[string]struct {
		open func(file string) (*region.Region, table, error)
		use  func(file string, r *region.Region, t table) error
	}{
		"dump": {openTable, func(_ string, r *region.Region, t table) error {
			return dumpTable(io.Discard, r, t, false)
		}},
		"dump --json": {openTable, func(_ string, r *region.Region, t table) error {
			return dumpTable(io.Discard, r, t, true)
		}},
		"verify": {openTable, func(file string, r *region.Region, t table) error {
			_, err := verifyTable(file, r, t)
			return err
		}},
		"repair --dry-run": {openTable, func(file string, r *region.Region, t table) error {
			_, err := newRepaired(file).rehearse(r, t)
			return err
		}},
		"repair, before": {openTable, func(file string, r *region.Region, _ table) error {
			_, err := newRepaired(file).look(r)
			return err
		}},
		"repair": {attachTable, func(file string, r *region.Region, t table) error {
			return newRepaired(file).repair(r, t, nil)
		}},
	} {
		path, _, _ := regionFile(t, 8)
		r, opened, err := c.open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		err = c.use(path, r, opened)
		if !errors.Is(err, region.ErrFault) || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), "unlink it and create it anew") {
			t.Errorf("%s: %v", name, err)
		}
		_ = r.Close() // which says so, too
	}
}

// TestWatch_TheFileIsCut: between two looks.
func TestWatch_TheFileIsCut(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	out := &onWrite{do: []func() error{func() error { return os.Truncate(path, 0) }}}
	var errOut strings.Builder
	code := run(context.Background(), &app{out: out, err: &errOut},
		[]string{"watch", path, "--count", "2", "--interval", "10ms", "--json"})
	if code != exitRed || !strings.Contains(errOut.String(), path+": page is not there at offset") {
		t.Errorf("%d\n%s%s", code, out, errOut.String())
	}
}

// TestRegionReports_ListsAreLists: where there is nothing in one of them, too. A program that goes through it
// would have to know of null as well.
func TestRegionReports_ListsAreLists(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	for command, lists := range map[string][]string{
		"watch --count 1": {"findings"}, "verify": {"findings", "damaged"}, "dump": {"descriptors"},
		"repair":           {"dead", "descriptors", "findings", "problems"},
		"repair --dry-run": {"dead", "descriptors", "findings", "problems"},
	} {
		code, out, errOut := call(append(strings.Fields(command), "--json", path)...)
		fields := asJSON[map[string]any](t, out)
		for _, name := range lists {
			if list, is := fields[name].([]any); code != exitOK || !is || len(list) != 0 {
				t.Errorf("%s: %d, %s is %v\n%s", command, code, name, fields[name], errOut)
			}
		}
	}
}

// TestRegionReports_Clean: neither is what has one finding, or one problem, of whatever kind, nor what had
// to end early without any.
func TestRegionReports_Clean(t *testing.T) {
	one := []string{"something"}
	for name, c := range map[string]struct {
		repaired repaired
		verified verification
		red      bool
	}{
		"nothing":  {repaired{}, verification{}, false},
		"findings": {repaired{Findings: one}, verification{Findings: make(hopscotch.Findings, 1)}, true},
		"the rest": {repaired{Problems: one}, verification{Damaged: one}, true},
		"more":     {repaired{More: true}, verification{More: true}, true},
	} {
		if got := c.repaired.report(); got.Red != c.red || c.repaired.Clean == c.red {
			t.Errorf("%s: repair: red %t, clean %t", name, got.Red, c.repaired.Clean)
		}
		got := c.verified.report()
		if v := got.Data.(verification); got.Red != c.red || v.Clean == c.red {
			t.Errorf("%s: verify: red %t, clean %t", name, got.Red, v.Clean)
		}
	}
}

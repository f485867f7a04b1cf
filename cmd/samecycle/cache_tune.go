package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/spf13/cobra"
)

func cacheTuneCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "tune FILE [NAME=VALUE]...",
		Short: "Show and change the live parameters of a cache",
		Long: `tune prints the live parameters of a cache: numbers that control it, and that can be changed
while processes use it. With NAME=VALUE it changes them first, for all processes. All
changes are checked before any is made.

A value is a whole number of the unit of its parameter. A number of ms may be a duration such
as 90s, and VALUE may be the word default. A star marks a value that is not the default.`,
		Example: `  samecycle cache tune sessions.cache
  samecycle cache tune sessions.cache ttl.default=2h
  samecycle cache tune sessions.cache compact.living=80 compact.gain=20
  samecycle cache tune sessions.cache janitor.run=default --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return errors.New("FILE is missing")
			}
			_, err := assignments(args[1:])
			return err
		},
		RunE: func(_ *cobra.Command, args []string) error {
			wanted, err := assignments(args[1:])
			if err != nil {
				return err
			}
			return withEntries(args[0], func(c *cache.Cache) error { return a.cacheTune(c, wanted) })
		},
	}
}

// assignment is one NAME=VALUE.
type assignment struct{ name, value string }

// assignments are the arguments of cache tune behind the file.
func assignments(args []string) (all []assignment, err error) {
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("%q is no change: write NAME=VALUE, such as ttl.default=2h", arg)
		}
		all = append(all, assignment{name, value})
	}
	return all, nil
}

// setting is the change that an assignment asks for. One of an unknown name has no value: the cache refuses
// it.
func (x assignment) setting(all []cache.Parameter) (cache.Setting, error) {
	s := cache.Setting{Name: x.name}
	i := slices.IndexFunc(all, func(p cache.Parameter) bool { return p.Name == x.name })
	if i < 0 {
		return s, nil
	}
	p := all[i]
	want := "a whole number of " + p.Unit
	if x.value == "default" {
		s.Value = p.Default
		return s, nil
	}
	n, err := strconv.ParseUint(x.value, 10, 64)
	if p.Unit == "ms" {
		want += ", or a duration such as 90s"
		d, bad := time.ParseDuration(x.value)
		if err != nil && bad == nil && d >= 0 && d%time.Millisecond == 0 {
			n, err = uint64(d/time.Millisecond), nil
		}
	}
	if err != nil {
		return s, lineError("%s=%s: use %s, %d to %d, or default", x.name, x.value, want, p.Least, p.Most)
	}
	s.Value = n
	return s, nil
}

// parameterLine is a live parameter in the result of cache tune --json.
type parameterLine struct {
	Name    string `json:"name"`
	Value   uint64 `json:"value"`
	Unit    string `json:"unit"`
	Default uint64 `json:"default"`
	Least   uint64 `json:"min"`
	Most    uint64 `json:"max"`
	Tuned   bool   `json:"tuned"`   // the value is another one than the default
	Damaged bool   `json:"damaged"` // what is in the file is out of bounds, and the default is in force
	Meaning string `json:"meaning"`
}

// linesOf are live parameters as they are printed.
func linesOf(all []cache.Parameter) (lines []parameterLine) {
	for _, p := range all {
		lines = append(lines, parameterLine{p.Name, p.Value, p.Unit, p.Default, p.Least, p.Most,
			p.Tuned && p.Value != p.Default, p.Damaged, p.Meaning})
	}
	return lines
}

// mark is what is behind the value for a person.
func (p parameterLine) mark() string {
	switch {
	case p.Damaged:
		return " damaged"
	case p.Tuned:
		return "*"
	}
	return ""
}

// tuning is the result of cache tune.
type tuning struct {
	File       string          `json:"file"`
	Changed    []string        `json:"changed"` // names that were given a value by this call
	Parameters []parameterLine `json:"parameters"`
	before     []cache.Parameter
}

func (a *app) cacheTune(c *cache.Cache, wanted []assignment) error {
	t := tuning{File: c.File(), Changed: []string{}, before: c.Parameters()}
	var settings []cache.Setting
	for _, x := range wanted {
		s, err := x.setting(t.before)
		if err != nil {
			return err
		}
		settings = append(settings, s)
		t.Changed = append(t.Changed, s.Name)
	}
	var refused *cache.TuneError
	switch err := c.TuneAll(settings...); {
	case errors.As(err, &refused):
		return lineError("%w", refused)
	case err != nil:
		return failed(err)
	}
	t.Parameters = linesOf(c.Parameters())
	if len(t.before) == 0 || len(t.Parameters) != len(t.before) {
		return failed(fmt.Errorf("%s: live parameters: %w", t.File, cache.ErrBusy))
	}
	return a.deliver(report{Data: t, Text: t.write}, nil)
}

// write prints what has changed, or else the table.
func (t tuning) write(w io.Writer) error {
	if len(t.Changed) > 0 {
		return t.writeChanges(w)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "parameter\tvalue\tunit\tdefault\tbounds\tmeaning")
	for _, p := range t.Parameters {
		fmt.Fprintf(tab, "%s\t%d%s\t%s\t%d\t%d to %d\t%s\n", p.Name, p.Value, p.mark(), p.Unit, p.Default,
			p.Least, p.Most, p.Meaning)
	}
	return tab.Flush()
}

func (t tuning) writeChanges(w io.Writer) error {
	for _, name := range t.Changed {
		for i, p := range t.Parameters {
			if p.Name != name {
				continue
			}
			_, err := fmt.Fprintf(w, "%s: %d %s, was %d\n", name, p.Value, p.Unit, t.before[i].Value)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/mutate"
)

// defaultLedger is for runs whose outcomes nobody keeps: each overwrites it.
const defaultLedger = "bin/mutants.json"

// out is the file of --out: without the flag one of the repository.
func (c *mutantRun) out() string {
	if c.flags.out == defaultLedger {
		return filepath.Join(c.root, filepath.FromSlash(defaultLedger))
	}
	path, err := filepath.Abs(c.flags.out)
	if err != nil { // the working folder is gone
		return c.flags.out
	}
	return path
}

// page is the file for readers beside it.
func (c *mutantRun) page() string {
	return strings.TrimSuffix(c.out(), filepath.Ext(c.out())) + ".md"
}

// pageOf is what that file says of a ledger.
func (c *mutantRun) pageOf(l mutate.Ledger) string {
	text := l.Markdown(c.engine)
	if programless(c.registered) {
		text = withoutPrograms(text)
	}
	if c.flags.limit > 0 {
		text += sampleSection(l.Outcomes, c.population, c.flags.seed)
	}
	return text
}

// put writes the ledger and its page; of a symbolic link it writes the target.
func (c *mutantRun) put(l mutate.Ledger) error {
	out, err := evidence.Target(c.out())
	page, e := evidence.Target(c.page())
	if err = errors.Join(err, e); err != nil {
		return err
	}
	return errors.Join(l.Save(out), mutate.SavePage(page, c.pageOf(l)))
}

// kept is the folder of --keep. Its first letter keeps its Go files out of what ./... names.
func (c *mutantRun) kept() string { return filepath.Join(c.root, "bin", "_mutants") }

// hold keeps other runs from what this one reads, and later writes: they would lose one another's outcomes.
func (c *mutantRun) hold() (release func(), err error) {
	out, err := holdWritable("--out", c.out())
	if err != nil || !c.flags.keep {
		return out, err
	}
	kept, err := hold("--keep", c.kept())
	if err != nil {
		out()
		return nil, err
	}
	return func() { kept(); out() }, nil
}

// remember reads what an earlier run has left in --out, unless it is of no use: to list what there is.
func (c *mutantRun) remember() error {
	if c.flags.list && !c.flags.again {
		return nil
	}
	var err error
	c.old, err = mutate.ReadLedger(c.out())
	if err != nil && (c.flags.again || !errors.Is(err, os.ErrNotExist)) {
		return err
	}
	if other := c.old.OfAnother(c.engine); other != nil {
		if c.flags.out != defaultLedger {
			return fmt.Errorf("%s: %w; name the engine by --engine, or another file", c.flags.out, other)
		}
		c.old = mutate.Ledger{}
	}
	c.known = map[string]mutate.Outcome{}
	for _, o := range c.old.Outcomes {
		c.known[o.Name] = o
	}
	return nil
}

// pattern is what the names of the chosen mutants match; a sample is one of all names.
func (f mutantFlags) pattern() string {
	if f.only != "" {
		return "^" + regexp.QuoteMeta(f.only) + "$"
	}
	return f.filter
}

// choice is which mutants are looked for: the wanted ones, or with --again those known, those that are
// drawn for functions of which too few are known, and those that --filter adds.
func (c *mutantRun) choice(wanted func(string) bool) (func(string) bool, error) {
	if !c.flags.again {
		return wanted, nil
	}
	about, err := regexp.Compile(c.old.Filter)
	if err != nil {
		return nil, failed(fmt.Errorf("%s: its filter: %w; judge again without --again", c.flags.out, err))
	}
	chosen := func(name string) bool {
		_, known := c.known[name]
		return known || c.flags.filter != "" && wanted(name)
	}
	c.drawn = c.all.Draw(chosen, about.MatchString, c.old.Seed)
	if len(c.drawn) > 0 {
		c.progress.line("%s has too few mutants of these functions, so some are drawn: %s", c.flags.out,
			functionsOf(c.drawn))
	}
	return func(name string) bool {
		_, drawn := slices.BinarySearch(c.drawn, name)
		return drawn || chosen(name)
	}, nil
}

// loses is the error of a run that would overwrite outcomes of mutants that it does not judge.
func (c *mutantRun) loses(sample []*mutate.Mutant) error {
	f := c.flags
	if f.again || f.out == defaultLedger {
		return nil
	}
	if f.pattern() == "" && f.limit == 0 {
		return nil // it judges all there is
	}
	if c.old.Command == f.command() {
		return nil // it draws the same sample of the code as it is now
	}
	judged := map[string]bool{}
	for _, m := range sample {
		judged[m.Name] = true
	}
	var lost []string
	for name := range c.known {
		if !judged[name] {
			lost = append(lost, name)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return fmt.Errorf("%s has outcomes of %d mutants that this run does not judge and would lose, such as "+
		"%s; add --again to keep them, or name another file", f.out, len(lost), slices.Min(lost))
}

// tellGone says which of the known mutants exist no more: their outcomes end with this run.
func (c *mutantRun) tellGone() {
	if !c.flags.again {
		return
	}
	there := map[string]bool{}
	for _, m := range c.found.Mutants {
		there[m.Name] = true
	}
	for name := range c.known {
		if !there[name] {
			c.gone = append(c.gone, name)
		}
	}
	slices.Sort(c.gone)
	if len(c.gone) > 0 {
		c.progress.line("%s has mutants that exist no more, and loses them: %s", c.flags.out,
			functionsOf(c.gone))
	}
}

// functionsOf are the functions of the names, each with how many of them it has.
func functionsOf(names []string) string {
	n := map[string]int{}
	for _, name := range names {
		function, _, _ := strings.Cut(name, "#")
		n[function]++
	}
	var list []string
	for function, of := range n {
		list = append(list, fmt.Sprintf("%s %d", function, of))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// errLedgerGaps says that the ledger is not one of the engine as it is.
var errLedgerGaps = errors.New("the ledger is not of the engine as it is")

// ledgerGaps is the error of a ledger that has mutants which exist no more, or lacks a function.
func ledgerGaps(e *mutate.Engine, g mutate.Gaps) error {
	var what []string
	if len(g.Unjudged) > 0 {
		what = append(what, "no mutant is judged of "+strings.Join(g.Unjudged, ", "))
	}
	if len(g.Gone) > 0 {
		what = append(what, "these mutants exist no more: "+functionsOf(g.Gone))
	}
	if what == nil {
		return nil
	}
	return fmt.Errorf("%w: %s; judge what has changed: samecycle mutants --engine %s --out %s --again "+
		"--resume", errLedgerGaps, strings.Join(what, "; "), e.Name, e.Ledger())
}

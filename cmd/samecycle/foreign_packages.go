package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/foreign/driver"
	"github.com/samecycle/samecycle/internal/plural"
)

// packageReport is what was found in one of several packages.
type packageReport struct {
	Package string         `json:"package"`
	Verdict string         `json:"verdict"`
	Error   string         `json:"error,omitempty"` // why it was not searched
	Report  foreign.Report `json:"report,omitzero"`
}

// red reports whether the package makes the exit status 1. One whose tests all skip themselves does not.
func (p packageReport) red() bool {
	return p.Error != "" || p.Report.Status() != driver.Clean && !p.skipped()
}

func (p packageReport) skipped() bool {
	return len(p.Report.Results) > 0 && !slices.ContainsFunc(p.Report.Results,
		func(r driver.Result) bool { return r.Status != driver.Skipped })
}

// explorePackages explores the tests of all packages that FOLDER/... stands for, one package after the other.
// What is found is printed as soon as a package is done, and the verdicts at the end. A package that cannot
// be explored is no reason to leave the others out. A time is for all of them.
func (a *app) explorePackages(ctx context.Context, spec string, o foreign.Options) error {
	if o.Subject.Package != "" {
		return fmt.Errorf("--package %s with %s: it chooses one of several packages: leave it out, or name "+
			"one folder", o.Subject.Package, spec)
	}
	targets, err := foreign.TestPackages(ctx, spec, o.Test)
	if err != nil {
		return err
	}
	var all []packageReport
	end := time.Now().Add(o.Time)
	for i, target := range targets {
		if ctx.Err() != nil {
			all = append(all, packageReport{Package: target, Verdict: "not searched",
				Error: "an interrupt came before"})
			continue
		}
		each := o
		if o.Time > 0 {
			each.Time = max(time.Until(end)/time.Duration(len(targets)-i), time.Second)
		}
		p := a.explorePackage(ctx, target, each)
		all = append(all, p)
		if a.json {
			continue
		}
		if err := a.printPackage(p); err != nil {
			return failed(err)
		}
	}
	return a.deliver(packagesReport(ctx, all), nil)
}

func (a *app) explorePackage(ctx context.Context, target string, o foreign.Options) packageReport {
	rep, err := foreign.Explore(ctx, target, o)
	rep.WritePages(failuresIn(o.Root))
	p := packageReport{Package: target, Report: rep, Verdict: rep.Verdict()}
	switch {
	case err != nil:
		p.Verdict, p.Error = "not explored", err.Error()
	case p.skipped():
		p.Verdict = "all of its tests skip themselves"
	}
	return p
}

// printPackage prints what was found in a package.
func (a *app) printPackage(p packageReport) error {
	text := p.Report.Text()
	if p.Error != "" {
		text = fmt.Sprintf("%s: %s: %s\n", p.Package, p.Verdict, p.Error)
	}
	_, err := io.WriteString(a.out, text+"\n")
	return err
}

// packagesReport is red unless each package is clean, and at least one is.
func packagesReport(ctx context.Context, all []packageReport) report {
	var count struct{ clean, skipped, found, other int }
	for _, p := range all {
		switch {
		case p.Error == "" && p.Report.Status() == driver.Found:
			count.found++
		case p.red():
			count.other++
		case p.skipped():
			count.skipped++
		default:
			count.clean++
		}
	}
	return report{Red: ctx.Err() != nil || count.clean == 0 || count.found+count.other > 0, Data: all,
		Text: func(out io.Writer) error {
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "package\tverdict\ttests that are not clean\n")
			for _, p := range all {
				fmt.Fprintf(w, "%s\t%s\t%s\n", p.Package, p.Verdict, p.notClean())
			}
			err := w.Flush()
			_, more := fmt.Fprintf(out, "\n%s: %d clean, %d skipped, %d with a failure, %d unknown or not "+
				"explored\n", plural.Of(len(all), "package"), count.clean, count.skipped, count.found,
				count.other)
			return errors.Join(err, more)
		}}
}

// notClean names the tests of the package that a reader has to look at: those that fail, and those that are
// unknown. Without one it is "-".
func (p packageReport) notClean() string {
	var names []string
	for _, r := range p.Report.Results {
		if r.Status != driver.Clean && r.Status != driver.Skipped {
			name := r.Name
			if i := strings.Index(name, ".Test"); i >= 0 && !strings.HasPrefix(name, "Test") {
				name = name[i+1:] // without the folder of the package
			}
			names = append(names, fmt.Sprintf("%s (%s)", name, r.Status))
		}
	}
	return cmp.Or(strings.Join(names, ", "), "-")
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/foreign/driver"
)

// isForeign tells a target outside of the repository from an operation state.
func isForeign(arg string) bool {
	return strings.HasPrefix(arg, "sync.Map") || strings.ContainsAny(arg, "/@") || arg == "." ||
		arg == ".."
}

func (a *app) exploreForeign(ctx context.Context, target string, o foreign.Options) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	if o.Root = root; o.Subject.Type != "" || o.Test != "" {
		o.Log = a.err // of a minute and more
	}
	if o.Test != "" && foreign.Everywhere(target) {
		return a.explorePackages(ctx, target, o)
	}
	rep, err := foreign.Explore(ctx, target, o)
	rep.WritePages(failuresIn(root))
	if errors.Is(err, foreign.ErrTarget) {
		return err // of the command line
	}
	return a.deliver(foreignReport(ctx, rep), err)
}

// typeFlags are the flags of explore that name a type of a module.
type typeFlags struct {
	foreign.Subject
	Test   string
	Leaks  bool
	Actors int
}

func (f *typeFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Type, "type", "", "foreign code: explore this type, without an adapter")
	flags.StringVar(&f.Test, "test", "",
		"foreign code: explore the tests whose names match this expression, or their subtests: NAME/SUBTEST")
	flags.BoolVar(&f.Leaks, "leaks", false,
		"of tests: goroutines that do not end when a test has returned are a failure of it")
	flags.StringVar(&f.Package, "package", "",
		"the package of the type or of the tests, below the module's path")
	flags.StringVar(&f.New, "new", "", "the function that makes a value, or zero for the zero value")
	flags.StringSliceVar(&f.Calls, "call", nil, "the methods that programs call, by comma")
	flags.StringSliceVar(&f.Single, "single", nil,
		"the methods that one actor of a program calls alone, by comma")
	flags.IntVar(&f.Actors, "actors", driver.DefaultActors,
		fmt.Sprintf("with --type: most actors of a random program, %d or %d", driver.DefaultActors,
			driver.MostActors))
}

// foreignOptions are the options of a search of foreign code. Only those of a type has a budget.
func (r *exploreRequest) foreignOptions(cmd *cobra.Command, target string) (foreign.Options, error) {
	o := foreign.Options{Races: r.Races, Subject: r.Types.Subject,
		Test: r.Types.Test, Leaks: r.Types.Leaks}
	others := []string{"kills", "tokens", "strategy", "depth", "stateless", "shard", "processes",
		"checkpoint", "coverage", "solo", "lock-free", "reduce", "apart", "exact"}
	if err := onlyForStates(cmd, target, others...); err != nil {
		return o, err
	}
	for _, name := range []string{"new", "call", "single", "actors", "time", "executions", "seed"} {
		ofTests := o.Test != "" && slices.Contains([]string{"time", "executions", "seed"}, name)
		if o.Subject.Type == "" && !ofTests && cmd.Flags().Changed(name) {
			return o, fmt.Errorf("--%s with %s: it is for a search of one type: name it by --type, or leave "+
				"--%s out", name, target, name)
		}
	}
	switch {
	case o.Test != "" && o.Subject.Type != "":
		return o, errors.New("--test and --type: explore either tests or a type")
	case o.Leaks && o.Test == "":
		return o, errors.New("--leaks is for a search of tests: name them by --test")
	}
	for name, methods := range map[string][]string{"call": r.Types.Calls, "single": r.Types.Single} {
		if slices.Contains(methods, "") {
			return o, fmt.Errorf("--%s %s: a name is empty: name methods, with one comma between two", name,
				strings.Join(methods, ","))
		}
	}
	executions := driver.DefaultExecutions
	if o.Test != "" {
		executions = driver.DefaultOfTest
	}
	switch {
	case r.Fixed && r.Bound < 1 && r.Bound != explore.Unbounded:
		return o, fmt.Errorf("--bound %d: foreign code needs 1 or more, or -1 for none", r.Bound)
	case r.Executions < 0:
		return o, fmt.Errorf("--executions %d: use 0 for %d, or more", r.Executions,
			executions)
	case r.Time < 0:
		return o, fmt.Errorf("--time %v: use a duration like 90s, or 0 for %v", r.Time, driver.DefaultTime)
	case r.Types.Actors < driver.DefaultActors || r.Types.Actors > driver.MostActors:
		return o, fmt.Errorf("--actors %d: use %d or %d", r.Types.Actors, driver.DefaultActors,
			driver.MostActors)
	}
	if r.Fixed { // else it is the default, beyond which a search of tests may go
		o.Preemptions = r.Bound
	}
	o.Time, o.Executions, o.Actors, o.Seed = r.Time, uint64(r.Executions), r.Types.Actors, r.Seed
	if !cmd.Flags().Changed("seed") {
		o.Seed = rand.Uint64N(1e9)
	}
	return o, nil
}

// checkTypes refuses the flags of a type with what has none.
func (r *exploreRequest) checkTypes(cmd *cobra.Command) error {
	for _, name := range []string{"type", "test", "leaks", "package", "new", "call", "single", "actors"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for foreign code: name a module as MODULE@VERSION or ./FOLDER", name)
		}
	}
	return nil
}

func (a *app) replayForeign(ctx context.Context, r replayRequest) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	again := foreign.Replay
	if r.Minimise {
		again = foreign.Minimise
	}
	rep, err := again(ctx, r.Token, foreign.Options{Root: root})
	rep.WritePages(failuresIn(root))
	if err == nil && r.Export != "" {
		if err = exportTest(r.Export, rep.Package(), rep.Export); err == nil {
			fmt.Fprintf(a.err, "test written: %s\n", r.Export)
		}
	}
	return a.deliver(foreignReport(ctx, rep), ofToken(err))
}

// foreignReport is red unless every suite is clean: found, and unknown, too; so is what an interrupt has
// ended, whatever it has seen until then.
func foreignReport(ctx context.Context, rep foreign.Report) report {
	cut := ctx.Err() != nil
	return report{Red: cut || rep.Status() != driver.Clean, Data: rep, Text: func(w io.Writer) error {
		_, err := io.WriteString(w, rep.Text())
		if err == nil && cut {
			_, err = io.WriteString(w, "\nNOT FINISHED: an interrupt came before all was searched\n")
		}
		return err
	}}
}

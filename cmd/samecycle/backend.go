package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/spf13/cobra"
)

// report is what a backend found out.
type report struct {
	Red  bool                  // makes the exit status 1
	Text func(io.Writer) error // prints it for a person
	Data any                   // the result of --json
}

// exploreRequest asks for a search of one state's interleavings.
type exploreRequest struct {
	Failures   string          // folder for pages of failures
	Root       string          // what --root says
	Engine     *harness.Engine // of the State
	State      catalog.State
	Program    string // of the State; empty: all its programs
	Exact      bool   // Program has the name of its State
	Cast       string // of processes that come and go, or all of them; empty: explore State
	History    string // file of a refused history; empty: explore State
	Bound      int    // on the involuntary switches, if Fixed; -1 means none
	Fixed      bool   // search within Bound only; else with 0, 1, ... up to each program's own
	Kills      int    // how many actors may be killed
	Executions int    // limit of executions per program and bound; 0 means none
	Tokens     bool   // print a token for each outcome
	Races      bool   // of foreign code: report its plain accesses
	Types      typeFlags
	Progress   evidence.Progress
	Say        func(format string, args ...any) // a line of news that stays
	searchFlags
}

// replayRequest asks for one interleaving again.
type replayRequest struct {
	Failures string // folder for pages of failures
	Token    string
	Steps    bool   // report every step with its place in the source
	Minimise bool   // make the failure smaller first
	Export   string // file to write a test to; empty: none
	Real     bool   // run it in processes of the system, too
	Say      func(format string, args ...any)
}

// The backends. Each is nil in a program that was built without what it needs.
var (
	exploreBackend func(context.Context, exploreRequest) (report, error)
	replayBackend  func(context.Context, replayRequest) (report, error)
	replayServer   func(program, file string, process int, in io.Reader, out io.Writer) error
)

// buildHint is the one line that a program without the explorer has to say.
const buildHint = "this program was built without the tag explore; build one with it: " +
	"make build (go build -tags explore -o bin/samecycle ./cmd/samecycle)"

// needsExplorer returns the error of a command whose backend is absent.
func needsExplorer(command string, absent bool) error {
	if !absent {
		return nil
	}
	return failed(fmt.Errorf("%s is NOT RUN: %s", command, buildHint))
}

// deliver prints a backend's report.
func (a *app) deliver(r report, err error) error {
	if err != nil {
		return failed(err)
	}
	switch {
	case a.json:
		err = a.printJSON(r.Data)
	case r.Text != nil:
		err = failed(r.Text(a.out))
	}
	if err == nil && r.Red {
		err = errRed
	}
	return err
}

// oneArgument is cobra's ExactArgs(1) with an error that names what is missing.
func oneArgument(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return errors.New(what + " is missing")
		case 1:
			return nil
		}
		return fmt.Errorf("one %s is enough, got %d", what, len(args))
	}
}

// oneFile wants the name of a file, which an empty one is not.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] == "" {
		args = nil
	}
	return oneArgument("FILE")(cmd, args)
}

// noArguments refuses them; a state says where it belongs.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, _, err := engineState(args[0]); err == nil && cmd.Flags().Lookup("state") != nil {
		return fmt.Errorf("%s takes no arguments; for one state: %s --state %s", cmd.CommandPath(),
			cmd.CommandPath(), args[0])
	}
	return fmt.Errorf("%s takes no arguments; leave %q out", cmd.CommandPath(), args[0])
}

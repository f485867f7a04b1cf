package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign"
	"github.com/spf13/cobra"
)

func replayCommand(a *app) *cobra.Command {
	var r replayRequest
	cmd := &cobra.Command{
		Use:   "replay TOKEN",
		Short: "Run one interleaving again",
		Long: `replay runs the one interleaving that a token describes, and prints what it comes to.
Tokens come from explore, check and the records of failed cells.

A failure prints its steps, and is written to results/failures as one page for a browser.

--minimise takes operations, then actors, then switches away as long as the failure stays one
of the same kind and of the same invariant, and ends with a smaller token. Each program that it
tries is searched within limits, so the result need not be the smallest one; the notes that it
prints say what was left open. An interrupt ends it with the best so far.

--real runs it once more in processes of the operating system, one for each actor, on one region
file: each stops ahead of each shared access until it is its turn, one that dies is killed, and
each step, and at the end each word of the region, must be as in the explorer. It says which step
differs first.

--export writes the failing execution as a Go test. It fails while the execution fails, and
searches anew with as many switches when the code no longer takes that way. The test of
foreign code is for a module that uses it and needs nothing else: it runs the program on
goroutines for ten seconds, so it fails by chance, and a pass is no proof. That of a race is to
be run with go test -race.`,
		Example: `  samecycle replay TOKEN
  samecycle replay TOKEN --steps       with each access and its place in the source
  samecycle replay TOKEN --minimise
  samecycle replay TOKEN --real
  samecycle replay TOKEN --minimise --export scenarios/failure_test.go`,
		Args: oneArgument("TOKEN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Token = args[0]
			if r.Export != "" {
				if err := checkExport(r.Export); err != nil {
					return err
				}
			}
			if err := r.checkReal(); err != nil {
				return err
			}
			if _, err := foreign.TokenTarget(r.Token); err == nil {
				return a.replayForeign(cmd.Context(), r)
			}
			if err := needsExplorer("replay", replayBackend == nil); err != nil {
				return err
			}
			var err error
			if r.Failures, err = a.failuresFolder(); err != nil {
				return err
			}
			p := newProgress(a.err)
			r.Say = p.line
			found, err := replayBackend(cmd.Context(), r)
			p.close()
			return a.deliver(found, ofToken(err))
		},
	}
	cmd.Flags().BoolVar(&r.Steps, "steps", false, "print each step with its place in the source")
	cmd.Flags().BoolVar(&r.Minimise, "minimise", false, "take away what the failure does not need")
	cmd.Flags().BoolVar(&r.Real, "real", false, "once more in real processes, released step by step")
	cmd.Flags().StringVar(&r.Export, "export", "",
		"write the failure to this file as a Go test, NAME_test.go")
	return cmd
}

// ofToken makes the error of a token that is none one of the command line.
func ofToken(err error) error {
	if errors.Is(err, explore.ErrToken) || errors.Is(err, foreign.ErrToken) {
		return &wrongLine{err}
	}
	return err
}

// checkReal refuses what does not go with real processes.
func (r replayRequest) checkReal() error {
	switch _, err := foreign.TokenTarget(r.Token); {
	case !r.Real:
		return nil
	case err == nil:
		return errors.New("--real is for operation states and processes; leave it out with foreign code")
	case r.Minimise || r.Export != "" || r.Steps:
		return errors.New("--real with --minimise, --export or --steps: replay the token without --real " +
			"for these")
	}
	return nil
}

// replayWorker is the hidden command that is one process of replay --real.
const replayWorker = "replay-process"

func replayWorkerCommand() *cobra.Command {
	return &cobra.Command{Use: replayWorker + " PROGRAM FILE PROCESS", Hidden: true, Args: cobra.ExactArgs(3),
		Short: "One process of a replay in real processes",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := needsExplorer(replayWorker, replayServer == nil); err != nil {
				return err
			}
			i, err := strconv.Atoi(args[2])
			if err != nil {
				return fmt.Errorf("process %q: %w; give its number", args[2], err)
			}
			return failed(replayServer(args[0], args[1], i, os.Stdin, os.Stdout))
		}}
}

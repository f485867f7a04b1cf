package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign"
	"github.com/spf13/cobra"
)

func replayCommand(a *app) *cobra.Command {
	var r replayRequest
	cmd := &cobra.Command{
		Use:   "replay TOKEN",
		Short: "Run one interleaving again",
		Long: `replay runs the one interleaving that a token describes, and prints its outcome. Tokens
come from explore, check and the records of failed cells. A token of a folder of your own is
replayed in the folder in which explore ran; the command that explore prints goes there.

If it fails, replay prints its steps and writes a page for a browser to results/failures.

--minimise removes operations, then actors, then preemptions, as long as the failure is of
the same kind and violates the same invariant, and prints a smaller token. Each smaller
program is searched within limits, so the result need not be the smallest one; notes say
what was left open. An interrupt ends it with the best result so far.

--real also runs it in processes of the operating system, one for each actor, on one region
file. Each process stops before each shared access until it is its turn, and one that dies
is killed. Each step, and at the end each word of the region, must be as in the explorer;
otherwise replay names the first step that differs.

--export writes the failing execution as a Go test. The test fails as long as this execution
fails. If the code no longer takes this path, the test searches again with as many
preemptions. The test of a module of other people can be run in any module that uses it. It
runs the program on goroutines for ten seconds; it may miss the failure, so a pass is no
proof. Run the test of a data race with go test -race. The names in it are its own, so that a
folder may have several.`,
		Example: `  samecycle replay TOKEN
  samecycle replay TOKEN --steps       with each access and its place in the source
  samecycle replay TOKEN --minimise
  samecycle replay TOKEN --real
  samecycle replay TOKEN --minimise --export scenarios/failure_test.go`,
		Args: tokenArgument,
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
	cmd.Flags().BoolVar(&r.Minimise, "minimise", false,
		"remove operations and preemptions that the failure does not need")
	cmd.Flags().BoolVar(&r.Real, "real", false, "run it also in real processes, step by step")
	cmd.Flags().StringVar(&r.Export, "export", "",
		"write the failure to this file as a Go test, NAME_test.go")
	return cmd
}

// tokenArgument wants a token, and refuses one that was copied with more than it has, whose checksum would
// seem wrong.
func tokenArgument(cmd *cobra.Command, args []string) error {
	if err := oneArgument("TOKEN")(cmd, args); err != nil {
		return err
	}
	const more = "'\"`\u2018\u2019\u201c\u201d \t\r\n"
	bare := strings.Trim(args[0], more)
	if before, after, _ := strings.Cut(args[0], bare); bare != "" && before+after != "" {
		return fmt.Errorf("token with %q before it and %q behind it, which are no part of it: leave them out",
			before, after)
	}
	return nil
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

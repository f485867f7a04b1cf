package main

import (
	"github.com/samecycle/samecycle/scenarios/foreign"
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

--export writes the failing execution as a Go test. It fails while the execution fails, and
searches anew with as many switches when the code no longer takes that way. The test of
foreign code is for a module that uses it and needs nothing else: it runs the program on
goroutines for ten seconds, so it fails by chance, and a pass is no proof.`,
		Example: `  samecycle replay TOKEN
  samecycle replay TOKEN --steps       with each access and its place in the source
  samecycle replay TOKEN --minimise
  samecycle replay TOKEN --minimise --export scenarios/failure_test.go`,
		Args: oneArgument("TOKEN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Token = args[0]
			if r.Export != "" {
				if err := checkExport(r.Export); err != nil {
					return err
				}
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
			return a.deliver(found, err)
		},
	}
	cmd.Flags().BoolVar(&r.Steps, "steps", false, "print each step with its place in the source")
	cmd.Flags().BoolVar(&r.Minimise, "minimise", false, "take away what the failure does not need")
	cmd.Flags().StringVar(&r.Export, "export", "",
		"write the failure to this file as a Go test, NAME_test.go")
	return cmd
}

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
Tokens come from explore, check and the records of failed cells.`,
		Example: `  samecycle replay TOKEN
  samecycle replay TOKEN --steps       with each access and its place in the source`,
		Args: oneArgument("TOKEN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Token = args[0]
			if _, err := foreign.TokenTarget(r.Token); err == nil {
				return a.replayForeign(cmd.Context(), r.Token)
			}
			if err := needsExplorer("replay", replayBackend == nil); err != nil {
				return err
			}
			var err error
			if r.Failures, err = a.failuresFolder(); err != nil {
				return err
			}
			return a.deliver(replayBackend(cmd.Context(), r))
		},
	}
	cmd.Flags().BoolVar(&r.Steps, "steps", false, "print each step with its place in the source")
	return cmd
}

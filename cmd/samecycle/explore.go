package main

import (
	"github.com/spf13/cobra"
)

func exploreCommand(a *app) *cobra.Command {
	var r exploreRequest
	cmd := &cobra.Command{
		Use:   "explore STATE",
		Short: "Search the interleavings of a state on the shipping source",
		Long: `explore runs the scenario of an operation state under every interleaving within the
bound, on the engine's own source files, and checks each step and each history.

A failure prints a token; replay runs that one interleaving again.`,
		Example: `  samecycle explore S04
  samecycle explore S04 --preemptions -1 --kills 1
  samecycle explore S04AddCollisionEmpty --json`,
		Args: oneArgument("STATE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if r.State, err = stateArgument(args[0]); err != nil {
				return err
			}
			if err := needsExplorer("explore", exploreBackend == nil); err != nil {
				return err
			}
			if r.Root, err = a.repository(); err != nil {
				return err
			}
			p := newProgress(a.err)
			defer p.close()
			r.Progress = p.update
			found, err := exploreBackend(cmd.Context(), r)
			p.close()
			return a.deliver(found, err)
		},
	}
	cmd.Flags().IntVar(&r.Preemptions, "preemptions", 2, "bound on involuntary switches; -1: none")
	cmd.Flags().IntVar(&r.Kills, "kills", 0, "how many actors may be killed")
	cmd.Flags().IntVar(&r.Executions, "executions", 0, "limit of executions; 0: none")
	cmd.Flags().Uint64Var(&r.Seed, "seed", 1, "seed of the random choices")
	return cmd
}

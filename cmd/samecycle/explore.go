package main

import (
	"github.com/spf13/cobra"
)

func exploreCommand(a *app) *cobra.Command {
	var r exploreRequest
	cmd := &cobra.Command{
		Use:   "explore STATE|MODULE@VERSION|sync.Map",
		Short: "Search the interleavings of a state, or of foreign code",
		Long: `explore runs the scenario of an operation state under every interleaving within the
bound, on the engine's own source files, and checks each step and each history.

A module by version, or sync.Map, is explored in a rewritten copy in which only import
paths differ; nothing in the module cache or in the Go distribution is touched.

A failure prints a token; replay runs that one interleaving again.`,
		Example: `  samecycle explore S04
  samecycle explore S04 --preemptions -1 --kills 1
  samecycle explore S04AddCollisionEmpty --json
  samecycle explore sync.Map
  samecycle explore github.com/alphadose/haxmap@v1.4.1`,
		Args: oneArgument("STATE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isForeign(args[0]) {
				return a.exploreForeign(cmd.Context(), args[0], r.Preemptions)
			}
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

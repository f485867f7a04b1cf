package main

import (
	"github.com/spf13/cobra"
)

func dumpCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "dump FILE",
		Short: "Print a region file in readable form",
		Long: `dump prints the geometry, the cells in use and the descriptors of the table in a region file.
For a cache it also prints the baskets and the records. It does not check them; verify does.

With --json each record to which the table leads has its value, in base64. So this saves what
can still be read of a damaged cache.`,
		Example: `  samecycle dump cache.region
  samecycle dump cache.region --json`,
		Args: oneFile,
		RunE: untilInterrupt(func(_ *cobra.Command, args []string) error {
			return failed(dumpRegion(a.out, args[0], a.json))
		}),
	}
}

package main

import (
	"github.com/spf13/cobra"
)

func dumpCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "dump FILE",
		Short: "Print a region file for a person to read",
		Long: `dump prints the header, the cells and the descriptors of a region file, and of a cache the
baskets and the records, too. It does not check them; verify does.`,
		Example: `  samecycle dump cache.region
  samecycle dump cache.region --json`,
		Args: oneFile,
		RunE: untilInterrupt(func(_ *cobra.Command, args []string) error {
			return failed(dumpRegion(a.out, args[0], a.json))
		}),
	}
}

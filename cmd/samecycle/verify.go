package main

import (
	"github.com/spf13/cobra"
)

func verifyCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Check the structure of a region file",
		Long: `verify checks a region file: header, layout, process table, maps and members of the
buckets, cells in use, and descriptors. It prints all findings (of the table about 1,000
at most) and changes nothing. Of a cache it checks the baskets as well, and each record to
which the table leads, if no process uses the cache meanwhile.

While processes use the region, verify says so, and judges only what operations in
progress do not change: a finding must be seen by three looks in a row. If no process
uses the region any more, an operation in progress of a dead process is a finding. repair
finishes it.`,
		Example: `  samecycle verify cache.region
  samecycle verify cache.region --json`,
		Args: oneFile,
		RunE: untilInterrupt(func(_ *cobra.Command, args []string) error {
			return a.deliver(verifyRegion(args[0]))
		}),
	}
}

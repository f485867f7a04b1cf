package main

import (
	"github.com/spf13/cobra"
)

func verifyCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Check the structure of a region file",
		Long: `verify checks a region file: header, layout, process table, maps and members of the
buckets, cells in use, and descriptors. It prints all findings (at most about 1,000 for the
table) and changes nothing. For a cache it also checks the live parameters. If no process uses
the cache at the same time, it also checks the baskets, and each record to which the table
leads.

While processes use the region, verify says so, and judges only what operations in
progress do not change: it reports a finding only if three looks in a row see it. If no process
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

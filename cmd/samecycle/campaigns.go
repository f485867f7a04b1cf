package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/samecycle/samecycle/internal/campaign"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/spf13/cobra"
)

func campaignsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "campaigns [NAME]...",
		Short: "Say which figures of long runs were made with older code",
		Long: `A campaign is a run that takes minutes to hours, and whose figures are committed: storms that
kill processes, mutants of whole packages, benchmarks. No check repeats it. campaigns
compares the code with which the figures were made with the present code, both with all
packages that they import. It runs no campaign.

  current  the code is the same, apart from comments and layout
  stale    the code has changed since; the figures were true of the code at that time
  unknown  the earlier code cannot be read

With NAME it shows what has changed for these campaigns. The earlier code is read from the
history of git, so a shallow clone does not have it.`,
		Example: `  samecycle campaigns
  samecycle campaigns storm
  samecycle campaigns --json | jq -r '.[] | select(.verdict != "current") | .renew'`,
		Args: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				if !slices.ContainsFunc(campaign.All, hasName(name)) {
					return fmt.Errorf("%q is no campaign: samecycle campaigns lists them", name)
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.campaigns(cmd.Context(), args) },
	}
}

func hasName(name string) func(campaign.Campaign) bool {
	return func(c campaign.Campaign) bool { return c.Name == name }
}

// campaigns prints what is known of the campaigns of these names, without one of all.
func (a *app) campaigns(ctx context.Context, names []string) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	var chosen []campaign.Campaign
	for _, c := range campaign.All {
		if len(names) == 0 || slices.Contains(names, c.Name) {
			chosen = append(chosen, c)
		}
	}
	p := newProgress(a.err)
	done := 0
	list, err := campaign.Judge(ctx, closure.Open(root), chosen, func(c campaign.Campaign) {
		p.update("code of "+c.Name, float64(done)/float64(len(chosen)))
		done++
	})
	p.close()
	if err != nil {
		return failed(err)
	}
	return a.deliver(report{Data: list, Text: func(w io.Writer) error {
		return writeCampaigns(w, list, len(names) > 0)
	}}, nil)
}

// writeCampaigns prints a line for each campaign; whole adds all changes behind the table.
func writeCampaigns(w io.Writer, list []campaign.Status, whole bool) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "CAMPAIGN\tCODE\tCOMMIT\tFIGURES\tMADE AGAIN BY\tWHAT IT DOES")
	for i := range list {
		s := &list[i]
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, s.Verdict, s.Commit, s.File, s.Renew, s.Title)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	for i := range list {
		if err := writeCampaign(w, &list[i], whole); err != nil {
			return err
		}
	}
	return nil
}

// changesShown are the changes of a campaign that the list of all has room for.
const changesShown = 2

// writeCampaign says why the figures of a campaign are not current.
func writeCampaign(w io.Writer, s *campaign.Status, whole bool) error {
	if s.Verdict == campaign.Current {
		return nil
	}
	if s.Verdict == campaign.Unknown {
		_, err := fmt.Fprintf(w, "\n%s: %s\n", s.Name, s.Why)
		return err
	}
	shown, rest := s.Changes, ""
	if n := len(shown) - changesShown; !whole && n > 0 {
		shown = shown[:changesShown]
		rest = fmt.Sprintf("\n  and %s more (samecycle campaigns %s)", plural.Of(n, "change"), s.Name)
	}
	_, err := fmt.Fprintf(w, "\n%s, since commit %s:\n  %s%s\n", s.Name, s.Commit,
		strings.Join(shown, "\n  "), rest)
	return err
}

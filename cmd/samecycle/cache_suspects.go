package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/spf13/cobra"
)

func cacheSuspectsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "suspects FILE",
		Short: "List the keys that are asked for too often",
		Long: `suspects lists the keys of a cache that are asked for above their limit, as programs that
call Ask have found. Keys with the longest waits come first. A key without an entry is not
listed. See docs/quota.md, and the live parameters quota.object, quota.client and
quota.retry (cache tune). With --json there is one object a line.`,
		Example: `  samecycle cache suspects sessions.cache
  samecycle cache suspects sessions.cache --json`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			return withEntries(args[0], a.cacheSuspects)
		},
	}
}

// suspectKey is one line of cache suspects.
type suspectKey struct {
	jsonKey
	Offences int     `json:"offences"`
	Seconds  float64 `json:"retry_after_seconds"`
}

func (a *app) cacheSuspects(c *cache.Cache) error {
	all, err := c.Suspects()
	sortSuspects(all)
	lines := json.NewEncoder(a.out)
	lines.SetEscapeHTML(false)
	for _, x := range all {
		k := suspectKey{jsonKeyOf(string(x.Key)), x.Offences, x.RetryAfter.Seconds()}
		if a.json {
			err = errors.Join(err, lines.Encode(k))
		} else {
			err = errors.Join(err, k.write(a.out))
		}
	}
	return failed(err)
}

// sortSuspects puts those that have to wait longest first.
func sortSuspects(all []cache.SuspectKey) {
	slices.SortFunc(all, func(x, y cache.SuspectKey) int {
		return cmp.Or(cmp.Compare(y.RetryAfter, x.RetryAfter), cmp.Compare(string(x.Key), string(y.Key)))
	})
}

func (k suspectKey) write(w io.Writer) error {
	wait := time.Duration(k.Seconds * float64(time.Second)).Round(time.Millisecond)
	_, err := fmt.Fprintf(w, "%12v  %-12s  %q\n", wait, plural.Of(k.Offences, "offence"), k.Key)
	return err
}

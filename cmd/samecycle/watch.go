package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/spf13/cobra"
)

// minInterval keeps watch from taking a processor for itself.
const minInterval = 10 * time.Millisecond

func watchCommand(a *app) *cobra.Command {
	var interval time.Duration
	var count int
	cmd := &cobra.Command{
		Use:   "watch FILE",
		Short: "Show the live counters of a region file",
		Long: `watch looks at a region file while processes use it, and prints a line for each look:

  alive, dead   attached processes, told apart by their locks; a dead one is still in the table
  handles       descriptors that have an owner
  orphans       those of them whose owner is dead
  flying        operations that are installed at this moment
  begun         operations begun since the line before, by owners that are still there
  elements      keys in the table
  lost          deleted elements whose cells have not been reclaimed
  findings      what verify would report, if three looks in a row see it

For a cache it prints three more columns:

  free          baskets that are free
  live, dead    MiB of records that the table leads to, and of others in baskets in use

If the file loses its name, or the name is given to another file, watch says so once, and
goes on with the region that it has opened, like the processes that have it open. To watch
the region that now has the name, run watch again.

watch changes nothing and is not a process of the region. It ends by an interrupt or --count.
The exit status is 1 if the last look had findings.`,
		Example: `  samecycle watch cache.region
  samecycle watch cache.region --interval 200ms --count 10
  samecycle watch cache.region --json      one object a line`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case interval < minInterval:
				return fmt.Errorf("--interval is %v: use %v or more", interval, minInterval)
			case count < 0:
				return fmt.Errorf("--count is %d: use 1 or more, or 0 for no end", count)
			}
			return a.watch(cmd.Context(), args[0], interval, count)
		},
	}
	cmd.Flags().DurationVar(&interval, "interval", time.Second, "pause between two looks")
	cmd.Flags().IntVar(&count, "count", 0, "end after so many looks (0: only by an interrupt)")
	return cmd
}

// look is one line of watch.
type look struct {
	Time     time.Time  `json:"time"`
	Alive    int        `json:"alive"`
	Dead     int        `json:"dead"`
	Handles  int        `json:"handles"`
	Orphans  int        `json:"orphans"`
	Flying   int        `json:"flying"`
	Begun    uint64     `json:"begun"`
	Elements int        `json:"elements"`
	Lost     int        `json:"lost"`
	Load     float64    `json:"load"`
	Unlinked bool       `json:"unlinked"` // the name leads to this region no more
	Cache    *lookCache `json:"cache,omitempty"`
	Findings []string   `json:"findings"`
}

// lookCache is what a line of watch says of a cache.
type lookCache struct {
	Free      int    `json:"free_baskets"`
	LiveBytes uint64 `json:"live_bytes"`
	DeadBytes uint64 `json:"dead_bytes"`
}

func (a *app) watch(ctx context.Context, file string, interval time.Duration, count int) error {
	w, err := openWatched(file, openTable)
	if err != nil {
		return failed(err)
	}
	defer w.region.Close()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	last := look{}
	for n := 1; ; n++ {
		unlinked := last.Unlinked
		if last, err = w.look(); err != nil {
			return failed(err)
		}
		last.Unlinked = w.unlinked(file)
		if last.Unlinked && !unlinked {
			fmt.Fprintf(a.err, "%s: the region watched has lost this name; it exists until the last "+
				"process closes it\n", file)
		}
		if err := a.printLook(last, n == 1); err != nil {
			return failed(err)
		}
		if n == count {
			break
		}
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		}
		break
	}
	if len(last.Findings) > 0 {
		return errRed
	}
	return nil
}

func (a *app) printLook(l look, first bool) error {
	if a.json {
		return json.NewEncoder(a.out).Encode(l)
	}
	return l.write(a.out, first)
}

func (l look) write(w io.Writer, first bool) error {
	const columns, more = "%-8s %6v %5v %8v %8v %7v %10v %10v %7v %6v %9v", " %6v %9v %9v"
	line := func(columns string, values ...any) error {
		if l.Cache == nil {
			values = values[:strings.Count(columns, "%")]
		} else {
			columns += more
		}
		_, err := fmt.Fprintf(w, columns+"\n", values...)
		return err
	}
	if first {
		err := line(columns, "time", "alive", "dead", "handles", "orphans", "flying", "begun", "elements",
			"lost", "load", "findings", "free", "live MiB", "dead MiB")
		if err != nil {
			return err
		}
	}
	var c lookCache
	if l.Cache != nil {
		c = *l.Cache
	}
	err := line(columns, l.Time.Format(time.TimeOnly), l.Alive, l.Dead, l.Handles, l.Orphans, l.Flying,
		l.Begun, l.Elements, l.Lost, fmt.Sprintf("%.3f", l.Load), len(l.Findings), c.Free,
		fmt.Sprintf("%.1f", float64(c.LiveBytes)/(1<<20)), fmt.Sprintf("%.1f", float64(c.DeadBytes)/(1<<20)))
	for _, f := range l.Findings {
		if err == nil {
			_, err = fmt.Fprintln(w, "  "+f)
		}
	}
	return err
}

// watcher looks at a region again and again, by the clock: a line for each interval is what it is for. To
// be woken by changes would only add looks, which take 0.4 s of processor time for a million cells.
type watcher struct {
	region *region.Region
	table  *hopscotch.Table
	info   os.FileInfo       // of the file at its name when it was opened
	before map[uint32]uint32 // generation by descriptor, at the last look
}

// openTries bounds how often openWatched finds another file at the name than before.
const openTries = 10

// openWatched opens the table at a name, and knows which file that was: the one that the name leads to before
// and after.
func openWatched(file string, open func(string) (*region.Region, *hopscotch.Table, error)) (*watcher, error) {
	for range openTries {
		before, missing := os.Stat(file) // if it is, open says it better
		r, table, err := open(file)
		if err != nil {
			return nil, err
		}
		w := &watcher{region: r, table: table}
		if w.info, err = os.Stat(file); err == nil && missing == nil && os.SameFile(before, w.info) {
			return w, nil
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s: each time it was opened another file had the name: "+
		"wait until nobody makes it anew", file)
}

// unlinked reports whether the name leads to no file, or to another one.
func (w *watcher) unlinked(file string) bool {
	now, err := os.Stat(file)
	return err != nil || !os.SameFile(w.info, now)
}

func (w *watcher) look() (l look, err error) {
	var failed error
	err = w.region.Guard(func() { l, failed = w.count() })
	if err == nil {
		err = failed
	}
	return l, err
}

func (w *watcher) count() (look, error) {
	l := look{Time: time.Now(), Findings: []string{}}
	attached, err := w.region.Attachments()
	if err != nil {
		return l, err
	}
	for _, x := range attached {
		if x.Alive {
			l.Alive++
		} else {
			l.Dead++
		}
	}
	orphans, err := w.table.Orphans()
	if err != nil {
		return l, err
	}
	l.Orphans = len(orphans)
	p := hopscotch.Snapshot(w.table, hopscotch.DumpOptions{Limit: 1})
	l.Elements, l.Lost, l.Load = p.Count.Elements, p.Count.Lost, p.Count.Load
	now, refs := map[uint32]uint32{}, w.table.RefLayout()
	for _, d := range p.Descriptors {
		if d.Owner != 0 {
			l.Handles++
		}
		if d.Installed {
			l.Flying++
		}
		now[d.Index] = d.Generation
		if g, known := w.before[d.Index]; known {
			l.Begun += uint64(refs.Until(hopscotch.Generation(g), hopscotch.Generation(d.Generation)))
		}
	}
	w.before = now
	l.Findings = append(l.Findings, aroundTable(w.region)...)
	l.Findings = append(l.Findings, damagedEntries(w.region.File(), attached)...)
	tuned, err := tunedWrong(w.region)
	if err != nil {
		return l, err
	}
	l.Findings = append(l.Findings, tuned...)
	store, err := storeOf(w.region)
	if err != nil {
		return l, err
	}
	if store != nil {
		s := store.Stats()
		l.Cache = &lookCache{s.Free, s.LiveBytes, s.DeadBytes}
	}
	found, _ := judged(w.table, true)
	for _, f := range found {
		l.Findings = append(l.Findings, f.String())
	}
	return l, nil
}

// looks in a row, and not less, must make a finding of a table in use: one look reads its words at
// different moments.
const looks = 3

// mostFindings is where a check ends: nobody reads more, and of a file of garbage they take hundreds of times
// its size. The last cell may have several.
const mostFindings = 1000

// judged checks the table; while it is in use, for what lasts. more tells that the check has ended early.
func judged(t *hopscotch.Table, live bool) (found hopscotch.Findings, more bool) {
	check := func(limit int) hopscotch.Findings {
		return hopscotch.Check(t, hopscotch.CheckOptions{Live: live, Limit: limit})
	}
	if live {
		return steady(check)
	}
	found = check(mostFindings)
	return found, len(found) >= mostFindings
}

// steady is what each of several checks of a table in use has found. Where those of the moment are so many
// that they hide what lasts, it looks for more of them.
func steady(check func(limit int) hopscotch.Findings) (lasting hopscotch.Findings, more bool) {
	const mostLooked = 64 * mostFindings
	for limit := mostFindings; ; limit *= 8 {
		lasting, more = common(check, limit)
		if len(lasting) > 0 || !more || limit >= mostLooked {
			return lasting, more
		}
	}
}

// common is what each of several checks finds that end at a limit, and whether one did.
func common(check func(limit int) hopscotch.Findings, limit int) (all hopscotch.Findings, more bool) {
	all = check(limit)
	more = len(all) >= limit
	for range looks - 1 {
		if len(all) == 0 {
			return nil, more
		}
		found, seen := check(limit), map[hopscotch.Finding]bool{}
		more = more || len(found) >= limit
		for _, f := range found {
			seen[f] = true
		}
		all = slices.DeleteFunc(all, func(f hopscotch.Finding) bool { return !seen[f] })
	}
	return all, more
}

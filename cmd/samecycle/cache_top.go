package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/spf13/cobra"
)

// topping is what cache top is asked for.
type topping struct {
	interval time.Duration
	once     bool
	html     string
}

func cacheTopCommand(a *app) *cobra.Command {
	var x topping
	cmd := &cobra.Command{
		Use:   "top FILE",
		Short: "Show live what happens in a cache",
		Long: `top shows on a terminal the contents of a cache and what all its processes do: hits and
misses a second, entries and bytes, baskets by state, tier and age, the keys that are suspects,
live parameters, and the processes with what each of them does. It is one more process of the
cache, and makes no room in it.
Keys: q ends it, p pauses, the arrows scroll.

With --once it prints one frame as text and ends, and with --json one frame as JSON. With
--html it writes one frame as a page for a browser, which needs no other file; the folder
must exist. A new page has mode 0600, because it contains keys of the cache; a page that is
replaced keeps its mode. Rates are counted over --interval, so each of these takes that long.

The counts of a process are as of the last turn of its janitor (janitor.every). A search for
suspects reads all entries, so in a large cache not every look includes one.`,
		Example: `  samecycle cache top sessions.cache
  samecycle cache top sessions.cache --once --interval 5s
  samecycle cache top sessions.cache --json
  samecycle cache top sessions.cache --html cache.html`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case x.interval < minInterval:
				return fmt.Errorf("--interval is %v: use %v or more", x.interval, minInterval)
			case x.html != "" && a.json:
				return errors.New("--html and --json are two ways to write one frame: use one of them")
			case x.once || a.json || x.html != "":
			case a.width == 0:
				return errors.New("the output is no terminal: use --once, --json or --html FILE")
			case os.Getenv("TERM") == "dumb":
				return errors.New("the terminal cannot move its cursor, as TERM says, which is dumb: " +
					"use --once, --json or --html FILE")
			}
			return withEntries(args[0], func(c *cache.Cache) error {
				return a.cacheTop(cmd.Context(), args[0], c, x)
			})
		},
	}
	cmd.Flags().DurationVar(&x.interval, "interval", time.Second, "pause between two looks")
	cmd.Flags().BoolVar(&x.once, "once", false, "print one frame as text, and end")
	cmd.Flags().StringVar(&x.html, "html", "", "write one frame as a page for a browser into this file")
	return cmd
}

func (a *app) cacheTop(ctx context.Context, file string, c *cache.Cache, x topping) error {
	w, err := openTop(file, c)
	if err != nil {
		return failed(err)
	}
	if !x.once && !a.json && x.html == "" {
		return failed(showTop(ctx, w, x.interval, nil, beneath(a.out)))
	}
	if x.html != "" { // before the wait
		if _, _, err := topPlace(x.html); err != nil {
			return failed(err)
		}
	}
	f, err := w.over(ctx, x.interval)
	switch {
	case err != nil:
		return failed(err)
	case x.html != "":
		return failed(writeTopPage(f, x.html))
	case a.json:
		return a.printJSON(f)
	}
	text := f.title() + "\n\n"
	for _, line := range f.lines(a.width) {
		text += line + "\n"
	}
	_, err = fmt.Fprint(a.out, text)
	return failed(err)
}

// over is a frame with rates over an interval.
func (w *topWatch) over(ctx context.Context, interval time.Duration) (topFrame, error) {
	if _, err := w.frame(); err != nil {
		return topFrame{}, err
	}
	select {
	case <-time.After(interval):
	case <-ctx.Done():
		return topFrame{}, context.Cause(ctx)
	}
	return w.frame()
}

package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/samecycle/samecycle/internal/cachestorm/hostileslots"
	"github.com/spf13/cobra"
)

func cacheHostileSlotsCommand(a *app) *cobra.Command {
	var f hostileFlags
	cmd := &cobra.Command{
		Use:   "hostile-slots",
		Short: "Overwrite words of a client's slot file, and check that nobody else is affected",
		Long: `hostile-slots is a client that writes arbitrary words into its slot file: states, lengths,
the header, requests and answers. It also sends requests, some of them mutated, and truncates
the file from time to time. At the same time an honest client uses the same cache, and each
of its answers is checked. No service may panic, fault, end, or allocate memory for a length
that it has read.

The seed determines the choices, but not the state of the cache in which they are made. The
exit status is 1 after a fault. An interrupt ends the run, and prints the figures so far.`,
		Example: `  samecycle cache hostile-slots --words 100000
  samecycle cache hostile-slots --words 10000000 --out results/cache/hostile-slots.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.cacheHostileSlots(cmd.Context(), f)
		},
	}
	f.bind(cmd.Flags())
	return cmd
}

func (a *app) cacheHostileSlots(ctx context.Context, f hostileFlags) error {
	args := []string{"cache", "hostile-slots", "--words", strconv.FormatUint(f.words, 10)}
	ctx, stop := untilOrphaned(ctx)
	defer stop()
	if done, err := a.plainly(ctx, append(args, f.args()...)); done {
		return err
	}
	p := newProgress(a.err)
	defer p.close()
	p.line("seed %d", f.seed)
	file, release, err := openFigures[hostileslots.Report](ctx, a, "hostile-slots", &f.outFlags, args,
		writeHostileSlots)
	if err != nil {
		return failed(err)
	}
	defer release()
	r, err := hostileslots.Run(ctx, hostileslots.Options{Seed: f.seed, Words: f.words, Folder: sharedFolder(),
		Progress: p.update})
	p.close()
	if err != nil {
		return failed(err)
	}
	if err := file.save(r); err != nil {
		return failed(err)
	}
	return a.deliver(report{Red: len(r.Faults) > 0 || ctx.Err() != nil, Data: r,
		Text: func(w io.Writer) error { writeHostileSlots(w, r); return nil }}, nil)
}

// writeHostileSlots prints the figures for a person.
func writeHostileSlots(w io.Writer, r *hostileslots.Report) {
	writeOverwritten(w, r.Words, r.Rounds, r.Parts)
	n := r.Hostile
	fmt.Fprintf(w, "%s cut, %s of which ended a service\n", counted(r.Cuts, "file"), thousands(r.CutsMet))
	fmt.Fprintf(w, "the hostile client: %s sent, %s answered; its service performed %s with %s\n",
		counted(r.Sent, "request"), thousands(r.Answered), counted(n.Requests, "request"),
		counted(n.Operations, "operation"))
	fmt.Fprintf(w, "refused there: %s, %s without a length, %s; %s dropped\n",
		counted(n.Malformed, "malformed request"), thousands(n.Oversized), counted(n.Damaged, "damaged slot"),
		counted(n.Dropped, "answer"))
	fmt.Fprintf(w,
		"the honest client: %s, the longest took %.1f ms on the wall; the heap grew by %s bytes\n",
		counted(r.Calls, "call"), float64(r.Longest)/1e6, thousands(r.Heap))
	writeEnd(w, r.Seed, r.Ended, r.Faults)
}

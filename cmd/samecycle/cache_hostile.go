package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/samecycle/samecycle/internal/cachestorm/hostile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type hostileFlags struct {
	outFlags
	words, round uint64
}

// bind adds the flags. There is no other run to go on from.
func (f *hostileFlags) bind(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.words, "words", 100_000, "end when so many words were overwritten")
	f.outFlags.bind(flags)
	if flag := flags.Lookup("resume"); flag != nil {
		flag.Hidden = true
	}
}

// check refuses flags by which nothing would be run.
func (f *hostileFlags) check() error {
	switch {
	case f.resume:
		return errors.New("--resume is for cache storm: leave it out")
	case f.words == 0 && f.round == 0:
		return errors.New("--words 0: use 1 or more")
	}
	return nil
}

func cacheHostileCommand(a *app) *cobra.Command {
	var f hostileFlags
	cmd := &cobra.Command{
		Use:   "hostile",
		Short: "Overwrite words of a cache's file, and check that each call ends without a fault",
		Long: `hostile overwrites words in the file of a small cache, round after round: bits, sizes,
lengths and refs, in records, baskets, the index and the header; or it truncates the file.
Then it makes calls of all kinds. Each must end with an error, a miss or a value. No call
may fault, run for ever, allocate memory for a size that it has read, or return more bytes
than a basket has. The seed and the number of a round determine it; --round repeats one.

The exit status is 1 after a fault. An interrupt ends the run, and prints the figures so
far. A memory fault that Go cannot catch ends the program; the last line of the
progress says about where.`,
		Example: `  samecycle cache hostile --words 100000
  samecycle cache hostile --words 10000000 --out results/cache/hostile.json
  samecycle cache hostile --seed 7 --round 1234`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.cacheHostile(cmd.Context(), f)
		},
	}
	cmd.Flags().Uint64Var(&f.round, "round", 0, "make this round alone; 0: all from the first one on")
	f.bind(cmd.Flags())
	return cmd
}

func (a *app) cacheHostile(ctx context.Context, f hostileFlags) error {
	args := []string{"cache", "hostile", "--words", strconv.FormatUint(f.words, 10)}
	if f.round > 0 {
		args = append(args, "--round", strconv.FormatUint(f.round, 10))
	}
	ctx, stop := untilOrphaned(ctx)
	defer stop()
	if done, err := a.plainly(ctx, append(args, f.args()...)); done {
		return err
	}
	p := newProgress(a.err)
	defer p.close()
	p.line("seed %d", f.seed)
	file, release, err := openFigures[hostile.Report](ctx, a, "hostile-cache", &f.outFlags, args,
		writeHostile)
	if err != nil {
		return failed(err)
	}
	defer release()
	r, err := hostile.Run(ctx, hostile.Options{Seed: f.seed, Words: f.words, Round: f.round,
		Folder: sharedFolder(), Progress: p.update})
	p.close()
	if err != nil {
		return failed(err)
	}
	if err := file.save(r); err != nil {
		return failed(err)
	}
	return a.deliver(report{Red: len(r.Faults) > 0 || ctx.Err() != nil, Data: r,
		Text: func(w io.Writer) error { writeHostile(w, r); return nil }}, nil)
}

// writeHostile prints the figures for a person.
func writeHostile(w io.Writer, r *hostile.Report) {
	writeOverwritten(w, r.Words, r.Rounds, r.Parts)
	fmt.Fprintf(w, "%s to open the file, %s of which were refused; %s of the files were cut\n",
		counted(r.Rounds, "attempt"), thousands(r.Refused), thousands(r.Cuts))
	fmt.Fprintf(w, "%s: %s; gets: %s, %s, %s\n", counted(r.Calls, "call"), counted(r.Errors, "error"),
		counted(r.Misses, "absent key"), counted(r.True, "true value"), counted(r.Other, "overwritten value"))
	fmt.Fprintf(w, "%s told; the longest call took %.1f ms on the wall; a round allocated %s bytes at most\n",
		counted(r.Told, "record"), float64(r.Longest)/1e6, thousands(r.Allocated))
	writeEnd(w, r.Seed, r.Ended, r.Faults)
}

// writeOverwritten prints how many words were overwritten in how many rounds, and in which parts of the file.
func writeOverwritten(w io.Writer, words, rounds uint64, parts map[string]uint64) {
	fmt.Fprintf(w, "%s overwritten in %s\n", counted(words, "word"), counted(rounds, "round"))
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		fmt.Fprintf(w, "  %-22s %12s\n", part, thousands(parts[part]))
	}
}

// writeEnd prints why a run has ended, and its faults.
func writeEnd(w io.Writer, seed uint64, ended string, faults []string) {
	fmt.Fprintf(w, "seed %d, ended: %s\n", seed, ended)
	if len(faults) == 0 {
		fmt.Fprintln(w, "no fault")
	}
	for _, fault := range faults {
		fmt.Fprintln(w, "FAULT:", fault)
	}
}

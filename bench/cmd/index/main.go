// Command index writes results/bench: the engine against its peers, the explorer's speed, and the
// model's against TLC's. Run it from the folder bench on a quiet machine; it takes some minutes.
//
//	go -C bench run ./cmd/index                  everything
//	go -C bench run ./cmd/index -only index      one of index, explore, model
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"github.com/samecycle/samecycle/bench"
)

func main() {
	only := flag.String("only", "index,explore,model", "sections to measure, by comma")
	root := flag.String("root", "..", "the repository")
	rounds := flag.Int("rounds", 21, "pairs of each comparison")
	profile := flag.String("profile", "", "write a processor profile of the run to this file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := bench.Options{Root: *root, Rounds: *rounds, Say: func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}}
	if err := profiled(*profile, func() error { return run(ctx, o, *only) }); err != nil {
		fmt.Fprintln(os.Stderr, "index:", err)
		stop()
		os.Exit(1)
	}
}

func profiled(file string, f func() error) error {
	if file == "" {
		return f()
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}

func run(ctx context.Context, o bench.Options, only string) error {
	dir := filepath.Join(o.Root, "results", "bench")
	var failed []error
	for section := range strings.SplitSeq(only, ",") {
		rows, err := measure(ctx, o, section)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", section, err))
			continue
		}
		all, err := bench.Merge(dir, rows)
		if err == nil {
			err = bench.Page(dir, all)
		}
		if err != nil {
			return err
		}
		for _, r := range rows {
			fmt.Printf("%-36s %.3f of %s %s\n", r.Name, r.Ratio, r.Against, r.Met())
		}
	}
	return errors.Join(failed...)
}

func measure(ctx context.Context, o bench.Options, section string) ([]bench.Row, error) {
	switch section {
	case "index":
		return bench.Index(o)
	case "explore":
		return bench.Explore(ctx, o)
	case "model":
		return bench.Model(ctx, o)
	}
	return nil, errors.New("no such section: use index, explore or model")
}

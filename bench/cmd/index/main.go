// Command index writes results/bench: the engine against its peers, the explorer's speed, and the
// model's against TLC's. Run it from the folder bench on a quiet machine; it takes some ten minutes.
//
//	go -C bench run ./cmd/index                  everything
//	go -C bench run ./cmd/index -only get,gc     some parts; -parts prints their names
//	go -C bench run ./cmd/index -page            nothing; table and picture anew, with the goals of now
//
// Each part is written as soon as it is complete, so an interrupt loses the part that is running.
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
	bench.Child()
	only := flag.String("only", "", "parts to measure, by comma, such as get,explore; none: all")
	parts := flag.Bool("parts", false, "print the names of the parts and end")
	page := flag.Bool("page", false, "measure nothing; write table and picture of the rows that are there")
	root := flag.String("root", "..", "the repository")
	dir := flag.String("dir", "", "folder for the results; none: results/bench of the repository")
	rounds := flag.Int("rounds", 7, "pairs of each comparison")
	profile := flag.String("profile", "", "write a processor profile of the run to this file")
	flag.Parse()
	if *parts {
		fmt.Println(strings.Join(bench.Parts(), "\n"))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := bench.Options{Root: *root, Dir: *dir, Rounds: *rounds, Say: func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}}
	if o.Dir == "" {
		o.Dir = filepath.Join(o.Root, "results", "bench")
	}
	if *page {
		if err := redraw(o.Dir); err != nil {
			fmt.Fprintln(os.Stderr, "index:", err)
			os.Exit(1)
		}
		return
	}
	if *only != "" {
		o.Only = strings.Split(*only, ",")
	}
	if err := profiled(*profile, func() error { return run(ctx, o) }); err != nil {
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

// redraw writes the page of the rows that the folder has.
func redraw(dir string) error {
	rows, err := bench.Merge(dir, nil)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s has no index.json with rows: measure first", dir)
	}
	return bench.Page(dir, rows)
}

func run(ctx context.Context, o bench.Options) error {
	rows, err := bench.Run(ctx, o)
	for _, r := range rows {
		switch {
		case r.NotRun != "":
			fmt.Printf("%-48s NOT RUN: %s\n", r.Name, r.NotRun)
		case r.Direction != "":
			fmt.Printf("%-48s %8.3f  %s, goal %s %g\n", r.Name, r.Ratio, r.Met, r.Direction, r.Goal)
		default:
			fmt.Printf("%-48s %8.3f\n", r.Name, r.Ratio)
		}
	}
	return err
}

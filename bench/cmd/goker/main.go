// Command goker explores the kernels of GoBench, tests that have one real fault each, and writes
// results/bench/goker.md. GOBENCH is a clone of https://github.com/timmyyuan/gobench. Run it from the folder
// bench.
//
//	go -C bench run ./cmd/goker GOBENCH
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/bench/goker"
)

func main() {
	root := flag.String("root", "..", "the repository")
	limit := flag.Duration("time", 10*time.Second, "for each kernel")
	only := flag.String("only", "", "explore kernels whose names have this part; the page is not written")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "goker: name one clone: git clone https://github.com/timmyyuan/gobench")
		os.Exit(2)
	}
	o := goker.Options{Root: *root, Clone: flag.Arg(0), Time: *limit, Only: *only, Seed: 1,
		Commit: bench.Commit(*root), Kernels: bench.Commit(flag.Arg(0)),
		Say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	all, err := goker.Run(ctx, o)
	if err == nil && *only == "" {
		err = goker.Write(filepath.Join(*root, "results", "bench"), o, all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "goker:", err)
		stop()
		os.Exit(1)
	}
}

// Command sharded writes results/shardmap/bench: the sharded map beside sync.Map, xsync and
// concurrent-map, its lock beside sync.RWMutex, and what the repair of its cleanup costs. Run it from
// the folder bench on a quiet machine; it takes some two minutes.
//
//	go -C bench run ./cmd/sharded                  everything
//	go -C bench run ./cmd/sharded -only lock,wait  the comparisons whose names begin so; the others stay
//	go -C bench run ./cmd/sharded -page            measures nothing; page and pictures anew
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/samecycle/samecycle/bench/sharded"
)

func main() {
	only := flag.String("only", "", "comparisons, by beginnings of their names and comma; none: all")
	root := flag.String("root", "..", "the repository")
	dir := flag.String("dir", "", "folder for the results; none: results/shardmap/bench of the repository")
	rounds := flag.Int("rounds", 9, "rounds of each comparison")
	seed := flag.Uint64("seed", 1, "seed of the keys that are drawn")
	page := flag.Bool("page", false, "measure nothing; write page and pictures of the figures that are there")
	flag.Parse()
	o := sharded.Options{Root: *root, Dir: *dir, Rounds: *rounds, Seed: *seed,
		Say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	if o.Dir == "" {
		o.Dir = filepath.Join(o.Root, "results", "shardmap", "bench")
	}
	if *only != "" {
		o.Only = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := func() error { return sharded.Run(ctx, o) }
	if *page {
		run = func() error { return sharded.Page(o.Dir) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "sharded:", err)
		stop()
		os.Exit(1)
	}
}

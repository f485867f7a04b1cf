// Command ratio writes results/cache/policies.md: the hit ratios of the policies of the project's cache
// beside otter and models of published policies, on the traces that are named and on loads that are made. Run
// it from the folder bench.
//
//	go -C bench run ./cmd/ratio TRACE...
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/samecycle/samecycle/bench/ratio"
	"github.com/samecycle/samecycle/internal/trace"
)

func main() {
	root := flag.String("root", "..", "the repository")
	dir := flag.String("dir", "", "folder for the results; none: results/cache of the repository")
	again := flag.Bool("again", false, "replay nothing: write the page of the figures that are there")
	flag.Parse()
	if *again {
		if err := ratio.Again(folder(*root, *dir)); err != nil {
			fmt.Fprintln(os.Stderr, "ratio:", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "ratio: no trace: name files as samecycle trace reads them")
		os.Exit(2)
	}
	o := ratio.Options{Files: flag.Args(), Percent: []int{1, 5, 10, 20}, Dir: folder(*root, *dir),
		Commit: "unknown", Loads: trace.Loads(), Seed: 1,
		Say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	if text, err := exec.Command("git", "-C", *root, "describe", "--always", "--dirty").Output(); err == nil {
		o.Commit = strings.TrimSpace(string(text))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := ratio.Run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "ratio:", err)
		stop()
		os.Exit(1)
	}
}

// folder is where the results are.
func folder(root, dir string) string {
	if dir == "" {
		return filepath.Join(root, "results", "cache")
	}
	return dir
}

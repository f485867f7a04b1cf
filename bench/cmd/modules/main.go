// Command modules explores the tests of modules that many programs use, and writes results/bench/modules.md.
// Run it from the folder bench.
//
//	go -C bench run ./cmd/modules
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/bench/modules"
)

func main() {
	root := flag.String("root", "..", "the repository")
	limit := flag.Duration("time", 20*time.Second, "for each module")
	only := flag.String("only", "", "explore modules whose names have this part; the page is not written")
	render := flag.Bool("render", false, "write the page of the results that are there, and explore nothing")
	flag.Parse()
	if *render {
		if err := modules.Render(filepath.Join(*root, "results", "bench")); err != nil {
			fmt.Fprintln(os.Stderr, "modules:", err)
			os.Exit(1)
		}
		return
	}
	o := modules.Options{Root: *root, Time: *limit, Seed: 1, Commit: bench.Commit(*root),
		Modules: slices.DeleteFunc(slices.Clone(modules.All),
			func(name string) bool { return !strings.Contains(name, *only) }),
		Say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	if len(o.Modules) == 0 {
		fmt.Fprintf(os.Stderr, "modules: no module has %s in its name; see bench/modules/list.go\n", *only)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	all, err := modules.Run(ctx, o)
	if err == nil && *only == "" {
		err = modules.Write(filepath.Join(*root, "results", "bench"), o, all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		stop()
		os.Exit(1)
	}
	if *only != "" {
		for _, m := range all {
			for _, t := range m.Tests {
				fmt.Printf("%s %s %s %s %s %s\n", t.Package, t.Name, t.Status, t.Kind, t.GoTest, t.Message)
			}
		}
	}
}

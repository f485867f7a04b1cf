// Command slots writes results/slots/bench: calls of a cache by a slot file beside direct calls and beside
// memcached. Run it on a quiet machine; it takes a minute or two.
//
//	go -C bench run ./cmd/slots
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/samecycle/samecycle/bench/slots"
)

func main() {
	root := flag.String("root", "..", "the repository")
	dir := flag.String("dir", "", "folder for the results; none: results/slots/bench of the repository")
	rounds := flag.Int("rounds", 7, "rounds, each of which runs all benchmarks")
	time := flag.String("time", "500ms", "how long a benchmark runs, as go test -benchtime has it")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "slots: use -rounds 1 or more, and no other arguments")
		os.Exit(2)
	}
	o := slots.Options{Root: *root, Dir: *dir, Rounds: *rounds, Time: *time,
		Say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	if o.Dir == "" {
		o.Dir = filepath.Join(o.Root, "results", "slots", "bench")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := slots.Run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "slots:", err)
		stop()
		os.Exit(1)
	}
}

// Command racetests explores the tests of Go's race detector, whose names say whether each has a data race,
// and writes results/bench/racetests.md. Run it from the folder bench.
//
//	go -C bench run ./cmd/racetests
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
	"time"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/bench/racetests"
)

func main() {
	root := flag.String("root", "..", "the repository")
	limit := flag.Duration("time", 10*time.Minute, "for all tests together")
	only := flag.String("only", "", "explore tests whose names match; the page is not written")
	flag.Parse()
	if err := run(*root, *only, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "racetests:", err)
		os.Exit(1)
	}
}

func run(root, only string, limit time.Duration) error {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := racetests.Options{Root: root, Time: limit, Only: only, Seed: 1, Commit: bench.Commit(root),
		Folder: filepath.Join(strings.TrimSpace(string(goroot)), "src", "runtime", "race", "testdata"),
		Say:    func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	f, err := racetests.Run(ctx, o)
	if err != nil {
		return err
	}
	for _, t := range f.All {
		if !t.Right() {
			o.Say("%s: %s %s %s", t.Name, t.Status, t.Kind, t.Message)
		}
	}
	if only != "" {
		return nil
	}
	return racetests.Write(filepath.Join(root, "results", "bench"), o, f)
}

// Command rivals writes results/bench/rivals.md: the explorer beside loom, Shuttle and Lincheck on the
// same programs. Run it from the folder bench on a quiet machine. Cargo and Maven fetch the rivals;
// one that cannot be built is NOT RUN.
//
//	go -C bench run ./cmd/rivals                     everything
//	go -C bench run ./cmd/rivals -programs cas2x2    some programs, without writing
//
// The Go compiler inlines by default.pgo, a profile of the explorer on all programs. To make it anew:
//
//	go -C bench test -trimpath -o ../bin/ -run none -bench Ours -benchtime 0.25s \
//		-cpuprofile cmd/rivals/default.pgo ./rivals
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/bench/rivals"
)

// truthLimit is the most orders that the brute-force enumeration goes through.
const truthLimit = 300_000

func main() {
	only := flag.String("programs", "", "programs to measure, by comma; none: all, and write the page")
	root := flag.String("root", "..", "the repository")
	rounds := flag.Int("rounds", 3, "runs of each tool and program")
	seconds := flag.Float64("seconds", 0.5, "how long each run searches at least")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	limit := time.Duration(*seconds * float64(time.Second))
	if err := run(ctx, *root, *only, *rounds, limit); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		stop()
		os.Exit(1)
	}
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func run(ctx context.Context, root, only string, rounds int, limit time.Duration) error {
	programs, err := chosen(only)
	if err != nil {
		return err
	}
	spin := bench.Spin()
	say("%s; seed of the random searches: the number of the search", spin)
	subjects := rivals.Subjects(ctx, filepath.Join(root, "bench", "rivals"), func(s string) { say("%s", s) })
	t := rivals.Table{Programs: programs}
	for _, s := range subjects {
		t.Subjects = append(t.Subjects, s.Name())
	}
	began := time.Now()
	for i, p := range programs {
		ref, err := reference(p)
		if err != nil {
			return err
		}
		for round := range rounds {
			for j := range subjects {
				s := subjects[(j+round)%len(subjects)]
				if ctx.Err() != nil {
					return errors.New("interrupted; nothing was written")
				}
				r := s.Run(ctx, p, ref, limit)
				t.Add(r)
			}
		}
		say("%3d of %d  %-12s %s", i+1, len(programs), p.Name, time.Since(began).Round(time.Second))
	}
	fmt.Print(t.Page())
	for _, reason := range t.Reasons() {
		fmt.Println("NOT RUN", reason)
	}
	if only != "" {
		return nil
	}
	return write(root, &t, spin, rounds, limit)
}

// chosen are the programs of the names, or all.
func chosen(only string) ([]rivals.Program, error) {
	all, err := rivals.Programs()
	if err != nil || only == "" {
		return all, err
	}
	var some []rivals.Program
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(all, func(p rivals.Program) bool { return p.Name == name })
		if i < 0 {
			var names []string
			for _, p := range all {
				names = append(names, p.Name)
			}
			return nil, fmt.Errorf("no program %q; there are %s", name, strings.Join(names, " "))
		}
		some = append(some, all[i])
	}
	return some, nil
}

// reference is what an exhaustive search must find.
func reference(p rivals.Program) (map[string]bool, error) {
	if p.Waits {
		return rivals.Waiting(p)
	}
	ref, err := rivals.Truth(p, truthLimit)
	return ref.Outcomes, err
}

// write puts the runs, the page and the headline ratios into results/bench.
func write(root string, t *rivals.Table, spin bench.SpinCheck, rounds int, limit time.Duration) error {
	dir := filepath.Join(root, "results", "bench")
	text, err := json.MarshalIndent(compact(t), "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "rivals.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	command := strings.Join(append([]string{"go -C bench run ./cmd/rivals"}, os.Args[1:]...), " ")
	page := fmt.Sprintf(pageHead, command, commit(), runtime.Version(), spin, rounds, limit) + t.Page()
	if reasons := t.Reasons(); len(reasons) > 0 {
		page += "\nNOT RUN: " + strings.Join(reasons, "; ") + ".\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "rivals.md"), []byte(page), 0o644); err != nil {
		return err
	}
	all, err := bench.Merge(dir, bench.RivalRows(t, rounds, spin))
	if err != nil {
		return err
	}
	return bench.Page(dir, all)
}

// compact is the runs without the texts of their outcomes.
func compact(t *rivals.Table) (runs []rivals.Run) {
	for _, p := range t.Programs {
		for _, s := range t.Subjects {
			for _, r := range t.Runs[p.Name][s] {
				r.Outcomes = nil
				runs = append(runs, r)
			}
		}
	}
	return runs
}

// commit is that of the working tree; what git cannot tell is unknown.
func commit() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

const pageHead = `# The explorer and its rivals

    %s

loom 0.7.2, Shuttle 0.9.9, Lincheck 3.7 and this repository's explorer (commit %s), %s, on the same
programs (bench/rivals, data that each tool interprets), in turn, in one run; %s;
rounds: %d, of at least %v each.

*Classes* are the executions that an optimal reduction needs, *outcomes* what they come to: each value
that an access returned, and the cells at the end. Both come from an enumeration of all orders by
brute force that shares nothing with any tool. "misses" stands behind a search that said it was
complete; one that was "cut" was not at its end in time, so what it lacks says nothing. "samecycle
all" is without reduction, "loom 2" has a bound of two preemptions. Shuttle's depth-first search
follows unfair schedules for ever, so ticket2 has no end there. loom models weak memory as well, which
the others do not: "impossible" outcomes are those that sequential consistency excludes. A search of
Lincheck ends after 20,000 executions here. loom has room for four threads beside the first, so it does
not run write5. Where a search has a handful of executions, its start is most of the time of ours.
Ours is told that threads share cells and nothing else (explore.Program.Words), runs with
GOMAXPROCS=1 (all but Lincheck have one thread that does anything; with two processors each search
wakes another thread for nothing, and those of twenty executions take up to 1.6 times as long), and
is compiled with a profile of these searches (bench/cmd/rivals/default.pgo), the Rust
rivals in release mode; the Java machine makes its own profile as it runs.

`

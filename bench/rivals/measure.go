package rivals

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// A Run is what one tool made of one program in one mode. The rivals print it as a line of JSON.
type Run struct {
	Tool       string   `json:"tool"`
	Version    string   `json:"version"`
	Mode       string   `json:"mode"`
	Program    string   `json:"program"`
	Executions uint64   `json:"executions"` // of all timed searches together
	Searches   uint64   `json:"searches"`
	Exhausted  bool     `json:"exhausted"` // the search came to its own end
	Seconds    float64  `json:"seconds"`
	Outcomes   []string `json:"outcomes,omitempty"`

	Found   int    `json:"found"`   // outcomes that the reference has too
	Missed  int    `json:"missed"`  // outcomes of the reference that did not come
	Foreign int    `json:"foreign"` // outcomes that no sequentially consistent order has
	NotRun  string `json:"not_run,omitempty"`
}

// Each is the executions of one search.
func (r Run) Each() uint64 { return r.Executions / max(1, r.Searches) }

// Rate is executions a second.
func (r Run) Rate() float64 {
	if r.Seconds == 0 {
		return 0
	}
	return float64(r.Executions) / r.Seconds
}

// judge compares the outcomes with the reference.
func (r *Run) judge(want map[string]bool) {
	for _, o := range r.Outcomes {
		if want[o] {
			r.Found++
		} else {
			r.Foreign++
		}
	}
	r.Missed = len(want) - r.Found
}

// A Subject is a tool in one mode.
type Subject struct {
	Tool, Mode string
	run        func(ctx context.Context, p Program, limit time.Duration) (Run, error)
}

// Name is the subject in a table's head.
func (s Subject) Name() string { return s.Tool + " " + s.Mode }

// Run measures a program once. What cannot be run says why; that is no error.
func (s Subject) Run(ctx context.Context, p Program, want map[string]bool, limit time.Duration) Run {
	r, err := s.run(ctx, p, limit)
	r.Tool, r.Mode, r.Program = s.Tool, s.Mode, p.Name
	if err != nil {
		r.NotRun = err.Error()
		return r
	}
	r.judge(want)
	return r
}

// lincheckLimit is the most executions of one search in Lincheck.
const lincheckLimit = 20_000

// Subjects builds the rivals and returns all tools; a rival that cannot be built says so in
// each of its runs.
func Subjects(ctx context.Context, dir string, say func(string)) []Subject {
	subjects := []Subject{
		{"samecycle", "reduced", ours(true)},
		{"samecycle", "all", ours(false)},
	}
	say("building loom and Shuttle (cargo)")
	rust := build(ctx, filepath.Join(dir, "rust"), "cargo", "build", "--release", "--locked", "--quiet")
	for _, m := range [][2]string{{"loom", "all"}, {"loom", "2"}, {"shuttle", "dfs"}, {"shuttle", "random"}} {
		subjects = append(subjects, Subject{m[0], m[1], external(rust, func(p Program, s string) *exec.Cmd {
			return exec.CommandContext(ctx, filepath.Join(dir, "rust", "target", "release", "rivals"),
				m[0], m[1], p.Name, s, "1")
		})})
	}
	say("building Lincheck (mvn)")
	java := build(ctx, filepath.Join(dir, "java"), "mvn", "--quiet", "--batch-mode", "package")
	lincheck := external(java, func(p Program, s string) *exec.Cmd {
		target := filepath.Join(dir, "java", "target")
		return exec.CommandContext(ctx, "java", "-XX:+UseSerialGC", "-cp",
			filepath.Join(target, "classes")+":"+filepath.Join(target, "lib", "*"),
			"rivals.Rivals", p.Name, s, "2", fmt.Sprint(lincheckLimit))
	})
	return append(subjects, Subject{"lincheck", "model checking", lincheck})
}

// build runs a build command in a folder and returns why it did not work.
func build(ctx context.Context, dir, name string, args ...string) error {
	if _, err := exec.LookPath(name); err != nil {
		return fmt.Errorf("%s is not installed", name)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, complaint(out.String()))
	}
	return nil
}

// complaint is the line of an error output that gives the reason. For a Rust program, whose output ends
// with advice, it is the line below the place of the first panic; otherwise it is the last line.
func complaint(s string) string {
	if _, after, found := strings.Cut(s, " panicked at "); found {
		if _, message, found := strings.Cut(after, "\n"); found {
			s, _, _ = strings.Cut(message, "\n")
		}
	}
	return strings.TrimRight(lastLine(s), ".")
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// external is the run of a program that prints a line of JSON. A search that takes much longer
// than it should is ended and was not run.
func external(built error, command func(p Program, seconds string) *exec.Cmd) func(
	context.Context, Program, time.Duration) (Run, error) {
	return func(ctx context.Context, p Program, limit time.Duration) (r Run, err error) {
		if built != nil {
			return r, built
		}
		cmd := command(p, fmt.Sprint(limit.Seconds()))
		var out, said bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(JSON), &out, &said
		if err := cmd.Start(); err != nil {
			return r, err
		}
		late := time.AfterFunc(20*limit+time.Minute, func() { _ = cmd.Process.Signal(os.Kill) })
		err = cmd.Wait()
		if !late.Stop() {
			return r, errors.New("it did not come back in time")
		}
		if err != nil {
			return r, fmt.Errorf("%w: %s", err, complaint(said.String()))
		}
		if err := json.Unmarshal([]byte(lastLine(out.String())), &r); err != nil {
			return r, fmt.Errorf("it printed no result: %w", err)
		}
		return r, nil
	}
}

// ours runs the explorer: a first search collects the outcomes, others that only count are timed.
func ours(reduced bool) func(context.Context, Program, time.Duration) (Run, error) {
	return func(ctx context.Context, p Program, limit time.Duration) (Run, error) {
		// One thing goes on at a time, as in the rivals in Rust, which have one thread. With more than one
		// processor each search wakes another thread, for nothing.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		seen := map[string]bool{}
		o := options(ctx, reduced)
		first, err := within(ctx, limit, explorable(p, func(s string) { seen[s] = true }), o)
		if err != nil {
			return Run{}, err
		}
		r := Run{Version: "this commit", Executions: first.Executions, Searches: 1,
			Exhausted: first.Exhaustive, Seconds: first.Elapsed.Seconds()}
		for s := range seen {
			r.Outcomes = append(r.Outcomes, s)
		}
		if !first.Exhaustive {
			return r, nil
		}
		r.Executions, r.Searches = 0, 0
		began := time.Now()
		silent := explorable(p, nil)
		for r.Searches == 0 || time.Since(began) < limit {
			again, err := explore.Explore(silent, o)
			if err != nil {
				return r, err
			}
			r.Executions += again.Executions
			r.Searches++
		}
		r.Seconds = time.Since(began).Seconds()
		return r, nil
	}
}

func within(ctx context.Context, limit time.Duration, p explore.Program, o explore.Options) (
	explore.Report, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	o.Context = ctx
	r, err := explore.Explore(p, o)
	if err == nil && r.Failure != nil {
		return r, r.Failure
	}
	return r, err
}

// options are those of a search of everything.
func options(ctx context.Context, reduced bool) explore.Options {
	return explore.Options{Preemptions: explore.Unbounded, Reduce: reduced, Context: ctx}
}

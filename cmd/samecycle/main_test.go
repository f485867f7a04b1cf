package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// repositoryWith makes a folder that passes for the repository, and replaces the links by the
// given ones for the length of the test.
func repositoryWith(t *testing.T, runners ...evidence.Runner) string {
	t.Helper()
	root := t.TempDir()
	put(t, root, "go.mod", moduleLine+"\n")
	put(t, root, "judged.txt", "judged")
	before := chains
	chains = []chain{{engine: register.Engine(), links: runners}}
	t.Cleanup(func() { chains = before })
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// call runs one command line as main does, without a terminal.
func call(args ...string) (code int, out, errOut string) {
	return callWith(context.Background(), args...)
}

func callWith(ctx context.Context, args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = run(ctx, &app{out: &o, err: &e}, args)
	return code, o.String(), e.String()
}

// testLink passes every state that it is asked for, unless run says otherwise.
type testLink struct {
	link string
	run  func(env evidence.Env, s catalog.State) evidence.Record
}

func (l testLink) Link() string { return l.link }
func (testLink) Scope(evidence.Env) (closure.Scope, error) {
	return closure.Scope{Files: []string{"judged.txt"}}, nil
}

func (testLink) Covers(evidence.Env) ([]string, error) {
	return []string{"S01AddEmpty", "S04AddCollisionEmpty"}, nil
}

func (l testLink) Run(_ context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	var out []evidence.Record
	for i, s := range states {
		progress(s.ID, float64(i)/float64(len(states)))
		r := evidence.Record{State: s.ID, Status: evidence.Pass, Figure: 3, Unit: "runs",
			Bound: "three, not more", Command: "samecycle check", Seed: env.Seed}
		if l.run != nil {
			r = l.run(env, s)
		}
		out = append(out, r)
	}
	return out, nil
}

// TestRun_MisplacedState: a state without --state is told where it belongs.
func TestRun_MisplacedState(t *testing.T) {
	for line, says := range map[string]string{
		"check S04":                   "for one state: samecycle check --state S04",
		"stress S04AddCollisionEmpty": "samecycle stress --state S04AddCollisionEmpty",
		"check all":                   `samecycle check takes no arguments; leave "all" out`,
		"states S04":                  `samecycle states takes no arguments; leave "S04" out`,
	} {
		code, _, errOut := call(strings.Fields(line)...)
		if code != exitUsage || !strings.Contains(errOut, says) {
			t.Errorf("%s: status %d, want %q: %s", line, code, says, errOut)
		}
	}
}

// TestRun_ExitStatus holds the three exit statuses and that each message says what to do.
func TestRun_ExitStatus(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"})
	elsewhere := t.TempDir()
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"", exitOK, "samecycle check --state S04"},
		{"--help", exitOK, "Exit status"},
		{"check --help", exitOK, "Examples:"},
		{"frobnicate", exitUsage, "unknown command"},
		{"chekc", exitUsage, "Did you mean this?"},
		{"states --frob", exitUsage, "unknown flag"},
		{"states extra", exitUsage, "help: samecycle states --help"},
		{"check --link volumes", exitUsage, "spec, model, engine, histories, volume, mutants"},
		{"check --state S28", exitUsage, "S01 to S27"},
		{"check --seed x", exitUsage, "--seed x: use a whole number from 0"},
		{"explore", exitUsage, "or sync.Map is missing"},
		{"explore S04 S05", exitUsage, "sync.Map is enough"},
		{"explore S77", exitUsage, "S01 to S27"},
		{"explore S04 --bound -2", exitUsage, "0 or more, or -1 for none"},
		{"explore S04 --kills -1", exitUsage, "use 0 to 32"},
		{"explore S04 --executions -1", exitUsage, "0 for no limit"},
		{"explore S04 --strategy best", exitUsage,
			"use one of dfs, pct, uniform, reversing, plain, portfolio"},
		{"explore S04 --strategy pct", exitUsage, "give it --time 60s or --executions"},
		{"explore S04 --strategy portfolio", exitUsage, "give it --time 60s or --executions"},
		{"explore S04 --strategy pct --executions 9 --bound 2", exitUsage, "leave --bound out"},
		{"explore S04 --strategy pct --executions 9 --depth 0", exitUsage, "use 1 to 64"},
		{"explore S04 --depth 2", exitUsage, "--depth is for --strategy pct and portfolio"},
		{"explore S04 --time -1s", exitUsage, "use a duration like 90s"},
		{"explore S04 --seed -1", exitUsage, "--seed -1: use a whole number from 0"},
		{"explore S04 --shard 4/4", exitUsage, "use I/N with I from 0 to N-1"},
		{"explore S04 --shard 1", exitUsage, "use I/N with I from 0 to N-1"},
		{"explore S04 --shard 0/2 --stateless", exitUsage, "--shard needs one bound"},
		{"explore S04 --processes 2 --bound 1", exitUsage, "add --stateless"},
		{"explore S04 --processes 0", exitUsage, "use 1 to 1024"},
		{"explore S04 --processes 2 --shard 0/2", exitUsage, "leave one out"},
		{"explore S04 --processes 2 --strategy plain --executions 9", exitUsage, "another --seed"},
		{"explore S04 --strategy plain --executions 9 --stateless", exitUsage, "drawn executions"},
		{"explore S04 --strategy plain --executions 9 --checkpoint x", exitUsage,
			"a seed is all there is"},
		{"explore S04 --checkpoint /dev/null/x", exitUsage, "name a folder that can be written"},
		{"explore S04 --checkpoint . --coverage", exitUsage, "leave one out"},
		{"explore S04 --processes 2 --bound 1 --stateless --coverage", exitUsage, "leave one out"},
		{"explore S04 --strategy reversing --executions 9 --bound 1", exitUsage, "leave --bound out"},
		{"explore S04 --solo -1", exitUsage, "or 0 for no check"},
		{"explore S04 --solo 9 --checkpoint .", exitUsage, "leave one out"},
		{"explore S04 --lock-free 9 --processes 2 --bound 1 --stateless", exitUsage, "by --shard"},
		{"explore sync.Map --strategy pct", exitUsage, "--strategy is for operation states"},
		{"explore sync.Map --kills 1", exitUsage, "--kills is for operation states"},
		{"explore sync.Map --bound 0", exitUsage, "needs 1 or more"},
		{"replay", exitUsage, "TOKEN is missing"},
		{"dump", exitUsage, "FILE is missing"},
		{"verify", exitUsage, "FILE is missing"},
		{"states --root " + elsewhere, exitRed, "holds no go.mod"},
		{"spec --root " + root, exitRed, "manifest cannot be read"},
		{"states --root " + root, exitRed, "samecycle check --link model"},
		{"check --link volume --root " + root, exitRed, "NOT BUILT"},
		{"check --root " + root, exitOK, "GREEN: 2 pass, 160 not built"},
		{"states --root " + root, exitOK, "GREEN: 2 pass, 160 not built"},
	} {
		code, out, errOut := call(strings.Fields(c.line)...)
		if code != c.code || !strings.Contains(out+errOut, c.says) {
			t.Errorf("samecycle %s: status %d, want %d and %q\n%s%s",
				c.line, code, c.code, c.says, out, errOut)
		}
	}
}

// TestExplore_UnknownName: who names nothing learns all that can be named.
func TestExplore_UnknownName(t *testing.T) {
	for _, name := range []string{"S77", "queue"} {
		code, out, errOut := call("explore", name)
		if code != exitUsage || out != "" || !strings.Contains(errOut, strconv.Quote(name)) {
			t.Errorf("explore %s: status %d, want %d and the name\n%s%s", name, code, exitUsage, out, errOut)
		}
		for _, want := range []string{"S01 to S27", "a program that their search prints", "MODULE@VERSION",
			"./FOLDER", "sync.Map"} {
			if !strings.Contains(errOut, want) {
				t.Errorf("explore %s lacks %q\n%s", name, want, errOut)
			}
		}
	}
}

// TestHelp_EveryCommand holds that each command has an example.
func TestHelp_EveryCommand(t *testing.T) {
	for _, cmd := range newRoot(&app{}).Commands() {
		if cmd.Name() == "help" || cmd.Hidden {
			continue
		}
		if cmd.Example == "" || cmd.Short == "" || cmd.Long == "" {
			t.Errorf("%s lacks a text or an example", cmd.Name())
		}
		for _, l := range strings.Split(cmd.Long+"\n"+cmd.Example, "\n") {
			if len(l) > 100 {
				t.Errorf("%s: a line of %d columns: %s", cmd.Name(), len(l), l)
			}
		}
	}
}

// TestCheck_JSON holds that standard output is the JSON array and nothing else.
func TestCheck_JSON(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"})
	code, out, errOut := call("check", "--json", "--root", root)
	var rows []map[string]any
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 27 || code != exitOK {
		t.Fatalf("status %d, %d rows, %v:\n%s", code, len(rows), err, out)
	}
	if !strings.Contains(errOut, "GREEN") {
		t.Errorf("the summary is missing on standard error:\n%s", errOut)
	}
	code, again, _ := call("states", "--json", "--root", root)
	if code != exitOK || again != out {
		t.Errorf("states differs from check: status %d\n%s", code, again)
	}
}

// TestCheck_Red is the canary of check: what a link can do wrong must show in the exit status.
func TestCheck_Red(t *testing.T) {
	pass := evidence.Record{Status: evidence.Pass, Figure: 3, Unit: "runs", Bound: "three",
		Command: "samecycle check"}
	spoil := func(change func(*evidence.Record)) func(evidence.Env, catalog.State) evidence.Record {
		return func(_ evidence.Env, s catalog.State) evidence.Record {
			r := pass
			r.State = s.ID
			if s.Number == 4 {
				change(&r)
			}
			return r
		}
	}
	for name, c := range map[string]struct {
		run  func(evidence.Env, catalog.State) evidence.Record
		says []string
	}{
		"a failure": {spoil(func(r *evidence.Record) {
			r.Status, r.Detail, r.Replay = evidence.Fail, []string{"a get lost its key"}, "S04.1.2"
		}), []string{"✗ FAIL", "a get lost its key", "samecycle replay 'S04.1.2'", "1 fail"}},
		"no verdict": {spoil(func(r *evidence.Record) {
			r.Status, r.Detail = evidence.Unknown, []string{"no verdict within 10 s"}
		}), []string{"? UNKNOWN", "no verdict within 10 s"}},
		"a pass of nothing": {spoil(func(r *evidence.Record) { r.Figure = 0 }),
			[]string{"? UNKNOWN", "without a figure"}},
		"a panic": {spoil(func(*evidence.Record) { panic("index out of range") }),
			[]string{"✗ FAIL", "panic: index out of range"}},
		"a missing record": {spoil(func(r *evidence.Record) { r.State = "S05AddEmptyGet" }),
			[]string{"? UNKNOWN", "no record"}},
	} {
		root := repositoryWith(t, testLink{"model", c.run})
		code, out, errOut := call("check", "--root", root)
		if code != exitRed || !strings.Contains(out, "RED") {
			t.Errorf("%s: status %d\n%s", name, code, out)
		}
		for _, s := range c.says {
			if !strings.Contains(out, s) {
				t.Errorf("%s: the matrix does not say %q\n%s%s", name, s, out, errOut)
			}
		}
	}
}

func TestCheck_PartHasItsOwnVerdict(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"}, testLink{link: "histories",
		run: func(_ evidence.Env, s catalog.State) evidence.Record {
			return evidence.Record{State: s.ID, Status: evidence.Fail, Detail: []string{"broken"}}
		}})
	if code, out, _ := call("check", "--link", "model", "--root", root); code != exitOK {
		t.Errorf("the model alone: status %d\n%s", code, out)
	}
	if code, _, _ := call("check", "--root", root); code != exitRed {
		t.Errorf("all links: status %d", code)
	}
	if code, _, _ := call("check", "--state", "S01", "--root", root); code != exitRed {
		t.Errorf("a state with a broken link: status %d", code)
	}
}

func TestCheck_StaleAfterEdit(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"})
	if code, _, _ := call("check", "--root", root); code != exitOK {
		t.Fatalf("status %d", code)
	}
	put(t, root, "judged.txt", "edited")
	code, out, _ := call("states", "--root", root)
	if code != exitRed || !strings.Contains(out, "STALE model S01 S04") ||
		!strings.Contains(out, "judged.txt has changed") {
		t.Errorf("status %d\n%s", code, out)
	}
}

func TestCheck_Interrupted(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"})
	ctx, cancel := context.WithCancelCause(context.Background())
	chains[0].links[0] = testLink{"model", func(_ evidence.Env, s catalog.State) evidence.Record {
		cancel(errInterrupted)
		return evidence.Record{State: s.ID, Status: evidence.Pass, Figure: 1, Unit: "runs",
			Bound: "one", Command: "c"}
	}}
	chains[0].links = append(chains[0].links, testLink{link: "mutants"})
	code, out, _ := callWith(ctx, "check", "--root", root)
	if code != exitInterrupted || !strings.Contains(out, "stopped before") ||
		!strings.Contains(out, "✓ 1") {
		t.Errorf("status %d\n%s", code, out)
	}
}

// noExplorer is a link of a program that was built without the explorer.
type noExplorer struct{ testLink }

func (noExplorer) Run(context.Context, evidence.Env, []catalog.State,
	evidence.Progress) ([]evidence.Record, error) {
	return nil, evidence.CannotRun(harness.ErrPlain)
}

// TestCheck_WithoutTheExplorer holds what a program without the explorer says of the link that needs it, and
// that it leaves the record of a fuller program alone.
func TestCheck_WithoutTheExplorer(t *testing.T) {
	root := repositoryWith(t, testLink{link: "engine"})
	if code, _, _ := call("check", "--root", root); code != exitOK {
		t.Fatalf("status %d", code)
	}
	chains[0].links = []evidence.Runner{noExplorer{testLink{link: "engine"}}}
	for _, line := range []string{"check --all", "check --all --link engine"} {
		code, out, _ := call(append(strings.Fields(line), "--root", root)...)
		if code != exitRed || !strings.Contains(out, "make build") {
			t.Errorf("%s: status %d\n%s", line, code, out)
		}
	}
	if code, out, _ := call("states", "--root", root); code != exitOK {
		t.Errorf("the records of a fuller program must count: status %d\n%s", code, out)
	}
}

// TestCheck_RunsWhatIsStale: without --all what is green is kept, and a cell that failed or is stale runs
// again.
func TestCheck_RunsWhatIsStale(t *testing.T) {
	var ran []string
	fail := true
	root := repositoryWith(t, testLink{"model", func(env evidence.Env, s catalog.State) evidence.Record {
		ran = append(ran, s.Short())
		r := evidence.Record{State: s.ID, Status: evidence.Pass, Figure: 1, Unit: "runs", Bound: "one",
			Command: "c"}
		if fail && s.ID == "S04AddCollisionEmpty" {
			r.Status, r.Detail = evidence.Fail, []string{"it broke"}
		}
		return r
	}})
	for _, c := range []struct {
		what   string
		before func()
		flags  string
		code   int
		ran    string
		says   string
	}{
		{"no records", func() {}, "", exitRed, "S01 S04", "running 2 cells of 1 link"},
		{"one failed", func() { fail = false }, "", exitOK, "S04", "keeping 1 that are green"},
		{"all green", func() {}, "", exitOK, "", "nothing to run: 2 cells green"},
		{"all", func() {}, "--all", exitOK, "S01 S04", "running 2 cells"},
		{"all of one state", func() {}, "--all --state S04", exitOK, "S04", "running 1 cell"},
		{"stale", func() { put(t, root, "judged.txt", "edited") }, "", exitOK, "S01 S04", "the last runs"},
	} {
		ran = nil
		c.before()
		code, out, errOut := call(append([]string{"check", "--root", root}, strings.Fields(c.flags)...)...)
		if code != c.code || strings.Join(ran, " ") != c.ran || !strings.Contains(errOut, c.says) {
			t.Errorf("%s: status %d, ran %q, want %q and %q\n%s%s", c.what, code, ran, c.ran, c.says, out,
				errOut)
		}
	}
}

// TestReduceRefuses holds what explore --reduce does not go with, and --races.
func TestReduceRefuses(t *testing.T) {
	root := repositoryWith(t)
	for _, c := range []struct{ line, why string }{
		{"explore S04 --reduce --bound 1", "leave one of the two out"},
		{"explore S04 --reduce --strategy pct --executions 5", "leave one of the two out"},
		{"explore S04 --reduce --solo 5", "leave one of the two out"},
		{"explore S04 --races", "and judge plain memory with go test -race"},
		{"explore sync.Map --reduce", "--reduce is for operation states"},
	} {
		code, _, errOut := call(append(strings.Fields(c.line), "--root", root)...)
		if code != exitUsage || !strings.Contains(errOut, c.why) {
			t.Errorf("%s: status %d, %q", c.line, code, errOut)
		}
	}
}

// TestRun_FlagsOfAnotherType: a value that a flag does not take is named, with what it does take.
func TestRun_FlagsOfAnotherType(t *testing.T) {
	for line, want := range map[string]string{
		"check --json=perhaps":                     "--json perhaps: use true or false",
		"explore S04 --time soon":                  "--time soon: use a duration like 90s",
		"explore S04 --bound 99999999999999999999": "--bound 99999999999999999999: use a whole number up",
		"check --seed -1":                          "--seed -1: use a whole number from 0",
	} {
		code, _, errOut := call(strings.Fields(line)...)
		if code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %q", line, code, errOut)
		}
	}
}

// TestTypeFlags holds what explore --type wants, and does not go with.
func TestTypeFlags(t *testing.T) {
	root := repositoryWith(t)
	for _, c := range []struct{ line, why string }{
		{"explore S04 --type Queue", "--type is for foreign code"},
		{"explore S04 --actors 3", "--actors is for foreign code"},
		{"explore example.com/m --type T", "example.com/m lacks a version"},
		{"explore ./none --type T", "none: no such file or directory; name a folder that can be read"},
		{"explore sync.Map --type Map", "leave --type and --test out"},
		{"explore S04 --test One", "--test is for foreign code"},
		{"explore ./none --test One --type T", "explore either tests or a type"},
		{"explore ./none --test One --call A", "name it by --type"},
		{"explore ./none --type One --leaks", "name them by --test"},
		{"explore ./none --test One --kills 1", "--kills is for operation states"},
		{"explore ./none --test One --time 1s", "name a folder that can be read"},
		{"explore sync.Map --time 5s", "name it by --type"},
		{"explore example.com/m@v1 --new N", "name it by --type"},
		{"explore ./none --type T --actors 4", "use 2 or 3"},
		{"explore ./none --type T --executions -1", "use 0 for 10000"},
		{"explore ./none --test T --executions -1", "use 0 for 100000"},
		{"explore ./none --type T --kills 1", "--kills is for operation states"},
		{"explore ./none --type T --call Add,,Value", "--call Add,,Value: a name is empty"},
		{"explore ./none --type T --single Add,", "--single Add,: a name is empty"},
		{"explore ./none --type T --bound 0", "foreign code needs 1 or more, or -1 for none"},
		{"explore ./none --type T --bound -2", "foreign code needs 1 or more, or -1 for none"},
		{"explore ./none --type T --bound -1", "name a folder that can be read"},
	} {
		code, _, errOut := call(append(strings.Fields(c.line), "--root", root)...)
		if code != exitUsage || !strings.Contains(errOut, c.why) {
			t.Errorf("%s: status %d, %q", c.line, code, errOut)
		}
	}
}

// TestBackends holds how a backend's report and its absence reach the user.
func TestBackends(t *testing.T) {
	root := repositoryWith(t)
	before := exploreBackend
	t.Cleanup(func() { exploreBackend = before })

	exploreBackend = nil
	code, _, errOut := call("explore", "S04", "--root", root)
	if code != exitRed || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "make build") {
		t.Errorf("without a backend: status %d, %q", code, errOut)
	}
	var asked exploreRequest
	exploreBackend = func(_ context.Context, r exploreRequest) (report, error) {
		asked = r
		return report{Red: r.Kills == 9, Data: map[string]int{"executions": 5},
			Text: func(w io.Writer) error { _, err := fmt.Fprintln(w, "5 executions"); return err }}, nil
	}
	code, out, _ := call("explore", "s4", "--bound", "-1", "--root", root)
	if code != exitOK || out != "5 executions\n" || asked.Bound != -1 || !asked.Fixed ||
		asked.State.Number != 4 {
		t.Errorf("status %d, %q, asked %+v", code, out, asked)
	}
	code, out, _ = call("explore", "S04", "--json", "--kills", "9", "--root", root)
	if code != exitRed || !strings.Contains(out, `"executions": 5`) {
		t.Errorf("status %d, %q", code, out)
	}
	exploreBackend = func(context.Context, exploreRequest) (report, error) {
		return report{}, errors.New("scenario S04 is not there")
	}
	code, _, errOut = call("explore", "S04", "--root", root)
	if code != exitRed || errOut != "samecycle: scenario S04 is not there\n" {
		t.Errorf("status %d, %q", code, errOut)
	}
}

//go:build explore

package processes

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// The test program is its own child: of a program, in a file, as a process.
const (
	partProgram = "SAMECYCLE_PART_PROGRAM"
	partFile    = "SAMECYCLE_PART_FILE"
	partNumber  = "SAMECYCLE_PART_NUMBER"
)

func TestMain(m *testing.M) {
	s, ok := SearchByName(os.Getenv(partProgram))
	if !ok {
		os.Exit(m.Run())
	}
	i, err := strconv.Atoi(os.Getenv(partNumber))
	if err == nil {
		err = s.Serve(os.Getenv(partFile), i, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func commandOf(t *testing.T, program, file string) func(int) *exec.Cmd {
	return func(i int) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), partProgram+"="+program, partFile+"="+file,
			fmt.Sprintf("%s=%d", partNumber, i))
		return cmd
	}
}

// tokens are those of one execution of each kind: who died, and what was inherited.
func tokens(t *testing.T, p Program) map[string]string {
	t.Helper()
	s, err := newStage(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	program := s.program()
	program.Finish = func(x *explore.Execution) error {
		kind := ""
		for i, q := range s.processes {
			if x.Gone(q) {
				kind += " death of " + p.Cast[i].Name
			}
		}
		for _, c := range s.clients {
			for _, got := range c.got {
				kind += fmt.Sprintf(" inherited %v finished %v", got.Kind, got.Finished)
			}
		}
		if all[kind] == "" {
			all[kind] = x.Token()
		}
		return s.finish(x)
	}
	rep, err := explore.Explore(program, explore.Options{Preemptions: 1, Kills: 1, Stateful: true,
		Audit: -1, MaxExecutions: 4000})
	if err != nil || rep.Failure != nil {
		t.Fatal(err, rep.Failure)
	}
	return all
}

// Executions of each program, with and without a death, are the same in real processes: each step
// and each word.
func TestEnact_RealProcessesDoTheSame(t *testing.T) {
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) {
			deaths, peaceful, n := 0, 0, 0
			for kind, token := range tokens(t, p) {
				if rep, err := Replay(p, token); err != nil || rep.Failure != nil {
					t.Fatalf("%s (%s): %v, %v", kind, token, err, rep.Failure)
				}
				file := filepath.Join(t.TempDir(), "region")
				done, err := Real(p, token, file, commandOf(t, p.Name, file))
				if err != nil {
					t.Fatalf("%s (%s): %v", kind, token, err)
				}
				if done.Processes != len(p.Cast) || done.Accesses == 0 || done.Words == 0 {
					t.Errorf("%s: %+v", kind, done)
				}
				n += done.Accesses
				deaths += done.Deaths
				peaceful += int(one(done.Deaths == 0))
			}
			t.Logf("%d executions with a death, %d without, %d accesses", deaths, peaceful, n)
			if deaths < 2 || peaceful < 1 {
				t.Errorf("%d executions with a death, %d without: too few", deaths, peaceful)
			}
		})
	}
}

// creations are the tokens of one execution of each kind of creation: who died, who made the region, and
// what the others came to.
func creations(t *testing.T) map[string]string {
	t.Helper()
	f, p, err := Creation{}.prepare()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	p.Finish = func(x *explore.Execution) error {
		kind := ""
		for i, c := range f.comers {
			switch {
			case x.Gone(f.processes[i]):
				kind += " died"
			case c.made:
				kind += " made it"
			case c.region == nil:
				kind += " too early"
			default:
				kind += fmt.Sprintf(" attached as %v", c.region.Process())
			}
		}
		if all[kind] == "" {
			all[kind] = x.Token()
		}
		return f.finish(x)
	}
	rep, err := explore.Explore(p, explore.Options{Preemptions: explore.Unbounded, Kills: 2, Reduce: true,
		Audit: -1})
	if err != nil || rep.Failure != nil {
		t.Fatal(err, rep.Failure)
	}
	return all
}

// Several creators of one region, any of which may be killed, are the same as real processes that come to one
// name: who creates the file, each step of each, and each word at the end.
func TestEnact_RealCreatorsDoTheSame(t *testing.T) {
	deaths, peaceful, stops, n := 0, 0, 0, 0
	for kind, token := range creations(t) {
		file := filepath.Join(t.TempDir(), "region")
		done, err := Creation{}.Real(token, file, commandOf(t, creationName, file))
		if err != nil {
			t.Errorf("%s (%s): %v", kind, token, err)
		}
		deaths += int(one(done.Deaths > 0))
		peaceful += int(one(done.Deaths == 0))
		stops += done.Stops
		n += done.Accesses
	}
	t.Logf("%d executions with deaths, %d without, %d stops, %d accesses", deaths, peaceful, stops, n)
	if deaths < 20 || peaceful < 9 || stops < 40 {
		t.Errorf("%d executions with deaths, %d without, %d stops: too few", deaths, peaceful, stops)
	}
}

// The canaries: processes that make the region in another way, a token of another execution, and a file
// that has another word, or that is there at all, differ from the replay.
func TestEnact_ADifferentCreationIsFound(t *testing.T) {
	var token string
	for kind, one := range creations(t) {
		if strings.HasPrefix(kind, " made it attached as") {
			token = one
		}
	}
	for name, c := range map[string]struct {
		spoil func(e *Enactment)
		want  string
	}{
		"nothing": {func(*Enactment) {}, ""},
		"name": {func(e *Enactment) {
			took := func(s explore.Step) bool { return s.Kind == hook.TryLock }
			e.Steps[slices.IndexFunc(e.Steps, took)].OK = false
		}, "made a TryLock at offset 0x1000000000000"},
		"value": {func(e *Enactment) {
			version := func(s explore.Step) bool { return s.Object == 8 }
			e.Steps[slices.IndexFunc(e.Steps, version)].New ^= 1
		}, "made a Store at offset 0x8"},
		"word": {func(e *Enactment) { e.Words[1]++ }, "at the end the word at offset 0x8"},
		"file": {func(e *Enactment) { e.Absent = true }, "there is a region, and none in the replay"},
	} {
		file := filepath.Join(t.TempDir(), "region")
		e, err := Creation{}.enactment(token, file)
		if err != nil {
			t.Fatal(err)
		}
		e.Command = commandOf(t, creationName, file)
		c.spoil(&e)
		_, err = e.Run()
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrDiffers) ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want a difference: %q", name, err, c.want)
		}
	}
}

// A child that is stopped is, by the word of the system, and goes on where it was.
func TestChild_IsStopped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "region")
	c, err := start(commandOf(t, creationName, file)(0))
	if err != nil {
		t.Fatal(err)
	}
	defer c.end()
	for i := range 3 {
		if _, err := c.tell(order{}); err != nil {
			t.Fatal(err)
		}
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if stopped, err := c.stopped(); !stopped || err != nil {
			t.Errorf("not stopped after step %d (%v)", i, err)
		}
	}
	if err := c.wake(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(stopping); ; {
		stopped, err := c.stopped()
		if !stopped && err == nil {
			return
		}
		if err != nil || time.Now().After(end) {
			t.Fatalf("still stopped (%v)", err)
		}
	}
}

// The canaries: a replay that is wrong in one step, ends too early, goes on with a dead process, or has
// another word at the end, differs, and the step is named.
func TestEnact_DifferencesAreFound(t *testing.T) {
	p := detach()
	var token string
	for kind, one := range tokens(t, p) {
		if strings.Contains(kind, "death of helper") {
			token = one
		}
	}
	store := func(e *Enactment) int {
		return slices.IndexFunc(e.Steps, func(s explore.Step) bool {
			return s.Kind == hook.CompareAndSwap && s.OK
		})
	}
	for name, c := range map[string]struct {
		spoil func(e *Enactment)
		want  string
	}{
		"value":  {func(e *Enactment) { e.Steps[store(e)].New ^= 1 }, "step %d, of process"},
		"place":  {func(e *Enactment) { e.Steps[store(e)].Object += 8 }, "step %d, of process"},
		"result": {func(e *Enactment) { e.Steps[store(e)].OK = false }, "step %d, of process"},
		"end":    {func(e *Enactment) { e.Steps = e.Steps[:store(e)] }, "goes on where the replay has ended"},
		"word":   {func(e *Enactment) { e.Words[len(e.Words)-1]++ }, "at the end the word at offset"},
	} {
		file := filepath.Join(t.TempDir(), "region")
		e, err := enactment(p, token, file)
		if err != nil {
			t.Fatal(err)
		}
		e.Command = commandOf(t, p.Name, file)
		at := e.Steps[store(&e)].Index
		c.spoil(&e)
		want := c.want
		if strings.Contains(want, "%d") {
			want = fmt.Sprintf(want, at)
		}
		if _, err := e.Run(); !errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want a difference: %s", name, err, want)
		}
	}
}

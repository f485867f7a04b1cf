//go:build explore

package processes

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/explore/processes/processtest"
	"github.com/samecycle/samecycle/internal/hook"
)

func TestMain(m *testing.M) {
	processtest.Main(m, func(program, file string, process int, in io.Reader, out io.Writer) error {
		s, ok := SearchByName(program)
		if !ok {
			return fmt.Errorf("no program %s", program)
		}
		return s.Serve(file, process, in, out)
	})
}

type enactment = processes.Enactment

// real runs a token in real processes.
func real(t *testing.T, p Program, token, file string) (processes.Enacted, error) {
	t.Helper()
	s, ok := SearchByName(p.Name)
	if !ok {
		t.Fatalf("no program %s", p.Name)
	}
	return s.Real(token, file, processtest.Command(t, p.Name, file))
}

// tokens are those of one execution of each kind: who died, and what was inherited.
func tokens(t *testing.T, p Program) map[string]string {
	t.Helper()
	s, err := newStage(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	program := s.Program()
	finish := program.Finish
	program.Finish = func(x *explore.Execution) error {
		kind := ""
		for i := range p.Cast {
			if s.Gone(i) {
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
		return finish(x)
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
				done, err := real(t, p, token, file)
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
	store := func(e *enactment) int {
		return slices.IndexFunc(e.Steps, func(s explore.Step) bool {
			return s.Kind == hook.CompareAndSwap && s.OK
		})
	}
	for name, c := range map[string]struct {
		spoil func(e *enactment)
		want  string
	}{
		"value":  {func(e *enactment) { e.Steps[store(e)].New ^= 1 }, "step %d, of process"},
		"place":  {func(e *enactment) { e.Steps[store(e)].Object += 8 }, "step %d, of process"},
		"result": {func(e *enactment) { e.Steps[store(e)].OK = false }, "step %d, of process"},
		"end":    {func(e *enactment) { e.Steps = e.Steps[:store(e)] }, "goes on where the replay has ended"},
		"word":   {func(e *enactment) { e.Words[len(e.Words)-1]++ }, "at the end the word at offset"},
	} {
		file := filepath.Join(t.TempDir(), "region")
		s, err := newStage(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := s.Enactment(token, file)
		if err != nil {
			t.Fatal(err)
		}
		e.Command = processtest.Command(t, p.Name, file)
		at := e.Steps[store(&e)].Index
		c.spoil(&e)
		want := c.want
		if strings.Contains(want, "%d") {
			want = fmt.Sprintf(want, at)
		}
		if _, err := e.Run(); !errors.Is(err, processes.ErrDiffers) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want a difference: %s", name, err, want)
		}
	}
}

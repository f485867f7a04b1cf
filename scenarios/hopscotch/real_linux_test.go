//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/explore/processes/processtest"
	"github.com/samecycle/samecycle/internal/hook"
	table "github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

func TestMain(m *testing.M) { processtest.Main(m, ServeReal) }

// Tokens of three states, of each outcome, with and without a death, from searches together, apart and
// reduced, are the same in real processes.
func TestReplayReal_DoesTheSame(t *testing.T) {
	for _, name := range []string{"S04AddCollisionEmpty", "S12UsurpUpdate", "S09AddCollisionDeleteMember"} {
		p := mustProgram(t, name)
		for _, o := range []Options{{Preemptions: 1, Kills: 1}, {Preemptions: 1, Kills: 1, Apart: true},
			{Preemptions: explore.Unbounded, Reduce: true, Kills: 1, Executions: 300}} {
			rep, err := Explore(p, o)
			if err != nil || rep.Failure != nil {
				t.Fatal(err, rep.Failure)
			}
			n, deaths := 0, 0
			for outcome, token := range rep.Tokens {
				if n == 5 {
					break // of each search; a process takes longer than an execution
				}
				n++
				file := filepath.Join(t.TempDir(), "region")
				done, err := ReplayReal(token, file, processtest.Command(t, p.Name, file))
				if err != nil {
					t.Fatalf("%s, %s: %v", outcome, token, err)
				}
				if done.Processes != len(p.Ops) || done.Accesses == 0 || done.Words == 0 ||
					strings.Contains(outcome, "killed") && done.Deaths == 0 {
					t.Errorf("%s: %+v", outcome, done)
				}
				deaths += done.Deaths
			}
			t.Logf("%s: %d executions, %d deaths", name, n, deaths)
			if n < 2 || deaths == 0 {
				t.Errorf("%s: %d tokens, %d deaths; want several", name, n, deaths)
			}
		}
	}
}

// The canary: of processes that do something else, one that has another program, the first step that
// differs is named.
func TestReplayReal_AnotherProgramDiffers(t *testing.T) {
	p := mustProgram(t, "S12UsurpUpdate")
	rep := mustRun(t, p, Options{Preemptions: 0})
	other := mustProgram(t, "S13UsurpDelete")
	for _, token := range rep.Tokens {
		file := filepath.Join(t.TempDir(), "region")
		_, err := ReplayReal(token, file, processtest.Command(t, other.Name, file))
		if !errors.Is(err, processes.ErrDiffers) || !strings.Contains(err.Error(), "step ") {
			t.Errorf("%v; want a step that differs", err)
		}
	}
}

// A step of the replay that the processes do not make is named, too.
func TestReplayReal_ASpoiltReplayDiffers(t *testing.T) {
	p := mustProgram(t, "S04AddCollisionEmpty")
	rep := mustRun(t, p, Options{Preemptions: 0})
	for _, token := range rep.Tokens {
		file := filepath.Join(t.TempDir(), "region")
		e, _, err := enactment(token, file)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for i, s := range e.Steps {
			if s.Kind == hook.Load {
				at = i
			}
		}
		e.Steps[at].New++
		e.Command = processtest.Command(t, p.Name, file)
		_, err = e.Run()
		if want := fmt.Sprintf("step %d, ", e.Steps[at].Index); !errors.Is(err, processes.ErrDiffers) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// Each program of processes has a replay in real ones: here that of an execution without a switch.
func TestReplayReal_OfEachProgramOfProcesses(t *testing.T) {
	for _, s := range table.Searches() {
		token := sealed("sx1~" + s.Name + "~k0a0b0p-1m10000s50~/")
		file := filepath.Join(t.TempDir(), "region")
		done, err := ReplayReal(token, file, processtest.Command(t, s.Name, file))
		if err != nil || done.Processes < 2 || done.Accesses == 0 || done.Words == 0 {
			t.Errorf("%s: %+v, %v", s.Name, done, err)
		}
	}
}

// Package stresstest has what the tests of an engine's volume do alike for every engine: they run short
// campaigns, also with workers that are the test program itself, and they want the judges to say of a faulty
// subject what is wrong with it.
package stresstest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/stress"
)

// variable makes the test program a worker of a test's run; its value names a fault.
const variable = "SAMECYCLE_VOLUME_WORKER"

// Main is the main function of the tests. In a worker that a test has started it serves the subject with the
// fault that the test names, see [Worker]; "" is none.
func Main(m *testing.M, subject func(fault string) stress.Subject) {
	fault, isWorker := os.LookupEnv(variable)
	if !isWorker {
		os.Exit(m.Run())
	}
	if err := stress.Worker(os.Args[len(os.Args)-1], subject(fault)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Worker is the program of the workers of a campaign, see stress.Options: the test program. Until the test
// ends they have the fault. The package's TestMain is [Main].
func Worker(t *testing.T, fault string) []string {
	t.Helper()
	t.Setenv(variable, fault)
	return []string{os.Args[0]}
}

// State runs one state with seed 1, if o has none, until its race was seen, or the campaign gives up.
func State(t *testing.T, s stress.Subject, state string, o stress.Options) *stress.StateReport {
	t.Helper()
	o.Seed, o.Marks, o.States = max(o.Seed, 1), 1, []string{state}
	r, err := stress.Campaign(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r.States[0]
}

// seedsMost is with how many seeds a state runs whose race does not happen. Some races are so rare that one
// campaign in eight does not meet them.
const seedsMost = 8

// Goroutines runs each state in so many goroutines. Its race is seen, and nothing is wrong. The states are
// left out whose race needs a death.
func Goroutines(t *testing.T, s stress.Subject, threads int, needDeaths ...string) {
	t.Helper()
	for _, state := range s.States() {
		if slices.Contains(needDeaths, state) {
			continue
		}
		t.Run(state, func(t *testing.T) {
			for seed := uint64(1); ; seed++ {
				r := State(t, s, state, stress.Options{Threads: threads, Seed: seed})
				text, _ := r.Verdict()
				t.Logf("seed %d: %d marks in %d operations", seed, r.Marks, r.Operations)
				if r.Marks == 0 && len(r.Faults)+len(r.Undecided) == 0 && seed < seedsMost {
					continue
				}
				if text != "" {
					t.Error(text)
				}
				break
			}
		})
	}
}

// Processes is [Goroutines] in four processes that are stopped and killed. Short tests run those states alone
// whose race needs a death. A verdict that is not known is none: the machine may be busy.
func Processes(t *testing.T, s stress.Subject, needDeaths ...string) {
	t.Helper()
	worker := Worker(t, "")
	for _, state := range s.States() {
		t.Run(state, func(t *testing.T) {
			if testing.Short() && !slices.Contains(needDeaths, state) {
				t.Skip("NOT RUN: it takes some seconds; run the tests without -short")
			}
			r := State(t, s, state, stress.Options{Processes: 4, Worker: worker})
			if text, unknown := r.Verdict(); text != "" && !unknown {
				t.Error(text)
			}
			t.Logf("%d marks, %d operations, %d kills, %d in flight, %d installed, %d lost", r.Marks,
				r.Operations, r.Kills, r.InFlight, r.Installed, r.Lost)
		})
	}
}

// Found wants the judges to have said one of these texts of a fault.
func Found(t testing.TB, fault string, r *stress.StateReport, says ...string) {
	t.Helper()
	text := strings.Join(r.Faults, "\n")
	if !slices.ContainsFunc(says, func(want string) bool { return strings.Contains(text, want) }) {
		t.Errorf("%s: %d operations, found %q, want one of %q", fault, r.Operations, text, says)
	}
}

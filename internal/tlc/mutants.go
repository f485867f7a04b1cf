package tlc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/samecycle/samecycle/internal/catalog"
)

// MutantsName is the file of a spec folder that lists its mutants.
const MutantsName = "mutants.json"

// Edit replaces one piece of a module's text, which must occur in it exactly once.
type Edit struct {
	Module string `json:"module"` // without .tla
	Old    string `json:"old"`
	New    string `json:"new"`
}

// Mutant is a seeded fault of the specification: a conjunct dropped, an order swapped, a second
// look skipped. The run that it names must be violated by it, and of the run's properties the one that it
// names: what dies of another one shows nothing about this one.
type Mutant struct {
	Name     string `json:"name"`     // unique
	State    string `json:"state"`    // the operation state whose protocol it spoils
	Edits    []Edit `json:"edits"`    //
	Run      string `json:"run"`      // the entry of the manifest that kills it
	Property string `json:"property"` // of the run: the one that it violates first
	// Alone leaves the other properties of the run out: one of them breaks at the same step, or before.
	Alone bool   `json:"alone,omitempty"`
	Note  string `json:"note"` // what is wrong with it, one sentence

	entry    Entry
	dir      string
	schedule schedule
}

// Whole is the mutant without a schedule: its run searches everything.
func (x Mutant) Whole() Mutant {
	x.schedule = schedule{}
	return x
}

// LoadMutants reads and validates DIR/mutants.json against the folder's manifest. The error lists
// all complaints.
func LoadMutants(dir string) ([]Mutant, error) {
	path := filepath.Join(dir, MutantsName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("mutants cannot be read: %w", err)
	}
	var mutants []Mutant
	if err := decodeList(text, &mutants); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrManifest, path, err)
	}
	m, err := LoadManifest(dir)
	if err != nil {
		return nil, err
	}
	schedules, err := LoadSchedules(dir)
	if err != nil {
		return nil, err
	}
	var all []error
	seen := map[string]bool{}
	for i := range mutants {
		x := &mutants[i]
		x.dir, x.schedule = dir, schedules.of(x.Name)
		if seen[x.Name] {
			all = append(all, fmt.Errorf("%w: mutant %s: the name is used twice", ErrManifest, x.Name))
		}
		seen[x.Name] = true
		for _, c := range x.complaints(m) {
			all = append(all, fmt.Errorf("%w: mutant %s: %s", ErrManifest, x.Name, c))
		}
	}
	if len(all) > 0 {
		return nil, errors.Join(all...)
	}
	return mutants, nil
}

// complaints returns what is wrong with the mutant, and finds the entry of its run.
func (x *Mutant) complaints(m *Manifest) (bad []string) {
	no := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if x.Name == "" || strings.ContainsAny(x.Name, " /\\") {
		no("name %q: give it one word", x.Name)
	}
	if !catalog.IsStateID(x.State) {
		no("state %q is no state; write its full identifier, as S04AddCollisionEmpty", x.State)
	}
	if len(x.Edits) == 0 {
		no("it has no edits")
	}
	for _, e := range x.Edits {
		if _, err := e.apply(m.Dir); err != nil {
			no("%v", err)
		}
	}
	found := false
	for _, e := range m.Entries {
		if e.Name == x.Run {
			x.entry, found = e, true
		}
	}
	switch {
	case !found:
		no("run %q is not in the manifest", x.Run)
	case x.entry.Expect != OK:
		no("run %s is violated without it, too", x.Run)
	default:
		c := parseConfig(x.entry.text)
		if !contains(c.invariants, x.Property) && !contains(c.properties, x.Property) {
			no("property %q is not in the configuration of %s", x.Property, x.Run)
		}
	}
	return bad
}

// apply returns the module's text with the edit.
func (e Edit) apply(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, e.Module+".tla"))
	if err != nil {
		return "", fmt.Errorf("module %s.tla is not in the folder", e.Module)
	}
	if n := strings.Count(string(text), e.Old); n != 1 || e.Old == e.New {
		return "", fmt.Errorf("the text %q occurs %d times in %s.tla, and must occur once and change",
			e.Old, n, e.Module)
	}
	return strings.Replace(string(text), e.Old, e.New, 1), nil
}

// Killed is what became of one mutant.
type Killed struct {
	Mutant  Mutant
	Result  Result
	Err     error  // there is no Result
	Problem string // why the mutant does not count as killed; empty when it does
	Unknown bool   // there is no verdict: time or memory ran out, or the run was stopped
}

// RunMutants runs each mutant in a copy of its folder, two at a time, and tells observe of each that
// has ended, with the number of those; its calls do not overlap. The verdicts are in the order of the
// mutants.
func (t *Tool) RunMutants(ctx context.Context, mutants []Mutant, observe func(Killed, int)) []Killed {
	out := make([]Killed, len(mutants))
	copies, err := os.MkdirTemp("", "samecycle-mutants-")
	if err == nil {
		defer os.RemoveAll(copies)
	}
	tasks, known := make([]task, len(mutants)), folders{}
	failures := make([]error, len(mutants))
	for i, x := range mutants {
		tasks[i] = x.entry.task()
		outcome := Invariant
		if known.isTemporal(x.dir, x.Property) {
			outcome, tasks[i].alone = Liveness, true
		}
		tasks[i].follow(x.schedule, outcome, x.Property, 0)
		tasks[i].job.Dir = filepath.Join(copies, x.Name)
		tasks[i].job.Text = x.configuration(known)
		if failures[i] = err; err == nil {
			failures[i] = x.copyTo(tasks[i].job.Dir)
		}
	}
	var mu sync.Mutex
	done := 0
	t.runTasks(ctx, tasks, 2, func(int) {}, func(i int, r Result, err error) {
		k := Killed{Mutant: mutants[i], Result: r}
		if err = cmp.Or(failures[i], err); err != nil {
			err = fmt.Errorf("mutant %s: %w", mutants[i].Name, err)
			k.Err, k.Problem, k.Unknown = err, err.Error(), true
		} else {
			k.Problem, k.Unknown = mutants[i].judge(r)
		}
		mu.Lock()
		defer mu.Unlock()
		out[i] = k
		if done++; observe != nil {
			observe(k, done)
		}
	})
	return out
}

// checks reports whether the mutant's run checks a property. What breaks in a step is told before TLC looks
// for what never happens, so that a mutant of such a property needs no temporal one.
func (x Mutant) checks(property string, known folders) bool {
	return property == x.Property || !x.Alone &&
		(known.isTemporal(x.dir, x.Property) || !known.isTemporal(x.dir, property))
}

// configuration is that of the mutant's run, with the properties that it checks.
func (x Mutant) configuration(known folders) string {
	return checking(x.entry.text, func(p string) bool { return x.checks(p, known) })
}

// copyTo makes the folder dir, and writes the modules into it, edited.
func (x Mutant) copyTo(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := copyModules(x.dir, dir); err != nil {
		return err
	}
	for _, e := range x.Edits {
		text, err := e.apply(dir)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, e.Module+".tla"), []byte(text), 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// temporalAside is what the verdict on a mutant that lives leaves open; see checks.
const temporalAside = " (its temporal properties are checked for a mutant that names one)"

// judge says why a result does not kill the mutant; an empty problem says that it does.
func (x Mutant) judge(r Result) (problem string, unknown bool) {
	switch r.Outcome {
	case Liveness, Invariant:
		if r.Property == x.Property {
			return "", false
		}
		return fmt.Sprintf("it violates %s, the list says %s", named(r.Property), x.Property), false
	case Deadlock:
		return "it ends in a deadlock, the list says " + x.Property, false
	case OK:
		return "it SURVIVES: " + x.Run + " holds" + temporalAside, false
	case TimedOut:
		return "the time ran out", true
	}
	return "TLC could not judge it: " + r.Message, r.Resources
}

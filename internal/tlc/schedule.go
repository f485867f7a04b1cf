package tlc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// SchedulesName is the file of a spec folder that has the schedules of its counterexamples.
const SchedulesName = "schedules.json"

// Schedules are counterexamples that are known, of runs that must fail, and of mutants. Each is a digit a
// step, the actor that moves, 0 where none does. A run that has a schedule first searches only the
// behaviours of that schedule, which is enough to see that the property is violated. If it is not violated,
// the schedule is out of date, and the run searches everything. So no verdict rests on this file.
type Schedules struct {
	Local string            `json:"local"` // the variable that has the local state of each actor
	Moves map[string]string `json:"moves"` // by run or mutant
}

var (
	reVariable = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	reMoves    = regexp.MustCompile(`^\d+$`)
)

// LoadSchedules reads and validates DIR/schedules.json. A folder without it has none.
func LoadSchedules(dir string) (Schedules, error) {
	var s Schedules
	path := filepath.Join(dir, SchedulesName)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("schedules cannot be read: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return s, fmt.Errorf("%w: %s: %w", ErrManifest, path, err)
	}
	if !reVariable.MatchString(s.Local) {
		return s, fmt.Errorf("%w: %s: local is %q: name the variable of local states",
			ErrManifest, path, s.Local)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Moves)) {
		if !reMoves.MatchString(s.Moves[name]) {
			return s, fmt.Errorf("%w: %s: %s: %q is not a digit for each step; take the line out, "+
				"and make it anew: samecycle spec --schedules %s",
				ErrManifest, path, name, s.Moves[name], name)
		}
	}
	return s, nil
}

// Save writes the schedules into DIR/schedules.json, atomically.
func (s Schedules) Save(dir string) error {
	if err := writeJSON(filepath.Join(dir, SchedulesName), s); err != nil {
		return fmt.Errorf("schedules cannot be written: %w", err)
	}
	return nil
}

// Learn notes who moves in a counterexample of a run or mutant that searched everything, and returns a
// line that tells the change, or "" when there is none. What is found in so few states that reading the
// modules takes longer needs no schedule.
func (s *Schedules) Learn(name string, r Result) (string, error) {
	was, had := s.Moves[name]
	if r.Scheduled || r.Outcome != Invariant && r.Outcome != Liveness || r.Distinct < leastWork {
		return "", nil
	}
	moves, err := movesOf(r.Trace, s.Local)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if had && was == moves {
		return "", nil
	}
	if s.Moves == nil {
		s.Moves = map[string]string{}
	}
	s.Moves[name] = moves
	return fmt.Sprintf("%s: %d steps to %s in place of %d states",
		name, len(moves), r.Property, r.Distinct), nil
}

// schedule is that of one run.
type schedule struct{ local, moves string }

func (s Schedules) of(name string) schedule { return schedule{s.Local, s.Moves[name]} }

// The module that holds a run to its schedule, around the run's own one.
const (
	scheduledModule = "Scheduled"
	scheduledText   = `---- MODULE Scheduled ----
EXTENDS %s, Naturals, Sequences, TLC
ScheduledMoves == <<%s>>
OnSchedule ==
  LET n == TLCGet("level") IN
  /\ n <= Len(ScheduledMoves)
  /\ LET a == ScheduledMoves[n] IN a = 0 \/ %[3]s'[a] # %[3]s[a]
====
`
)

// put writes into the folder of a job the module that holds it to the schedule, and returns the job that is
// held, which checks the properties that are kept.
func (s schedule) put(job Job, kept func(property string) bool) (Job, error) {
	moves := strings.Join(strings.Split(s.moves, ""), ", ")
	text := fmt.Sprintf(scheduledText, job.Module, moves, s.local)
	job.Text = checking(job.Text, kept) + "ACTION_CONSTRAINT OnSchedule\n"
	job.Module, job.Config = scheduledModule, scheduledModule+".cfg"
	return job, os.WriteFile(filepath.Join(job.Dir, scheduledModule+".tla"), []byte(text), 0o600)
}

// scheduled runs a task along its schedule, in a copy of its folder; ok reports whether that violates
// what it must. TLC looks at the properties before the constraint: so each step beside the schedule is
// looked at, too. What never happens, in a circle of the states along it, never does in the whole graph:
// TLC asks what is enabled without the constraint.
func scheduled(ctx context.Context, w task, run func(task) (Result, error)) (r Result, ok bool, err error) {
	dir, err := os.MkdirTemp("", "samecycle-schedule-")
	if err != nil {
		return r, false, err
	}
	defer os.RemoveAll(dir)
	if err := copyModules(w.job.Dir, dir); err != nil {
		return r, false, err
	}
	known := folders{}
	w.job.Dir = dir
	w.job, err = w.schedule.put(w.job, func(p string) bool {
		return w.outcome != Invariant || !known.isTemporal(dir, p)
	})
	if err != nil {
		return r, false, err
	}
	r, err = run(w)
	r.Scheduled = true
	leads := r.Outcome == w.outcome && r.Property == w.property && (w.depth == 0 || w.depth == r.Depth)
	return r, err == nil && leads, err
}

// copyModules copies the modules of a folder.
func copyModules(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.tla"))
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.Base(f)), text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// movesOf is the schedule of a counterexample, with the step back where it ends in a circle.
func movesOf(trace []State, local string) (string, error) {
	var moves strings.Builder
	var before []string
	for i, s := range trace {
		if s.Text == "" && strings.HasPrefix(s.Action, "Stuttering") {
			break
		}
		if s.Text == "" && 0 < s.Number && s.Number <= i { // back to a state before
			s.Text = trace[s.Number-1].Text
		}
		now, err := elementsOf(s.Text, local)
		if err != nil {
			return "", fmt.Errorf("state %d of the counterexample: %w", s.Number, err)
		}
		if i > 0 {
			mover := 0
			for a := range min(len(now), 9) {
				if mover == 0 && a < len(before) && now[a] != before[a] {
					mover = a + 1
				}
			}
			fmt.Fprint(&moves, mover)
		}
		before = now
	}
	return moves.String(), nil
}

// elementsOf are the elements of the sequence that a variable has in a state as TLC prints it, without
// spaces.
func elementsOf(state, variable string) (list []string, err error) {
	text := strings.Join(strings.Fields(state), "")
	_, rest, found := strings.Cut(`/\`+strings.TrimPrefix(text, `/\`), `/\`+variable+"=<<")
	if !found {
		return nil, fmt.Errorf("%s is not a sequence there", variable)
	}
	depth, from := 0, 0
	for i, c := range rest {
		switch {
		case depth == 0 && strings.HasPrefix(rest[i:], ">>"):
			return append(list, rest[from:i]), nil
		case depth == 0 && c == ',':
			list, from = append(list, rest[from:i]), i+1
		case strings.ContainsRune("([{<", c):
			depth++
		case strings.ContainsRune(")]}>", c) && !isArrow(rest[:i], c):
			depth--
		}
	}
	return nil, fmt.Errorf("%s has no end there", variable)
}

// isArrow reports whether a character is the end of |-> or of :>, and closes nothing.
func isArrow(before string, c rune) bool {
	return c == '>' && (strings.HasSuffix(before, "-") || strings.HasSuffix(before, ":"))
}

package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// A modelJudge holds what searches of a model found against TLC.
type modelJudge struct {
	model  search.Model
	counts map[string]tlc.Entry // complete runs of the manifest, by name
	large  []string             // large runs that TLC has made since the specification last changed

	// compare compares the states of runs with TLC's; nil if the model has no test for that.
	compare func(ctx context.Context, names []string) (comparison, error)
}

// modelVerdict is what one search of the model says.
type modelVerdict struct {
	search search.Task
	found  search.Found
	status evidence.Status
	detail []string // what is wrong comes first
	states int64

	// Programs by what TLC says of them: the same states; as many, as a large run has counted since the
	// specification last changed; as many, as one has counted before; and nothing, because it takes too long.
	same, counted, before, alone int
}

// addTo says of a state's record what is shared by all: behind its own details, ahead of them if it is wrong.
func (v modelVerdict) addTo(r *evidence.Record) {
	if v.status == evidence.Pass {
		r.Detail = append(r.Detail, v.detail...)
		return
	}
	r.Detail = append(append([]string{}, v.detail...), r.Detail...)
	if r.Status != evidence.Fail {
		r.Status = v.status
	}
}

// judge makes searches, and holds what they find against TLC.
func (j *modelJudge) judge(ctx context.Context, tasks []search.Task) (all []modelVerdict, err error) {
	var names []string
	for _, s := range tasks {
		v := modelVerdict{search: s, found: s.Run(ctx), status: evidence.Pass}
		for _, c := range v.found.Counts {
			if e, known := j.counts[c.Name]; known && !e.Large && v.found.Violation == "" {
				names = append(names, c.Name)
			}
		}
		all = append(all, v)
	}
	var sets comparison
	if j.compare != nil {
		if sets, err = j.compare(ctx, names); err != nil {
			return nil, err
		}
	}
	for i := range all {
		all[i].judge(j, sets)
	}
	return all, nil
}

// bad notes what is wrong.
func (v *modelVerdict) bad(status evidence.Status, format string, args ...any) {
	if v.status != evidence.Fail {
		v.status = status
	}
	v.detail = append([]string{fmt.Sprintf(format, args...)}, v.detail...)
}

// judge holds what the search found against TLC.
func (v *modelVerdict) judge(j *modelJudge, sets comparison) {
	found, s := v.found, v.search
	for _, c := range found.Counts {
		v.states += c.Distinct
		v.program(j, sets, c)
	}
	if found.Note != "" {
		v.detail = append(v.detail, found.Note)
	}
	switch {
	case found.Violation != "":
		v.bad(evidence.Fail, "%s: %s", s.Name, found.Violation)
	case !found.Exhaustive:
		v.bad(evidence.Unknown, "%s: not finished: %s", s.Name, found.Bound)
	case len(found.Counts) == 0:
		v.bad(evidence.Unknown, "%s: the search has counted nothing", s.Name)
	case s.State == "" && v.status == evidence.Pass:
		v.detail = []string{fmt.Sprintf("%s, shared by all states: %d distinct states of %s, %s", s.Name,
			v.states, plural.Of(len(found.Counts), "program"), asTLC(*v))}
	}
}

// program holds the states of one program against TLC's.
func (v *modelVerdict) program(j *modelJudge, sets comparison, c search.Count) {
	text := fmt.Sprintf("%s: %d distinct states, depth %d", c.Name, c.Distinct, c.Depth)
	e, known := j.counts[c.Name]
	known = known && (e.Kind == tlc.Safety || c.Complete)
	if v.found.Violation != "" || !v.found.Exhaustive {
		v.detail = append(v.detail, text)
		return
	}
	switch {
	case !known:
		v.bad(evidence.Unknown, "%s: the manifest has no complete run of that name to compare with", c.Name)
	case e.Distinct == 0 && e.Large:
		v.alone++
	case e.Distinct == 0:
		v.bad(evidence.Unknown, "%s: the manifest has no count of TLC for it; run: samecycle spec "+
			"--update %s", c.Name, c.Name)
	case e.Distinct != c.Distinct || e.Depth != c.Depth:
		v.bad(evidence.Fail, "%s: %d states of depth %d, TLC has %d of depth %d", c.Name, c.Distinct,
			c.Depth, e.Distinct, e.Depth)
	case e.Large && slices.Contains(j.large, c.Name):
		v.counted++
		text += ", as many as TLC counts"
	case e.Large:
		v.before++
		text += ", as many as TLC has counted, but not since the specification has changed: make spec-large"
	case j.compare == nil:
		v.counted++
		text += ", as many as TLC counts; the model has no " + statesTest
	case !sets.holds(c.Name):
		v.bad(evidence.Fail, "%s: %s does not find the states that TLC reaches now:\n%s", c.Name, statesTest,
			sets.said)
	default:
		v.same++
		text += ", the same as TLC's"
	}
	v.detail = append(v.detail, text)
}

// asTLC says in words which programs were compared with TLC, and how.
func asTLC(all ...modelVerdict) string {
	var same, counted, before, alone int
	for _, v := range all {
		same, counted, before, alone = same+v.same, counted+v.counted, before+v.before, alone+v.alone
	}
	var said []string
	for _, x := range []struct {
		n    int
		what string
	}{{same, "the same states as TLC's, one by one"}, {counted, "as many as TLC counts"},
		{before, "as many as TLC counted before the specification last changed"},
		{alone, "which TLC has not counted"}} {
		if x.n > 0 {
			said = append(said, fmt.Sprintf("%s: %s", plural.Of(x.n, "program"), x.what))
		}
	}
	return strings.Join(said, ", ")
}

// record makes the searches of a state, and its record.
func (j *modelJudge) record(ctx context.Context, state string) (evidence.Record, error) {
	r := evidence.Record{
		State: state, Status: evidence.Pass, Unit: "distinct states",
		Command: "samecycle check --link model --state " + catalog.State{ID: state}.Short(),
		Tools:   map[string]string{"go": runtime.Version()},
	}
	searches := j.model.Of(state)
	all, err := j.judge(ctx, searches)
	if err != nil {
		return r, err
	}
	marked, whole, solo, actors := false, true, 0, 0
	for _, v := range all {
		v.addTo(&r)
		r.Figure += float64(v.states)
		solo, actors = max(solo, v.found.Solo), max(actors, v.search.Actors)
		whole = whole && v.found.Exhaustive && v.found.Violation == "" // which ends the search ahead of races
		marked = marked || slices.Contains(v.found.Marks, state)
	}
	if !marked && whole {
		modelVerdict{status: evidence.Fail, detail: []string{"the race never happens"}}.addTo(&r)
	}
	r.Bound = fmt.Sprintf("all interleavings of %s, up to %s; %s", plural.Of(len(searches), "program"),
		plural.Of(actors, "actor"), asTLC(all...))
	if solo > 0 {
		r.Bound += fmt.Sprintf("; an actor alone ends within %s", plural.Of(solo, "step"))
	}
	if j.model.Note != nil {
		r.Bound += "; " + j.model.Note(state)
	}
	return r, nil
}

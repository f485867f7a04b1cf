package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sort"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/tlc"
)

// specLink judges the states by TLC. The manifest's entries of a state are its own runs; the
// entries without a state are shared, and one of them that goes wrong turns every state red.
type specLink struct{ specs catalog.Specs }

func (specLink) Link() string { return "spec" }

func (l specLink) Scope(env evidence.Env) (closure.Scope, error) {
	m, err := tlc.LoadManifests(l.specs.Folders(env.Root)...)
	if errors.Is(err, os.ErrNotExist) {
		err, m = nil, &tlc.Manifest{}
	}
	return closure.Scope{Declarations: map[string][]string{"cmd/samecycle": {"specLink"}},
		Texts: func(state string) (map[string]string, error) {
			texts, err := m.Reach(env.Root, state)
			if err == nil {
				texts[registration(l.specs)] = fmt.Sprintf("%q", l.specs)
			}
			return texts, err
		}}, err
}

// registration names what an engine's registration says of the folders of its specification. It is written in
// a package of the engine of which nothing else counts for the links that TLC judges.
func registration(specs catalog.Specs) string {
	if len(specs) == 0 {
		return "no specification is registered"
	}
	return specs[0].Dir + "/" + tlc.ManifestName + " (folders, as registered)"
}

func (l specLink) Covers(env evidence.Env) ([]string, error) {
	m, err := tlc.LoadManifests(l.specs.Folders(env.Root)...)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	seen := map[string]bool{"": true}
	for _, e := range m.Everyday() {
		if !seen[e.State] {
			seen[e.State] = true
			out = append(out, e.State)
		}
	}
	return out, nil
}

// findTLC finds TLC for a link. Where it, or Java, is missing, the link is not run.
func findTLC(ctx context.Context, progress evidence.Progress) (*tlc.Tool, error) {
	tool, err := tlc.Find(ctx, func(s string) { progress(s, 0) })
	if errors.Is(err, tlc.ErrNotRun) {
		return nil, evidence.CannotRun(err)
	}
	return tool, err
}

func (l specLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	m, err := tlc.LoadManifests(l.specs.Folders(env.Root)...)
	if err != nil {
		return nil, err
	}
	tool, err := findTLC(ctx, progress)
	if err != nil {
		return nil, err
	}
	var entries []tlc.Entry
	asked := map[string]bool{"": true}
	for _, s := range states {
		asked[s.ID] = true
	}
	for _, e := range m.Everyday() {
		if asked[e.State] {
			entries = append(entries, e)
		}
	}
	g := &specGroups{specs: l.specs, states: states, env: env, tool: tool,
		left: map[string]int{}, ended: map[string][]tlc.Verdict{}}
	for _, e := range entries {
		g.left[e.State]++
	}
	tool.RunEntries(ctx, entries, tlc.RunOptions{Observe: func(e tlc.Event) {
		share := float64(e.Done) / float64(e.Total)
		progress(fmt.Sprintf("%d of %d runs, %s", e.Done, e.Total, e.Entry.Name), share)
		if e.Verdict != nil && ctx.Err() == nil {
			g.end(*e.Verdict)
		}
	}})
	return nil, g.err
}

// specGroups gathers verdicts until a state's own runs and all shared ones have ended. Its
// methods are called one at a time.
type specGroups struct {
	specs  catalog.Specs
	states []catalog.State
	env    evidence.Env
	tool   *tlc.Tool
	left   map[string]int // runs to come, by state
	ended  map[string][]tlc.Verdict
	err    error
}

func (g *specGroups) end(v tlc.Verdict) {
	state := v.Entry.State
	g.left[state]--
	g.ended[state] = append(g.ended[state], v)
	if g.left[""] > 0 {
		return
	}
	for _, s := range g.states {
		last := state == s.ID || state == ""
		if last && g.left[s.ID] == 0 {
			g.err = errors.Join(g.err, g.env.Save(g.record(s)))
		}
	}
}

// specKinds are what each state has a run of.
var specKinds = [...]tlc.Kind{tlc.Safety, tlc.Witness, tlc.LiveRun}

// record is the verdict on one state: its own runs and the shared ones.
func (g *specGroups) record(s catalog.State) evidence.Record {
	own, shared := sortedVerdicts(g.ended[s.ID]), sortedVerdicts(g.ended[""])
	r := evidence.Record{
		State: s.ID, Status: evidence.Pass, Unit: "distinct states",
		Command: "samecycle check --link spec --state " + s.Short(),
		Bound:   specBound(own, len(shared)),
		Tools: map[string]string{"go": runtime.Version(), "java": g.tool.JavaVersion,
			"tlc-jar": "sha256:" + g.tool.SHA256},
	}
	kinds := map[tlc.Kind]bool{}
	for _, v := range own {
		for _, k := range specKinds {
			kinds[k] = kinds[k] || v.Entry.Is(k)
		}
		// Liveness runs, and those of modules that look at the same programs again, search the states of a
		// safety run once more: they do not count twice.
		again := v.Entry.Kind == tlc.LiveRun || g.specs.Again(v.Entry.Module)
		if v.Entry.Expect == tlc.OK && !again && v.Pass() {
			r.Figure += float64(v.Result.Distinct)
		}
		r.Detail = append(r.Detail, specDetail(v))
		worsen(&r, v)
	}
	for _, v := range shared {
		if !v.Pass() {
			r.Detail = append([]string{specDetail(v)}, r.Detail...)
		}
		worsen(&r, v)
	}
	for _, k := range specKinds {
		if !kinds[k] {
			r.Status = evidence.Fail
			r.Detail = append([]string{"the manifest has no " + string(k) + " run of the state"},
				r.Detail...)
		}
	}
	return r
}

// specBound says in words what the own runs of a state cover.
func specBound(own []tlc.Verdict, shared int) string {
	n := map[tlc.Kind]int{}
	for _, v := range own {
		n[v.Entry.Kind]++
		if v.Entry.Temporal != "" {
			n[tlc.LiveRun]++
		}
	}
	return fmt.Sprintf("every interleaving of %s at the constants of their configurations, "+
		"with %d liveness, %d witness, %d must-fail and %d shared runs; "+
		"not complete: larger constants are not searched",
		plural.Of(n[tlc.Safety]+n[tlc.Exhaustive], "program"), n[tlc.LiveRun], n[tlc.Witness],
		n[tlc.MustFail], shared)
}

// sortedVerdicts puts what went wrong first, then orders by name: runs end in any order, and a
// record must not depend on it.
func sortedVerdicts(verdicts []tlc.Verdict) []tlc.Verdict {
	out := append([]tlc.Verdict(nil), verdicts...)
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Pass() != out[j].Pass() {
			return !out[i].Pass()
		}
		return out[i].Entry.Name < out[j].Entry.Name
	})
	return out
}

// worsen lowers the record's status by one verdict and notes the version that TLC reports.
func worsen(r *evidence.Record, v tlc.Verdict) {
	if v.Result.Version != "" {
		r.Tools["tlc"] = v.Result.Version
	}
	switch {
	case v.Pass():
		return
	case v.Unknown && r.Status == evidence.Pass:
		r.Status = evidence.Unknown
	case !v.Unknown:
		r.Status = evidence.Fail
	}
}

func specDetail(v tlc.Verdict) string {
	e, res := v.Entry, v.Result
	head := fmt.Sprintf("%s %s: ", e.Kind, e.Name)
	switch {
	case v.Err != nil:
		return head + v.Err.Error()
	case len(v.Problems) > 0:
		return head + v.Problems[0]
	case e.Expect == tlc.OK:
		s := fmt.Sprintf("%s%d distinct states, depth %d", head, res.Distinct, res.Depth)
		if e.Temporal != "" {
			s += "; " + e.Temporal + " of them"
		}
		return s
	}
	return head + string(res.Outcome) + " as it must be: " + res.Property
}

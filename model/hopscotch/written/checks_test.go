package written

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// reAtRest is the name of a property of the specification that speaks of the end alone.
var reAtRest = regexp.MustCompile(`(?m)^(\w+) == AtRest =>`)

// ofTheEnd are those properties.
func ofTheEnd(t *testing.T) (list []string) {
	t.Helper()
	text := samestates.Read(t, filepath.Join(specDir, "Written.tla"))
	for _, m := range reAtRest.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	if len(list) < 2 {
		t.Fatalf("of the end are %v", list)
	}
	return list
}

// breaksBefore reports whether a run violates a property, alone, in fewer states than it has.
func (r run) breaksBefore(t *testing.T, p Property) bool {
	t.Helper()
	x := Explore(t.Context(), machineOf(t, r.program),
		Options{Properties: []Property{p}, Safety: true, Hangs: r.hangs})
	return x.Violation != nil && x.Violation.Property == p.Name && x.Distinct < r.Distinct
}

// unchecked are the properties that a run should check, and does not. One that must fail may be about one
// property alone. Else a run checks each one: but those of the end where somebody dies, and those that it
// violates itself, which another run shows.
func (r run) unchecked(t *testing.T, end []string) (list []string) {
	t.Helper()
	about := func(p Property) bool { return p.Name == "TypeOK" || p.Name == r.Property }
	alone := r.Kind == tlc.MustFail && !slices.ContainsFunc(r.properties,
		func(p Property) bool { return !about(p) })
	for _, p := range Properties() {
		switch {
		case slices.ContainsFunc(r.properties, func(x Property) bool { return x.Name == p.Name }):
		case alone && !about(p), r.program.Deaths > 0 && slices.Contains(end, p.Name):
		case !r.breaksBefore(t, p):
			list = append(list, p.Name)
		}
	}
	return list
}

// Each run checks every property that holds in it: none has been taken out of its configuration. Who says
// that it is fair checks that everybody finishes, and a run that looks for no deadlocks is one with deaths.
func TestRunsCheckEverything(t *testing.T) {
	end := ofTheEnd(t)
	for _, r := range manifest(t) {
		if list := r.unchecked(t, end); len(list) > 0 {
			t.Errorf("%s does not check %v", r.Name, list)
		}
		fair := strings.Contains(r.Configuration(), "SPECIFICATION FairSpec")
		if fair != r.liveness || r.hangs && r.program.Deaths == 0 {
			t.Errorf("%s: fair %v, of liveness %v, without deadlocks %v, %d deaths", r.Name, fair, r.liveness,
				r.hangs, r.program.Deaths)
		}
	}
}

// Each property is missed when it is taken out: in a run that holds, one with a death, one that must fail,
// and one that is about one property.
func TestRunsCheckEverything_Misses(t *testing.T) {
	end, seen := ofTheEnd(t), 0
	for _, r := range manifest(t) {
		switch r.Name {
		case "Written_S05AddEmptyGet", "Written_S05AddEmptyGet_DeathResults",
			"Written_S06AddCollisionGet", "Written_S03AddFull_Get":
		default:
			continue
		}
		seen++
		for _, p := range r.properties {
			if p.Name == r.Property {
				continue // the manifest misses it
			}
			less := r
			less.properties = slices.DeleteFunc(slices.Clone(r.properties),
				func(x Property) bool { return x.Name == p.Name })
			if list := less.unchecked(t, end); !slices.Equal(list, []string{p.Name}) {
				t.Errorf("%s without %s: %v is missed", r.Name, p.Name, list)
			}
		}
	}
	if seen != 4 {
		t.Errorf("%d runs, want 4", seen)
	}
}

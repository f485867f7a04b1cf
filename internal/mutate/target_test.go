package mutate

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// A mutant is of one package, by its name, and the ledger of all has those of each.
func TestTargets_TellTheirMutantsApart(t *testing.T) {
	for name, want := range map[string]struct {
		dir      string
		searched bool
	}{
		"help.go:operation.undo#1 negate":          {engine.Code().Dir, true},
		"check.go:checker.enough#1 negate":         {engine.Code().Dir, false},
		"impl/region/bell.go:Region.Ring#1 negate": {regionDir, false},
		"service/service.go:Start#1 negate":        {"service", false},
	} {
		if got := engine.targetOf(name).Dir; got != want.dir || engine.Searched(name) != want.searched {
			t.Errorf("%s is of %s, searched %t", name, got, engine.Searched(name))
		}
	}
	all, err := engine.LoadAll(context.Background(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	var l Ledger
	some := all.Mutants(func(name string) bool { return strings.Contains(name, "#1 return-early") })
	for _, m := range some.Mutants {
		l.Outcomes = append(l.Outcomes, Outcome{Name: m.Name, Hash: m.Hash, Found: Found{Verdict: Killed}})
	}
	for i, p := range all {
		if p.target.Dir != engine.Targets()[i].Dir {
			t.Fatalf("the package %d is of %s", i, p.target.Dir)
		}
		if g := p.Gaps(l, func(string) bool { return false }); g.Gone != nil {
			t.Errorf("%s: gone although another package has them: %v", p.target.Dir, g.Gone)
		}
	}
	if !slices.ContainsFunc(l.Outcomes, func(o Outcome) bool {
		return strings.HasPrefix(o.Name, regionDir)
	}) {
		t.Error("the ledger has none of the region")
	}
}

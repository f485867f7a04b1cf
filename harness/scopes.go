package harness

import (
	"path"
	"slices"

	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// Scopes are Engine.Scopes of an engine whose packages have the usual places: its register with the package
// mutants in internal/catalog/NAME, its model with the package tasks in model/NAME, and its scenarios with
// the package volume in scenarios/NAME. In these three the tables have a row for each state, and in the
// packages more.
func Scopes(name string, more ...string) map[string]closure.Scope {
	register, model, scenarios := path.Join("internal/catalog", name), path.Join("model", name),
		path.Join("scenarios", name)
	rows := slices.Concat([]string{register, model, scenarios}, more)
	volume, mutants := path.Join(scenarios, "volume"), path.Join(register, "mutants")
	explored := closure.Scope{Rows: rows, Packages: []string{scenarios},
		Without: []string{"stress", volume, mutants}}
	return map[string]closure.Scope{
		"model":  {Rows: rows, Packages: []string{path.Join(model, "tasks")}},
		"engine": explored, "histories": explored,
		"volume":  {Rows: rows, Packages: []string{volume}},
		"mutants": {Rows: rows, Without: []string{"stress", volume}},
	}
}

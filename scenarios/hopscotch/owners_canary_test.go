//go:build explore

package scenarios

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// TestOwnerValidator_Rejects: a step that is not the model's, and what was handed over and told when all
// is over.
func TestOwnerValidator_Rejects(t *testing.T) {
	type step = explore.Step
	at := func(function string, f func(*step)) func(*reclaiming) {
		return func(c *reclaiming) {
			c.v.alter = func(s *step) {
				if strings.HasSuffix(s.Func, "."+function) {
					f(s)
				}
			}
		}
	}
	unknown := func(function string) func(*reclaiming) {
		return func(c *reclaiming) { delete(c.v.names, function) }
	}
	p, _ := model.ProgramByName("S22DeleteBaseMembers")
	for name, x := range map[string]struct {
		plant  func(*reclaiming)
		finish func(*reclaiming)
		why    string
	}{
		"word":     {plant: at("ownerRead", func(s *step) { s.Object += 8 }), why: "to offset"},
		"kind":     {plant: at("ownerTarget", func(s *step) { s.Kind = hook.Store }), why: "is a store"},
		"skipped":  {plant: at("ownerHome", func(s *step) { s.Func = "x.ownerTarget" }), why: "OwnerHome"},
		"invented": {plant: at("searchBase", func(s *step) { s.Func = "x.ownerFree" }), why: "[OwnerFree]"},
		"somebody": {plant: at("ownerTakeOver", func(s *step) { s.Actor ^= 1 }), why: "TakeOver"},
		"commit":   {plant: unknown("helpCommit"), why: "no action"},
		"finish":   {plant: unknown("helpFinish"), why: "no action"},
		"fill":     {plant: unknown("addFillHead"), why: "no action"},
		"unkept":   {finish: func(c *reclaiming) { c.got = nil }, why: "has handed over"},
		"untold":   {finish: func(c *reclaiming) { c.left[0]++ }, why: "left by operations of actor 1"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newReclaiming(t, p)
			c.beside = true
			if x.plant != nil {
				x.plant(c)
			}
			o := c.program()
			whole := o.Finish
			o.Finish = func(e *explore.Execution) error {
				if x.finish != nil {
					x.finish(c)
				}
				return whole(e)
			}
			rep, err := explore.Explore(o, explore.Options{Kills: 1, AnyKill: true,
				Stateful: true, Sites: true})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Failure == nil || !errors.Is(rep.Failure.Err, harness.ErrRejected) ||
				!strings.Contains(rep.Failure.Message, x.why) {
				t.Errorf("want a rejection that says %q, got %v", x.why, rep.Failure)
			}
		})
	}
}

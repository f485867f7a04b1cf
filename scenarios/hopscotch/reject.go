package scenarios

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
)

func (v *validator) reject(s explore.Step, action, why string) error {
	r := &harness.Rejection{
		Program: v.w.program.Name, Actor: s.Actor + 1, Action: action, Guard: why,
		Site: fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line),
	}
	for _, a := range v.trail[:v.at] {
		r.Prefix = append(r.Prefix, fmt.Sprintf("actor %d  %s", a.step.Actor+1, a.action))
	}
	var enabled []string
	for _, st := range v.states() {
		name := v.m.Enabled(&st, s.Actor+1)
		if name == "" {
			name = "nothing, the actor is finished or dead"
		}
		enabled = append(enabled, name)
	}
	r.Enabled = strings.Join(enabled, " or ")
	return r
}

//go:build !explore

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// specOnly is the link in a folder that is no Go module.
type specOnly struct{ specLink }

func (l specOnly) Scope(env evidence.Env) (closure.Scope, error) {
	s, err := l.specLink.Scope(env)
	s.Declarations = nil
	return s, err
}

// TestSpecLink runs the spec link over the small specification of the TLC tests: a counter whose
// safety run has 6 states; its liveness run must not add to the figure.
func TestSpecLink(t *testing.T) {
	samestates.Tool(t)
	manifest, err := os.ReadFile("../../internal/tlc/testdata/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, new string // what is replaced in the manifest
		status         evidence.Status
		says           string
		figure         float64
	}{
		{"as it is", "", "", evidence.Pass, "", 6},
		{"liveness in a safety run", "\"TinyFair.cfg\",\n   \"kind\": \"liveness\"",
			`"TinyLive.cfg", "kind": "safety", "temporal": "Reaches"`, evidence.Pass, "Reaches of them", 9},
		{"another count", `"distinct": 6`, `"distinct": 7`, evidence.Fail, "manifest 7, run 6", 0},
		{"a shared run goes wrong", `"TinyUnfair.cfg"`, `"TinyFair.cfg"`, evidence.Fail, "must fail", 6},
		{"no witness", `"name": "witness", "state": "S01AddEmpty"`, `"name": "witness", "state": ""`,
			evidence.Fail, "has no witness run", 6},
		{"no liveness", `"name": "live", "state": "S01AddEmpty"`, `"name": "live", "state": ""`,
			evidence.Fail, "has no liveness run", 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := repositoryWith(t, specOnly{specLink{engines.All()[0].Specs}})
			dir := filepath.Join(root, "spec", "tla", "hopscotch")
			if err := os.CopyFS(dir, os.DirFS("../../internal/tlc/testdata")); err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(manifest), c.old, c.new, 1)
			if c.old != "" && changed == string(manifest) {
				t.Fatalf("the manifest does not hold %s", c.old)
			}
			put(t, root, "spec/tla/hopscotch/manifest.json", changed)
			for name, text := range map[string]string{"manifest.json": "[]", "Idle.tla": "", "Idle.cfg": ""} {
				put(t, root, specDir+"/written/"+name, text)
				put(t, root, specDir+"/written/parts/"+name, text)
			}
			code, out, errOut := call("check", "--root", root)
			r, err := evidence.Load(root, "hopscotch", "spec", "S01AddEmpty")
			if err != nil || r.Status != c.status || (code == exitOK) != (c.status == evidence.Pass) {
				t.Fatalf("%v, record %s, status %d\n%s%s", err, r.Status, code, out, errOut)
			}
			if !strings.Contains(strings.Join(r.Detail, "\n"), c.says) {
				t.Errorf("detail %q does not say %q", r.Detail, c.says)
			}
			if r.Figure != c.figure || !strings.Contains(r.Tools["tlc"], "TLC2") {
				t.Errorf("figure %v of tools %v", r.Figure, r.Tools)
			}
			if c.status == evidence.Pass && !strings.Contains(r.Bound, "with 1 liveness, 1 witness") {
				t.Errorf("the bound is %q", r.Bound)
			}
		})
	}
}

// TestSpecLink_Parts: a run of the mechanisms around the table belongs to no state, so one that
// goes wrong is told of each state.
func TestSpecLink_Parts(t *testing.T) {
	samestates.Tool(t)
	root := repositoryWith(t, specOnly{specLink{engines.All()[0].Specs}})
	const entry = `"module": "Tiny", "config": "TinyOk.cfg", "kind": "safety", "expect": "ok"`
	for dir, manifest := range map[string]string{
		specDir:                    `[{"name": "own", "state": "S01AddEmpty", "distinct": 6, ` + entry + `}]`,
		specDir + "/written":       `[]`,
		specDir + "/written/parts": `[{"name": "part", "state": "", "distinct": 5, ` + entry + `}]`,
	} {
		put(t, root, dir+"/manifest.json", manifest)
		for _, name := range []string{"Tiny.tla", "TinyMap.tla", "TinyOk.cfg"} {
			text, err := os.ReadFile("../../internal/tlc/testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			put(t, root, dir+"/"+name, string(text))
		}
	}
	code, out, errOut := call("check", "--root", root)
	r, err := evidence.Load(root, "hopscotch", "spec", "S01AddEmpty")
	if err != nil || r.Status != evidence.Fail || code == exitOK {
		t.Fatalf("%v, record %s, status %d\n%s%s", err, r.Status, code, out, errOut)
	}
	if !strings.Contains(strings.Join(r.Detail, "\n"), "safety part: distinct") {
		t.Errorf("detail %q does not name the run", r.Detail)
	}
}

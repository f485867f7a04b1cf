//go:build !explore

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
)

// specFolder is a folder of the specification as its lists say it, read without the package that reads them
// for the links.
type specFolder struct {
	dir     string
	runs    []map[string]any // of manifest.json
	mutants []map[string]any // of mutants.json
	recipes map[string]any   // of configurations.json
	uses    map[string][]string
}

var reUses = regexp.MustCompile(`(?m)\b(?:EXTENDS\s+(\w+(?:\s*,\s*\w+)*)|INSTANCE\s+(\w+))`)

func specFolderOf(t *testing.T, root, dir string) specFolder {
	t.Helper()
	f := specFolder{dir: dir, uses: map[string][]string{}}
	for name, list := range map[string]any{
		"manifest.json": &f.runs, "mutants.json": &f.mutants, "configurations.json": &f.recipes} {
		text, err := os.ReadFile(filepath.Join(root, dir, name))
		if os.IsNotExist(err) && name != "manifest.json" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, list); err != nil {
			t.Fatal(err)
		}
	}
	modules, err := filepath.Glob(filepath.Join(root, dir, "*.tla"))
	if err != nil || len(modules) == 0 {
		t.Fatal(dir, err)
	}
	for _, m := range modules {
		name := strings.TrimSuffix(filepath.Base(m), ".tla")
		for _, found := range reUses.FindAllStringSubmatch(textOf(t, m), -1) {
			for used := range strings.SplitSeq(found[1]+found[2], ",") {
				f.uses[name] = append(f.uses[name], strings.TrimSpace(used))
			}
		}
	}
	return f
}

// reaches reports whether a module is another one, or uses it, directly or not.
func (f specFolder) reaches(from, to string) bool {
	return from == to ||
		slices.ContainsFunc(f.uses[from], func(used string) bool { return f.reaches(used, to) })
}

// recipe is the recipe of a configuration as an object, nil if it is a file.
func recipe(config any) map[string]any {
	if name, ok := config.(string); ok {
		if path.Ext(name) == ".cfg" {
			return nil
		}
		return map[string]any{"like": name}
	}
	return config.(map[string]any)
}

// isLike reports whether a configuration is like a recipe or run, directly or not.
func (f specFolder) isLike(config any, name string) bool {
	like, ok := recipe(config)["like"].(string)
	if !ok || like == name {
		return ok
	}
	if shared, ok := f.recipes[like]; ok {
		return f.isLike(shared, name)
	}
	i := slices.IndexFunc(f.runs, func(run map[string]any) bool { return run["name"] == like })
	return f.isLike(f.runs[i]["config"], name)
}

// marks are put into each thing that a run of TLC may rest on, each with a name of its own: the texts of the
// cells then show which of them rest on it.
type marks struct {
	*testing.T
	root string
	chain
	want map[string]map[string]bool // by mark, the cells that must rest on what has it
}

// add makes a mark, with the cells that must show it.
func (m *marks) add(mark string, cells map[string]bool) { m.want[mark] = cells }

// turnedBy are the cells that rest on those runs that one is true of.
func (m *marks) turnedBy(f specFolder, of func(run map[string]any) bool) map[string]bool {
	cells := map[string]bool{}
	changed := map[any]bool{}
	for _, run := range f.runs {
		if !of(run) {
			continue
		}
		changed[run["name"]] = true
		for _, s := range m.engine.States {
			if state := run["state"]; run["large"] != true && (state == s.ID || state == "") {
				cells["spec/"+s.Short()] = true
			}
		}
	}
	for _, x := range f.mutants {
		if changed[x["run"]] {
			cells["mutants/"+x["state"].(string)[:3]] = true
		}
	}
	return cells
}

// modules marks the modules and configurations of a folder.
func (m *marks) modules(f specFolder, names []string) {
	for i, name := range names {
		file := f.dir + "/" + name
		text := textOf(m.T, filepath.Join(m.root, file))
		mark := fmt.Sprintf("Mark%sFile%dEnd", strings.ReplaceAll(f.dir, "/", ""), i)
		switch path.Ext(name) {
		case ".tla":
			at := strings.LastIndex(text, "====")
			put(m.T, m.root, file, text[:at]+"ASSUME \""+mark+"\" = \"\"\n"+text[at:])
			m.add(mark, m.turnedBy(f, func(run map[string]any) bool {
				return f.reaches(run["module"].(string), strings.TrimSuffix(name, ".tla"))
			}))
		case ".cfg":
			put(m.T, m.root, file, text+"\nCONSTANT "+mark+" = 1\n")
			m.add(mark, m.turnedBy(f, func(run map[string]any) bool { return run["config"] == name }))
		}
	}
}

// configurations marks the recipes of a folder, those of its runs, too.
func (m *marks) configurations(f specFolder, number int) {
	marked := func(config any, name, mark string) any {
		r := maps.Clone(recipe(config))
		if r == nil {
			return config // a file, which has a mark
		}
		set := map[string]any{}
		if was, ok := r["set"].(map[string]any); ok {
			set = maps.Clone(was)
		}
		set[mark] = 1
		r["set"] = set
		m.add(mark, m.turnedBy(f, func(run map[string]any) bool {
			return run["name"] == name || f.isLike(run["config"], name)
		}))
		return r
	}
	recipes, runs := map[string]any{}, make([]any, len(f.runs))
	for i, name := range slices.Sorted(maps.Keys(f.recipes)) {
		recipes[name] = marked(f.recipes[name], name, fmt.Sprintf("MarkRecipe%dEnd", number+i))
	}
	for i, run := range f.runs {
		runs[i] = marked(run["config"], run["name"].(string), fmt.Sprintf("MarkConfig%dEnd", number+i))
	}
	for i := range runs {
		f.runs[i]["config"] = runs[i]
	}
	if len(recipes) > 0 {
		m.write(f.dir+"/configurations.json", recipes)
	}
}

// lists marks the runs, mutants and schedules of a folder.
func (m *marks) lists(f specFolder, number int) {
	scheduled := map[string]map[string]bool{}
	for i, run := range f.runs {
		of := m.turnedBy(f, func(r map[string]any) bool { return r["name"] == run["name"] })
		run["timeoutSeconds"] = number + 10_000 + i
		m.add(fmt.Sprintf("\"timeoutSeconds\":%d", number+10_000+i), of)
		scheduled[run["name"].(string)] = of
		m.counts(run, of, number+i)
	}
	for i, x := range f.mutants {
		of := map[string]bool{"mutants/" + x["state"].(string)[:3]: true}
		x["note"] = fmt.Sprintf("MarkMutant%dEnd", i)
		m.add(x["note"].(string), of)
		scheduled[x["name"].(string)] = of
	}
	m.write(f.dir+"/manifest.json", f.runs)
	if len(f.mutants) > 0 {
		m.write(f.dir+"/mutants.json", f.mutants)
	}
	text, err := os.ReadFile(filepath.Join(m.root, f.dir, "schedules.json"))
	if os.IsNotExist(err) {
		return
	}
	var all struct {
		Local string            `json:"local"`
		Moves map[string]string `json:"moves"`
	}
	if err := json.Unmarshal(text, &all); err != nil || len(all.Moves) == 0 {
		m.Fatal(err)
	}
	for i, name := range slices.Sorted(maps.Keys(all.Moves)) {
		mark := fmt.Sprintf("8%d9", number+100_000+i)
		all.Moves[name] = mark + all.Moves[name]
		m.add(mark, scheduled[name])
	}
	m.write(f.dir+"/schedules.json", all)
}

// counts marks how many states a run has. Those of complete runs of the protocol, large ones as well, are
// what the model is held against.
func (m *marks) counts(run map[string]any, of map[string]bool, number int) {
	if run["distinct"] == nil {
		return
	}
	of = maps.Clone(of)
	distinct := 7_000_000_000 + int64(number)
	run["distinct"] = distinct
	if number < 1000 && (run["kind"] == "safety" || run["kind"] == "liveness") {
		for _, s := range m.engine.States {
			if run["state"] == "" || run["state"] == s.ID {
				of["model/"+s.Short()] = true
			}
		}
	}
	m.add(strconv.FormatInt(distinct, 10), of)
}

func (m *marks) write(name string, list any) {
	text, err := json.Marshal(list)
	if err != nil {
		m.Fatal(err)
	}
	put(m.T, m.root, name, string(text))
}

// texts are those that the cells of the links of TLC rest on.
func (m *marks) texts() map[string]string {
	out := map[string]string{}
	for _, l := range m.links {
		if !slices.Contains(strings.Fields(checked), l.Link()) {
			continue
		}
		scope, err := l.Scope(evidence.Env{Root: m.root, Engine: m.engine})
		if err != nil {
			m.Fatal(err)
		}
		for _, s := range m.engine.States {
			texts, err := scope.Texts(s.ID)
			if err != nil {
				m.Fatal(err)
			}
			out[l.Link()+"/"+s.Short()] = fmt.Sprint(texts)
		}
	}
	return out
}

// TestScopes_Spec marks each module, configuration, run, mutant and schedule of the specifications, and sees
// that the texts of just those cells have the mark which rest on it.
func TestScopes_Spec(t *testing.T) {
	for _, c := range allChains() {
		t.Run(c.engine.Name, func(t *testing.T) {
			t.Parallel()
			m := &marks{t, t.TempDir(), c, map[string]map[string]bool{}}
			files := map[string][]string{}
			for _, name := range repositoryFiles(t) {
				if strings.HasPrefix(name, "spec/tla/"+c.engine.Name) ||
					name == "results/hopscotch/mutants.json" {
					put(t, m.root, name, textOf(t, filepath.Join(repositoryRoot, name)))
					files[path.Dir(name)] = append(files[path.Dir(name)], path.Base(name))
				}
			}
			m.folders(files)
			m.compare()
		})
	}
}

// folders marks what is in the folders of the specification, of which that of the protocol is the first.
func (m *marks) folders(files map[string][]string) {
	number := 0
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		if slices.Contains(files[dir], "manifest.json") {
			f := specFolderOf(m.T, m.root, dir)
			m.modules(f, files[dir])
			m.configurations(f, number)
			m.lists(f, number)
			if number == 0 {
				m.withModel()
			}
			number += 1000
		}
	}
}

// withModel lets the models rest on all that the specification of the protocol rests on.
func (m *marks) withModel() {
	for _, cells := range m.want {
		for cell := range maps.Clone(cells) {
			if state, is := strings.CutPrefix(cell, "spec/"); is {
				cells["model/"+state] = true
			}
		}
	}
}

// compare wants each mark in the texts of just its cells.
func (m *marks) compare() {
	texts := m.texts()
	least := 100
	switch {
	case m.engine.Name == "slots": // its specification has 35 runs and mutants, and no more marks than that
		least = 84
	case len(m.engine.States) < 5: // a new engine has few runs
		least = 10
	}
	if len(m.want) < least {
		m.Errorf("there are %d marks, want %d", len(m.want), least)
	}
	for _, mark := range slices.Sorted(maps.Keys(m.want)) {
		got := map[string]bool{}
		for cell, text := range texts {
			if strings.Contains(text, mark) {
				got[cell] = true
			}
		}
		if !maps.Equal(got, m.want[mark]) {
			m.Errorf("%s: these cells of %s rest on it: %q, want %q", mark, m.engine.Name,
				slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(m.want[mark])))
		}
	}
}

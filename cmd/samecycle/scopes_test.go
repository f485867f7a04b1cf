//go:build !explore

package main

import (
	"go/build"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// Links that an edit of a file turns, by what the file is for.
const (
	nothing  = ""
	all      = "engine histories model mutants spec volume"
	explored = "engine histories mutants" // what interleavings rest on, and mutants that they find
	shipped  = "engine histories mutants volume"
	modelled = "engine histories model mutants"
	checked  = "model mutants spec" // what runs of TLC rest on, and the counts that they give
)

// codeFolders are all folders with code that a verdict rests on: an edit of any file in them turns these
// links of the engines, if the build tags of the link choose the file. One of a file elsewhere turns
// nothing.
var codeFolders = map[string]struct{ hopscotch, shardmap, basket, slots, control string }{
	"explore":           {explored, explored, explored, explored, explored},
	"explore/failure":   {explored, explored, explored, explored, explored},
	"explore/hostile":   {explored, nothing, nothing, nothing, nothing},
	"explore/processes": {explored, nothing, nothing, nothing, nothing},
	"harness":           {explored, explored, explored, explored, explored},
	"impl/hopscotch":    {shipped, nothing, shipped, nothing, nothing},
	"impl/region":       {shipped, nothing, shipped, shipped, shipped},
	"impl/shardmap":     {nothing, shipped, nothing, nothing, nothing},
	"service":           {"mutants", nothing, nothing, nothing, nothing},
	"stress":            {"volume", "volume", "volume", "volume", "volume"},

	"internal/catalog":           {all, all, all, all, all},
	"internal/catalog/hopscotch": {modelled + " volume", nothing, nothing, nothing, nothing},
	"internal/catalog/shardmap":  {nothing, shipped, nothing, nothing, nothing},
	"internal/disk": {checked + " volume", checked + " volume", checked + " volume",
		checked + " volume", checked + " volume"},
	"internal/history":      {shipped, shipped, shipped, shipped, shipped},
	"internal/hook":         {explored, explored, explored, explored, explored},
	"internal/mutate":       {"mutants", "mutants", "mutants", "mutants", "mutants"},
	"internal/mutate/judge": {"mutants", "mutants", "mutants", "mutants", "mutants"},

	"internal/catalog/hopscotch/mutants": {"mutants", nothing, nothing, nothing, nothing},
	"internal/catalog/shardmap/mutants":  {nothing, "mutants", nothing, nothing, nothing},
	"internal/catalog/basket/mutants":    {nothing, nothing, "mutants", nothing, nothing},
	"internal/catalog/slots/mutants":     {nothing, nothing, nothing, "mutants", nothing},
	"internal/catalog/control/mutants":   {nothing, nothing, nothing, nothing, "mutants"},
	"internal/mutate/judge/program":      {"mutants", "mutants", "mutants", "mutants", "mutants"},

	"internal/plural": {modelled + " spec", modelled + " spec", modelled + " spec",
		modelled + " spec", modelled + " spec"},
	"internal/seam":            {shipped, shipped, shipped, shipped, shipped},
	"internal/tlc":             {checked, checked, checked, checked, checked},
	"internal/tlc/driver":      {checked, checked, checked, checked, checked},
	"linearizability":          {shipped, shipped, shipped, shipped, shipped},
	"linearizability/mapmodel": {shipped, nothing, nothing, nothing, nothing},

	"model/hopscotch":       {modelled, nothing, nothing, nothing, nothing},
	"model/hopscotch/bell":  {modelled, nothing, nothing, nothing, nothing},
	"model/hopscotch/owner": {modelled, nothing, nothing, nothing, nothing},
	"model/hopscotch/tasks": {modelled, nothing, nothing, nothing, nothing},
	"model/search":          {modelled, modelled, modelled, modelled, modelled},
	"model/search/tla":      {modelled, modelled, modelled, modelled, modelled},
	"model/shardmap":        {nothing, modelled, nothing, nothing, nothing},
	"model/shardmap/tasks":  {nothing, modelled, nothing, nothing, nothing},

	"scenarios/hopscotch":           {explored, nothing, nothing, nothing, nothing},
	"scenarios/hopscotch/hostile":   {explored, nothing, nothing, nothing, nothing},
	"scenarios/hopscotch/processes": {explored, nothing, nothing, nothing, nothing},
	"scenarios/hopscotch/states":    {shipped, nothing, nothing, nothing, nothing},
	"scenarios/hopscotch/volume":    {"volume", nothing, nothing, nothing, nothing},
	"scenarios/shardmap":            {nothing, explored, nothing, nothing, nothing},
	"scenarios/shardmap/states":     {nothing, shipped, nothing, nothing, nothing},
	"scenarios/shardmap/volume":     {nothing, "volume", nothing, nothing, nothing},

	"impl/basket":             {nothing, nothing, shipped, nothing, nothing},
	"internal/catalog/basket": {nothing, nothing, shipped, nothing, nothing},
	"internal/samestates":     {"model", "model", "model", "model", "model"},
	"model/basket":            {nothing, nothing, modelled, nothing, nothing},
	"model/basket/tasks":      {nothing, nothing, modelled, nothing, nothing},
	"scenarios/basket":        {nothing, nothing, explored, nothing, nothing},
	"scenarios/basket/volume": {nothing, nothing, "volume", nothing, nothing},

	"impl/slots":             {nothing, nothing, nothing, shipped, nothing},
	"internal/catalog/slots": {nothing, nothing, nothing, shipped, nothing},
	"model/slots":            {nothing, nothing, nothing, modelled, nothing},
	"model/slots/tasks":      {nothing, nothing, nothing, modelled, nothing},
	"scenarios/slots":        {nothing, nothing, nothing, explored, nothing},
	"scenarios/slots/volume": {nothing, nothing, nothing, "volume", nothing},

	"impl/control":             {nothing, nothing, shipped, nothing, shipped},
	"impl/quota":               {nothing, nothing, "mutants", nothing, shipped},
	"impl/handover":            {nothing, nothing, nothing, nothing, shipped},
	"internal/catalog/control": {nothing, nothing, nothing, nothing, shipped},
	"model/control":            {nothing, nothing, nothing, nothing, modelled},
	"model/control/tasks":      {nothing, nothing, nothing, nothing, modelled},
	"scenarios/control":        {nothing, nothing, nothing, nothing, explored},
	"scenarios/control/volume": {nothing, nothing, nothing, nothing, "volume"},
}

// codeExtensions are those of files that are compiled, embedded, or assembled.
var codeExtensions = []string{".go", ".s", ".h", ".html", ".java", ".txt"}

// TestScopes_Files edits each file of the repository that holds code, one at a time, and sees just the right
// cells turn of each engine.
func TestScopes_Files(t *testing.T) {
	t.Parallel()
	tree := closure.Open(repositoryRoot)
	engines := withColumn(t, scopesOf(t, tree))
	before := make([]map[string]string, len(engines))
	for i, s := range engines {
		before[i] = s.code(t, tree, s.some())
	}
	seen := map[string]bool{}
	inParallel(repositoryFiles(t), func(name string) {
		if !slices.Contains(codeExtensions, path.Ext(name)) || strings.HasSuffix(name, "_test.go") ||
			path.Dir(name) == "cmd/samecycle" { // of which declarations count
			return
		}
		text, err := os.ReadFile(filepath.Join(repositoryRoot, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			return
		}
		for i, s := range engines {
			rule := codeFolders[path.Dir(name)]
			want := []string{rule.hopscotch, rule.shardmap, rule.basket, rule.slots, rule.control}[i]
			changed := edited(t, tree, name, string(text)+additions[path.Ext(name)])
			now := s.code(t, changed, s.some())
			if got, want := turned(before[i], now), chosen(t, name, want); got != want {
				t.Errorf("%s: of %s these links turn: %q, want %q", name, s.engine.Name, got, want)
			}
			if path.Ext(name) == ".go" && want != nothing {
				now := s.code(t, edited(t, tree, name, string(text)+remark), s.some())
				if got := turned(before[i], now); got != "" {
					t.Errorf("%s: of %s these links turn by a comment: %q", name, s.engine.Name, got)
				}
			}
		}
	}, func(name string) { seen[path.Dir(name)] = true })
	for folder := range codeFolders {
		if !seen[folder] {
			t.Errorf("%s has a rule, and no file", folder)
		}
	}
}

// additions are put behind a file, by its kind: they change it.
var additions = map[string]string{".go": "\n\nvar turned = 1\n", ".s": "\nTEXT ·turned(SB), 4, $0\n\tRET\n",
	".h": "\n#define TURNED 1\n", ".html": "<p>turned", ".java": "\nclass Turned {}\n", ".txt": "\nturned\n"}

// remark is put behind a Go file: it changes nothing.
const remark = "\n\n// A remark.\n"

// chosen are those of the links whose build tags choose the file.
func chosen(t *testing.T, name, links string) string {
	t.Helper()
	if e := path.Ext(name); e != ".go" && e != ".s" {
		return links
	}
	var out []string
	for link := range strings.FieldsSeq(links) {
		context := build.Default
		context.CgoEnabled = false
		if strings.Contains(explored, link) {
			context.BuildTags = []string{"explore"}
		}
		dir, file := path.Split(name)
		ok, err := context.MatchFile(filepath.Join(repositoryRoot, filepath.FromSlash(dir)), file)
		if err != nil {
			t.Error(err)
		}
		if ok {
			out = append(out, link)
		}
	}
	return strings.Join(out, " ")
}

// scopedEngine is what the links of an engine rest on.
type scopedEngine struct {
	chain
	scopes map[string]closure.Scope // by link
}

// some is one of the engine's states.
func (c chain) some() catalog.State { return c.engine.States[min(3, len(c.engine.States)-1)] }

// withColumn are the engines that have a column in the tables of links, which are in the order of the list of
// engines. A new engine has none at first: what turns its cells is not held against anything.
func withColumn(t *testing.T, list []scopedEngine) []scopedEngine {
	const columns = 5
	for _, s := range list[columns:] {
		t.Run(s.engine.Name, func(t *testing.T) {
			t.Skip("NOT RUN: the engine has no column in codeFolders and moduleEdits; add one")
		})
	}
	return list[:columns]
}

func scopesOf(t *testing.T, tree *closure.Tree) []scopedEngine {
	t.Helper()
	var all []scopedEngine
	for _, c := range allChains() {
		s := scopedEngine{c, map[string]closure.Scope{}}
		for _, l := range c.links {
			env := evidence.Env{Root: tree.Root(), Engine: c.engine, Tree: tree}
			if states, err := l.Covers(env); err != nil {
				t.Fatal(err)
			} else if len(states) == 0 {
				continue // NOT BUILT: there is no verdict
			}
			scope, err := l.Scope(env)
			if err != nil {
				t.Fatal(err)
			}
			s.scopes[l.Link()] = scope
		}
		all = append(all, s)
	}
	return all
}

// code is the hash of the code that each link rests on for a state. The other texts that it rests on are
// parts of files that hold no code.
func (s scopedEngine) code(t *testing.T, tree *closure.Tree, state catalog.State) map[string]string {
	out := map[string]string{}
	for link, scope := range s.scopes {
		scope.Texts = nil
		list, err := tree.Of(t.Context(), scope, state.ID)
		if err != nil {
			t.Error(err)
		}
		out[link] = list.Hash()
	}
	return out
}

// turned are the links, or cells, whose hash is another one.
func turned(before, after map[string]string) string {
	var all []string
	for cell, hash := range after {
		if before[cell] != hash {
			all = append(all, cell)
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func edited(t *testing.T, tree *closure.Tree, name, text string) *closure.Tree {
	other, err := tree.Edited(name, []byte(text))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return tree
	}
	return other
}

// inParallel calls work with each name in a few goroutines, and then done in this one.
func inParallel(names []string, work, done func(name string)) {
	jobs := make(chan string)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for name := range jobs {
				work(name)
			}
		})
	}
	for _, name := range names {
		jobs <- name
		done(name)
	}
	close(jobs)
	wait.Wait()
}

// repositoryFiles are the files that git knows, and those that it does not ignore.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	git := exec.CommandContext(t.Context(), "git", "ls-files", "-co", "--exclude-standard")
	git.Dir = repositoryRoot
	out, err := git.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if _, err := os.Stat(filepath.Join(repositoryRoot, filepath.FromSlash(name))); err == nil {
			all = append(all, name) // otherwise it is deleted, and not committed yet
		}
	}
	return all
}

// copyOfRepository copies them.
func copyOfRepository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range repositoryFiles(t) {
		text, err := os.ReadFile(filepath.Join(repositoryRoot, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		put(t, root, name, string(text))
	}
	return root
}

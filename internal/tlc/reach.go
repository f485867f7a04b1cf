package tlc

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// parameters are those of an operator, which may be operators, or of a function.
const parameters = `[ \t]*(?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])?`

// reUnit begins a definition at the beginning of a line: an operator, a function, a named instance, an
// operator in infix form, which reInfix tells. reInner is one anywhere in a line.
var (
	reUnit = regexp.MustCompile(`(?m)^(?:LOCAL[ \t]+)?(?:\w+` + parameters + `|` +
		`\w+[ \t]*\S{1,3}[ \t]*\w+)[ \t]*==`)
	reInfix = regexp.MustCompile(`^(?:LOCAL[ \t]+)?\w+[ \t]*(?:\\[a-z]+|[^\w\s]+)[ \t]*\w+[ \t]*==`)
	reInner = regexp.MustCompile(`(\w+)` + parameters + `[ \t]*==`)
	reWord  = regexp.MustCompile(`\w+`)
)

// unit is a definition of a module with its names, or what stands before the first one.
type unit struct {
	names []string            // those of definitions within it count as well: there may be one too many
	body  string              // without comments
	parts map[string]unitPart // what of it counts, by the states
}

// A table of programs has a row for each of them, as in
//
//	[] Scenario = "S04AddCollisionEmpty" -> S04AddCollisionEmpty
//	   S04AddCollisionEmpty_Three |-> [...]
//
// which counts for runs that name its state and for no other. So do the names in a set of such names alone.
var (
	reRow = regexp.MustCompile(`^\s*(?:\w+\s*==\s*\[?\s*)?(?:\[\]\s*)?(?:\w+\s*=\s*)?` +
		`"?([A-Z]\d\d[A-Z][A-Za-z0-9]*)(?:_\w+)?"?\s*(?:\|->|->)`)
	reRowsEnd = regexp.MustCompile(`^\s*(?:\]|\[\]\s*OTHER)`)
	reSet     = regexp.MustCompile(`^\s*\w+\s*==\s*\{(?:\s*"[^"\n]*"\s*,?)*\s*\}\s*$`)
	reLiteral = regexp.MustCompile(`"[^"\n]*"`)
	reNamed   = regexp.MustCompile(`\b([A-Z]\d\d[A-Z][A-Za-z0-9]*)(?:_\w+)?\b`)
)

// of returns what of the unit counts for the states, all of it if there are none, and the words in it that
// may be names of definitions.
func (u *unit) of(states map[string]bool) (text string, words []string) {
	key := strings.Join(slices.Sorted(maps.Keys(states)), " ")
	part, known := u.parts[key]
	if !known {
		part.text, part.words = u.part(states)
		if u.parts == nil {
			u.parts = map[string]unitPart{}
		}
		u.parts[key] = part
	}
	return part.text, part.words
}

type unitPart struct {
	text  string
	words []string
}

func (u *unit) part(states map[string]bool) (text string, words []string) {
	if len(states) > 0 && !reNamed.MatchString(u.body) {
		return u.of(nil) // nothing in it belongs to a state
	}
	var lines []string
	dropped := false
	for line := range strings.Lines(u.body) {
		if m := reRow.FindStringSubmatch(line); m != nil {
			dropped = len(states) > 0 && !states[m[1]]
		} else if reRowsEnd.MatchString(line) {
			dropped = false
		}
		if !dropped {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	text = strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	words = reWord.FindAllString(reLiteral.ReplaceAllString(text, " "), -1)
	if len(states) > 0 && reSet.MatchString(u.body) {
		var kept []string
		for _, literal := range reLiteral.FindAllString(text, -1) {
			if m := reNamed.FindStringSubmatch(literal); m == nil || states[m[1]] {
				kept = append(kept, literal)
			}
		}
		text = words[0] + " == " + strings.Join(kept, " ")
	}
	return text, words
}

// Reached returns, by module file, the text of those definitions that a run can reach, without comments and
// layout: from the words of the configuration and of what is no definition (declarations, assumptions), over
// the words of each definition that has one of these names, within the modules that the root module extends
// or instantiates. So a definition too many may be reached, never one too few.
func Reached(dir, root, configuration string) (map[string]string, error) {
	return newReacher().of(dir, root, configuration, nil)
}

// withoutComments is a configuration without comments and layout.
func withoutComments(configuration string) string {
	return strings.Join(strings.Fields(reComment.ReplaceAllString(configuration, " ")), " ")
}

// reacher reads each module once.
type reacher struct {
	modules map[string][]*unit  // by path
	files   map[string][]string // by path of a root module: its modules' files
}

func newReacher() *reacher {
	return &reacher{modules: map[string][]*unit{}, files: map[string][]string{}}
}

// filesOf is ModulesOf.
func (r *reacher) filesOf(dir, root string) ([]string, error) {
	key := filepath.Join(dir, root)
	if files, known := r.files[key]; known {
		return files, nil
	}
	files, err := ModulesOf(dir, root)
	if err != nil {
		return nil, fmt.Errorf("tlc: %w", err)
	}
	r.files[key] = files
	return files, nil
}

// of is Reached with more words to begin at.
func (r *reacher) of(dir, root, configuration string, more []string) (map[string]string, error) {
	files, err := r.filesOf(dir, root)
	if err != nil {
		return nil, err
	}
	plain := withoutComments(configuration)
	units, byName := map[string][]*unit{}, map[string][]*unit{}
	states := map[string]bool{}
	for _, m := range reNamed.FindAllStringSubmatch(plain, -1) {
		states[m[1]] = true
	}
	todo := append(reWord.FindAllString(reLiteral.ReplaceAllString(plain, " "), -1), more...)
	reached := map[*unit]string{}
	reach := func(u *unit) {
		if _, known := reached[u]; known {
			return
		}
		text, words := u.of(states)
		reached[u] = text
		todo = append(todo, words...)
	}
	for _, name := range files {
		if units[name], err = r.units(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
		for i, u := range units[name] {
			if i == 0 {
				reach(u)
			}
			for _, n := range u.names {
				byName[n] = append(byName[n], u)
			}
		}
	}
	seen := map[string]bool{}
	for len(todo) > 0 {
		word := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[word] {
			continue
		}
		seen[word] = true
		for _, u := range byName[word] {
			reach(u)
		}
	}
	out := map[string]string{}
	for name, all := range units {
		var text []string
		for _, u := range all {
			if t, ok := reached[u]; ok {
				text = append(text, t)
			}
		}
		slices.Sort(text) // the order of definitions says nothing
		out[name] = strings.Join(text, "\n")
	}
	return out, nil
}

func (r *reacher) units(path string) ([]*unit, error) {
	if all, known := r.modules[path]; known {
		return all, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("tlc: %w", err)
	}
	r.modules[path] = unitsOf(string(text))
	return r.modules[path], nil
}

// Reach returns what the everyday runs of a state, and those of all states, rest on: by file, the definitions
// that one of them reaches, and the entries of the manifest. Files are named below root.
func (m *Manifest) Reach(root, state string) (map[string]string, error) {
	if m.reach == nil {
		m.reach = newReacher()
	}
	parts := reachedParts{}
	for _, e := range m.Everyday() {
		if e.State != state && e.State != "" {
			continue
		}
		if err := parts.add(m.reach, root, e, nil); err != nil {
			return nil, err
		}
	}
	return parts.texts(), nil
}

// ReachOfMutants is Reach of those runs that judge mutants of a state, with the mutants.
func ReachOfMutants(mutants []Mutant) func(root, state string) (map[string]string, error) {
	r := newReacher()
	return func(root, state string) (map[string]string, error) { return r.mutants(root, mutants, state) }
}

func (r *reacher) mutants(root string, mutants []Mutant, state string) (map[string]string, error) {
	parts := reachedParts{}
	for _, x := range mutants {
		if x.State != state {
			continue
		}
		var more []string // what the mutant puts in may use what the module itself does not
		for _, edit := range x.Edits {
			more = append(more, reWord.FindAllString(edit.New, -1)...)
		}
		if err := parts.add(r, root, x.entry, more); err != nil {
			return nil, err
		}
		text, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		parts.put(below(root, filepath.Join(x.entry.dir, MutantsName))+" (of the state)", string(text))
		parts.schedule(root, x.dir, x.Name, x.schedule)
	}
	return parts.texts(), nil
}

// Counts are the numbers of states that the manifest has of the complete runs of a state, and of all states.
func (m *Manifest) Counts(state string) string {
	var lines []string
	for _, e := range m.Entries {
		if (e.State == state || e.State == "") && (e.Kind == Safety || e.Kind == LiveRun) {
			lines = append(lines, fmt.Sprintf("%s %s %d %d %t", e.Name, e.Kind, e.Distinct, e.Depth, e.Large))
		}
	}
	return strings.Join(lines, "\n")
}

// reachedParts are pieces of files, each once, by the name of the file.
type reachedParts map[string]map[string]bool

func (p reachedParts) put(name, text string) {
	if p[name] == nil {
		p[name] = map[string]bool{}
	}
	p[name][text] = true
}

func (p reachedParts) add(r *reacher, root string, e Entry, more []string) error {
	files, err := r.of(e.dir, e.Module, e.text, more)
	if err != nil {
		return err
	}
	for name, text := range files {
		for line := range strings.Lines(text) {
			p.put(below(root, filepath.Join(e.dir, name)), strings.TrimSuffix(line, "\n"))
		}
	}
	manifest := below(root, filepath.Join(e.dir, ManifestName))
	p.put(manifest+" (configuration of "+e.Name+")", withoutComments(e.text))
	e.Config = Recipe{}                       // what comes of it counts
	e.Note, e.Hazards, e.Story = "", nil, nil // words for readers
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	p.put(manifest+" (runs)", string(text))
	p.schedule(root, e.dir, e.Name, e.schedule)
	return nil
}

// schedule puts in the schedule of a run or mutant, if it has one: what the run searched is the behaviours of
// that schedule.
func (p reachedParts) schedule(root, dir, name string, s schedule) {
	if s.moves != "" {
		p.put(below(root, filepath.Join(dir, SchedulesName))+" (runs)", name+" "+s.local+" "+s.moves)
	}
}

func (p reachedParts) texts() map[string]string {
	out := map[string]string{}
	for name, set := range p {
		out[name] = strings.Join(slices.Sorted(maps.Keys(set)), "\n")
	}
	return out
}

// below is a path relative to root, with slashes.
func below(root, path string) string {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(name)
}

// unitsOf splits a module. The first unit is what stands before the definitions, with all lines between them
// that declare something.
func unitsOf(text string) []*unit {
	text = reComment.ReplaceAllString(text, " ")
	var starts []int
	for _, m := range reUnit.FindAllStringIndex(text, -1) {
		starts = append(starts, m[0])
	}
	head := &unit{}
	all := []*unit{head}
	ends := append(slices.Clone(starts), len(text))
	head.body = text[:ends[0]]
	for i, from := range starts {
		body, declared := split(text[from:ends[i+1]])
		head.body += "\n" + declared
		if reInfix.MatchString(body) { // its name is no word: it always counts
			head.body += "\n" + body
			continue
		}
		u := &unit{body: body}
		for _, m := range reInner.FindAllStringSubmatch(body, -1) {
			u.names = append(u.names, m[1])
		}
		all = append(all, u)
	}
	return all
}

// reDeclared begins a unit of a module that is no definition.
var reDeclared = regexp.MustCompile(
	`(?m)^(?:VARIABLES?|CONSTANTS?|ASSUME|ASSUMPTION|AXIOM|THEOREM|RECURSIVE|INSTANCE|` +
		`LOCAL[ \t]+INSTANCE|-{4}|={4})`)

// split takes what is declared behind a definition away from it.
func split(body string) (definition, declared string) {
	if m := reDeclared.FindStringIndex(body); m != nil {
		return body[:m[0]], body[m[0]:]
	}
	return body, ""
}

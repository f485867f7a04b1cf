package tlc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// reUnit begins a definition at the beginning of a line: an operator, a function, a named instance, an operator in
// infix form. reInner is one anywhere in a line.
var (
	reUnit  = regexp.MustCompile(`(?m)^(?:LOCAL[ \t]+)?(?:\w+[ \t]*(?:\([^)\n]*\)|\[[^\]\n]*\])?|\w+[ \t]*\S{1,3}[ \t]*\w+)[ \t]*==`)
	reInner = regexp.MustCompile(`(\w+)[ \t]*(?:\([^()\n]*\)|\[[^\[\]\n]*\])?[ \t]*==`)
	reWord  = regexp.MustCompile(`\w+`)
)

// unit is a definition of a module with its names, or what stands before the first one.
type unit struct {
	names []string // those of definitions within it count as well: there may be one too many
	text  string
	words []string
}

// Reached returns, by module file, the text of those definitions that a run can reach, without comments and layout:
// from the words of the configuration and of what is no definition (declarations, assumptions), over the words of
// each definition that has one of these names, within the modules that the root module extends or instantiates. So
// a definition too many may be reached, never one too few. The configuration itself is under its own name.
func Reached(dir, root, cfg string) (map[string]string, error) {
	files, err := ModulesOf(dir, root)
	if err != nil {
		return nil, fmt.Errorf("tlc: %w", err)
	}
	config, err := os.ReadFile(filepath.Join(dir, cfg))
	if err != nil {
		return nil, fmt.Errorf("tlc: configuration: %w", err)
	}
	plain := strings.Join(strings.Fields(reComment.ReplaceAllString(string(config), " ")), " ")
	units, byName := map[string][]*unit{}, map[string][]*unit{}
	todo := reWord.FindAllString(plain, -1)
	reached := map[*unit]bool{}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("tlc: %w", err)
		}
		units[name] = unitsOf(string(text))
		for i, u := range units[name] {
			if i == 0 {
				reached[u] = true
				todo = append(todo, u.words...)
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
			if !reached[u] {
				reached[u] = true
				todo = append(todo, u.words...)
			}
		}
	}
	out := map[string]string{cfg: plain}
	for name, all := range units {
		var text []string
		for _, u := range all {
			if reached[u] {
				text = append(text, u.text)
			}
		}
		slices.Sort(text) // the order of definitions says nothing
		out[name] = strings.Join(text, "\n")
	}
	return out, nil
}

// unitsOf splits a module. The first unit is what stands before the definitions, with all lines between them that
// declare something.
func unitsOf(text string) []*unit {
	text = reComment.ReplaceAllString(text, " ")
	var starts []int
	for _, m := range reUnit.FindAllStringIndex(text, -1) {
		starts = append(starts, m[0])
	}
	head := &unit{}
	all := []*unit{head}
	ends := append(slices.Clone(starts), len(text))
	head.text = text[:ends[0]]
	for i, from := range starts {
		body := text[from:ends[i+1]]
		body, declared := split(body)
		head.text += "\n" + declared
		u := &unit{text: strings.Join(strings.Fields(body), " "), words: reWord.FindAllString(body, -1)}
		for _, m := range reInner.FindAllStringSubmatch(body, -1) {
			u.names = append(u.names, m[1])
		}
		if len(u.names) == 0 { // an operator in infix form
			u.names = u.words[:min(2, len(u.words))]
		}
		all = append(all, u)
	}
	head.text = strings.Join(strings.Fields(head.text), " ")
	head.words = reWord.FindAllString(head.text, -1)
	return all
}

// reDeclared begins a unit of a module that is no definition.
var reDeclared = regexp.MustCompile(
	`(?m)^(?:VARIABLES?|CONSTANTS?|ASSUME|ASSUMPTION|AXIOM|THEOREM|RECURSIVE|INSTANCE|LOCAL[ \t]+INSTANCE|-{4}|={4})`)

// split takes what is declared behind a definition away from it.
func split(body string) (definition, declared string) {
	if m := reDeclared.FindStringIndex(body); m != nil {
		return body[:m[0]], body[m[0]:]
	}
	return body, ""
}

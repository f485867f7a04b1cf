package lint

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// documented are the folders whose exported names all have a doc comment: what users import, and
// the judges.
var documented = []string{
	"impl/...", "service", "explore/...", "linearizability/...", "internal/history",
}

// docComments finds exported names without a comment, and packages without one.
func docComments(t *Tree) []Finding {
	var found list
	for _, folder := range documented {
		packages := map[string]bool{} // folder: has a package comment
		for s := range t.sources(folder) {
			if s.Test || t.nested(s.Dir) != "" {
				continue
			}
			packages[s.Dir] = packages[s.Dir] || s.File.Doc != nil
			for _, d := range s.File.Decls {
				for _, name := range undocumented(d) {
					found.add(s.Path, s.Line(name.Pos()), "%s is exported and has no doc comment: say "+
						"what it means, its units and bounds, and its errors", name.Name)
				}
			}
		}
		for _, dir := range sortedNames(packages) {
			if !packages[dir] {
				found.add(dir, 0, "the package has no comment: say in one sentence what it is")
			}
		}
	}
	return found
}

// undocumented are the exported names of a declaration that no comment explains.
func undocumented(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return nil
		}
		var names []*ast.Ident
		for _, spec := range d.Specs {
			names = append(names, undocumentedSpec(d, spec)...)
		}
		return names
	}
	return nil
}

func undocumentedSpec(d *ast.GenDecl, spec ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		// A comment above a group of types says nothing of the single one.
		if spec.Name.IsExported() && spec.Doc == nil && spec.Comment == nil &&
			(d.Lparen.IsValid() || d.Doc == nil) {
			names = append(names, spec.Name)
		}
	case *ast.ValueSpec:
		if spec.Doc != nil || spec.Comment != nil || d.Doc != nil {
			return nil
		}
		for _, name := range spec.Names {
			if name.IsExported() {
				names = append(names, name)
			}
		}
	}
	return names
}

// exportedReceiver tells whether a function is one that users can see: no method of a type that
// they cannot name.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	e := d.Recv.List[0].Type
	if star, is := e.(*ast.StarExpr); is {
		e = star.X
	}
	return ast.IsExported(typeName(e))
}

// pages are the documents that everybody looks for.
var pages = []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE"}

var reLink = regexp.MustCompile(`\]\(<?([^)>\s]+)>?(?:\s+"[^"]*")?\)`)

// documents looks for the pages of the root and follows the relative links of all pages.
func documents(t *Tree) []Finding {
	var found list
	for _, page := range pages {
		if t.Files[page] == nil {
			found.add(page, 0, "the page is missing: every newcomer looks for it")
		}
	}
	if n := countLines(t.Files["ARCHITECTURE.md"]); n > pageLines {
		found.add("ARCHITECTURE.md", n, "it has %d lines, %d are the limit: it is one page, move "+
			"details to docs/", n, pageLines)
	}
	for _, name := range sortedNames(t.Files) {
		if strings.HasSuffix(name, ".md") {
			found = append(found, brokenLinks(t, name)...)
		}
	}
	return found
}

func brokenLinks(t *Tree, page string) []Finding {
	var found list
	n, fenced := 0, false
	for line := range strings.Lines(string(t.Files[page])) {
		n++
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		for _, m := range reLink.FindAllStringSubmatch(line, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue // within the page, or to another host
			}
			if !t.exists(path.Join(path.Dir(page), target)) {
				found.add(page, n, "the link to %s leads nowhere: correct it or write the page", m[1])
			}
		}
	}
	return found
}

// exists tells whether a path is a text file of the tree or a folder that holds one.
func (t *Tree) exists(name string) bool {
	if t.Files[name] != nil {
		return true
	}
	for file := range t.Files {
		if name == "." || strings.HasPrefix(file, name+"/") {
			return true
		}
	}
	return false
}

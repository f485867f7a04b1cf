package lint

import (
	"go/ast"
	"strings"
	"unicode/utf8"
)

// The limits of style.
const (
	goFileLines   = 500
	goLineColumns = 110 // a tab counts as four
	functionLines = 70
	parameters    = 6
	tlaFileLines  = 400
	pageLines     = 120 // of ARCHITECTURE.md
)

// sizes holds files, functions and lines against the limits.
func sizes(t *Tree) []Finding {
	var found list
	for _, name := range sortedNames(t.Files) {
		n := countLines(t.Files[name])
		if strings.HasSuffix(name, ".tla") && n > tlaFileLines {
			found.add(name, n, "the module has %d lines, %d are the limit: one actor a module, move "+
				"helpers to the module below it", n, tlaFileLines)
		}
	}
	for _, s := range t.Go {
		if n := countLines(s.Text); n > goFileLines {
			found.add(s.Path, n, "the file has %d lines, %d are the limit: split it by what a reader "+
				"looks for", n, goFileLines)
		}
		found = append(found, wideLines(s)...)
		if s.File != nil {
			found = append(found, longFunctions(s)...)
		}
	}
	return found
}

func countLines(text []byte) int {
	n := strings.Count(string(text), "\n")
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func wideLines(s *Source) []Finding {
	var found list
	n := 0
	for line := range strings.Lines(string(s.Text)) {
		n++
		columns := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) +
			3*strings.Count(line, "\t")
		if columns > goLineColumns {
			found.add(s.Path, n, "the line has %d columns, %d are the limit: break it",
				columns, goLineColumns)
		}
	}
	return found
}

func longFunctions(s *Source) []Finding {
	var found list
	for _, fn := range functions(s) {
		from := s.Line(fn.Pos())
		if n := s.Line(fn.End()) - from + 1; n > functionLines {
			found.add(s.Path, from, "function %s has %d lines, %d are the limit: name its parts",
				fn.Name.Name, n, functionLines)
		}
		if n := countParameters(fn.Type); n > parameters {
			found.add(s.Path, from, "function %s has %d parameters, %d are the limit: make a "+
				"structure of those that go together", fn.Name.Name, n, parameters)
		}
	}
	return found
}

func countParameters(f *ast.FuncType) int {
	n := 0
	for _, field := range f.Params.List {
		n += max(1, len(field.Names))
	}
	return n
}

package foreign

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/foreign/driver"
)

// ErrExport means that a result cannot be made a test.
var ErrExport = errors.New("failure not exported")

//go:embed driver/call.go driver/spec.go driver/recording.go driver/explain.go driver/plain.go
//go:embed driver/arguments.go driver/object.go driver/rooms.go
var driverTexts embed.FS

//go:embed export.go.txt
var exportText string

var exported = template.Must(template.New("test").Funcs(template.FuncMap{"quote": strconv.Quote}).
	Parse(exportText))

// Export writes the report's one failing result as the source of a Go test of the package, for users of the
// target. The test imports the target without changes, and nothing of this project, so it cannot follow a
// schedule. It runs the program repeatedly for some seconds on goroutines, and fails if no order of the calls
// explains the answers. A pass proves nothing. For a type without an adapter the test runs the orders to find
// their results, and calls that wait for ever count. The test of a race is for the race detector. Errors wrap
// ErrExport.
func (r Report) Export(pkg string) ([]byte, error) {
	if r.Tests {
		return nil, fmt.Errorf("%w: it is the failure of a test that you have: run it with go test -race "+
			"-count 1000, which may show it or not", ErrExport)
	}
	kinds := []string{string(explore.Verdict)}
	if r.subject != nil {
		kinds = typedKinds
	}
	if len(r.Results) != 1 || r.Results[0].Status != driver.Found ||
		!slices.Contains(kinds, r.Results[0].Kind) {
		return nil, fmt.Errorf("%w: the execution has no failure that a plain test can show: %s", ErrExport,
			strings.Join(kinds, ", "))
	}
	s := r.Results[0]
	name, err := explore.TokenProgram(s.Token)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrExport, err)
	}
	target, err := TokenTarget(s.Token)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrExport, err)
	}
	data := map[string]any{"Package": pkg, "Target": target.String(), "Result": s,
		"Table": "//\t" + strings.ReplaceAll(strings.TrimSpace(s.History), "\n", "\n//\t")}
	test := exported
	if r.subject != nil {
		test, err = typedExported, r.subject.export(data, name, s)
	} else {
		_, program, _ := strings.Cut(name, "#")
		data["Name"] = failure.Identifier(program)
		data["Parts"], data["Imports"], err = pieces(target)
	}
	if err != nil {
		return nil, err
	}
	text, err := failure.Source(test, data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrExport, err)
	}
	return ownNames(text, "_"+s.Token[strings.LastIndexByte(s.Token, '~')+1:])
}

// Package returns the name of the package of the type; it is empty if the report is not about a type without
// an adapter.
func (r Report) Package() string {
	if r.subject == nil || r.subject.pkg == nil {
		return ""
	}
	return r.subject.pkg.Name()
}

// pieces returns the declarations that a test of the target needs: calls and the sequential specification
// come from the driver, and the functions that make the calls come from the target's adapter.
func pieces(t Target) (parts, imports []string, err error) {
	a, err := t.adapter()
	if err != nil {
		return nil, nil, err
	}
	call, err1 := driverTexts.ReadFile("driver/call.go")
	spec, err2 := driverTexts.ReadFile("driver/spec.go")
	main, err3 := texts.ReadFile("adapters/" + a.main["main.go"])
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrExport, err)
	}
	named := false
	for _, source := range []struct {
		text []byte
		want func(name string) bool
	}{
		{call, func(name string) bool {
			return slices.Contains([]string{"Kind", "Load", "kindNames", "String", "hasOld", "hasValue",
				"Call", "Answer", "text", "Map"}, name)
		}},
		{spec, func(name string) bool { return name == "cell" || name == "step" || name == "String" }},
		{main, func(name string) bool {
			named = named || name == "names"
			return name != "main" && name != "suites"
		}},
	} {
		found, own, err := declarations(source.text, source.want)
		if err != nil {
			return nil, nil, err
		}
		parts, imports = append(parts, found...), own // the last file is the adapter
	}
	if !named {
		parts = append(parts, "// names is empty: the kinds are called as they are.\n"+
			"var names map[Kind]string")
	}
	imports = slices.DeleteFunc(imports, func(path string) bool {
		// The only copied package of the standard library is sync, which the test imports anyway.
		return strings.HasPrefix(path, project) || strings.HasPrefix(path, driverModule)
	})
	return parts, imports, nil
}

// declarations returns the wanted declarations of a file, with their comments, and lists the imports of the
// file.
func declarations(text []byte, want func(name string) bool) (parts, imports []string, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", text, parser.ParseComments)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrExport, err)
	}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		imports = append(imports, path)
	}
	for _, d := range f.Decls {
		name, from := "", d.Pos()
		var doc *ast.CommentGroup
		switch d := d.(type) {
		case *ast.FuncDecl:
			name, doc = d.Name.Name, d.Doc
		case *ast.GenDecl:
			doc = d.Doc
			switch s := d.Specs[0].(type) {
			case *ast.TypeSpec:
				name = s.Name.Name
			case *ast.ValueSpec:
				name = s.Names[0].Name
			}
		}
		if name == "" || !want(name) {
			continue
		}
		if doc != nil {
			from = doc.Pos()
		}
		part := string(text[files.Position(from).Offset:files.Position(d.End()).Offset])
		parts = append(parts, strings.ReplaceAll(part, "driver.", ""))
	}
	return parts, imports, nil
}

package foreign

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// ownNames renames the declarations of a file, by the suffix, to names that no other exported test has. So
// several exported tests can be in one folder. Comments that begin with a name get the new name.
func ownNames(text []byte, suffix string) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "exported_test.go", text,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrExport, err)
	}
	// The imported packages are not available. That does not matter, because only the meaning of names
	// within the file is needed.
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: noImporter{}, Error: func(error) {}}
	pkg, _ := conf.Check("exported", files, []*ast.File{file}, info)
	own := func(o types.Object) bool {
		if v, is := o.(*types.Var); is && v.Embedded() { // its name is the name of its type
			return pkg.Scope().Lookup(v.Name()) != nil
		}
		return o != nil && o.Pkg() == pkg && o.Parent() == pkg.Scope()
	}
	var ends []int
	for _, names := range []map[*ast.Ident]types.Object{info.Defs, info.Uses} {
		for id, o := range names {
			if own(o) {
				ends = append(ends, files.Position(id.End()).Offset)
			}
		}
	}
	for _, c := range file.Comments {
		if m := firstName.FindStringSubmatch(c.List[0].Text); m != nil && pkg.Scope().Lookup(m[1]) != nil {
			ends = append(ends, files.Position(c.Pos()).Offset+len(m[0]))
		}
	}
	slices.Sort(ends)
	var b strings.Builder
	at := 0
	for _, end := range slices.Compact(ends) {
		b.Write(text[at:end])
		b.WriteString(suffix)
		at = end
	}
	b.Write(text[at:])
	return []byte(b.String()), nil
}

// firstName matches the beginning of a comment of a declaration.
var firstName = regexp.MustCompile(`^// (?:An? )?(\w+)`)

// noImporter finds no package.
type noImporter struct{}

func (noImporter) Import(string) (*types.Package, error) { return nil, errors.New("not looked for") }

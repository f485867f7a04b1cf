package mutate

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// testCode has the declarations of the test files of one folder, by name. A method is found by its own name
// and by that of its type.
type testCode map[string][]ast.Decl

// aside are functions that run with each test.
var aside = []string{"TestMain", "init"}

func (c testCode) add(d ast.Decl) {
	note := func(name string) { c[name] = append(c[name], d) }
	switch d := d.(type) {
	case *ast.FuncDecl:
		note(d.Name.Name)
		if d.Recv != nil {
			ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					note(id.Name)
				}
				return true
			})
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				note(s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					note(name.Name)
				}
			}
		}
	}
}

// hash returns the hash of a test: of its function alone, or together with everything that it reaches. Any
// use of a name that is declared here counts as a use of the declaration, so it may reach too much, but not
// too little.
func (c testCode) hash(test string) string {
	reached := map[ast.Decl]bool{}
	var reach func(name string)
	reach = func(name string) {
		for _, d := range c[name] {
			if name == "_" || reached[d] {
				continue
			}
			reached[d] = true
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					reach(id.Name)
				}
				return true
			})
		}
	}
	for _, name := range append(aside, test) {
		reach(name)
	}
	var hashes []string
	for d := range maps.Keys(reached) {
		hashes = append(hashes, hashOf(d))
	}
	if len(hashes) == 1 {
		return hashes[0]
	}
	slices.Sort(hashes)
	sum := sha256.Sum256([]byte(strings.Join(hashes, " ")))
	return hex.EncodeToString(sum[:6])
}

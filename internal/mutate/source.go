package mutate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/disk"
)

// Errors of this package. Each error wraps one of them.
var (
	ErrSource   = errors.New("source unusable")
	ErrBuild    = errors.New("mutants cannot be built")
	ErrBaseline = errors.New("a judge refuses the engine without a mutant")
	ErrLedger   = errors.New("ledger of mutants unusable")
)

// Package is the package that is mutated, parsed and with types.
type Package struct {
	Dir  string // folder, absolute
	Path string // import path

	engine   *Engine
	target   Target
	fset     *token.FileSet
	names    []string // of the files, sorted
	texts    map[string][]byte
	files    map[string]*ast.File
	outlines map[string]*ast.File
	info     *types.Info
	typed    *types.Package
	imports  types.Importer
	untried  bool // treat every candidate as one that compiles
}

// load reads the package of a target in the repository at root, without its tests, as it is built with the
// explorer. It needs the go command, which compiles the imported packages.
func load(ctx context.Context, root string, e *Engine, t Target) (*Package, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	list := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export",
		"-tags", "explore", "./"+t.Dir)
	list.Dir = root
	var complaints bytes.Buffer
	list.Stderr = &complaints
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, disk.OfGo("go list", err, complaints.String()))
	}
	p := &Package{Dir: filepath.Join(root, filepath.FromSlash(t.Dir)), engine: e, target: t,
		texts: map[string][]byte{}}
	exports := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var one struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := dec.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%w: go list: %w", ErrSource, err)
		}
		exports[one.ImportPath] = one.Export
		if one.Dir == p.Dir {
			p.Path, p.names = one.ImportPath, one.GoFiles
		}
	}
	slices.Sort(p.names)
	for _, name := range p.names {
		if p.texts[name], err = os.ReadFile(filepath.Join(p.Dir, name)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	p.imports = importer.ForCompiler(token.NewFileSet(), "gc", func(what string) (io.ReadCloser, error) {
		return os.Open(exports[what])
	})
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p, p.check()
}

// parse parses the texts into trees.
func (p *Package) parse() error {
	p.fset = token.NewFileSet()
	p.files, p.outlines = map[string]*ast.File{}, map[string]*ast.File{}
	for _, name := range p.names {
		f, err := parser.ParseFile(p.fset, name, p.texts[name], parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
		p.files[name], p.outlines[name] = f, outline(f, "")
	}
	if len(p.files) == 0 {
		return fmt.Errorf("%w: no Go files in %s", ErrSource, p.Dir)
	}
	return nil
}

// check computes the types.
func (p *Package) check() error {
	var all []*ast.File
	for _, name := range p.names {
		all = append(all, p.files[name])
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	var err error
	p.typed, err = (&types.Config{Importer: p.imports}).Check(p.Path, p.fset, all, p.info)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return nil
}

// compiles reports whether the package would compile with another text of one file. Only the body of the
// named function is checked; "" stands for a change outside functions, and then all bodies are checked.
func (p *Package) compiles(name, function string, text []byte) bool {
	changed, err := parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	defer p.fset.RemoveFile(p.fset.File(changed.Pos()))
	if function != "" && !importsUsed(changed) {
		return false
	}
	var all []*ast.File
	for _, n := range p.names {
		switch {
		case n == name && function == "":
			all = append(all, changed)
		case n == name:
			all = append(all, outline(changed, function))
		case function == "":
			all = append(all, p.files[n])
		default:
			all = append(all, p.outlines[n])
		}
	}
	sound := true
	conf := types.Config{Importer: p.imports, Error: func(err error) {
		// An outline does not use its imports, and its generic functions lack their bodies.
		sound = sound && function != "" && (strings.HasSuffix(err.Error(), " imported and not used") ||
			strings.HasSuffix(err.Error(), "generic function is missing function body"))
	}}
	_, _ = conf.Check(p.Path, p.fset, all, nil) // its error is the first one passed to conf.Error
	return sound
}

// importsUsed reports whether the file uses each of its imports.
func importsUsed(f *ast.File) bool {
	unused := map[string]bool{}
	for _, i := range f.Imports {
		name := path.Base(strings.Trim(i.Path.Value, `"`))
		if i.Name != nil {
			name = i.Name.Name
		}
		unused[name] = name != "_"
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				unused[id.Name] = false
			}
		}
		return true
	})
	for _, is := range unused {
		if is {
			return false
		}
	}
	return true
}

// outline returns a file without the bodies of its functions, except that of one function.
func outline(f *ast.File, except string) *ast.File {
	c := *f
	c.Decls = slices.Clone(f.Decls)
	for i, d := range c.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && functionName(fn) != except {
			bare := *fn
			bare.Body = nil
			c.Decls[i] = &bare
		}
	}
	return &c
}

// offset returns a position as an offset in its file.
func (p *Package) offset(at token.Pos) int { return p.fset.Position(at).Offset }

// functionName returns the name of a function with its receiver's type: operation.undo.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// hashOf identifies a declaration by its code, without comments and layout.
func hashOf(d ast.Decl) string {
	var b bytes.Buffer
	// The file set does not have the file, so the printer chooses the line breaks itself. Writing into
	// memory has no errors.
	_ = (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, token.NewFileSet(), stripped(d))
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(b.String()), " ")))
	return hex.EncodeToString(sum[:6])
}

// stripped returns the declaration without its comment.
func stripped(d ast.Decl) ast.Decl {
	switch d := d.(type) {
	case *ast.FuncDecl:
		c := *d
		c.Doc = nil
		return &c
	case *ast.GenDecl:
		c := *d
		c.Doc, c.Specs = nil, nil
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				bare := *v
				bare.Doc, bare.Comment = nil, nil
				s = &bare
			}
			c.Specs = append(c.Specs, s)
		}
		return &c
	}
	return d
}

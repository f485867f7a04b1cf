package closure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/disk"
)

// graph is the packages of the repository and what they import, for some build tags.
type graph struct {
	key      string // platform and tags
	packages map[string]*pkg
	language string // what go.mod says of Go
}

// pkg is one package: of this module, with its files, or of another module, with its version.
type pkg struct {
	path, folder    string
	name            string
	files           []string // below the repository's root
	imports         []string
	module, version string
	missing         error
}

// listed is what go list prints of a package.
type listed struct {
	ImportPath, Name, Dir                         string
	GoFiles, CgoFiles, SFiles, HFiles, EmbedFiles []string
	Imports                                       []string
	Standard                                      bool
	Module                                        *module
	Error                                         *struct{ Err string }
}

type module struct {
	Path, Version string
	Replace       *module
}

// graph asks go list once for each platform and set of build tags.
func (t *Tree) graph(ctx context.Context, platform, tags string) (*graph, error) {
	key := platform + " " + tags
	if g, ok := t.graphs[key]; ok {
		return g, nil
	}
	language, err := t.language()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-tags", tags,
		"-json=ImportPath,Name,Dir,GoFiles,CgoFiles,SFiles,HFiles,EmbedFiles,Imports,Standard,Module,Error",
		"./...")
	cmd.Dir = t.root
	system, processor, _ := strings.Cut(platform, "/")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off", "CGO_ENABLED=0", "GOOS="+system,
		"GOARCH="+processor)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClosure, disk.OfGo("go list", err, complaints.String()))
	}
	g := &graph{key: key, packages: map[string]*pkg{}, language: language}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%w: go list: %w", ErrClosure, err)
		}
		if !l.Standard {
			g.packages[l.ImportPath] = t.pkg(l)
		}
	}
	t.graphs[key] = g
	return g, nil
}

// language is what go.mod says of Go, without comments.
func (t *Tree) language() (string, error) {
	text, err := os.ReadFile(filepath.Join(t.root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrClosure, err)
	}
	var said []string
	within := false
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case within:
			within = words[0] != ")"
			said = append(said, words...)
		case words[0] == "go" || words[0] == "toolchain" || words[0] == "godebug":
			within = words[len(words)-1] == "("
			said = append(said, words...)
		}
	}
	return strings.Join(said, " "), nil
}

func (t *Tree) pkg(l listed) *pkg {
	p := &pkg{path: l.ImportPath, name: l.Name, imports: l.Imports}
	if l.Error != nil {
		p.missing = fmt.Errorf("%w: %s", ErrClosure, strings.TrimSpace(l.Error.Err))
	}
	if l.Module != nil && l.Module.Path != Module {
		p.module, p.version = l.Module.Path, l.Module.Version
		if other := l.Module.Replace; other != nil {
			p.version = other.Path + " " + other.Version
			if other.Version == "" {
				p.missing = fmt.Errorf("%w: go.mod replaces %s by a folder, and what is in that has no "+
					"version: take the replacement out", ErrClosure, l.Module.Path)
			}
		}
		return p
	}
	p.folder = strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, Module), "/")
	for _, files := range [][]string{l.GoFiles, l.CgoFiles, l.SFiles, l.HFiles, l.EmbedFiles} {
		for _, name := range files {
			p.files = append(p.files, path.Join(p.folder, filepath.ToSlash(name)))
		}
	}
	slices.Sort(p.files)
	return p
}

// closure returns the packages of the folders, and all that they import but for some, by path. A folder
// without a package is one with an error.
func (g *graph) closure(folders, without []string) []*pkg {
	seen := map[string]bool{}
	for _, f := range without {
		seen[importPath(f)] = true
	}
	var todo []string
	for _, f := range folders {
		todo = append(todo, importPath(f))
	}
	var all []*pkg
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[name] {
			continue
		}
		seen[name] = true
		p, ok := g.packages[name]
		switch {
		case ok:
			all = append(all, p)
			todo = append(todo, p.imports...)
		case strings.HasPrefix(name, Module):
			missing := fmt.Errorf("%w: there is no package %s", ErrClosure, name)
			all = append(all, &pkg{path: name, missing: missing})
		}
	}
	slices.SortFunc(all, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return all
}

// importPath is that of a folder, which may be the import path of a package of another module.
func importPath(folder string) string {
	if first, _, _ := strings.Cut(folder, "/"); strings.Contains(first, ".") {
		return folder
	}
	return path.Join(Module, folder)
}

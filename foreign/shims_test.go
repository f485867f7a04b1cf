package foreign

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// packages loads packages of the module and of the standard library by their compiled types.
func loaded(t *testing.T, paths ...string) map[string]*types.Package {
	t.Helper()
	args := append([]string{"list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	all := map[string]*types.Package{}
	for _, path := range paths {
		if all[path], err = imp.Import(path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// api lists what a package exports: each name with its kind and type, the methods of types and the
// exported fields of structures. Names of the shim are written as those of the original.
func api(p *types.Package, shim, original string) map[string]string {
	qualify := func(q *types.Package) string {
		if q.Path() == shim {
			return original
		}
		return q.Path()
	}
	out := map[string]string{}
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		t := types.TypeString(o.Type(), qualify)
		switch o := o.(type) {
		case *types.Const:
			out[name] = fmt.Sprintf("const %s = %s", t, o.Val().ExactString())
		case *types.Var:
			out[name] = "var " + t
			if _, function := o.Type().(*types.Signature); function {
				out[name] = "func " + t // is called as one
			}
		case *types.Func:
			out[name] = "func " + t
		case *types.TypeName:
			typeAPI(out, name, types.Unalias(o.Type()), qualify)
		}
	}
	return out
}

func typeAPI(out map[string]string, name string, t types.Type, qualify types.Qualifier) {
	out[name] = "type"
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() {
				out[name+"."+f.Name()] = "field " + types.TypeString(f.Type(), qualify)
			}
		}
	case *types.Interface:
		out[name] = "type " + types.TypeString(u, qualify)
		return
	default:
		out[name] = "type " + types.TypeString(u, qualify)
	}
	for s := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if s.Obj().Exported() {
			out[name+"."+s.Obj().Name()] = "method " + types.TypeString(s.Type(), qualify)
		}
	}
}

// differ lists what the shim lacks, has otherwise, or has more.
func differ(shim, original map[string]string) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(original)) {
		if shim[name] != original[name] {
			found = append(found, fmt.Sprintf("%s is %q, want %q", name, shim[name], original[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(shim)) {
		if original[name] == "" {
			found = append(found, fmt.Sprintf("%s is in the shim alone", name))
		}
	}
	return found
}

// TestShimsAreWhole: each shim exports what the original of this toolchain exports, with the same
// signatures, and nothing else. What renamed has a name of the same signature for may be missing.
func TestShimsAreWhole(t *testing.T) {
	whole := maps.Clone(imports)
	whole["io"] = shims + "io" // of files that use its Pipe
	whole["testing/quick"] = shims + "quick"
	paths := slices.Collect(maps.Keys(whole))
	for _, to := range whole {
		paths = append(paths, to)
	}
	all := loaded(t, paths...)
	for original, shim := range whole {
		want := api(all[original], shim, original)
		got := api(all[shim], shim, original)
		for name, by := range renamed {
			if name[0] == original && want[name[1]] != "" && want[name[1]] == want[by] {
				delete(want, name[1])
			}
		}
		if len(want) < 5 {
			t.Errorf("%s exports only %d names", original, len(want))
		}
		for _, d := range differ(got, want) {
			t.Errorf("%s: %s", shim, d)
		}
	}
	// The comparison can fail: a package is not a shim of another one.
	if d := differ(api(all["math/rand"], "", ""), api(all["math/rand/v2"], "", "")); len(d) < 10 {
		t.Errorf("math/rand and math/rand/v2 differ in %v only", d)
	}
}

// TestShimOfTests: the T of explored tests has each method of the original, with its signature, by itself:
// what it had from the TB that it embeds, which is nil, would panic.
func TestShimOfTests(t *testing.T) {
	const original, shim = "testing", shims + "testing"
	all := loaded(t, original, shim)
	want, got := api(all[original], shim, original), api(all[shim], shim, original)
	methods := 0
	for name, signature := range want {
		if strings.HasPrefix(name, "T.") {
			methods++
			if has := strings.ReplaceAll(got[name], shims, ""); has != signature { // aliases of what it has
				t.Errorf("%s is %q, want %q", name, has, signature)
			}
		}
	}
	pointer := types.NewPointer(all[shim].Scope().Lookup("T").Type())
	for s := range types.NewMethodSet(pointer).Methods() {
		if s.Obj().Exported() && len(s.Index()) > 1 {
			t.Errorf("%s is that of what it embeds", s.Obj().Name())
		}
	}
	if methods < 25 {
		t.Errorf("the original has %d methods", methods)
	}
}

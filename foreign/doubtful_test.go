package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// harmless are packages of the standard library that start goroutines, have channels or use a doubtful
// package, and are not doubtful, with the reason. A name that ends in a slash stands for the packages below
// that do neither of the first two themselves.
var harmless = map[string]string{
	"archive/":            "reads and writes files, and calls what it is given",
	"crypto/":             "draws random bytes from the system, and reads certificates",
	"debug/":              "reads files",
	"encoding/gob":        "uses os in its debugger alone",
	"compress/gzip":       "keeps a time",
	"database/sql/driver": "has the types that drivers make",
	"embed":               "keeps times",
	"encoding/asn1":       "keeps times",
	"io/fs":               "keeps times",
	"log/slog":            "prints, and keeps times",
	"flag":                "prints",
	"fmt":                 "prints",
	"go/":                 "reads files of source",
	"html/template":       "reads files",
	"io":                  "of it Pipe alone waits: see doubtfulNames",
	"log":                 "prints",
	"mime":                "reads files",
	"mime/multipart":      "reads and writes files",
	"net/http/cookiejar":  "keeps cookies; it asks nobody",
	"net/http/httptrace":  "calls what it is given",
	"net/mail":            "reads texts",
	"path/filepath":       "reads folders",
	"reflect":             "of it Select and the operations of channels are rewritten",
	"runtime":             "of it two functions start goroutines: see doubtfulNames",
	"runtime/cgo":         "has handles alone",
	"runtime/coverage":    "writes files",
	"runtime/debug":       "asks the runtime",
	"testing/":            "calls what it is given, all but synctest",
	"text/":               "reads files",
	"time/tzdata":         "reads a file",
}

// standardPackages are those of the standard library, by path.
func standardPackages(t *testing.T) map[string]listed {
	t.Helper()
	out, err := goCommand(t.Context(), t.TempDir(), "list", "-deps",
		"-json=ImportPath,Dir,GoFiles,CgoFiles,Imports", "std")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
}

// hiddenInside reports whether nobody but the standard library can import a package of it.
func hiddenInside(path string) bool {
	return strings.HasPrefix(path, "vendor/") || strings.Contains("/"+path+"/", "/internal/")
}

// concurrent reports whether a package has go statements or channels.
func concurrent(t *testing.T, p listed) (found bool) {
	t.Helper()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil,
			parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
				found = true
			}
			return !found
		})
	}
	return found
}

// TestDoubtful_Standard: each package of the standard library that is not rewritten, and that has go
// statements or channels or uses a doubtful package, itself or by internal ones, is doubtful or named as
// harmless.
func TestDoubtful_Standard(t *testing.T) {
	all, excused := standardPackages(t), map[string]bool{}
	risky := func(path string) bool {
		found, seen := concurrent(t, all[path]), map[string]bool{}
		var visit func(path string)
		visit = func(path string) {
			for _, i := range all[path].Imports {
				found = found || doubtful[i] != ""
				if hiddenInside(i) && !seen[i] {
					seen[i] = true
					visit(i)
				}
			}
		}
		visit(path)
		return found
	}
	for path := range all {
		if hiddenInside(path) || imports[path] != "" || doubtful[path] != "" || !risky(path) {
			continue
		}
		name := path
		for harmless[name] == "" && name != "" { // the nearest folder that is named
			name = path[:strings.LastIndex(strings.TrimSuffix(name, "/"), "/")+1]
		}
		below := name != path && concurrent(t, all[path]) // a reason for a folder is none for this
		if excused[name] = true; harmless[name] == "" || below {
			t.Errorf("%s starts goroutines, waits or uses what does, and is in neither table", path)
		}
	}
	for name := range harmless {
		if !excused[name] {
			t.Errorf("%s needs no excuse", name)
		}
	}
	for path := range doubtful {
		if _, is := all[path]; !is && path != "C" {
			t.Errorf("%s is no package of the standard library", path)
		}
	}
}

// TestDoubtful_Server: what a test leaves to goroutines of net/http is in no schedule. So it is not plainly
// clean, nor has it seen all interleavings; the report names the packages, and who started what ran beside.
func TestDoubtful_Server(t *testing.T) {
	_, r := exploredIn(t, "./testdata/beside", Options{Test: "."})
	if s := r.Results[0]; s.Status != driver.Clean || r.Status() != driver.Clean {
		t.Errorf("%s: %s", s.Status, s.Message)
	}
	text := r.Text()
	for _, want := range []string{
		": clean as far as searched: without control of net/http, net/http/httptest; without goroutines " +
			"that run beside the actors\n",
		"clean, in part ", "  all interleavings of what is controlled\n",
		"not controlled: beside_test.go:4:2: import of net/http, which starts goroutines that are no act",
		"no schedule decides when, those of:\n", "  net/http/httptest.(*Server).goServe\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "iter.Pull") || strings.Contains(text, "os/signal") {
		t.Errorf("what the explorer itself starts is named:\n%s", text)
	}
}

// TestDoubtful_Uncopied: so it is if a package that shares nothing, and is in no copy, imports them. What is
// of another system counts for nothing.
func TestDoubtful_Uncopied(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"dep/go.mod": "module example.com/dep\n\ngo 1.20\n",
		"dep/dep.go": "package dep\n\nimport \"os/exec\"\n\n" +
			"func True() error { return exec.Command(\"true\").Run() }\n",
		"own/go.mod": "module example.com/own\n\ngo 1.24\n\nrequire example.com/dep v1.0.0\n\n" +
			"replace example.com/dep v1.0.0 => ../dep\n",
		"own/own.go": "package own\n\nimport \"example.com/dep\"\n\n" +
			"func True() error { return dep.True() }\n",
		"own/own_plan9.go": "package own\n\nimport _ \"plugin\"\n",
		"own/own_test.go": "package own\n\nimport \"testing\"\n\n" +
			"func TestTrue(t *testing.T) { _ = True() }\n",
		"own/other/other.go": "package other\n\nimport _ \"plugin\"\n",
	} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o444)); err != nil {
			t.Fatal(err)
		}
	}
	_, r := exploredIn(t, filepath.Join(folder, "own"), Options{Test: "."})
	want := "example.com/dep: import of os/exec, which runs other processes and waits for them"
	if !slices.Equal(r.Notes, []string{want}) || !slices.Equal(r.Uncontrolled, []string{"os/exec"}) ||
		!strings.Contains(r.Text(), ": clean as far as searched: without control of os/exec\n") {
		t.Errorf("%q, %q\n%s", r.Notes, r.Uncontrolled, r.Text())
	}
}

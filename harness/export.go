package harness

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"text/template"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
)

// ErrExport says that a failure cannot be made a test.
var ErrExport = errors.New("failure not exported")

// Recheck runs the interleaving of a token of the program again. If the code has changed, and its execution
// takes another way, it searches all interleavings within the options instead. So no test passes only because
// its schedule is outdated.
func (p Program) Recheck(token string, o Options) (Report, error) {
	rep, err := p.replayed(token, o)
	if err != nil || rep.Failure == nil || rep.Failure.Kind != explore.Diverged {
		return rep, err
	}
	return p.Ascend(o)
}

// Source is a program as Go source.
type Source struct {
	Imports []string // lines of the import declaration
	Program string   // an expression of type Program
}

// maxExported bounds the table of steps in the comment of a test.
const maxExported = 120

// Export writes the failure of a report as the source of a Go test of the package. The test fails while
// the execution fails, and passes when it is repaired. It needs this module and the tag explore, and
// no other file. Errors wrap ErrExport: there is no failure, or no schedule to replay.
func (e *Engine) Export(r Report, pkg string) ([]byte, error) {
	f := r.Failure
	if f == nil || f.Token == "" || f.Kind == explore.Diverged {
		return nil, fmt.Errorf("%w: %s has no failing schedule", ErrExport, r.Program)
	}
	_, apart, err := OfToken(f.Token)
	if err != nil {
		return nil, err
	}
	source := Source{Imports: []string{`"github.com/samecycle/samecycle/scenarios/engines"`}}
	if e.Source != nil {
		if source, err = e.Source(r.Program); err != nil {
			return nil, err
		}
	}
	solo, lockFree, err := explore.TokenClaims(f.Token)
	if err != nil {
		return nil, err
	}
	text, err := failure.Source(exported, map[string]any{
		"Package": pkg, "Name": failure.Identifier(r.Program), "Source": source, "Failure": f,
		"Kills": kills(f), "Solo": solo, "LockFree": lockFree,
		"Apart": apart, "Comment": comment(f), "Verdict": Verdict(f),
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrExport, err)
	}
	return text, nil
}

// comment is the table of the failure as lines of a comment.
func comment(f *explore.Failure) string {
	table := strings.ReplaceAll(f.Table(), repository(), "")
	lines := strings.Split(strings.TrimRight(table, "\n"), "\n")
	var b strings.Builder
	for i, l := range lines {
		if i == maxExported {
			fmt.Fprintf(&b, "// ... and %d lines more: the test prints them\n", len(lines)-i)
			break
		}
		b.WriteString(strings.TrimRight("//\t"+l, " \t") + "\n")
	}
	return b.String()
}

// repository is the folder of this module where it was built, with a slash: stacks name their files by it.
func repository() string {
	_, file, _, _ := runtime.Caller(0)
	return strings.TrimSuffix(file, "harness/export.go")
}

var exported = template.Must(template.New("test").Parse(`//go:build explore

package {{.Package}}

import (
	"testing"

	"github.com/samecycle/samecycle/harness"
	{{range .Source.Imports}}{{.}}
	{{end -}}
)

// TestFailure_{{.Name}} runs one interleaving of a small program on the engine.
// It fails as long as the engine does what this execution did. Run it with
//
//	go test -tags explore -run TestFailure_{{.Name}}
//
// What was found: {{.Verdict}}
//
{{.Comment -}}
func TestFailure_{{.Name}}(t *testing.T) {
	const token = {{printf "%q" .Failure.Token}}
	{{if .Source.Program -}}
	program := {{.Source.Program}}
	{{else -}}
	_, program, err := harness.Find(engines.All(), token)
	if err != nil {
		t.Fatal(err)
	}
	{{end -}}
	// If the code no longer takes this way, all interleavings with as many preemptions are searched.
	report, err := program.Recheck(token, harness.Options{
		Preemptions: {{.Failure.Preemptions}}, Kills: {{.Kills}},{{if .Apart}} Apart: true,{{end}}
		{{- if .Solo}} Solo: {{.Solo}},{{end}}{{if .LockFree}} LockFree: {{.LockFree}},{{end}}
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Failure != nil {
		t.Fatal(report.Failure.Table())
	}
	t.Logf("%d executions: %s", report.Executions, report.Bound)
}
`))

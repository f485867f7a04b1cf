package scenarios

import (
	"strings"
	"text/template"

	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// source is the program of that name as Go source.
func source(name string) (harness.Source, error) {
	p, err := programNamed(name)
	if err != nil {
		return harness.Source{}, err
	}
	var b strings.Builder
	if err := literal.Execute(&b, p); err != nil {
		return harness.Source{}, err
	}
	return harness.Source{Program: b.String(), Imports: []string{
		`model "github.com/samecycle/samecycle/model/hopscotch"`,
		`scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"`}}, nil
}

// constant is an operation's kind in Go source.
func constant(k model.OpKind) string {
	name := k.String()
	return "model.Op" + strings.ToUpper(name[:1]) + name[1:]
}

// literal has all that the programs differ in which have a name.
var literal = template.Must(template.New("program").Funcs(template.FuncMap{"constant": constant}).Parse(
	`scenarios.Registered(model.Program{
		Name:  {{printf "%q" .Name}},
		State: {{printf "%q" .State}},
		Ops: [][]model.Op{
			{{range .Ops}}{ {{range .}}{Op: {{constant .Op}}, K: {{.K}}, V: {{.V}}}, {{end}} },
			{{end}}
		},
		Memory: []model.Standing{
			{{range .Memory}}{H: {{.H}}, K: {{.K}}, V: {{.V}}, O: {{.O}}},
			{{end}}
		},
		Shift: {{printf "%#v" .Shift}},
		Near:  {{.Near}},
		Wide:  {{.Wide}},
	})`))

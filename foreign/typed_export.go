package foreign

import (
	_ "embed"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/foreign/driver"
)

//go:embed typed_export.go.txt
var typedExportText string

var typedExported = template.Must(template.New("test").Funcs(template.FuncMap{"quote": strconv.Quote}).
	Parse(typedExportText))

// typedKinds are the failures of a type that a test on goroutines can show.
var typedKinds = []string{string(explore.Verdict), string(explore.Deadlock), string(explore.Livelock),
	string(explore.Race)}

// A statement is a call in a test: its text, and the code that makes it.
type statement struct{ Text, Do string }

// export adds to the data of a test what it needs for a type without an adapter, for the program of that
// name.
func (f *found) export(data map[string]any, name string, s driver.Result) error {
	p, err := driver.ParseProgram(name)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrExport, err)
	}
	data["Name"], data["Race"], data["Type"] = failure.Identifier(s.Name), s.Kind == string(explore.Race),
		f.typeText()
	var actors [][]statement
	for _, calls := range p.Actors {
		all, err := f.statements(calls)
		if err != nil {
			return err
		}
		actors = append(actors, all)
	}
	data["Actors"] = actors
	if data["Before"], err = f.statements(p.Setup); err != nil {
		return err
	}
	if data["Probe"], err = f.statements(s.Probe); err != nil {
		return err
	}
	if data["Maker"], err = f.maker(p.Maker); err != nil {
		return err
	}
	if data["Parts"], err = judgeParts(); err != nil {
		return err
	}
	data["Imports"] = f.imported(fmt.Sprint(data["Actors"], data["Before"], data["Probe"], data["Maker"]))
	return nil
}

// typeText is the text of the type of the values in a driver.
func (f *found) typeText() string {
	text := targetName + "." + f.name + typeArguments(f.args)
	if types.IsInterface(f.t) {
		return text
	}
	return "*" + text
}

// maker returns the way to make a value that a program names.
func (f *found) maker(text string) (statement, error) {
	for _, w := range f.ways {
		for _, c := range w.calls {
			if c.text == text {
				return statement{text, w.body(c, strings.TrimPrefix(f.typeText(), "*"))}, nil
			}
		}
	}
	return statement{}, fmt.Errorf("%w: nothing makes a %s by %s", ErrExport, f.name, text)
}

// statements are the calls that a program names.
func (f *found) statements(texts []string) ([]statement, error) {
	var all []statement
	for _, text := range texts {
		name, _, _ := strings.Cut(text, "(")
		i := slices.IndexFunc(f.methods, func(m callable) bool { return m.name == name })
		before := len(all)
		if i >= 0 {
			f.methods[i].each(nil, func(numbers []int) {
				if t, do := f.methods[i].invocation(numbers); t == text {
					all = append(all, statement{t, do})
				}
			})
		}
		if len(all) != before+1 {
			return nil, fmt.Errorf("%w: %s has no call %s", ErrExport, f.name, text)
		}
	}
	return all, nil
}

// An imported package of a test, under the name that a driver has for it.
type imported struct{ Name, Path string }

// imported returns the packages that the text uses, with their original paths.
func (f *found) imported(text string) []imported {
	all := []imported{{targetName, f.pkg.Path()}}
	for i, path := range f.imports {
		for from, to := range imports {
			if to == path {
				path = from
			}
		}
		if name := targetName + strconv.Itoa(i); strings.Contains(text, name+".") {
			all = append(all, imported{name, path})
		}
	}
	return all
}

// judgeParts are the declarations of the driver that print results and judge histories.
func judgeParts() ([]string, error) {
	var parts []string
	for name, want := range map[string]func(string) bool{
		"explain": func(string) bool { return true }, "plain": func(string) bool { return true },
		"arguments": func(string) bool { return true }, "rooms": func(string) bool { return true },
		"recording": func(name string) bool { return name == "performed" || name == "actorName" },
		"object":    func(name string) bool { return name == "Made" },
	} {
		text, err := driverTexts.ReadFile("driver/" + name + ".go")
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrExport, err)
		}
		found, _, err := declarations(text, want)
		if err != nil {
			return nil, err
		}
		parts = append(parts, found...)
	}
	slices.Sort(parts) // sorted, so the order is always the same
	return parts, nil
}

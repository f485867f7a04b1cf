package foreign

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// targetName is what a generated driver calls the package of its type; others are numbered.
const targetName = "target"

// qualify is the name of a package in a generated driver, which imports it.
func (f *found) qualify(p *types.Package) string {
	if p == f.pkg {
		return targetName
	}
	i := slices.Index(f.imports, p.Path())
	if i < 0 {
		i, f.imports = len(f.imports), append(f.imports, p.Path())
	}
	return targetName + strconv.Itoa(i)
}

// source is the text of a driver for the type, which tokens call so.
func (f *found) source(object string, inside bool) []byte {
	var b strings.Builder
	typeText := targetName + "." + f.name + typeArguments(f.args)
	pointer := "*"
	if types.IsInterface(f.t) {
		pointer = ""
	}
	fmt.Fprintf(&b, "\ntype object = %s%s\n\nfunc main() {\n\tMainObject(Object{Name: %q, Inside: %t,\n"+
		"\t\tMakers: []Maker{\n", pointer, typeText, object, inside)
	for _, w := range f.ways {
		for i, text := range w.texts {
			fmt.Fprintf(&b, "\t\t\t{Text: %q, New: func() (any, error) { %s }},\n", text, w.body(i, typeText))
		}
	}
	b.WriteString("\t\t},\n\t\tMethods: []Method{\n")
	for _, m := range f.methods {
		m.write(&b)
	}
	b.WriteString("\t\t}})\n}\n")
	// Whatever was written by now is imported.
	head := fmt.Sprintf("package main\n\nimport (\n\t%s %q\n", targetName, f.pkg.Path())
	body := b.String()
	for i, path := range f.imports {
		name := targetName + strconv.Itoa(i)
		if !strings.Contains(body, name+".") {
			name = "_"
		}
		head += fmt.Sprintf("\t%s %q\n", name, path)
	}
	return []byte(head + fmt.Sprintf("\n\t. %q\n)\n", project+"/scenarios/foreign/driver") + body)
}

// body makes a value by the i-th call.
func (w way) body(i int, typeText string) string {
	switch {
	case w.name == zeroValue:
		return "return new(" + typeText + "), nil"
	case w.address && w.fails:
		return "o, err := " + w.calls[i] + "; return Made(&o, err)"
	case w.address:
		return "o := " + w.calls[i] + "; return Made(&o, nil)"
	case w.fails:
		return "return Made(" + w.calls[i] + ")"
	}
	return "return Made(" + w.calls[i] + ", nil)"
}

// write writes the method with all its calls.
func (m callable) write(b *strings.Builder) {
	var sizes []string
	for _, v := range m.values {
		sizes = append(sizes, strconv.Itoa(len(v)))
	}
	fmt.Fprintf(b, "\t\t\t{Name: %q, Quiet: %t, Values: []int{%s}, Calls: []Invocation{\n", m.name,
		m.results == 0, strings.Join(sizes, ", "))
	m.each(nil, func(args []int) {
		var values, numbers []string
		for i, a := range args {
			values, numbers = append(values, m.values[i][a]), append(numbers, strconv.Itoa(a))
		}
		call := m.name + "(" + strings.Join(values, ", ") + ")"
		do := "o.(object)." + call + "; return nil"
		if m.results > 0 {
			do = "return Results(o.(object)." + call + ")"
		}
		fmt.Fprintf(b, "\t\t\t\t{%q, []int{%s}, func(o any) []any { %s }},\n",
			strings.ReplaceAll(call, targetName+".", ""), strings.Join(numbers, ", "), do)
	})
	b.WriteString("\t\t\t}},\n")
}

// each calls f with each choice of arguments.
func (m callable) each(args []int, f func([]int)) {
	if len(args) == len(m.values) {
		f(args)
		return
	}
	for i := range m.values[len(args)] {
		m.each(append(slices.Clone(args), i), f)
	}
}

// describe is a line about the type for a list.
func (f *found) describe(command string) string {
	first := f.ways[0].texts[0]
	return fmt.Sprintf("  %s\n      %s; calls %s%s", command, first,
		cmp.Or(strings.Join(f.methodNames(), ", "), "nothing"), leftOutText(f.leftOut))
}

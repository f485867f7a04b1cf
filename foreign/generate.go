package foreign

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// targetName is the name of the package of the type in a generated driver. Other packages are numbered.
const targetName = "target"

// qualify returns the name of a package in a generated driver, which then imports the package.
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

// source returns the text of a driver for the type; object is its name in tokens.
func (f *found) source(object string, inside bool) []byte {
	var b strings.Builder
	typeText := f.typeText()
	fmt.Fprintf(&b, "\ntype object = %s\n\nfunc main() {\n\tMainObject(Object{Name: %q, Inside: %t,\n"+
		"\t\tMakers: []Maker{\n", typeText, object, inside)
	for _, w := range f.ways {
		for _, c := range w.calls {
			fmt.Fprintf(&b, "\t\t\t{Text: %q, New: func() (any, error) { %s }},\n", c.text,
				w.body(c, strings.TrimPrefix(typeText, "*")))
		}
	}
	b.WriteString("\t\t},\n\t\tMethods: []Method{\n")
	for _, m := range f.methods {
		m.write(&b)
	}
	b.WriteString("\t\t}})\n}\n")
	// The parts that are written by now determine the imports.
	head := fmt.Sprintf("package main\n\nimport (\n\t%s %q\n", targetName, f.pkg.Path())
	body := b.String()
	for i, path := range f.imports {
		name := targetName + strconv.Itoa(i)
		if !strings.Contains(body, name+".") {
			name = "_"
		}
		head += fmt.Sprintf("\t%s %q\n", name, path)
	}
	return []byte(head + fmt.Sprintf("\n\t. %q\n)\n", project+"/foreign/driver") + body)
}

// body returns code that makes a value by a call.
func (w way) body(call value, typeText string) string {
	before := ""
	if hears(call.source) {
		before = "var " + heard + " Heard; " // nothing reads it
	}
	switch {
	case w.name == zeroValue:
		return "return new(" + typeText + "), nil"
	case w.address && w.fails:
		return before + "o, err := " + call.source + "; return Made(&o, err)"
	case w.address:
		return before + "o := " + call.source + "; return Made(&o, nil)"
	case w.fails:
		return before + "return Made(" + call.source + ")"
	}
	return before + "return Made(" + call.source + ", nil)"
}

// write writes the method with all its calls.
func (m callable) write(b *strings.Builder) {
	var sizes []string
	for _, v := range m.values {
		sizes = append(sizes, strconv.Itoa(len(v)))
	}
	asked := ""
	if m.of != "" {
		asked = " Asked: true,"
	}
	fmt.Fprintf(b, "\t\t\t{Name: %q, Quiet: %t, Values: []int{%s},%s Calls: []Invocation{\n", m.name,
		m.quiet(), strings.Join(sizes, ", "), asked)
	m.each(nil, func(args []int) {
		var numbers []string
		for _, a := range args {
			numbers = append(numbers, strconv.Itoa(a))
		}
		call, do := m.invocation(args)
		fmt.Fprintf(b, "\t\t\t\t{%q, []int{%s}, func(v any) []any { o := v.(object); %s }},\n", call,
			strings.Join(numbers, ", "), do)
	})
	b.WriteString("\t\t\t}},\n")
}

// quiet reports whether a call of the method has no results.
func (m callable) quiet() bool {
	_, do := m.invocation(make([]int, len(m.values)))
	return strings.HasSuffix(do, "return nil")
}

// invocation returns the call with the numbered values: as text, and as statements that make it on the
// variable o.
func (m callable) invocation(numbers []int) (text, do string) {
	var args []value
	for i, n := range numbers {
		args = append(args, m.values[i][n])
	}
	texts, sources := written(args)
	call := "o." + m.name + sources
	if m.yield.source != "" {
		call += "(" + m.yield.source + ")"
	}
	switch hears := hears(call); {
	case hears && m.results > 0:
		do = "var " + heard + " Heard; return append(Results(" + call + "), &" + heard + ")"
	case hears:
		do = "var " + heard + " Heard; " + call + "; return Results(&" + heard + ")"
	case m.results > 0:
		do = "return Results(" + call + ")"
	default:
		do = call + "; return nil"
	}
	return m.name + texts, do
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
	first := f.ways[0].calls[0].text
	return fmt.Sprintf("  %s\n      %s; calls %s%s", command, first,
		cmp.Or(strings.Join(f.unasked(), ", "), "nothing"), leftOutText(f.leftOut))
}

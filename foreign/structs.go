package foreign

import (
	"go/types"
	"slices"
	"strings"
)

// mostStructs is the number of values of a structure besides its zero value.
const mostStructs = 2

// structs returns values of a structure: in each of them all fields that other packages can set have other
// values than in the others. The zero value comes last.
func (f *found) structs(t types.Type, s *types.Struct, depth int) []value {
	name := f.write(t)
	zero := literal(name + "{}")
	texts, sources := make([][]string, mostStructs), make([][]string, mostStructs)
	for field := range s.Fields() {
		inside := f.settable(field, depth)
		for i := range min(mostStructs, len(inside)) {
			v := inside[i]
			texts[i] = append(texts[i], field.Name()+": "+v.text)
			sources[i] = append(sources[i], field.Name()+": "+v.source)
		}
	}
	var all []value
	for i := range sources {
		if len(sources[i]) > 0 {
			all = append(all, value{strings.TrimSuffix(zero.text, "}") + strings.Join(texts[i], ", ") + "}",
				name + "{" + strings.Join(sources[i], ", ") + "}"})
		}
	}
	return append(all, zero)
}

// settable returns values of a field other than its zero value, unless only its package can set it.
func (f *found) settable(field *types.Var, depth int) []value {
	if !field.Exported() {
		return nil
	}
	inside, _ := f.valuesIn(field.Type(), depth-1)
	var all []value
	for _, v := range inside {
		if v.source != "0" && v.source != f.write(field.Type())+"{}" {
			all = append(all, v)
		}
	}
	return all
}

// ofConstructor leaves of the values of a structure, or a pointer to one, the zero value alone, which stands
// for the usual choices of a constructor.
func ofConstructor(values []value) []value {
	i := slices.IndexFunc(values, func(v value) bool { return strings.HasSuffix(v.text, "{}") })
	if i < 0 {
		return values
	}
	return values[i : i+1]
}

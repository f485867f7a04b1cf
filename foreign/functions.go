package foreign

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// heard is the name, in a driver, of the object that notes the calls of functions that are arguments, and
// the values that were sent on the channels.
const heard = "heard"

// hears reports whether arguments contain something that this object notes.
func hears(source string) bool {
	return strings.Contains(source, heard+".") || strings.Contains(source, "&"+heard)
}

// mostFunctions bounds the number of functions of a type that are tried.
const mostFunctions = 9

// functions returns values of a function type. Each returns fixed values, whatever its arguments are, and
// notes its arguments. The first functions differ in their first result. A boolean that is not the only
// result begins with false, because it often means to delete or to stop.
func (f *found) functions(s *types.Signature, depth int) ([]value, string) {
	if hidden := hiddenType(s); hidden != "" { // an exported name can stand for a hidden type
		return nil, "a function with the type " + hidden + ", which is not exported"
	}
	var params, names, results []string
	for i := range s.Params().Len() {
		t := f.write(s.Params().At(i).Type())
		if s.Variadic() && i == s.Params().Len()-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		names = append(names, fmt.Sprintf("a%d", i))
		params = append(params, names[i]+" "+t)
	}
	rows := [][]value{nil}
	for i := range s.Results().Len() {
		t := s.Results().At(i).Type()
		values, why := f.valuesIn(t, depth-1)
		if why != "" {
			return nil, "a function that returns " + why
		}
		results = append(results, f.write(t))
		values = slices.Clone(values[:min(3, len(values))])
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Bool && s.Results().Len() > 1 {
			slices.Reverse(values)
		}
		var longer [][]value
		for _, v := range values { // the first result changes fastest
			for _, row := range rows {
				longer = append(longer, append(slices.Clone(row), v))
			}
		}
		rows = longer
	}
	head := fmt.Sprintf("func(%s) (%s) { %s.Add(%s); ", strings.Join(params, ", "),
		strings.Join(results, ", "), heard, strings.Join(names, ", "))
	var all []value
	for _, row := range rows[:min(mostFunctions, len(rows))] {
		var texts, sources []string
		for _, v := range row {
			texts, sources = append(texts, v.text), append(sources, v.source)
		}
		all = append(all, value{"returns(" + strings.Join(texts, ", ") + ")",
			head + "return " + strings.Join(sources, ", ") + " }"})
	}
	return all, ""
}

// iterating are the names of methods whose function argument says whether they continue. How many calls come
// before one that stops depends on an order that most such methods do not promise.
var iterating = regexp.MustCompile(`^(Range|Each|ForEach|All|Iter|Walk|Scan|Ascend|Descend|Visit)`)

// stops reports whether a value of the type, as the argument of such a method, may stop the method.
func stops(method string, t types.Type) bool {
	s, ok := t.Underlying().(*types.Signature)
	return ok && iterating.MatchString(method) && s.Results().Len() == 1 &&
		types.Identical(s.Results().At(0).Type().Underlying(), types.Typ[types.Bool])
}

// iterator returns the function with which a result of an iterator type is called, so that it yields all its
// elements.
func (f *found) iterator(results *types.Tuple) (yield value, ok bool) {
	if results.Len() != 1 {
		return value{}, false
	}
	s, ok := results.At(0).Type().Underlying().(*types.Signature)
	if !ok || s.Params().Len() != 1 || s.Results().Len() != 0 || !stops("All", s.Params().At(0).Type()) {
		return value{}, false
	}
	all, why := f.valuesOf(s.Params().At(0).Type())
	return append(all, value{})[0], why == ""
}

// channels returns values of a channel type. For a channel on which a call may send, it is an empty channel
// with room. Otherwise it is a closed channel with one value, and a closed channel without a value.
func (f *found) channels(c *types.Chan, depth int) ([]value, string) {
	elem := f.write(c.Elem())
	if c.Dir() != types.RecvOnly {
		return []value{{"room", "Room[" + elem + "](&" + heard + ")"}}, ""
	}
	inside, why := f.valuesIn(c.Elem(), depth-1)
	if why != "" {
		return nil, "a channel of " + why
	}
	return []value{{"channel(" + inside[0].text + ")", "Channel[" + elem + "](" + inside[0].source + ")"},
		{"channel()", "Channel[" + elem + "]()"}}, ""
}

// maps are a map with two elements, if there are two keys, and one with another element.
func (f *found) maps(t types.Type, m *types.Map, depth int) ([]value, string) {
	keys, why := f.valuesIn(m.Key(), depth-1)
	if why != "" {
		return nil, why + " in a map"
	}
	elems, why := f.valuesIn(m.Elem(), depth-1)
	if why != "" {
		return nil, why + " in a map"
	}
	var all []value
	for i, k := range keys[:min(mostElements, len(keys))] {
		e := elems[i%len(elems)]
		all = append(all, value{k.text + ": " + e.text, k.source + ": " + e.source})
	}
	all = several(all, false)
	for i, v := range all {
		all[i] = value{"{" + v.text + "}", f.write(t) + "{" + v.source + "}"}
	}
	return all, ""
}

// pointers returns addresses of new values, which are different in each call.
func (f *found) pointers(p *types.Pointer, depth int) ([]value, string) {
	if s, ok := p.Elem().Underlying().(*types.Struct); ok && opaqueStruct(s) {
		return nil, "a pointer to " + types.TypeString(p.Elem(), types.RelativeTo(f.pkg)) +
			", whose fields are not exported"
	}
	inside, why := f.valuesIn(p.Elem(), depth-1)
	if why != "" {
		return nil, "a pointer to " + why
	}
	var all []value
	for _, v := range inside {
		all = append(all, value{"&" + v.text, "Pointer[" + f.write(p.Elem()) + "](" + v.source + ")"})
	}
	return all, ""
}

// opaqueStruct reports whether a structure has fields, none of which other packages can set. Its values then
// come from its package.
func opaqueStruct(s *types.Struct) bool {
	for i := range s.NumFields() {
		if s.Field(i).Exported() {
			return false
		}
	}
	return s.NumFields() > 0
}

// configured returns values of a structure, or of a pointer to one, whose numbers have the sizes that are
// tried, because a constructor may refuse the zero value.
func (f *found) configured(t types.Type) []value {
	elem, prefix := types.Unalias(t), ""
	if p, ok := elem.(*types.Pointer); ok {
		elem, prefix = types.Unalias(p.Elem()), "&"
	}
	s, ok := elem.Underlying().(*types.Struct)
	if _, named := elem.(*types.Named); !ok || !named {
		return nil
	}
	var all []value
	for k := range sizesTried {
		var texts, sources []string
		for i := range s.NumFields() {
			b, ok := s.Field(i).Type().Underlying().(*types.Basic)
			if ok && s.Field(i).Exported() && b.Info()&types.IsInteger != 0 {
				name, size := s.Field(i).Name()+": ", sizes(s.Field(i).Type())[k]
				texts, sources = append(texts, name+size.text), append(sources, name+size.source)
			}
		}
		if len(texts) == 0 {
			return nil
		}
		before := literal(prefix + f.write(elem))
		all = append(all, value{before.text + "{" + strings.Join(texts, ", ") + "}",
			before.source + "{" + strings.Join(sources, ", ") + "}"})
	}
	return all
}

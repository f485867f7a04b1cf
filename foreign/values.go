package foreign

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A value is an argument of a call.
type value struct {
	text   string // as in the names of programs
	source string // as an expression of the driver
}

// literal returns a value whose text is its expression without the names of packages.
func literal(source string) value { return value{importNames.ReplaceAllString(source, ""), source} }

// importNames are the names of packages in a driver.
var importNames = regexp.MustCompile(`\b` + targetName + `[0-9]*\.`)

// interfaceValues are values of interfaces that many methods take, by the names of the interfaces.
var interfaceValues = map[string][]value{
	"context.Context": {{"background", "Background()"}, {"cancelled", "Cancelled()"}},
	"error":           {{"nil", "nil"}, {"failed", "Failed()"}},
	"fmt.Stringer":    {{`text("a")`, `Text("a")`}, {`text("b")`, `Text("b")`}},
	"io.Reader":       {{`reader("ab")`, `Reader("ab")`}},
	"io.Writer":       {{"writer", heard + ".Writer()"}},
}

// valueDepth bounds the nesting of values.
const valueDepth = 4

// valuesOf returns a few different values of a type, or the reason why there are none.
func (f *found) valuesOf(t types.Type) ([]value, string) { return f.valuesIn(t, valueDepth) }

func (f *found) valuesIn(t types.Type, depth int) ([]value, string) {
	t = types.Unalias(t)
	if hidden := hiddenType(t); hidden != "" {
		return nil, "the type " + hidden + ", which is not exported"
	}
	if depth == 0 {
		return nil, "a value of the type " + t.String() + ", which is too deep"
	}
	if all, known := interfaceValues[t.String()]; known {
		return all, ""
	}
	if all := f.constants(t); len(all) > 1 {
		return all, ""
	}
	if isDuration(t) {
		return durations("1", "2", "3", "0"), ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicValues(u)
	case *types.Interface:
		if u.Empty() {
			return literals("uint32(1)", "uint32(2)", "uint32(3)"), ""
		}
		return nil, "a value of the interface " + types.TypeString(t, types.RelativeTo(f.pkg))
	case *types.Slice:
		return f.lists(t, u.Elem(), depth)
	case *types.Array:
		if u.Len() == 0 {
			return literals(f.write(t) + "{}"), ""
		}
		return f.lists(t, u.Elem(), depth)
	case *types.Struct:
		return f.structs(t, u, depth), ""
	case *types.Signature:
		return f.functions(u, depth)
	case *types.Map:
		return f.maps(t, u, depth)
	case *types.Pointer:
		return f.pointers(u, depth)
	case *types.Chan:
		return f.channels(u, depth)
	}
	return nil, "a value of the type " + t.String()
}

func literals(sources ...string) []value {
	var all []value
	for _, s := range sources {
		all = append(all, literal(s))
	}
	return all
}

// isDuration reports whether a type is that of package time.
func isDuration(t types.Type) bool { return types.Unalias(t).String() == "time.Duration" }

// durations returns durations of so many seconds each. As many nanoseconds would already be over at the next
// look at the clock.
func durations(seconds ...string) []value {
	var all []value
	for _, s := range seconds {
		v := literal(s)
		if s != "0" {
			v = value{s + "s", s + "_000_000_000"}
		}
		all = append(all, v)
	}
	return all
}

// sizes returns the numbers that are passed to a constructor.
func sizes(t types.Type) []value {
	if isDuration(t) {
		return durations(sizesTried...)
	}
	return literals(sizesTried...)
}

// write writes a type with the names that the driver has for packages.
func (f *found) write(t types.Type) string { return types.TypeString(t, f.qualify) }

// hiddenType returns the name of a type, contained in another type, that other packages cannot write; it is
// empty if there is none.
func hiddenType(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil && !t.Obj().Exported() {
			return t.Obj().Name()
		}
		for a := range t.TypeArgs().Types() {
			if name := hiddenType(a); name != "" {
				return name
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if name := hiddenType(v.Type()); name != "" {
					return name
				}
			}
		}
	case *types.Map:
		return cmp.Or(hiddenType(t.Key()), hiddenType(t.Elem()))
	case interface{ Elem() types.Type }:
		return hiddenType(t.Elem())
	}
	return ""
}

// mostConstants bounds the number of values of a type that has named constants.
const mostConstants = 4

// constants returns the values of a type for which its package has names, unless it is a package of the
// standard library. Zero comes last, because it often means nothing.
func (f *found) constants(t types.Type) []value {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	pkg := n.Obj().Pkg()
	if first, _, _ := strings.Cut(pkg.Path(), "/"); pkg != f.pkg && !strings.Contains(first, ".") {
		return nil
	}
	var all []*types.Const
	for _, name := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if ok && c.Exported() && types.Identical(c.Type(), t) {
			all = append(all, c)
		}
	}
	compare := func(a, b *types.Const) int {
		switch {
		case constant.Compare(a.Val(), token.EQL, b.Val()):
			return 0
		case isZero(b) || !isZero(a) && constant.Compare(a.Val(), token.LSS, b.Val()):
			return -1
		}
		return 1
	}
	slices.SortStableFunc(all, compare)
	all = slices.CompactFunc(all, func(a, b *types.Const) bool { return compare(a, b) == 0 })
	var values []value
	for _, c := range all[:min(mostConstants, len(all))] {
		values = append(values, literal(f.qualify(c.Pkg())+"."+c.Name()))
	}
	return values
}

// isZero reports whether a constant is the number 0.
func isZero(c *types.Const) bool {
	return c.Val().Kind() == constant.Int && constant.Sign(c.Val()) == 0
}

func basicValues(b *types.Basic) ([]value, string) {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return literals("true", "false"), ""
	case info&types.IsNumeric != 0:
		return literals("1", "2", "3", "0"), ""
	case info&types.IsString != 0:
		return literals(`"a"`, `"b"`, `"c"`), ""
	}
	return nil, "an unsafe pointer"
}

// lists are slices or arrays: one of two elements, if there are two values and there is room, and then one of
// another element. A call that takes them one by one can be interrupted between the two.
func (f *found) lists(t, elem types.Type, depth int) ([]value, string) {
	inside, why := f.valuesIn(elem, depth-1)
	if why != "" {
		return nil, why + " in a list"
	}
	a, array := t.Underlying().(*types.Array)
	inside = several(inside[:min(mostElements, len(inside))], array && a.Len() == 1)
	name := literal(f.write(t))
	for i, v := range inside {
		inside[i] = value{name.text + "{" + v.text + "}", name.source + "{" + v.source + "}"}
	}
	return inside, ""
}

// mostElements is the number of values of which lists are made.
const mostElements = 3

// several joins the first two of the values as elements of a list, unless single is set. The others are
// elements of a list of their own.
func several(values []value, single bool) []value {
	if single || len(values) < 2 {
		return slices.Clone(values)
	}
	a, b := values[0], values[1]
	both := value{a.text + ", " + b.text, a.source + ", " + b.source}
	return append([]value{both}, values[min(2, len(values)-1):]...)
}

// opaque reports whether no part of a result can be compared.
func opaque(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	}
	return false
}

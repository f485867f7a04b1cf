package foreign

import (
	"fmt"
	"go/types"
	"strings"
)

// valuesOf returns a few values of a type as source text, the first ones different, or why there are
// none. The type is written with the package names that qualify gives.
func valuesOf(t types.Type, qualify types.Qualifier) (values []string, why string) {
	t = types.Unalias(t)
	if isNamed(t, "context", "Context") {
		return nil, "a context"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicValues(u)
	case *types.Interface:
		if u.Empty() {
			return []string{"uint32(1)", "uint32(2)", "uint32(3)"}, ""
		}
		return nil, "a value of the interface " + types.TypeString(t, types.RelativeTo(nil))
	case *types.Slice:
		return composites(t, u.Elem(), qualify)
	case *types.Array:
		return composites(t, u.Elem(), qualify)
	case *types.Struct:
		if n, ok := t.(*types.Named); ok && !n.Obj().Exported() {
			return nil, "a value of the type " + n.Obj().Name() + ", which is not exported"
		}
		return []string{types.TypeString(t, qualify) + "{}"}, ""
	case *types.Signature:
		return nil, "a function"
	case *types.Chan:
		return nil, "a channel"
	case *types.Map:
		return nil, "a map"
	case *types.Pointer:
		return nil, "a pointer"
	}
	return nil, "a value of the type " + t.String()
}

// isNamed reports whether a type is the one that a package calls so.
func isNamed(t types.Type, path, name string) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

func basicValues(b *types.Basic) ([]string, string) {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return []string{"true", "false"}, ""
	case info&types.IsNumeric != 0:
		return []string{"1", "2", "3", "0"}, ""
	case info&types.IsString != 0:
		return []string{`"a"`, `"b"`, `"c"`}, ""
	}
	return nil, "an unsafe pointer"
}

// composites are slices or arrays of one element.
func composites(t, elem types.Type, qualify types.Qualifier) ([]string, string) {
	if a, ok := t.Underlying().(*types.Array); ok && a.Len() == 0 {
		return []string{types.TypeString(t, qualify) + "{}"}, ""
	}
	if n, ok := types.Unalias(elem).(*types.Named); ok && !n.Obj().Exported() && n.Obj().Pkg() != nil {
		return nil, "values of the type " + n.Obj().Name() + ", which is not exported"
	}
	inside, why := valuesOf(elem, qualify)
	if why != "" {
		return nil, why + " in a list"
	}
	var all []string
	for _, v := range inside[:min(2, len(inside))] {
		all = append(all, types.TypeString(t, qualify)+"{"+v+"}")
	}
	return all, ""
}

// opaque reports whether nothing of a result can be compared.
func opaque(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	}
	return false
}

// candidates are the types that stand in for the parameters of generic ones, in the order in which they are
// tried.
var candidates = []types.Type{types.Typ[types.Uint32], types.Typ[types.Int], types.Typ[types.Uint64],
	types.Typ[types.String], types.NewInterfaceType(nil, nil)}

// mostParameters bounds the parameters of a generic type.
const mostParameters = 4

// instantiated returns a generic type or function with the first candidates that its constraints allow,
// and which they are.
func instantiated(generic types.Type, params *types.TypeParamList) (types.Type, []types.Type, error) {
	n := params.Len()
	if n > mostParameters {
		return nil, nil, fmt.Errorf("%d type parameters, more than %d", n, mostParameters)
	}
	args := make([]types.Type, n)
	var try func(i int) types.Type
	try = func(i int) types.Type {
		if i == n {
			t, err := types.Instantiate(nil, generic, args, true)
			if err != nil {
				return nil
			}
			return t
		}
		for _, c := range candidates {
			args[i] = c
			if t := try(i + 1); t != nil {
				return t
			}
		}
		return nil
	}
	if t := try(0); t != nil {
		return t, args, nil
	}
	var wanted []string
	for i := range n {
		p := params.At(i)
		constraint := types.TypeString(p.Constraint(), types.RelativeTo(p.Obj().Pkg()))
		wanted = append(wanted, p.Obj().Name()+" "+constraint)
	}
	return nil, nil, fmt.Errorf("no type out of uint32, int, uint64, string and any is a %s",
		strings.Join(wanted, ", "))
}

// typeArguments writes the arguments of a generic type or function.
func typeArguments(args []types.Type) string {
	if len(args) == 0 {
		return ""
	}
	var all []string
	for _, a := range args {
		all = append(all, a.String())
	}
	return "[" + strings.Join(all, ", ") + "]"
}

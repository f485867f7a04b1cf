package foreign

import (
	"fmt"
	"go/types"
	"strings"
)

// candidates are the types that replace the parameters of generic types and functions, in the order in which
// they are tried.
var candidates = []types.Type{types.Typ[types.Uint32], types.Typ[types.Int], types.Typ[types.Uint64],
	types.Typ[types.String], types.NewInterfaceType(nil, nil)}

// mostParameters bounds the parameters of a generic type.
const mostParameters = 4

// instantiated returns a generic type or function with the first candidates that its constraints allow, and
// these candidates.
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

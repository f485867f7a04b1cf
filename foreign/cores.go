package foreign

import (
	"go/ast"
	"go/types"
)

// core returns the underlying type of a type. For a type parameter, it is that which all types have that the
// parameter allows. If they have more than one, it is an interface.
func core(t types.Type) types.Type {
	u := t.Underlying()
	constraint, is := u.(*types.Interface)
	if !is || !isParameter(t) {
		return u
	}
	if all := allowed(constraint); same(all) {
		return all[0]
	}
	return u
}

func isParameter(t types.Type) bool {
	_, is := types.Unalias(t).(*types.TypeParam)
	return is
}

// same reports whether all types are identical.
func same(all []types.Type) bool {
	for _, t := range all {
		if !types.Identical(t, all[0]) {
			return false
		}
	}
	return len(all) > 0
}

// allowed returns the underlying types of those types that a constraint allows; none if it lists no types. Of
// several lists, all of which a type has to be on, it is one that has a single underlying type, if there is
// such a list.
func allowed(constraint *types.Interface) (all []types.Type) {
	for i := range constraint.NumEmbeddeds() {
		if list := terms(constraint.EmbeddedType(i)); len(all) == 0 || same(list) {
			all = list
		}
	}
	return all
}

// terms returns the same of a part of a constraint.
func terms(part types.Type) (all []types.Type) {
	switch u := part.Underlying().(type) {
	case *types.Interface:
		return allowed(u)
	case *types.Union:
		for i := range u.Len() {
			list := terms(u.Term(i).Type())
			if len(list) == 0 {
				return nil
			}
			all = append(all, list...)
		}
		return all
	default:
		return []types.Type{u}
	}
}

// textual reports whether a type parameter allows only texts and slices of bytes, of both kinds. What has
// such a type can be indexed and sliced, and its bytes can be copied.
func (r *instrumenter) textual(e ast.Expr) bool {
	t := r.info.TypeOf(e)
	if t == nil || !isParameter(t) {
		return false
	}
	all := allowed(t.Underlying().(*types.Interface))
	for _, t := range all {
		if !isText(t) && !isBytes(t) {
			return false
		}
	}
	return len(all) > 0 && !same(all)
}

func isText(t types.Type) bool {
	b, is := t.(*types.Basic)
	return is && b.Info()&types.IsString != 0
}

func isBytes(t types.Type) bool {
	s, is := t.(*types.Slice)
	return is && types.Identical(s.Elem(), types.Typ[types.Byte])
}

// byteAt makes x[i], whose operands are done, report that it reads an element, if x may be a slice of bytes.
func (r *instrumenter) byteAt(x *ast.IndexExpr) {
	index, is := r.under(x.Index).(*types.Basic)
	if !r.races || !r.textual(x.X) || !is || index.Info()&types.IsInteger == 0 {
		return
	}
	r.memory = true
	r.put(x.Pos(), x.End(), memoryName+".At("+r.node(x.X)+", "+r.node(x.Index)+", "+r.name(x)+")")
}

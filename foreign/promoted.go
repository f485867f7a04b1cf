package foreign

import (
	"go/ast"
	"go/types"
)

// promoted writes out the embedded fields between an operand, which is done, and the field or method that is
// selected of it: d.Next becomes d.Node.Next. So the pointers among them are read, and so is the value of an
// embedded field whose method takes it as a value. A selection stays as it is if it has no such read, or if
// the package may not name one of the fields.
func (r *instrumenter) promoted(x *ast.SelectorExpr, s *types.Selection) {
	if !r.races || len(s.Index()) < 2 {
		return
	}
	fields := embedded(s)
	if r.path(fields) == "" {
		return
	}
	_, open := r.under(x.X).(*types.Pointer) // others may see what a pointer leads to
	open = open || r.visible(x.X)
	before, after, path := "", "", ""
	load := func(address string) {
		before = memoryName + ".Load(" + address + before
		after += ", " + r.name(x.X, path) + ")"
	}
	for i, f := range fields {
		_, pointer := f.Type().Underlying().(*types.Pointer)
		valued := i == len(fields)-1 && s.Kind() == types.MethodVal && !pointerReceiver(s)
		path += "." + f.Name()
		after += "." + f.Name()
		if open && (pointer || valued) {
			load("&")
		}
		if pointer && valued {
			load("")
		}
		open = open || pointer
	}
	if before != "" {
		r.memory = true
		r.wrap(x.X, before, after)
		r.written[x.X] = true
	}
}

// path is how the package writes a selection of embedded fields, one of the other. It is empty if the package
// may not name one of them.
func (r *instrumenter) path(fields []*types.Var) (path string) {
	for _, f := range fields {
		if !f.Exported() && f.Pkg() != r.pkg {
			return ""
		}
		path += "." + f.Name()
	}
	return path
}

// embedded are the embedded fields on the way of a selection, the outermost first.
func embedded(s *types.Selection) (fields []*types.Var) {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, is := t.Underlying().(*types.Pointer); is {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		fields, t = append(fields, f), f.Type()
	}
	return fields
}

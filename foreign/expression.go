package foreign

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// values changes expressions whose values are used.
func (r *instrumenter) values(all ...ast.Expr) {
	for _, e := range all {
		r.value(e)
	}
}

// value changes an expression whose value is used.
func (r *instrumenter) value(e ast.Expr) {
	if e == nil || r.info.Types[e].IsType() || r.info.Types[e].Value != nil {
		return
	}
	switch x := e.(type) {
	case *ast.Ident:
		if r.visible(x) {
			r.loads(x)
		}
	case *ast.CompositeLit:
		r.literal(x)
	case *ast.FuncLit:
		r.function(x.Type, x.Body)
	case *ast.ParenExpr:
		r.value(x.X)
	case *ast.SelectorExpr:
		s := r.info.Selections[x]
		switch {
		case s == nil && r.standsIn(x):
		case s != nil && s.Kind() == types.MethodVal:
			r.receiver(x, s)
			r.reflects(x, s)
		case s == nil || s.Kind() == types.FieldVal:
			r.read(x)
		}
	case *ast.IndexExpr:
		r.index(x)
	case *ast.SliceExpr:
		r.array(x.X)
		r.values(x.Low, x.High, x.Max)
	case *ast.TypeAssertExpr:
		r.value(x.X)
	case *ast.CallExpr:
		r.call(x)
		if r.changes(x) {
			r.maps(x.Args[0], "Change")
		}
		if r.clears(x) {
			r.reads(x.Args[0], "Cleared", "")
		}
		r.converts(x)
		r.uses(x)
		r.passes(x)
		r.throughReflect(x)
		r.fills(x)
		r.asks(x)
		r.names(x)
	case *ast.StarExpr:
		r.read(x)
	case *ast.UnaryExpr:
		switch x.Op {
		case token.AND:
			r.place(x.X)
		case token.ARROW:
			r.receive(x)
		default:
			r.value(x.X)
		}
	case *ast.BinaryExpr:
		r.values(x.X, x.Y)
	}
}

// read changes an addressable expression whose value is used.
func (r *instrumenter) read(e ast.Expr) {
	r.place(e)
	if r.visible(e) {
		r.loads(e)
	}
}

// place changes an addressable expression whose value is not used. Only the values of its operands are used.
func (r *instrumenter) place(e ast.Expr) {
	switch x := e.(type) {
	case *ast.Ident:
	case *ast.ParenExpr:
		r.place(x.X)
	case *ast.SelectorExpr:
		if s := r.info.Selections[x]; s != nil {
			r.owner(x.X)
			r.promoted(x, s)
		}
	case *ast.IndexExpr:
		r.array(x.X)
		r.value(x.Index)
	case *ast.StarExpr:
		r.value(x.X)
	default:
		r.value(e)
	}
}

// owner changes the operand of a field selection. If it is a pointer, its value is used.
func (r *instrumenter) owner(e ast.Expr) {
	if _, pointer := r.under(e).(*types.Pointer); pointer || !r.info.Types[e].Addressable() {
		r.value(e)
		return
	}
	r.place(e)
}

// array changes the operand of an index or a slice expression. An array is a place; the value of any other
// operand is used. Of an array into which a slice is converted, only one element is read.
func (r *instrumenter) array(e ast.Expr) {
	if _, is := r.under(e).(*types.Array); is && r.info.Types[e].Addressable() {
		r.place(e)
		return
	} else if x, call := ast.Unparen(e).(*ast.CallExpr); is && call && r.info.Types[x.Fun].IsType() {
		r.call(x)
		return
	}
	r.value(e)
}

func (r *instrumenter) literal(x *ast.CompositeLit) {
	t := r.under(x)
	if p, ok := t.(*types.Pointer); ok {
		t = core(p.Elem())
	}
	_, fields := t.(*types.Struct)
	m := mapOf(t)
	for _, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if !fields {
				r.value(kv.Key)
				r.seen(kv.Key, m)
			}
			e = kv.Value
		}
		r.value(e)
	}
}

func (r *instrumenter) index(x *ast.IndexExpr) {
	switch r.under(x.X).(type) {
	case *types.Signature: // an instance of a generic function
	case *types.Map:
		r.values(x.X, x.Index)
		r.maps(x.X, "Look")
	case *types.Interface: // of a type parameter
		r.values(x.X, x.Index)
		r.byteAt(x)
	default:
		r.read(x)
	}
}

// receiver changes the operand of a method selection.
func (r *instrumenter) receiver(x *ast.SelectorExpr, s *types.Selection) {
	_, pointer := r.under(x.X).(*types.Pointer)
	_, abstract := r.under(x.X).(*types.Interface)
	switch {
	case abstract:
		r.value(x.X)
	case pointer:
		r.value(x.X)
		if len(s.Index()) == 1 && !pointerReceiver(s) && r.races {
			if _, ok := s.Obj().(*types.Func).Signature().Recv().Type().Underlying().(*types.Interface); !ok {
				r.memory = true
				r.wrap(x.X, memoryName+".Load(", ", "+r.name(x.X)+")")
			}
		}
	case len(s.Index()) == 1 && !pointerReceiver(s):
		r.value(x.X)
	default:
		r.owner(x.X)
	}
	r.promoted(x, s)
}

func (r *instrumenter) call(x *ast.CallExpr) {
	fun := ast.Unparen(x.Fun)
	if r.info.Types[fun].IsBuiltin() {
		r.builtin(x, fun)
		return
	}
	r.value(x.Fun)
	r.values(x.Args...)
}

// standingIn maps functions of the standard library to the names of their replacements in flow.
var standingIn = map[string]string{"runtime.Gosched": "Gosched", "runtime.Goexit": "Goexit",
	"runtime.NumGoroutine": "NumGoroutine", "runtime.ReadMemStats": "ReadMemStats", "os.Exit": "Exit",
	"runtime.LockOSThread": "LockOSThread", "runtime.UnlockOSThread": "UnlockOSThread",
	"runtime.SetFinalizer": "SetFinalizer", "runtime.AddCleanup": "AddCleanup",
	"reflect.Copy": "ReflectCopy", "reflect.Select": "ReflectSelect", "os.ReadFile": "ReadFile",
	"os.WriteFile": "WriteFile", "os/exec.Command": "Command", "os/exec.CommandContext": "CommandContext"}

// reflecting are the methods of a reflect.Value that use a channel.
var reflecting = []string{"Recv", "Send", "TryRecv", "TrySend", "Close", "Len"}

// reflects changes the receiver of such a method, whose operands are done, into a value of flow that has
// replacements for them. The methods of a structure that embeds a reflect.Value are not changed.
func (r *instrumenter) reflects(x *ast.SelectorExpr, s *types.Selection) {
	f, ok := s.Obj().(*types.Func)
	if !ok || len(s.Index()) != 1 || f.Pkg() == nil || f.Pkg().Path() != "reflect" ||
		!slices.Contains(reflecting, f.Name()) {
		return
	}
	before := flowName + ".Reflected{"
	switch s.Recv().String() {
	case "reflect.Value":
	case "*reflect.Value":
		before += "*"
	default:
		return
	}
	r.flow = true
	r.wrap(x.X, "("+before, "})")
}

// standsIn replaces a function of a package by that of flow, if there is one.
func (r *instrumenter) standsIn(x *ast.SelectorExpr) bool {
	f, ok := r.info.Uses[x.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || standingIn[f.Pkg().Path()+"."+f.Name()] == "" || f.Signature().Recv() != nil {
		return false
	}
	if r.keeps == nil {
		r.keeps = map[string]string{}
	}
	if r.keeps[f.Pkg().Path()] == "" {
		r.keeps[f.Pkg().Path()] = r.node(x)
	}
	r.becomes(x, standingIn[f.Pkg().Path()+"."+f.Name()])
	return true
}

func (r *instrumenter) builtin(x *ast.CallExpr, fun ast.Expr) {
	id, ok := fun.(*ast.Ident)
	if ok && id.Name == "recover" {
		r.flow = true
		r.wrap(x, flowName+".Recovered("+flowName+".Leaving() == nil && "+flowName+".Keep(", "))")
		return
	}
	if !ok || len(x.Args) == 0 { // of unsafe, or without operands
		r.values(x.Args...)
		return
	}
	first := x.Args[0]
	_, slice := r.under(first).(*types.Slice)
	_, isMap := r.under(first).(*types.Map)
	switch id.Name {
	case "len", "cap":
		r.array(first)
		switch {
		case isMap:
			r.maps(first, "Look")
		case r.isChannel(first):
			r.becomes(fun, map[string]string{"len": "Len", "cap": "Cap"}[id.Name])
		}
		return
	case "close":
		r.value(first)
		r.becomes(fun, "Close")
		return
	}
	r.values(x.Args...)
	switch {
	case !slice || !r.races || len(x.Args) < 2:
	case id.Name == "append":
		r.appends(x)
	case id.Name == "copy":
		r.copies(x)
	}
}

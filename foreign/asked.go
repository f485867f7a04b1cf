package foreign

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
)

// asking are functions of the standard library whose answer comes from what is not explored, by their full
// names: servers, other processes, the profiles and stacks of the process. Code that calls one again and
// again waits for that answer. Functions of files are not in the list, because most files are those of the
// test.
var asking = set("net.Dial", "net.DialTCP", "net.DialTimeout", "net.DialUDP", "net.DialUnix",
	"(*net.Dialer).Dial", "(*net.Dialer).DialContext", "net.LookupHost", "net.LookupIP",
	"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm",
	"(*net/http.Client).Do", "(*net/http.Client).Get", "(*net/http.Client).Head",
	"(*net/http.Client).Post", "(*net/http.Client).PostForm", "(*net/http.Transport).RoundTrip",
	"net/rpc.Dial", "net/rpc.DialHTTP", "net/smtp.Dial", "crypto/tls.Dial", "crypto/tls.DialWithDialer",
	"(*os/exec.Cmd).CombinedOutput", "(*os/exec.Cmd).Output", "(*os/exec.Cmd).Run",
	"(*os.Process).Signal", "os.FindProcess", "syscall.Kill",
	"runtime.Stack", "runtime.GoroutineProfile", "runtime/pprof.Lookup",
	"(*runtime/pprof.Profile).Count", "(*runtime/pprof.Profile).WriteTo")

// everywhere reports whether a call shows all goroutines of the process: a profile of them, or the stacks of
// all. What the arguments are is not known in all places; then it may.
func (r *instrumenter) everywhere(f *types.Func, args []ast.Expr) bool {
	shows := func(arg int, none func(constant.Value) bool) bool {
		if len(args) <= arg || r.info.Types[args[arg]].Value == nil {
			return true
		}
		return !none(r.info.Types[args[arg]].Value)
	}
	switch f.FullName() {
	case "runtime.GoroutineProfile":
		return true
	case "runtime.Stack":
		return shows(1, func(v constant.Value) bool { return !constant.BoolVal(v) })
	case "runtime/pprof.Lookup":
		return shows(0, func(v constant.Value) bool { return constant.StringVal(v) != "goroutine" })
	}
	return false
}

// askingPackages are those of these functions, but for runtime and os, which most code imports that does not
// ask.
var askingPackages = set("crypto/tls", "net", "net/http", "net/rpc", "net/smtp", "os/exec", "runtime/pprof",
	"syscall")

func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

// mayAsk reports whether a file imports such a package. The result is false for a file that does not parse.
func mayAsk(text []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	return err == nil && slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool {
		path, err := strconv.Unquote(s.Path.Value)
		return err == nil && askingPackages[path]
	})
}

// asks makes a call, whose operands are done, report that it asks what is not explored, if it does. A call by
// go or defer is left out.
func (r *instrumenter) asks(x *ast.CallExpr) {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is {
		return
	}
	f, is := r.info.Uses[fun.Sel].(*types.Func)
	if s := r.info.Selections[fun]; !is || !asking[f.FullName()] || s != nil && s.Kind() != types.MethodVal {
		return
	}
	by := "Asks"
	if r.everywhere(f, x.Args) {
		by = "Shows"
	}
	r.notes(x, f, fun.Sel.Pos(), by)
}

// naming are functions of the standard library by which code gets the names of functions, files or packages.
// Those of the copy are not all those of the original. Code that only gets addresses, by runtime.Callers,
// cannot compare them with names.
var naming = set("runtime.Caller", "runtime.CallersFrames", "runtime.FuncForPC", "runtime.Stack",
	"runtime/debug.Stack", "(reflect.Type).PkgPath")

// names makes a call, whose operands are done, report that it asks for such names, if it does. What other
// modules ask for is left out, because packages for tests do so to tell where a test has failed.
func (r *instrumenter) names(x *ast.CallExpr) {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is || !r.tells {
		return
	}
	if f, is := r.info.Uses[fun.Sel].(*types.Func); is && naming[f.FullName()] {
		if s := r.info.Selections[fun]; s == nil || s.Kind() == types.MethodVal {
			r.notes(x, f, fun.Sel.Pos(), "Names")
		}
	}
}

// notes makes a call of a function report itself, with its place, by a function of flow.
func (r *instrumenter) notes(x *ast.CallExpr, f *types.Func, p token.Pos, by string) {
	at := r.files.Position(p)
	r.flow = true
	r.wrap(x.Fun, flowName+"."+by+"(", fmt.Sprintf(", %q, \"%s:%d\")", f.FullName(),
		filepath.Base(at.Filename), at.Line))
}

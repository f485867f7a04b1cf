package foreign

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// madeName is the name under which changed files import flow to tell which channels they make.
const madeName = "samecycleMade"

// tellMade makes each make(chan T) of a file the operand of a call of flow.Made, so a channel knows its
// bubble. Each line keeps its number. A make of a named type is not changed.
func tellMade(text []byte) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text // the error is reported by the build
	}
	out, at := []byte(nil), 0
	put := func(where token.Pos, what string) {
		offset := files.Position(where).Offset
		out = append(append(out, text[at:offset]...), what...)
		at = offset
	}
	put(file.Name.End(), fmt.Sprintf("; import %s %q", madeName, shims+"flow"))
	found := false
	var ends []token.Pos // of calls that have begun, the innermost last
	end := func(until token.Pos) {
		for n := len(ends) - 1; n >= 0 && ends[n] <= until; n-- {
			put(ends[n], ")")
			ends = ends[:n]
		}
	}
	ast.Inspect(file, func(n ast.Node) bool { // in the order of the text
		if n == nil {
			return true
		}
		end(n.Pos())
		if call, is := n.(*ast.CallExpr); is && makesChannel(call) {
			found = true
			put(call.Pos(), madeName+".Made(")
			ends = append(ends, call.End())
		}
		return true
	})
	end(file.FileEnd)
	if !found {
		return text
	}
	return append(out, text[at:]...)
}

// makesChannel reports whether a call is a make of a type that is written as a channel.
func makesChannel(call *ast.CallExpr) bool {
	id, is := call.Fun.(*ast.Ident)
	if !is || id.Name != "make" || len(call.Args) == 0 {
		return false
	}
	_, is = ast.Unparen(call.Args[0]).(*ast.ChanType)
	return is
}

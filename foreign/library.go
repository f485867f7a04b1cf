package foreign

import (
	"go/ast"
	"go/types"
	"slices"
)

// guardless are the types of the standard library that goroutines may not use at the same time, each with its
// methods that only read. The library is in no copy, so a call of a method counts as one access of the whole
// value. Types whose documentation allows simultaneous use are not listed.
var guardless = map[string][]string{
	"bufio.Reader":             {"Buffered", "Size"},
	"bufio.Scanner":            {"Bytes", "Err", "Text"},
	"bufio.Writer":             {"Available", "Buffered", "Size"},
	"bytes.Buffer":             {"Available", "Bytes", "Cap", "Len", "String"},
	"bytes.Reader":             {"Len", "Size"},
	"container/list.List":      {"Back", "Front", "Len"},
	"encoding/csv.Reader":      {"FieldPos", "InputOffset"},
	"encoding/csv.Writer":      {"Error"},
	"encoding/json.Decoder":    {},
	"encoding/json.Encoder":    {},
	"net/http.Header":          {"Clone", "Get", "Values", "Write", "WriteSubset"},
	"net/textproto.MIMEHeader": {"Get", "Values"},
	"net/url.Values":           {"Encode", "Get", "Has"},
	"strings.Builder":          {"Cap", "Len", "String"},
	"strings.Reader":           {"Len", "Size"},
	"text/tabwriter.Writer":    {},
}

// uses makes a call, whose operands are done, report that it uses its receiver, if that is of such a type. A
// call by go or defer is made later, and is left out.
func (r *instrumenter) uses(x *ast.CallExpr) {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is || !r.races {
		return
	}
	s := r.info.Selections[fun]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return
	}
	t, pointer := s.Recv(), false
	if p, is := t.Underlying().(*types.Pointer); is {
		t, pointer = p.Elem(), true
	}
	n, is := types.Unalias(t).(*types.Named)
	if !is || n.Obj().Pkg() == nil {
		return
	}
	reads, listed := guardless[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
	if !listed {
		return
	}
	use, change := "Writes", "Change"
	if slices.Contains(reads, s.Obj().Name()) {
		use, change = "Reads", "Look"
	}
	if _, is := n.Underlying().(*types.Map); is {
		if !pointer {
			r.maps(fun.X, change)
		}
		return
	}
	before := memoryName + "." + use + "("
	if !pointer {
		if !r.visible(fun.X) {
			return
		}
		before += "&"
	}
	r.memory = true
	r.wrap(fun.X, before, ", "+r.name(fun.X)+")")
}

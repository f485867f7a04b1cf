package foreign

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
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
	"compress/flate.Writer":    {},
	"compress/gzip.Reader":     {},
	"compress/gzip.Writer":     {},
	"compress/zlib.Writer":     {},
	"container/list.List":      {"Back", "Front", "Len"},
	"container/ring.Ring":      {"Do", "Len"},
	"encoding/csv.Reader":      {"FieldPos", "InputOffset"},
	"encoding/csv.Writer":      {"Error"},
	"encoding/json.Decoder":    {},
	"encoding/json.Encoder":    {},
	"encoding/xml.Decoder":     {"InputOffset", "InputPos"},
	"encoding/xml.Encoder":     {},
	"math/big.Float":           readsOfBig,
	"math/big.Int":             readsOfBig,
	"math/big.Rat":             readsOfBig,
	"math/rand.Rand":           {},
	"math/rand.Zipf":           {},
	"math/rand/v2.ChaCha8":     {"MarshalBinary"},
	"math/rand/v2.PCG":         {"MarshalBinary"},
	"math/rand/v2.Rand":        {},
	"math/rand/v2.Zipf":        {},
	"mime/multipart.Writer":    {"Boundary", "FormDataContentType"},
	"net/http.Header":          {"Clone", "Get", "Values", "Write", "WriteSubset"},
	"net/textproto.MIMEHeader": {"Get", "Values"},
	"net/url.Values":           {"Encode", "Get", "Has"},
	"strings.Builder":          {"Cap", "Len", "String"},
	"strings.Reader":           {"Len", "Size"},
	"text/tabwriter.Writer":    {},
}

// readsOfBig are the methods of the numbers of package math/big that do not set their receiver.
var readsOfBig = []string{"Acc", "Append", "AppendText", "Bit", "BitLen", "Bits", "Bytes", "Cmp", "CmpAbs",
	"Denom", "FillBytes", "Float32", "Float64", "FloatPrec", "FloatString", "Format", "GobEncode", "Int",
	"Int64", "IsInf", "IsInt", "IsInt64", "IsUint64", "MantExp", "MarshalJSON", "MarshalText", "MinPrec",
	"Mode", "Num", "Prec", "ProbablyPrime", "Rat", "RatString", "Sign", "Signbit", "String", "Text",
	"TrailingZeroBits", "Uint64"}

// writing are the methods of a file by which others may learn of what happened before, other than Write: see
// fills.
var writing = []string{"ReadFrom", "WriteAt", "WriteString"}

// uses makes a call, whose operands are done, report that it uses its receiver, if that is of such a type. A
// call by go or defer is made later, and is left out.
func (r *instrumenter) uses(x *ast.CallExpr) {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is || !r.races {
		return
	}
	s := r.info.Selections[fun]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	t, pointer, path := s.Recv(), false, ""
	visible := r.visible(fun.X)
	if fields := embedded(s); len(fields) > 0 {
		if path = r.path(fields); path == "" {
			return
		}
		_, reached := r.under(fun.X).(*types.Pointer)
		for _, f := range fields {
			visible, t = visible || reached, f.Type()
			_, reached = t.Underlying().(*types.Pointer)
		}
	}
	if t.String() == "*os.File" && slices.Contains(writing, s.Obj().Name()) {
		r.behind(x.Args, fun.X, memoryName+".Stream(", path)
		return
	}
	if _, is := t.Underlying().(*types.Interface); is && slices.Contains(streaming, s.Obj().Name()) {
		r.behind(x.Args, fun.X, memoryName+".Stream(", path)
		return
	}
	if p, is := t.Underlying().(*types.Pointer); is {
		t, pointer = p.Elem(), true
	}
	n, is := types.Unalias(t).(*types.Named)
	if !is || n.Obj().Pkg() == nil {
		return
	}
	name := n.Obj().Pkg().Path() + "." + n.Obj().Name()
	if strings.HasSuffix(name, "/template.Template") && strings.HasPrefix(s.Obj().Name(), "Execute") {
		r.stream(x, 0)
		return
	}
	reads, listed := guardless[name]
	if !listed {
		return
	}
	use, change := "Writes", "Change"
	if slices.Contains(reads, s.Obj().Name()) {
		use, change = "Reads", "Look"
	}
	if n.Obj().Name() == "Rand" {
		use = "Draws"
	}
	before := memoryName + "." + use + "("
	if _, is := n.Underlying().(*types.Map); is {
		if pointer {
			return
		}
		before = memoryName + "." + change + "("
	} else if !pointer {
		if !visible {
			return
		}
		before += "&"
	}
	r.behind(x.Args, fun.X, before, path)
}

// behind makes an expression, which a call uses when its operands are known, the operand of a function that
// reports the use. If operands contain calls or receives, which may order the use, it is reported behind the
// last of them. A path leads from the expression to an embedded field that is used.
func (r *instrumenter) behind(operands []ast.Expr, e ast.Expr, before string, path ...string) {
	field := strings.Join(path, "")
	i := len(operands) - 1
	for i >= 0 && !r.loud(operands[i]) {
		i--
	}
	if i < 0 {
		r.memory = true
		name := ", " + r.name(e, field) + ")"
		if r.written[e] {
			field = ""
		}
		r.wrap(e, before, field+name)
		return
	}
	_, tuple := r.info.TypeOf(operands[i]).(*types.Tuple)
	if tuple || r.inline(operands[i]) || r.loud(e) {
		return
	}
	text := string(r.text[r.offset(e.Pos()):r.offset(e.End())]) // it was read already
	if strings.Contains(text, "\n") {
		return
	}
	r.memory = true
	r.wrap(operands[i], memoryName+".Then(", ", "+before+text+field+", "+r.name(e, field)+"))")
}

// loud reports whether the evaluation of an expression contains a call or a receive.
func (r *instrumenter) loud(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			fun := r.info.Types[n.Fun]
			found = found || !fun.IsType() && !fun.IsBuiltin() && !r.silent(n)
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// silent reports whether a call is one of package reflect that orders nothing.
func (r *instrumenter) silent(x *ast.CallExpr) bool {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is {
		return false
	}
	f, is := r.info.Uses[fun.Sel].(*types.Func)
	return is && f.Pkg() != nil && f.Pkg().Path() == "reflect" && !slices.Contains(reflecting, f.Name()) &&
		!strings.HasPrefix(f.Name(), "Call") && f.Name() != "Select"
}

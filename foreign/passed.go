package foreign

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
	"unicode"
)

// readers are functions of the standard library, each with the operands that are slices of which it reads all
// elements.
var readers = map[string][]int{
	"bytes.Clone": {0}, "bytes.Count": {0}, "bytes.Equal": {0, 1}, "bytes.ReplaceAll": {0},
	"bytes.Runes": {0}, "bytes.ToLower": {0}, "bytes.ToUpper": {0}, "strings.Join": {0},
	"crypto/md5.Sum": {0}, "crypto/sha1.Sum": {0}, "crypto/sha256.Sum256": {0}, "crypto/sha512.Sum512": {0},
	"encoding/hex.EncodeToString": {0}, "hash/crc32.Checksum": {0}, "hash/crc32.ChecksumIEEE": {0},
}

// printers are functions of the standard library that read what their operands lead to, each with the number
// of the first such operand. Ahead of it comes the format, if the name ends in f.
var printers = map[string]int{
	"fmt.Append": 1, "fmt.Appendf": 2, "fmt.Appendln": 1, "fmt.Errorf": 1, "fmt.Fprint": 1, "fmt.Fprintf": 2,
	"fmt.Fprintln": 1, "fmt.Print": 0, "fmt.Printf": 1, "fmt.Println": 0, "fmt.Sprint": 0, "fmt.Sprintf": 1,
	"fmt.Sprintln": 0,
}

// streams are functions of the standard library, each with the operands into which it writes or from which it
// reads.
var streams = map[string][]int{
	"encoding/binary.Read": {0}, "encoding/binary.Write": {0}, "fmt.Fprint": {0}, "fmt.Fprintf": {0},
	"fmt.Fprintln": {0}, "fmt.Fscan": {0}, "fmt.Fscanf": {0}, "fmt.Fscanln": {0}, "io.Copy": {0, 1},
	"io.CopyBuffer": {0, 1}, "io.CopyN": {0, 1}, "io.ReadAll": {0}, "io.ReadAtLeast": {0},
	"io.ReadFull": {0}, "io.WriteString": {0},
}

// streaming are the methods of interfaces by which a stream is used.
var streaming = []string{"Flush", "Read", "ReadByte", "ReadBytes", "ReadFrom", "ReadRune", "ReadString",
	"Reset", "Write", "WriteByte", "WriteRune", "WriteString", "WriteTo"}

// passes makes a call of a function of the standard library, whose operands are done, report what it reads of
// them for certain.
func (r *instrumenter) passes(x *ast.CallExpr) {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is || !r.races || x.Ellipsis.IsValid() {
		return
	}
	f := r.info.Uses[fun.Sel]
	if f == nil || f.Pkg() == nil || f.Parent() != f.Pkg().Scope() { // it is a method
		return
	}
	// A file that uses Pipe has the shim of package io, where functions are variables.
	name := strings.TrimPrefix(f.Pkg().Path(), shims) + "." + f.Name()
	for _, i := range streams[name] {
		r.stream(x, i)
	}
	for _, i := range readers[name] {
		if i < len(x.Args) && r.isSlice(x.Args[i]) {
			r.behind(x.Args, x.Args[i], memoryName+".Elements(")
		}
	}
	if first, prints := printers[name]; prints && first <= len(x.Args) {
		if strings.HasSuffix(name, "f") && !r.complete(x.Args[first-1], len(x.Args)-first) {
			return
		}
		r.printed(x.Args[first:], x.Args)
	}
	if name == "encoding/json.Marshal" || name == "encoding/json.MarshalIndent" {
		if encoded(r.under(x.Args[0])) {
			r.printed(x.Args[:1], x.Args)
		}
	}
}

// stream makes a call, whose operands are done, report that it uses the stream that is its i-th operand.
func (r *instrumenter) stream(x *ast.CallExpr, i int) {
	if i >= len(x.Args) {
		return
	}
	if _, several := r.info.TypeOf(x.Args[i]).(*types.Tuple); !several {
		r.behind(x.Args, x.Args[i], memoryName+".Stream(")
	}
}

// printed reports the reads of operands that are printed, up to the first one of which a method may be
// called. A map is read ahead of its elements.
func (r *instrumenter) printed(operands, all []ast.Expr) {
	for _, e := range operands {
		t := r.info.TypeOf(e)
		if t == nil || methods(t) {
			return
		}
		still := quiet(t, mostNested)
		switch r.under(e).(type) {
		case *types.Map:
			r.behind(all, e, memoryName+".Look(")
		case *types.Slice:
			if still {
				r.behind(all, e, memoryName+".Elements(")
			}
		}
		if !still {
			return
		}
	}
}

func methods(t types.Type) bool {
	return types.NewMethodSet(t).Len() > 0 || types.NewMethodSet(types.NewPointer(t)).Len() > 0
}

// complete reports whether a format is known, and has a verb for each of n operands that reads all of it.
func (r *instrumenter) complete(format ast.Expr, n int) bool {
	v := r.info.Types[format].Value
	if v == nil || v.Kind() != constant.String {
		return false
	}
	text := strings.ReplaceAll(constant.StringVal(v), "%%", "")
	parts := strings.Split(text, "%")
	for _, p := range parts[1:] {
		p = strings.TrimLeft(p, "+-# 0123456789")
		if p == "" || !unicode.IsLetter(rune(p[0])) || strings.ContainsRune("pTw", rune(p[0])) {
			return false
		}
	}
	return len(parts)-1 == n
}

// encoded reports whether package json reads a map, or all elements of a slice, whatever their values are.
func encoded(t types.Type) bool {
	const known, keys = types.IsBoolean | types.IsInteger | types.IsString, types.IsInteger | types.IsString
	switch t := t.(type) {
	case *types.Map:
		b, is := t.Key().Underlying().(*types.Basic)
		return is && b.Info()&keys != 0
	case *types.Slice:
		b, is := t.Elem().Underlying().(*types.Basic)
		return is && b.Info()&known != 0
	}
	return false
}

// mostNested bounds the nesting of types that are looked through.
const mostNested = 5

// quiet reports whether nothing in a value of a type has methods, or may have some.
func quiet(t types.Type, depth int) bool {
	if depth == 0 || methods(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return quiet(u.Elem(), depth-1)
	case *types.Array:
		return quiet(u.Elem(), depth-1)
	case *types.Map:
		return quiet(u.Key(), depth-1) && quiet(u.Elem(), depth-1)
	case *types.Struct:
		for f := range u.Fields() {
			if !quiet(f.Type(), depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

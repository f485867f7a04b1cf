package region

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// zeros are a value of each type that has methods, as a program has it that forgot to make one.
var zeros = []any{&Region{}, &Error{}, Layout(nil), Part{}, Process(0), ProcessState(0), Words(nil), Huge(0),
	Futex{}}

// functions are those of the package. They differ by system: what is not there has no row.
var functions = map[string]any{"Create": Create, "OpenOrCreate": OpenOrCreate, "Memory": Memory, "Open": Open,
	"OpenFile": OpenFile, "Observe": Observe, "Unlink": Unlink, "MakeProcess": MakeProcess,
	"MakeProcessState": MakeProcessState, "Heap": Heap, "Make": Make, "Attach": Attach,
	"AttachWithin": AttachWithin, "FileName": FileName}

// panicking are those that have no error to say it with. Futex is a part of the system: it is handed a word
// by this package only.
var panicking = map[string]bool{"Region.Await": true, "Region.Wake": true, "Region.Guard": true}

// TestZero_SaysWhatIsMissing: each exported function and method, with nothing but zero values and nil, either
// has an answer, or says what is missing, by its error or else by its panic. No pointer is followed.
func TestZero_SaysWhatIsMissing(t *testing.T) {
	all := map[string]reflect.Value{}
	for name, f := range functions {
		all[name] = reflect.ValueOf(f)
	}
	for _, x := range zeros {
		v := reflect.ValueOf(x)
		of := reflect.Indirect(v).Type().Name()
		for i := range v.NumMethod() {
			all[of+"."+v.Type().Method(i).Name] = v.Method(i)
		}
	}
	for name := range exported(t) {
		f, ok := all[name]
		if !ok {
			t.Errorf("%s is called by no row", name)
			continue
		}
		if strings.HasPrefix(name, "Futex.") {
			continue
		}
		panics, has, err := called(f)
		says, text := panics.(string)
		switch {
		case panicking[name] != (panics != nil):
			t.Errorf("%s panics with %v", name, panics)
		case panics != nil && !(text && strings.HasPrefix(says, "region: ")):
			t.Errorf("%s panics with %v, which does not say what is missing", name, panics)
		case has && panics == nil && err == nil && name != "Error.Unwrap":
			t.Errorf("%s has no error", name)
		case has && strings.HasPrefix(name, "Region.") && panics == nil && !errors.Is(err, ErrClosed):
			t.Errorf("%s: %v, want %v", name, err, ErrClosed)
		}
	}
}

// TestZero_OfASystem: memory without one that keeps its locks is refused, whatever is in it.
func TestZero_OfASystem(t *testing.T) {
	l := Layout{{Engine: "e", Version: 1, Sections: []Section{{Name: "s", Bytes: 64}}}}
	memory := aligned(make([]byte, l.Size()+PageBytes), PageBytes)[:l.Size()]
	for name, make := range map[string]func() (*Region, error){
		"make":   func() (*Region, error) { return Make(memory, l, nil) },
		"attach": func() (*Region, error) { return Attach(memory, nil, nil) },
	} {
		r, err := make()
		var told *Error
		if r != nil || !errors.Is(err, ErrNil) || !errors.As(err, &told) || told.Field != "system" {
			t.Errorf("%s: %v, %v; want that the system is missing", name, r, err)
		}
	}
}

// exported are the exported functions of this folder's files, and the exported methods of exported types, as
// T.Method.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				of := fn.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if !ast.IsExported(of.(*ast.Ident).Name) {
					continue
				}
				name = of.(*ast.Ident).Name + "." + name
			}
			all[name] = true
		}
	}
	return all
}

// called calls the function with numbers of 1 and otherwise nothing, and returns what it panics with, whether
// it has an error to return, and which.
func called(f reflect.Value) (panics any, has bool, err error) {
	defer func() { panics = recover() }()
	var in []reflect.Value
	for i := range f.Type().NumIn() {
		v := reflect.New(f.Type().In(i)).Elem()
		switch {
		case v.CanInt():
			v.SetInt(1)
		case v.CanUint():
			v.SetUint(1)
		}
		in = append(in, v)
	}
	out := f.Call(in)
	if n := len(out); n > 0 && out[n-1].Type() == reflect.TypeFor[error]() {
		err, _ = out[n-1].Interface().(error)
		return nil, true, err
	}
	return nil, false, nil
}

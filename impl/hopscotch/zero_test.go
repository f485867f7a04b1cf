package hopscotch

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// zeros are a value of each type that has methods, as a program has it that forgot to make one.
var zeros = []any{&Table{}, &Handle{}, Ticket{}, Prepared{}, PreparedAdd{}, Finding{}, Findings(nil),
	Layout{}, Placement(0), Reason(0), Reclaimed{}, Picture{}, Result(0), new(Raw), Key(0), Value(0),
	Version(0), Map(0), Form(0), Word0(0), Word1(0), Kind(0), Head(0), Pair(0), Plan(0), Owner(0), Source(0),
	Status(0), Target(0), Ref(0), RefLayout{}}

// functions are those of the package.
var functions = map[string]any{"Check": Check, "Homes": Homes, "CellWord": CellWord, "LayoutOf": LayoutOf,
	"MakeTicket": MakeTicket,
	"Heap":       Heap, "Create": Create, "OpenOrCreate": OpenOrCreate, "Open": Open, "Measure": Measure,
	"Snapshot": Snapshot, "Dump": Dump, "DumpJSON": DumpJSON, "New": New, "NewWith": NewWith,
	"EmptyWord": EmptyWord, "ClaimedWord": ClaimedWord, "BaseWord": BaseWord, "OperatingWord": OperatingWord,
	"MemberWord": MemberWord, "EngagedWord": EngagedWord, "MakeWord1": MakeWord1, "EmptyWord1": EmptyWord1,
	"MakeHead": MakeHead, "MakePair": MakePair, "MakePlan": MakePlan, "MakeOwner": MakeOwner,
	"MakeSource": MakeSource, "MakeTarget": MakeTarget, "DescriptorText": DescriptorText,
	"RefLayoutOf": RefLayoutOf}

// panicking are those that have no error to say it with; of the others that have none, each has an answer.
var panicking = map[string]bool{"Check": true, "Measure": true, "Snapshot": true, "Table.Get": true,
	"Table.All": true, "Table.Handed": true, "Handle.Get": true,
	"Handle.Still": true, "Handle.Assist": true}

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
		panics, has, err := called(f)
		says, text := panics.(string)
		switch {
		case panicking[name] != (panics != nil):
			t.Errorf("%s panics with %v", name, panics)
		case panics != nil && !(text && strings.HasPrefix(says, "hopscotch: ")):
			t.Errorf("%s panics with %v, which does not say what is missing", name, panics)
		case !has || strings.HasPrefix(name, "Raw.") || name == "Findings.Err":
		case strings.HasPrefix(name, "Table.") || strings.HasPrefix(name, "Handle."):
			if !errors.Is(err, ErrZero) && !(name == "Handle.Close" && errors.Is(err, ErrClosed)) {
				t.Errorf("%s: %v, want %v", name, err, ErrZero)
			}
		case panics == nil && err == nil:
			t.Errorf("%s has no error", name)
		}
	}
}

// TestZero_SaysWhichKeyAndWhat: what is said begins with the call.
func TestZero_SaysWhichKeyAndWhat(t *testing.T) {
	var table Table
	var h Handle
	_, _, lookup := table.Lookup(7)
	_, add := h.Add(7, 1)
	_, _, update := h.Update(7, 1)
	_, prepare := table.Prepare(7)
	_, batch := table.GetBatch(nil, nil, nil)
	_, handle := table.NewHandle(7)
	_, orphans := table.Orphans()
	_, none := New(nil)
	for want, err := range map[string]error{"get of key 00000007: ": lookup, "add of key 00000007: ": add,
		"update of key 00000007: ": update, "prepare key 00000007: ": prepare, "get of 0 keys: ": batch,
		"handle for owner 7: ": handle, "orphans: ": orphans,
		"table: region on the heap: region is nil": none,
		"walk: ": table.Walk(nil), "dump: nil or a zero value: ": Dump(nil, nil, DumpOptions{}),
		"crop of the table: ": h.CropAll(nil), "get: ": ofGetPrepared(&table)} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if !errors.Is(none, region.ErrNil) {
		t.Errorf("New(nil): %v", none)
	}
}

func ofGetPrepared(t *Table) error {
	_, _, err := t.GetPrepared(Prepared{})
	return err
}

// TestZero_OfASoundTable: a sound table without a function to call, or a writer, says that.
func TestZero_OfASoundTable(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3})
	panics, _, _ := called(reflect.ValueOf(table.Walk))
	if panics != "hopscotch: walk without a function to call: give one" {
		t.Errorf("walk: %v", panics)
	}
	for _, err := range []error{Dump(nil, table, DumpOptions{}), DumpJSON(nil, table, DumpOptions{}),
		Snapshot(table, DumpOptions{}).Write(nil)} {
		if !errors.Is(err, errNoWriter) {
			t.Errorf("%v", err)
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

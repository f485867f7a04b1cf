package foreign

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A Subject says which type of a module is explored, and how. The zero value names no type: the target's
// adapter is used.
type Subject struct {
	Type    string   // name of a type that the package exports
	Package string   // path below that of the module; empty: the package that has the type
	New     string   // the constructor, or "zero" for the zero value; empty: the first callable one
	Calls   []string // the methods that programs call; empty: all that can be called
	Single  []string // methods that only one actor of a program may call, as with one producer of a queue
}

// zeroValue is the name of the zero value in Subject.New.
const zeroValue = "zero"

// A way is a constructor with arguments to try, or the zero value.
type way struct {
	name    string  // of the constructor
	calls   []value // empty for the zero value
	address bool    // it does not return a pointer
	fails   bool    // it also returns an error
}

// A callable is a method that can be called.
type callable struct {
	name    string
	results int
	values  [][]value // by parameter
	of      string    // the type of package sync it is promoted from, if called only on request
	yield   value     // the function with which its result, an iterator, is called
}

// A found type is a type that was looked up in a package, with the calls that can be made on it.
type found struct {
	pkg     *types.Package
	name    string
	t       types.Type // instantiated
	args    []types.Type
	ways    []way
	missing []string // constructors that cannot be called, with the reason
	methods []callable
	leftOut []string // methods that cannot be called, with the reason
	handed  []string // methods that return a type of the package with methods of its own, with that type
	imports []string // packages that the values need
}

// find looks up a type. If the type cannot be explored, the error says why, and the parts that could be
// found are returned with it.
func find(pkg *types.Package, s Subject) (*found, error) {
	f := &found{pkg: pkg, name: s.Type}
	o, ok := pkg.Scope().Lookup(s.Type).(*types.TypeName)
	if !ok || !o.Exported() {
		return f, fmt.Errorf("%w: %s exports no type %s; it has: %s", ErrTarget, pkg.Path(), s.Type,
			strings.Join(exportedTypes(pkg), ", "))
	}
	generic, ok := types.Unalias(o.Type()).(*types.Named)
	if !ok {
		return f, fmt.Errorf("%w: %s has no methods", ErrTarget, s.Type)
	}
	if generic.TypeArgs().Len() > 0 {
		return f, fmt.Errorf("%w: %s is %s, and type arguments are chosen by the search: name %s", ErrTarget,
			s.Type, types.TypeString(generic, types.RelativeTo(pkg)), generic.Obj().Name())
	}
	if err := f.findWays(generic, s.New); err != nil {
		return f, err
	}
	f.findMethods()
	f.leaveOutPromoted(slices.Concat(s.Calls, s.Single))
	if len(f.methods) == 0 {
		why := strings.Join(f.leftOut, "; ")
		if why == "" {
			why = "it has none"
		}
		return f, fmt.Errorf("%w: no method of %s can be called: %s", ErrTarget, s.Type, why)
	}
	for _, c := range slices.Concat(s.Calls, s.Single) {
		if !slices.ContainsFunc(f.methods, func(m callable) bool { return m.name == c }) {
			return f, fmt.Errorf("%w: %s has no method %s that can be called; there are: %s%s", ErrTarget,
				s.Type, c, strings.Join(f.methodNames(), ", "), leftOutText(f.leftOut))
		}
	}
	return f, nil
}

func leftOutText(reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return "; left out: " + strings.Join(reasons, "; ")
}

// exportedTypes lists the types that a package exports.
func exportedTypes(pkg *types.Package) []string {
	var all []string
	for _, name := range pkg.Scope().Names() {
		if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && t.Exported() {
			all = append(all, name)
		}
	}
	return all
}

// findWays finds the ways to make a value: the constructors of the package or, if it has none, the zero
// value.
func (f *found) findWays(generic *types.Named, wanted string) error {
	if wanted != zeroValue {
		for _, fn := range f.constructors(generic, wanted) {
			if err := f.addConstructor(fn, generic); err != nil {
				f.missing = append(f.missing, fn.Name()+" "+err.Error())
			}
		}
		switch {
		case len(f.ways) > 0:
			return nil
		case len(f.missing) > 0:
			return fmt.Errorf("%w: no constructor of %s can be called: %s; try --new %s for its zero value",
				ErrTarget, f.name, strings.Join(f.missing, "; "), zeroValue)
		case wanted != "" && !token.IsExported(wanted):
			return fmt.Errorf("%w: function %s is not exported, so programs cannot call it: export it, or "+
				"explore a test that calls it, by --test", ErrTarget, wanted)
		case wanted != "":
			var names []string
			for _, fn := range f.constructors(generic, "") {
				names = append(names, fn.Name())
			}
			return fmt.Errorf("%w: %s has no function %s that returns %s, alone or with an error; there "+
				"are: %s, and --new %s", ErrTarget, f.pkg.Path(), wanted, article(f.name),
				cmp.Or(strings.Join(names, ", "), "none"), zeroValue)
		}
	}
	if types.IsInterface(generic) {
		return fmt.Errorf("%w: %s is an interface, and no function of %s returns one", ErrTarget, f.name,
			f.pkg.Path())
	}
	f.t = generic
	if generic.TypeParams().Len() > 0 {
		t, args, err := instantiated(generic, generic.TypeParams())
		if err != nil {
			return fmt.Errorf("%w: %s: %w: embed it in a structure with type arguments of your own, and "+
				"explore that", ErrTarget, f.name, err)
		}
		f.t, f.args = t, args
	}
	f.ways = []way{{name: zeroValue, calls: literals(f.name + "{}")}}
	return nil
}

// article returns the name with its indefinite article.
func article(name string) string {
	if strings.ContainsAny(name[:1], "AEIOaeio") {
		return "an " + name
	}
	return "a " + name
}

// constructors returns the functions of the package whose first result is the type, or only the wanted one.
// Functions that are named like constructors come first.
func (f *found) constructors(generic *types.Named, wanted string) []*types.Func {
	var all []*types.Func
	for _, name := range f.pkg.Scope().Names() {
		fn, ok := f.pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || wanted != "" && wanted != name {
			continue
		}
		if n, _ := made(fn.Signature()); n != nil && n.Origin().Obj() == generic.Origin().Obj() {
			all = append(all, fn)
		}
	}
	rank := func(fn *types.Func) int {
		switch {
		case fn.Name() == "New"+f.name:
			return 0
		case fn.Name() == "New":
			return 1
		case usualName.MatchString(fn.Name()):
			return 2
		}
		return 3
	}
	slices.SortStableFunc(all, func(a, b *types.Func) int { return rank(a) - rank(b) })
	return all
}

// usualName matches the usual names of constructors.
var usualName = regexp.MustCompile(`^(New|Make|Create|Open)`)

// made returns the named type that a function returns, itself or as a pointer, alone or with an error.
func made(s *types.Signature) (n *types.Named, pointer bool) {
	r := s.Results()
	if r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && r.At(1).Type().String() != "error" {
		return nil, false
	}
	t := types.Unalias(r.At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t, pointer = types.Unalias(p.Elem()), true
	}
	n, _ = t.(*types.Named)
	return n, pointer
}

// sizesTried are the numbers that are passed to constructors, one after the other, until one makes a value.
// Some constructors want a power of two, or more than one.
var sizesTried = []string{"2", "1", "4", "16", "0", "64"}

// addConstructor adds the calls of a function.
func (f *found) addConstructor(fn *types.Func, generic *types.Named) error {
	s := fn.Signature()
	var typeArgs []types.Type
	if s.TypeParams().Len() > 0 {
		t, a, err := instantiated(s, s.TypeParams())
		if err != nil {
			return err
		}
		s, typeArgs = t.(*types.Signature), a
	}
	n, pointer := made(s)
	t := types.Type(n)
	if f.t != nil && !types.Identical(f.t, t) {
		return fmt.Errorf("makes a %s", t)
	}
	w := way{name: fn.Name(), address: !pointer && !types.IsInterface(t), fails: s.Results().Len() == 2}
	fixed := s.Params().Len()
	if s.Variadic() {
		fixed--
	}
	lists, tries := make([][]value, fixed), 1
	for i := range fixed {
		p := s.Params().At(i)
		values, why := f.valuesOf(p.Type())
		if why != "" {
			return fmt.Errorf("needs %s (%s)", why, p.Name())
		}
		if b, ok := p.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			values = sizes(p.Type())
		}
		lists[i] = append(ofConstructor(values), f.configured(p.Type())...)
		tries = max(tries, len(lists[i]))
	}
	for k := range tries {
		var args []value
		for _, l := range lists {
			args = append(args, l[k%len(l)])
		}
		texts, sources := written(args)
		w.calls = append(w.calls, value{fn.Name() + texts,
			targetName + "." + fn.Name() + typeArguments(typeArgs) + sources})
	}
	f.t, f.ways = t, append(f.ways, w)
	if f.args == nil && n.TypeArgs().Len() > 0 {
		f.args = slices.Collect(n.TypeArgs().Types())
	}
	return nil
}

// written returns arguments as text and as source.
func written(args []value) (text, source string) {
	var texts, sources []string
	for _, a := range args {
		texts, sources = append(texts, a.text), append(sources, a.source)
	}
	return "(" + strings.Join(texts, ", ") + ")", "(" + strings.Join(sources, ", ") + ")"
}

// mostArguments is the largest number of arguments of a call for which several values are tried.
const mostArguments = 3

// findMethods finds the methods that can be called.
func (f *found) findMethods() {
	t := f.t
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		fn := set.At(i).Obj().(*types.Func)
		if !fn.Exported() {
			continue
		}
		m, why := f.method(fn.Name(), set.At(i).Type().(*types.Signature))
		m.of = promotedFrom(set.At(i))
		if why != "" {
			f.leftOut = append(f.leftOut, fn.Name()+" "+why)
			continue
		}
		f.methods = append(f.methods, m)
		if t := f.hands(fn.Signature().Results()); t != "" {
			f.handed = append(f.handed, fn.Name()+" returns "+t)
		}
	}
}

// hands returns the first of these results, as text, that is of another type of the package with methods to
// call; "" if there is none. Programs call nothing of such a result.
func (f *found) hands(results *types.Tuple) string {
	for v := range results.Variables() {
		t := types.Unalias(v.Type())
		named, is := t.(*types.Named)
		if p, points := t.(*types.Pointer); points {
			named, is = types.Unalias(p.Elem()).(*types.Named)
		}
		if !is || named.Obj().Pkg() != f.pkg || named.Obj().Name() == f.name {
			continue
		}
		if !types.IsInterface(named) {
			t = types.NewPointer(named)
		}
		set := types.NewMethodSet(t)
		for i := range set.Len() {
			if fn := set.At(i).Obj(); fn.Exported() && fn.Name() != "String" && fn.Name() != "Error" {
				return types.TypeString(v.Type(), types.RelativeTo(f.pkg))
			}
		}
	}
	return ""
}

// protocols are the types of package sync whose methods must be called in a certain order: only a caller
// that has locked may unlock.
var protocols = []string{"Mutex", "RWMutex", "Locker", "WaitGroup", "Cond"}

// promotedFrom returns the type of package sync from which a method of an embedded field comes, if its calls
// have to follow a protocol. Calls of the methods of a type in any order would not follow it.
func promotedFrom(s *types.Selection) string {
	recv := types.Unalias(s.Obj().(*types.Func).Signature().Recv().Type())
	if p, ok := recv.(*types.Pointer); ok {
		recv = types.Unalias(p.Elem())
	}
	n, ok := recv.(*types.Named)
	if !ok || len(s.Index()) < 2 || n.Obj().Pkg() == nil || !slices.Contains(protocols, n.Obj().Name()) {
		return ""
	}
	if path := n.Obj().Pkg().Path(); path != "sync" && path != shims+"sync" {
		return ""
	}
	return "sync." + n.Obj().Name()
}

// leaveOutPromoted leaves out promoted methods that were not requested by name. A replay may have a token of
// a search in which they were requested.
func (f *found) leaveOutPromoted(asked []string) {
	var names, from []string
	for _, m := range f.methods {
		if m.of != "" && !slices.Contains(asked, m.name) {
			names, from = append(names, m.name), append(from, m.of)
		}
	}
	if slices.Sort(from); len(names) > 0 {
		f.leftOut = append(f.leftOut, fmt.Sprintf("%s promoted from %s: --call asks for them by name, with "+
			"the others that are to be called", strings.Join(names, ", "),
			strings.Join(slices.Compact(from), ", ")))
	}
}

func (f *found) method(name string, s *types.Signature) (callable, string) {
	m := callable{name: name, results: s.Results().Len()}
	for i := range s.Params().Len() {
		p := s.Params().At(i)
		t := p.Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
		values, why := f.valuesOf(t)
		if why != "" && f.own(t) {
			return m, "needs another value of the type itself, and each program has one: explore a test " +
				"that calls it, by --test"
		}
		if why != "" {
			return m, "needs " + why
		}
		if s.Variadic() && i == s.Params().Len()-1 {
			values = several(values, false)
		}
		if i >= mostArguments || stops(name, t) {
			values = values[:1]
		}
		m.values = append(m.values, values)
	}
	if yield, ok := f.iterator(s.Results()); ok {
		m.yield, m.results = yield, 0
		return m, ""
	}
	for i := range m.results {
		if opaque(s.Results().At(i).Type()) {
			return m, "returns a function or a channel"
		}
	}
	return m, ""
}

// own reports whether a type is the one that is explored, or a pointer to it.
func (f *found) own(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return f.t != nil && types.Identical(t, f.t)
}

// unasked returns the methods that programs call without a request.
func (f *found) unasked() []string {
	var all []string
	for _, m := range f.methods {
		if m.of == "" {
			all = append(all, m.name)
		}
	}
	return all
}

func (f *found) methodNames() []string {
	var all []string
	for _, m := range f.methods {
		all = append(all, m.name)
	}
	return all
}

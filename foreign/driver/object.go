package driver

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// ErrObject is the error of a type that cannot be explored as it is.
var ErrObject = errors.New("type not explorable")

// An Object is a type of a foreign module, with what generated source text knows of it. It has no
// specification: concurrent calls must behave like some sequence of the same calls.
type Object struct {
	Name    string   // the type, as tokens name it; in a folder of the module sub/path.Type
	Makers  []Maker  // ways to make a value; the first one that works is used
	Methods []Method // in the order of their names
	Inside  bool     // a value is made within the execution, because making it may read the clock
}

// A Maker makes a value of the type.
type Maker struct {
	Text string // as in source text: NewQueue(2)
	New  func() (any, error)
}

// A Method is a method that an actor can call.
type Method struct {
	Name   string
	Quiet  bool // it returns nothing
	Asked  bool // programs call it only on request, and the probe never calls it
	Values []int
	Calls  []Invocation // with all arguments that are tried; Values has the number of values of each argument
}

// An Invocation is a call of a method with arguments.
type Invocation struct {
	Text string // as in source text: Enqueue(1)
	Args []int  // by argument, the number of its value
	Do   func(o any) []any
}

// Made returns the value of a constructor from its results. A nil pointer is an error.
func Made(o any, err error) (any, error) {
	if err != nil {
		return nil, fmt.Errorf("it returns the error %v", err)
	}
	if v := reflect.ValueOf(o); o == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("it returns nil")
	}
	return o, nil
}

// find returns the call of a text.
func (o Object) find(text string) (*Invocation, bool) {
	for m := range o.Methods {
		for c := range o.Methods[m].Calls {
			if o.Methods[m].Calls[c].Text == text {
				return &o.Methods[m].Calls[c], true
			}
		}
	}
	return nil, false
}

// call returns the call of the method with these numbers of values. A number that is too large is reduced to
// one that the argument has.
func (m *Method) call(args ...int) *Invocation {
	args = slices.Clone(args[:min(len(args), len(m.Values))])
	for len(args) < len(m.Values) {
		args = append(args, 0)
	}
	for i, n := range m.Values {
		args[i] %= n
	}
	for i := range m.Calls {
		if slices.Equal(m.Calls[i].Args, args) {
			return &m.Calls[i]
		}
	}
	return nil
}

// method is the name of the method that is called.
func (c *Invocation) method() string {
	name, _, _ := strings.Cut(c.Text, "(")
	return name
}

// texts returns the texts of the calls.
func texts(calls []*Invocation) []string {
	var all []string
	for _, c := range calls {
		all = append(all, c.Text)
	}
	return all
}

// An objectProgram is what a few actors do with one value.
type objectProgram struct {
	maker  *Maker
	setup  []*Invocation // calls made before, one after the other
	actors [][]*Invocation
}

// The separators in the name of a program. The name describes the whole program.
const (
	fieldSeparator = "#"
	callSeparator  = "; "
	actorSeparator = " || "
)

// name is the name of the program in tokens, after that of the target. It has everything that is needed to
// make the program again.
func (p objectProgram) name(o Object) string {
	var actors []string
	for _, calls := range p.actors {
		actors = append(actors, strings.Join(texts(calls), callSeparator))
	}
	return strings.Join([]string{o.Name, p.maker.Text, strings.Join(texts(p.setup), callSeparator),
		strings.Join(actors, actorSeparator)}, fieldSeparator)
}

// text prints the program on one line: {NewQueue(2); Enqueue(1)} Dequeue() || Enqueue(2); Dequeue().
func (p objectProgram) text() string {
	var actors []string
	for _, calls := range p.actors {
		actors = append(actors, strings.Join(texts(calls), callSeparator))
	}
	before := append([]string{p.maker.Text}, texts(p.setup)...)
	return "{" + strings.Join(before, callSeparator) + "} " + strings.Join(actors, actorSeparator)
}

// methods names the methods that the program is about: those that its actors call, in order.
func (p objectProgram) methods() []string {
	var all []string
	for _, calls := range p.actors {
		for _, c := range calls {
			all = append(all, c.method())
		}
	}
	slices.Sort(all)
	return all
}

// title names the program in a table.
func (p objectProgram) title() string { return strings.Join(slices.Compact(p.methods()), ", ") }

// A ParsedProgram is a program of a type, by the texts of its calls as in source text.
type ParsedProgram struct {
	Object, Maker string
	Setup         []string
	Actors        [][]string
}

// ParseProgram reads the last fields of a program's name from a token. The error wraps ErrProgram.
func ParseProgram(name string) (ParsedProgram, error) {
	f := strings.Split(name, fieldSeparator)
	if len(f) < 4 {
		return ParsedProgram{}, fmt.Errorf("%w: %q is none of a type", ErrProgram, name)
	}
	f = f[len(f)-4:]
	p := ParsedProgram{Object: f[0], Maker: f[1]}
	if f[2] != "" {
		p.Setup = strings.Split(f[2], callSeparator)
	}
	for text := range strings.SplitSeq(f[3], actorSeparator) {
		p.Actors = append(p.Actors, strings.Split(text, callSeparator))
	}
	return p, nil
}

// parse reads the name of a program.
func (o Object) parse(name string) (objectProgram, error) {
	var p objectProgram
	f, err := ParseProgram(name)
	if err != nil || f.Object != o.Name {
		return p, fmt.Errorf("%w: %q is none of %s", ErrProgram, name, o.Name)
	}
	for i := range o.Makers {
		if o.Makers[i].Text == f.Maker {
			p.maker = &o.Makers[i]
		}
	}
	if p.maker == nil {
		return p, fmt.Errorf("%w: nothing makes a %s by %s any more", ErrProgram, o.Name, f.Maker)
	}
	calls := func(texts []string) ([]*Invocation, error) {
		var all []*Invocation
		for _, t := range texts {
			c, ok := o.find(t)
			if !ok {
				return nil, fmt.Errorf("%w: %s has no call %s any more", ErrProgram, o.Name, t)
			}
			all = append(all, c)
		}
		return all, nil
	}
	if p.setup, err = calls(f.Setup); err != nil {
		return p, err
	}
	for _, texts := range f.Actors {
		body, err := calls(texts)
		if err != nil {
			return p, err
		}
		p.actors = append(p.actors, body)
	}
	return p, nil
}

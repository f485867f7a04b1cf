// Package tla writes and reads values of TLA+ as text, for the comparison of models with TLC.
package tla

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The canonical text of a TLA+ value: no line breaks; sets, the fields of records and the pairs
// of functions sorted by their text; a function whose domain is 1..n is a sequence. Two values
// are equal exactly if their canonical texts are.

// ErrValue says that a text is no TLA+ value of the kinds that states are made of.
var ErrValue = errors.New("tla+ value cannot be read")

// Pair is a field of a record and its value, a variable and its value, or an argument of a function and its
// result.
type Pair [2]string

// Record is the record of these fields, which it sorts in place.
func Record(fields ...Pair) string {
	slices.SortFunc(fields, func(a, b Pair) int { return strings.Compare(a[0], b[0]) })
	const before, arrow = ", ", " |-> "
	n := len("[]")
	for _, f := range fields {
		n += len(before) + len(f[0]) + len(arrow) + len(f[1])
	}
	var out strings.Builder
	out.Grow(n)
	out.WriteByte('[')
	for i, f := range fields {
		if i > 0 {
			out.WriteString(before)
		}
		out.WriteString(f[0])
		out.WriteString(arrow)
		out.WriteString(f[1])
	}
	out.WriteByte(']')
	return out.String()
}

// Sequence is the sequence of these values.
func Sequence(items []string) string { return "<<" + strings.Join(items, ", ") + ">>" }

// Each is the sequence of what text makes of the items of a list.
func Each[T any](list []T, text func(T) string) string {
	items := make([]string, len(list))
	for i, x := range list {
		items[i] = text(x)
	}
	return Sequence(items)
}

// Set is the set of these values, of which some may be equal.
func Set(items []string) string {
	list := append([]string(nil), items...)
	sort.Strings(list)
	kept := list[:0]
	for i, x := range list {
		if i == 0 || x != list[i-1] {
			kept = append(kept, x)
		}
	}
	return "{" + strings.Join(kept, ", ") + "}"
}

// Function is the function of these pairs. If its domain is 1..n, it is a sequence.
func Function(pairs []Pair) string {
	byKey := map[string]string{}
	for _, p := range pairs {
		byKey[p[0]] = p[1]
	}
	items := make([]string, 0, len(byKey))
	for i := 1; i <= len(byKey); i++ {
		value, ok := byKey[strconv.Itoa(i)]
		if !ok {
			break
		}
		items = append(items, value)
	}
	if len(items) == len(byKey) {
		return Sequence(items)
	}
	items = items[:0]
	for k, v := range byKey {
		items = append(items, k+" :> "+v)
	}
	sort.Strings(items)
	return "(" + strings.Join(items, " @@ ") + ")"
}

// String is a string, which needs no escapes.
func String(s string) string { return `"` + s + `"` }

// Bool is TRUE or FALSE.
func Bool(b bool) string { return strings.ToUpper(strconv.FormatBool(b)) }

// Num is a number.
func Num[N ~int8 | ~uint8 | ~int](n N) string { return strconv.Itoa(int(n)) }

// Show is the text of some variables, in the order of all, for a counterexample.
func Show(all []Pair, names ...string) string {
	var out []string
	for _, x := range all {
		if slices.Contains(names, x[0]) {
			out = append(out, x[0]+" "+x[1])
		}
	}
	return strings.Join(out, ", ")
}

// Canonical returns the canonical text of a value as TLC prints it: numbers, strings, booleans,
// <<...>>, {...}, [field |-> ...] and (k :> v @@ ...). The error wraps ErrValue.
func Canonical(text string) (string, error) {
	p := &parser{text: text}
	value, err := p.value()
	if err != nil {
		return "", err
	}
	if p.skip(); p.at < len(p.text) {
		return "", p.wrong("something follows the value")
	}
	return value, nil
}

// ReadStates calls f with the canonical text of each state that TLC has dumped: the record of its
// variables. An error that is not the reader's own wraps ErrValue.
func ReadStates(dump io.Reader, f func(text string)) error {
	states := bufio.NewScanner(dump)
	states.Buffer(nil, 1<<20)
	states.Split(splitStates)
	known := map[string]string{}
	for states.Scan() {
		title, text, _ := strings.Cut(states.Text(), "\n")
		if !strings.HasPrefix(title, "State ") {
			return fmt.Errorf("%w: want State and its number: %q", ErrValue, title)
		}
		p := &parser{text: text, known: known}
		state, err := p.state()
		if err != nil {
			return fmt.Errorf("%s %w", title, err)
		}
		f(state)
	}
	return states.Err()
}

// splitStates splits a dump before each of its lines "State n:".
func splitStates(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.Index(data, []byte("\nState ")); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

type parser struct {
	text  string
	at    int
	known map[string]string // the canonical text of values that were read before; nil: none is kept
}

// state reads one "/\ name = value" after another, to the end of the text.
func (p *parser) state() (string, error) {
	var fields []Pair
	for {
		if p.skip(); p.at == len(p.text) {
			return Record(fields...), nil
		}
		if !p.take(`/\`) && len(fields) > 0 {
			return "", p.wrong(`want /\`)
		}
		name := p.word()
		if name == "" || !p.take("=") {
			return "", p.wrong("want a variable and =")
		}
		value, err := p.value()
		if err != nil {
			return "", err
		}
		fields = append(fields, Pair{name, value})
	}
}

func (p *parser) wrong(what string) error {
	rest := p.text[p.at:]
	if len(rest) > 40 {
		rest = rest[:40] + "..."
	}
	return fmt.Errorf("%w: %s at byte %d: %q", ErrValue, what, p.at, rest)
}

func (p *parser) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take reads the mark if it comes next.
func (p *parser) take(mark string) bool {
	p.skip()
	if strings.HasPrefix(p.text[p.at:], mark) {
		p.at += len(mark)
		return true
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func (p *parser) word() string {
	p.skip()
	from := p.at
	for p.at < len(p.text) && isWordByte(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

// value reads a value, or what it remembers of the same text. A sequence is read again, element by
// element: that of the actors' local states is another one in nearly every state.
func (p *parser) value() (string, error) {
	p.skip()
	end := p.closing()
	if p.known == nil || end == 0 {
		return p.read()
	}
	text := p.text[p.at:end]
	if known, ok := p.known[text]; ok {
		p.at = end
		return known, nil
	}
	value, err := p.read()
	if err == nil && p.at == end {
		p.known[strings.Clone(text)] = value
	}
	return value, err
}

// closing is where the record, function or set ends that begins here; 0 if none does. It does not
// tell brackets in strings: then read ends elsewhere.
func (p *parser) closing() int {
	depth := 0
	for i := p.at; i < len(p.text); i++ {
		switch p.text[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		}
		if depth == 0 {
			if i == p.at {
				return 0 // no bracket
			}
			return i + 1
		}
	}
	return 0
}

func (p *parser) read() (string, error) {
	switch {
	case p.take("<<"):
		items, err := p.list(">>")
		return Sequence(items), err
	case p.take("{"):
		items, err := p.list("}")
		return Set(items), err
	case p.take("["):
		fields, err := p.pairs("|->", ",", "]", func() (string, error) { return p.word(), nil })
		return Record(fields...), err
	case p.take("("):
		pairs, err := p.pairs(":>", "@@", ")", p.value)
		return Function(pairs), err
	case p.take(`"`):
		end := strings.IndexByte(p.text[p.at:], '"')
		if end < 0 {
			return "", p.wrong("a string does not end")
		}
		text := p.text[p.at : p.at+end]
		p.at += end + 1
		return String(text), nil
	}
	sign := ""
	if p.take("-") {
		sign = "-"
	}
	word := p.word()
	if word == "TRUE" || word == "FALSE" {
		return word, nil
	}
	from, err := strconv.Atoi(sign + word)
	if err != nil {
		return "", p.wrong("want a value")
	}
	if p.take("..") {
		return p.interval(from)
	}
	return sign + word, nil
}

// interval reads the end of from..to, which TLC prints for a set that an initial state has.
func (p *parser) interval(from int) (string, error) {
	to, err := strconv.Atoi(p.word())
	if err != nil {
		return "", p.wrong("want the end of an interval")
	}
	var items []string
	for i := from; i <= to; i++ {
		items = append(items, strconv.Itoa(i))
	}
	return Set(items), nil
}

func (p *parser) list(end string) ([]string, error) {
	var items []string
	for !p.take(end) {
		if len(items) > 0 && !p.take(",") {
			return nil, p.wrong("want , or " + end)
		}
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

func (p *parser) pairs(arrow, comma, end string, key func() (string, error)) ([]Pair, error) {
	var list []Pair
	for !p.take(end) {
		if len(list) > 0 && !p.take(comma) {
			return nil, p.wrong("want " + comma + " or " + end)
		}
		k, err := key()
		if err != nil {
			return nil, err
		}
		if k == "" || !p.take(arrow) {
			return nil, p.wrong("want " + arrow)
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, Pair{k, v})
	}
	return list, nil
}

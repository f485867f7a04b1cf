package model

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// The canonical text of a TLA+ value: no line breaks; sets, the fields of records and the pairs
// of functions sorted by their text; a function whose domain is 1..n is a sequence. Two values
// are equal exactly if their canonical texts are.

// ErrValue says that a text is no TLA+ value of the kinds that states are made of.
var ErrValue = errors.New("tla+ value cannot be read")

// tlaPair is a field of a record, or an argument of a function with its result.
type tlaPair struct{ key, value string }

func tlaRecord(fields ...tlaPair) string {
	list := append([]tlaPair(nil), fields...)
	sort.Slice(list, func(i, j int) bool { return list[i].key < list[j].key })
	var out strings.Builder
	for i, f := range list {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(f.key + " |-> " + f.value)
	}
	return "[" + out.String() + "]"
}

func tlaSequence(items []string) string { return "<<" + strings.Join(items, ", ") + ">>" }

func tlaSet(items []string) string {
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

func tlaFunction(pairs []tlaPair) string {
	byKey := map[string]string{}
	for _, p := range pairs {
		byKey[p.key] = p.value
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
		return tlaSequence(items)
	}
	items = items[:0]
	for k, v := range byKey {
		items = append(items, k+" :> "+v)
	}
	sort.Strings(items)
	return "(" + strings.Join(items, " @@ ") + ")"
}

func tlaString(s string) string { return `"` + s + `"` }

func tlaBool(b bool) string { return strings.ToUpper(strconv.FormatBool(b)) }

// Canonical returns the canonical text of a value as TLC prints it: numbers, strings, booleans,
// <<...>>, {...}, [field |-> ...] and (k :> v @@ ...). The error wraps ErrValue.
func Canonical(text string) (string, error) {
	p := &tlaParser{text: text}
	value, err := p.value()
	if err != nil {
		return "", err
	}
	if p.skip(); p.at < len(p.text) {
		return "", p.wrong("something follows the value")
	}
	return value, nil
}

// CanonicalState returns the canonical text of a state as TLC prints it, one "/\ name = value"
// after another: the record of its variables.
func CanonicalState(text string) (string, error) {
	p := &tlaParser{text: text}
	var fields []tlaPair
	for {
		if p.skip(); p.at == len(p.text) {
			return tlaRecord(fields...), nil
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
		fields = append(fields, tlaPair{name, value})
	}
}

type tlaParser struct {
	text string
	at   int
}

func (p *tlaParser) wrong(what string) error {
	rest := p.text[p.at:]
	if len(rest) > 40 {
		rest = rest[:40] + "..."
	}
	return fmt.Errorf("%w: %s at byte %d: %q", ErrValue, what, p.at, rest)
}

func (p *tlaParser) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take reads the mark if it comes next.
func (p *tlaParser) take(mark string) bool {
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

func (p *tlaParser) word() string {
	p.skip()
	from := p.at
	for p.at < len(p.text) && isWordByte(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

func (p *tlaParser) value() (string, error) {
	switch {
	case p.take("<<"):
		items, err := p.list(">>")
		return tlaSequence(items), err
	case p.take("{"):
		items, err := p.list("}")
		return tlaSet(items), err
	case p.take("["):
		fields, err := p.pairs("|->", ",", "]", func() (string, error) { return p.word(), nil })
		return tlaRecord(fields...), err
	case p.take("("):
		pairs, err := p.pairs(":>", "@@", ")", p.value)
		return tlaFunction(pairs), err
	case p.take(`"`):
		end := strings.IndexByte(p.text[p.at:], '"')
		if end < 0 {
			return "", p.wrong("a string does not end")
		}
		text := p.text[p.at : p.at+end]
		p.at += end + 1
		return tlaString(text), nil
	}
	sign := ""
	if p.take("-") {
		sign = "-"
	}
	word := p.word()
	if word == "TRUE" || word == "FALSE" {
		return word, nil
	}
	if _, err := strconv.Atoi(word); err != nil {
		return "", p.wrong("want a value")
	}
	return sign + word, nil
}

func (p *tlaParser) list(end string) ([]string, error) {
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

func (p *tlaParser) pairs(arrow, comma, end string, key func() (string, error)) ([]tlaPair, error) {
	var list []tlaPair
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
		list = append(list, tlaPair{k, v})
	}
	return list, nil
}

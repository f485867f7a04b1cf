package tlc

import (
	"fmt"
	"strings"
	"unicode"
)

// A value is one of TLA+ as TLC prints it. Only that of a record, a sequence or a function has
// entries; that of anything else, a set included, is its text.
type value struct {
	text    string
	entries []entryOf
}

// An entryOf is a part of a value under what a formula writes for it after the value's name: .pc, [2].
type entryOf struct {
	at    string
	value value
}

// variablesOf splits a state as TLC prints it into its variables, each a value under its name.
func variablesOf(state string) (list []entryOf) {
	if !strings.HasPrefix(state, `/\ `) { // a single variable has no conjunction
		state = `/\ ` + state
	}
	for _, text := range strings.Split("\n"+state, "\n/\\ ")[1:] {
		name, text, _ := strings.Cut(text, " = ")
		list = append(list, entryOf{name, parseValue(text)})
	}
	return list
}

// parseValue reads a value. What it cannot read is a value without entries.
func parseValue(text string) value {
	r := valueReader{rest: text}
	v, ok := r.value()
	if r.space(); !ok || r.rest != "" {
		return value{text: strings.Join(strings.Fields(text), " ")}
	}
	return v
}

type valueReader struct{ rest string }

func (r *valueReader) space() { r.rest = strings.TrimLeftFunc(r.rest, unicode.IsSpace) }

// skip takes the token from what follows, if it does.
func (r *valueReader) skip(token string) bool {
	r.space()
	rest, found := strings.CutPrefix(r.rest, token)
	r.rest = rest
	return found
}

func (r *valueReader) value() (value, bool) {
	switch {
	case r.skip("<<"):
		return r.list("<<", ">>", ",", r.element)
	case r.skip("{"):
		v, ok := r.list("{", "}", ",", r.element)
		return value{text: v.text}, ok
	case r.skip("["):
		return r.list("[", "]", ",", r.field)
	case r.skip("("):
		return r.list("(", ")", "@@", r.pair)
	}
	return r.atom()
}

// list reads members up to the closing token.
func (r *valueReader) list(open, closing, between string,
	member func(n int) (entryOf, string, bool)) (value, bool) {
	v := value{text: open}
	if r.skip(closing) {
		v.text += closing
		return v, true
	}
	for n := 1; ; n++ {
		e, text, ok := member(n)
		if !ok {
			return v, false
		}
		v.text += text
		v.entries = append(v.entries, e)
		switch {
		case r.skip(closing):
			v.text += closing
			return v, true
		case !r.skip(between):
			return v, false
		case between == ",":
			v.text += ", "
		default:
			v.text += " " + between + " "
		}
	}
}

func (r *valueReader) element(n int) (entryOf, string, bool) {
	v, ok := r.value()
	return entryOf{fmt.Sprintf("[%d]", n), v}, v.text, ok
}

// field is one of a record.
func (r *valueReader) field(int) (entryOf, string, bool) {
	r.space()
	end := strings.IndexFunc(r.rest, func(c rune) bool {
		return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if end < 1 {
		return entryOf{}, "", false
	}
	name := r.rest[:end]
	r.rest = r.rest[end:]
	if !r.skip("|->") {
		return entryOf{}, "", false
	}
	v, ok := r.value()
	return entryOf{"." + name, v}, name + " |-> " + v.text, ok
}

// pair is one of a function.
func (r *valueReader) pair(int) (entryOf, string, bool) {
	key, ok := r.value()
	if !ok || !r.skip(":>") {
		return entryOf{}, "", false
	}
	v, ok := r.value()
	return entryOf{"[" + key.text + "]", v}, key.text + " :> " + v.text, ok
}

// atom reads a string, a number, TRUE, FALSE, a model value or an interval.
func (r *valueReader) atom() (value, bool) {
	r.space()
	end := strings.IndexFunc(r.rest, func(c rune) bool {
		return !strings.ContainsRune("_.-!", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if strings.HasPrefix(r.rest, `"`) {
		end = endOfString(r.rest)
	} else if end < 0 {
		end = len(r.rest)
	}
	if end < 1 {
		return value{}, false
	}
	v := value{text: r.rest[:end]}
	r.rest = r.rest[end:]
	return v, true
}

// endOfString is where a string ends that begins with a quotation mark, or 0.
func endOfString(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// Changes are the variables that s has and before has not, or has with another value, each as
// "name = value, was value", in the order in which TLC prints them. Of records, sequences and
// functions only the entries that differ are among them: "loc[1].pc = ...". It is empty if nothing
// differs.
func (s State) Changes(before State) []string {
	was := value{entries: variablesOf(before.Text)}
	return changes("", value{entries: variablesOf(s.Text)}, was)
}

// changes lists how now differs from was, which have the same name.
func changes(name string, now, was value) (list []string) {
	if name != "" && (len(now.entries) == 0 || len(was.entries) == 0) {
		if now.text != was.text {
			list = append(list, fmt.Sprintf("%s = %s, was %s", name, now.text, was.text))
		}
		return list
	}
	old := map[string]value{}
	for _, e := range was.entries {
		old[e.at] = e.value
	}
	for _, e := range now.entries {
		before, known := old[e.at]
		if delete(old, e.at); !known {
			list = append(list, fmt.Sprintf("%s = %s, was not there", name+e.at, e.value.text))
			continue
		}
		list = append(list, changes(name+e.at, e.value, before)...)
	}
	for _, e := range was.entries {
		if gone, left := old[e.at]; left {
			list = append(list, fmt.Sprintf("%s is gone, was %s", name+e.at, gone.text))
		}
	}
	return list
}

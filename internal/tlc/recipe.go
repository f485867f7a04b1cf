package tlc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Recipe says how the configuration of a run is made: it has what the recipe has that it is like, with what
// it says itself. That one is a recipe of RecipesName, or of another run. In JSON a string in place of an
// object is the name of the recipe that it is like; one that ends in .cfg is a file of the folder, which is
// written by hand.
//
// A value, or a name, may be $name, $state, $property or $temporal: what that field of the run has.
type Recipe struct {
	File          string       `json:"-"` // written by hand, in place of everything else
	Like          string       `json:"like,omitempty"`
	Specification string       `json:"specification,omitempty"`
	Set           Constants    `json:"set,omitempty"`     // values of constants
	Replace       Replacements `json:"replace,omitempty"` // by what operator a constant or definition is
	Invariants    []string     `json:"invariants,omitempty"`
	Properties    []string     `json:"properties,omitempty"`
	Deadlock      *bool        `json:"deadlock,omitempty"` // whether a deadlock is a violation; TLC: it is
	Drop          []string     `json:"drop,omitempty"`     // of what the other one has
}

// Constant is a constant with its value: a string, a whole number, a truth value, or a set of them, which
// JSON writes as a list.
type Constant struct {
	Name  string
	Value any
}

// Constants are an object of JSON in its order.
type Constants []Constant

// Replacement is a constant or definition, and the operator that takes its place.
type Replacement struct{ Name, By string }

// Replacements are an object of JSON in its order.
type Replacements []Replacement

const handWritten = ".cfg"

var (
	reName   = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	reNumber = regexp.MustCompile(`^-?\d+$`)
	reString = regexp.MustCompile(`^[^"\\[:cntrl:]]*$`)
)

// UnmarshalJSON reads a recipe, or the name of what it is.
func (r *Recipe) UnmarshalJSON(text []byte) error {
	var name string
	if json.Unmarshal(text, &name) == nil {
		*r = Recipe{Like: name}
		if strings.HasSuffix(name, handWritten) {
			*r = Recipe{File: name}
		}
		return nil
	}
	type plain Recipe // without this method
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode((*plain)(r))
}

// MarshalJSON writes what UnmarshalJSON reads.
func (r Recipe) MarshalJSON() ([]byte, error) {
	if r.File != "" {
		return plainJSON(r.File)
	}
	type plain Recipe
	text, err := plainJSON(plain(r))
	if only, likeErr := plainJSON(plain(Recipe{Like: r.Like})); err == nil && r.Like != "" &&
		likeErr == nil && bytes.Equal(text, only) {
		return plainJSON(r.Like)
	}
	return text, err
}

// plainJSON is a value on one line, with < and > as they are.
func plainJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// members hands each member of an object to take, in the order of the text; one name twice is an error.
func members(text []byte, take func(name string, value json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return fmt.Errorf("%s is no object of names and values", text)
	}
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if seen[name.(string)] {
			return fmt.Errorf("%s is there twice", name)
		}
		seen[name.(string)] = true
		if err := take(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}

// object is an object of JSON with the members in their order.
func object(n int, member func(i int) (name string, value any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		name, value := member(i)
		key, err := plainJSON(name)
		text, valueErr := plainJSON(value)
		if err := errors.Join(err, valueErr); err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(append(append(key, ':'), text...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the constants.
func (c *Constants) UnmarshalJSON(text []byte) error {
	*c = nil
	return members(text, func(name string, raw json.RawMessage) error {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		var value any
		if err := dec.Decode(&value); err != nil && err != io.EOF {
			return err
		}
		if _, err := valueText(value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		*c = append(*c, Constant{name, value})
		return nil
	})
}

// MarshalJSON writes what UnmarshalJSON reads.
func (c Constants) MarshalJSON() ([]byte, error) {
	return object(len(c), func(i int) (string, any) { return c[i].Name, c[i].Value })
}

// UnmarshalJSON reads the replacements.
func (r *Replacements) UnmarshalJSON(text []byte) error {
	*r = nil
	return members(text, func(name string, raw json.RawMessage) error {
		var by string
		if err := json.Unmarshal(raw, &by); err != nil {
			return fmt.Errorf("%s: %s is no name of an operator", name, raw)
		}
		*r = append(*r, Replacement{name, by})
		return nil
	})
}

// MarshalJSON writes what UnmarshalJSON reads.
func (r Replacements) MarshalJSON() ([]byte, error) {
	return object(len(r), func(i int) (string, any) { return r[i].Name, r[i].By })
}

// valueText is a value as TLC reads it.
func valueText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		if reString.MatchString(v) {
			return `"` + v + `"`, nil
		}
	case bool:
		return strings.ToUpper(fmt.Sprint(v)), nil
	case json.Number:
		if reNumber.MatchString(v.String()) {
			return v.String(), nil
		}
	case []any:
		var texts []string
		for _, x := range v {
			text, err := valueText(x)
			if err != nil {
				return "", err
			}
			texts = append(texts, text)
		}
		return "{" + strings.Join(texts, ", ") + "}", nil
	}
	return "", fmt.Errorf("%v is no string without quotes, whole number, truth value, or list of them: "+
		"write a configuration that needs another value by hand, and name its file", value)
}

package mapmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/samecycle/samecycle/internal/history"
)

// File is a history as it is kept: it stands alone, with the contents that the map had before.
type File struct {
	Note    string            // what the file shows, in one line; may be empty
	Initial map[uint32]uint32 // contents before the first call
	Ops     History
}

// entry is one key of the initial contents.
type entry struct {
	Key   uint32 `json:"key"`
	Value uint32 `json:"value"`
}

// Encode writes the file, one event a line, as history.Encode does, with the initial contents in the
// order of the keys. The history must be valid.
func Encode(w io.Writer, f File) error {
	g := history.File[Request, Result, entry]{Note: f.Note, Ops: f.Ops}
	for _, key := range slices.Sorted(maps.Keys(f.Initial)) {
		g.Initial = append(g.Initial, entry{key, f.Initial[key]})
	}
	return history.Encode(w, g)
}

// Decode reads a file that Encode could have written, with initial contents in any order, and refuses
// every other one. The history that it returns is valid.
func Decode(r io.Reader) (File, error) {
	g, err := history.Decode[Request, Result, entry](r)
	if err != nil {
		return File{}, err
	}
	f := File{Note: g.Note, Initial: map[uint32]uint32{}, Ops: g.Ops}
	first := 1 // line of the first entry
	if f.Note != "" {
		first = 2
	}
	for i, e := range g.Initial {
		if _, twice := f.Initial[e.Key]; twice {
			return File{}, fmt.Errorf("%w: line %d: initial key %d given twice", history.ErrFormat,
				first+i, e.Key)
		}
		f.Initial[e.Key] = e.Value
	}
	return f, nil
}

// requestLine and resultLine are the members of lines of a file; a pointer is present exactly when the
// kind, or the outcome, has a value.
type (
	requestLine struct {
		Kind  string  `json:"kind"`
		Key   uint32  `json:"key"`
		Value *uint32 `json:"value,omitempty"`
	}
	resultLine struct {
		Outcome string  `json:"outcome"`
		Value   *uint32 `json:"value,omitempty"`
	}
)

// MarshalJSON writes the request with the word of its kind: {"kind":"add","key":7,"value":70}.
func (r Request) MarshalJSON() ([]byte, error) {
	l := requestLine{Kind: r.Kind.String(), Key: r.Key}
	if r.Kind.HasValue() {
		l.Value = &r.Value
	}
	return json.Marshal(l)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Request) UnmarshalJSON(text []byte) error {
	var l requestLine
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	kind := kindNamed(l.Kind)
	switch {
	case kind == 0:
		return fmt.Errorf("%w: kind %q; want one of %v", ErrUnknownKind, l.Kind, Kinds())
	case kind.HasValue() != (l.Value != nil):
		return fmt.Errorf("%s: value is present %v; want %v", kind, l.Value != nil, kind.HasValue())
	}
	*r = Request{Kind: kind, Key: l.Key}
	if l.Value != nil {
		r.Value = *l.Value
	}
	return nil
}

// MarshalJSON writes the result with the word of its outcome: {"outcome":"found","value":70}.
func (r Result) MarshalJSON() ([]byte, error) {
	l := resultLine{Outcome: r.Outcome.String()}
	if r.Outcome.HasValue() {
		l.Value = &r.Value
	}
	return json.Marshal(l)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(text []byte) error {
	var l resultLine
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	outcome := outcomeNamed(l.Outcome)
	switch {
	case outcome == NoOutcome:
		return fmt.Errorf("outcome %q unknown", l.Outcome)
	case outcome.HasValue() != (l.Value != nil):
		return fmt.Errorf("%s: value is present %v; want %v", outcome, l.Value != nil, outcome.HasValue())
	}
	*r = Result{Outcome: outcome}
	if l.Value != nil {
		r.Value = *l.Value
	}
	return nil
}

func kindNamed(name string) Kind {
	for _, k := range Kinds() {
		if k.String() == name {
			return k
		}
	}
	return 0
}

func outcomeNamed(name string) Outcome {
	for o := range Outcome(len(outcomeNames)) {
		if o.String() == name {
			return o
		}
	}
	return NoOutcome
}

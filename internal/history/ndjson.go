package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// File is a history as it is kept: it stands alone, with the contents that the map had before.
type File struct {
	Note    string            // what the file shows, in one line; may be empty
	Initial map[uint32]uint32 // contents before the first call
	Ops     History
}

// Bounds of what Decode reads. A longer history is no use as a file: nobody can judge it.
const (
	MaxLineBytes = 4096
	MaxFileLines = 1 << 20
)

// ErrFormat is a line that is not an event. The error names the line and says what belongs there.
var ErrFormat = errors.New("history file malformed")

// line is one line of a file. The order of the fields is the order in the file; a pointer is
// present exactly when its event has that field.
type line struct {
	Event   string  `json:"event"` // note, initial, call, return, killed
	Text    *string `json:"text,omitempty"`
	Time    *int64  `json:"t,omitempty"`
	ID      *uint64 `json:"id,omitempty"`
	Client  *int    `json:"client,omitempty"`
	Kind    string  `json:"kind,omitempty"`
	Outcome string  `json:"outcome,omitempty"`
	Key     *uint32 `json:"key,omitempty"`
	Value   *uint32 `json:"value,omitempty"`
}

// Encode writes the file, one event a line: the note, the initial contents by key, the calls and
// returns in the order of time, and last the killed operations. The history must be valid.
func Encode(w io.Writer, f File) error {
	if err := f.Ops.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if f.Note != "" {
		writeLine(out, line{Event: "note", Text: &f.Note})
	}
	for _, key := range slices.Sorted(maps.Keys(f.Initial)) {
		value := f.Initial[key]
		writeLine(out, line{Event: "initial", Key: &key, Value: &value})
	}
	for _, m := range f.Ops.moments(nil) {
		writeLine(out, lineOf(m))
	}
	for i := range f.Ops {
		if op := &f.Ops[i]; op.Pending {
			writeLine(out, line{Event: "killed", ID: &op.ID, Client: &op.Client})
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("history file: %w", err)
	}
	return nil
}

func lineOf(m moment) line {
	l := line{Time: &m.time, ID: &m.op.ID, Client: &m.op.Client}
	if m.isCall {
		l.Event, l.Kind, l.Key = "call", m.op.Kind.String(), &m.op.Key
		if m.op.Kind.HasValue() {
			l.Value = &m.op.Value
		}
		return l
	}
	l.Event, l.Outcome = "return", m.op.Result.Outcome.String()
	if m.op.Result.Outcome.HasValue() {
		l.Value = &m.op.Result.Value
	}
	return l
}

// writeLine ignores the writer's error: a bufio.Writer keeps it and Flush returns it.
func writeLine(w *bufio.Writer, l line) { w.Write(appendLine(nil, l)) }

func appendLine(out []byte, l line) []byte {
	buf := bytes.NewBuffer(out)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		panic("strings and numbers always encode: " + err.Error())
	}
	return buf.Bytes()
}

// Decode reads a file that Encode could have written: each line must be, byte for byte, the one
// that Encode writes for its event, so that a misspelt or doubled field is not skipped in silence.
// The history that it returns is valid.
func Decode(r io.Reader) (File, error) {
	d := decoder{byID: map[uint64]int{}, file: File{Initial: map[uint32]uint32{}}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, MaxLineBytes), MaxLineBytes)
	for in.Scan() {
		d.number++
		if d.number > MaxFileLines {
			return File{}, d.malformed("more than %d lines; cut the history", MaxFileLines)
		}
		if err := d.read(in.Bytes()); err != nil {
			return File{}, err
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		d.number++
		return File{}, d.malformed("longer than %d bytes", MaxLineBytes)
	case err != nil:
		return File{}, fmt.Errorf("history file: line %d: %w", d.number+1, err)
	}
	return d.finish()
}

// decoder keeps what the lines so far have said.
type decoder struct {
	file    File
	number  int // of the line being read, from 1
	time    int64
	byID    map[uint64]int // index into file.Ops
	orphans []orphan
}

// orphan is a return, or a kill, that no earlier line has called.
type orphan struct {
	line int
	id   uint64
}

func (d *decoder) malformed(format string, args ...any) error {
	return fmt.Errorf("%w: line %d: %s", ErrFormat, d.number, fmt.Sprintf(format, args...))
}

func (d *decoder) read(text []byte) error {
	var l line
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return d.malformed("%v", err)
	}
	if want := bytes.TrimSuffix(appendLine(nil, l), []byte("\n")); !bytes.Equal(want, text) {
		return d.malformed("not in the stable form; write it as %s", want)
	}
	wanted, known := fieldsOf[l.Event]
	if !known {
		return d.malformed("event %q unknown; want note, initial, call, return or killed", l.Event)
	}
	if got := l.fields(); !slices.Contains(wanted, got) {
		return d.malformed("event %q has the fields%s; want%s", l.Event, got, wanted[0])
	}
	switch l.Event {
	case "note":
		return d.note(l)
	case "initial":
		return d.initial(l)
	case "call":
		return d.call(l)
	case "return":
		return d.ret(l)
	}
	return d.killed(l)
}

// fieldsOf lists, by event, the sets of fields that it may have, in the order of the file.
var fieldsOf = map[string][]string{
	"note":    {" text"},
	"initial": {" key value"},
	"call":    {" t id client kind key", " t id client kind key value"},
	"return":  {" t id client outcome", " t id client outcome value"},
	"killed":  {" id client"},
}

func (l *line) fields() string {
	var out []byte
	for _, f := range []struct {
		name    string
		present bool
	}{
		{"text", l.Text != nil}, {"t", l.Time != nil}, {"id", l.ID != nil},
		{"client", l.Client != nil}, {"kind", l.Kind != ""}, {"outcome", l.Outcome != ""},
		{"key", l.Key != nil}, {"value", l.Value != nil},
	} {
		if f.present {
			out = append(append(out, ' '), f.name...)
		}
	}
	return string(out)
}

func (d *decoder) note(l line) error {
	if d.number != 1 {
		return d.malformed("a note belongs in the first line")
	}
	d.file.Note = *l.Text
	return nil
}

func (d *decoder) initial(l line) error {
	if len(d.file.Ops) > 0 {
		return d.malformed("initial contents belong before the first call")
	}
	if _, twice := d.file.Initial[*l.Key]; twice {
		return d.malformed("initial key %d given twice", *l.Key)
	}
	d.file.Initial[*l.Key] = *l.Value
	return nil
}

// tick checks that time does not run backwards from line to line.
func (d *decoder) tick(time int64) error {
	if time < d.time {
		return d.malformed("time %d is before time %d of the lines above; sort the lines by t",
			time, d.time)
	}
	d.time = time
	return nil
}

func (d *decoder) call(l line) error {
	kind := kindNamed(l.Kind)
	if kind == 0 {
		return fmt.Errorf("%w: line %d: kind %q; want one of %v", ErrUnknownKind, d.number, l.Kind,
			Kinds())
	}
	if kind.HasValue() != (l.Value != nil) {
		return d.malformed("%s: value is present %v; want %v", kind, l.Value != nil, kind.HasValue())
	}
	if first, twice := d.byID[*l.ID]; twice {
		return fmt.Errorf("%w: line %d: id %d belongs to %s", ErrDuplicateID, d.number, *l.ID,
			d.file.Ops[first])
	}
	for _, o := range d.orphans {
		if o.id == *l.ID {
			return fmt.Errorf("%w: line %d returns id %d, which line %d calls", ErrReturnBeforeCall,
				o.line, o.id, d.number)
		}
	}
	op := Op{ID: *l.ID, Client: *l.Client, Call: *l.Time, Request: Request{Kind: kind, Key: *l.Key}}
	if l.Value != nil {
		op.Value = *l.Value
	}
	d.byID[op.ID] = len(d.file.Ops)
	d.file.Ops = append(d.file.Ops, op)
	return d.tick(op.Call)
}

// called finds the operation in flight that a return or a kill ends; nil without error is one that
// no earlier line has called.
func (d *decoder) called(l line) (*Op, error) {
	i, ok := d.byID[*l.ID]
	if !ok {
		d.orphans = append(d.orphans, orphan{d.number, *l.ID})
		return nil, nil
	}
	op := &d.file.Ops[i]
	if op.Return != 0 {
		return nil, fmt.Errorf("%w: line %d: id %d has ended before: %s", ErrUnmatchedReturn,
			d.number, op.ID, *op)
	}
	if op.Client != *l.Client {
		return nil, fmt.Errorf("%w: line %d: id %d was called by client %d, not by client %d",
			ErrUnmatchedReturn, d.number, op.ID, op.Client, *l.Client)
	}
	return op, nil
}

func (d *decoder) ret(l line) error {
	outcome := outcomeNamed(l.Outcome)
	if outcome == NoOutcome {
		return d.malformed("outcome %q unknown", l.Outcome)
	}
	if outcome.HasValue() != (l.Value != nil) {
		return d.malformed("%s: value is present %v; want %v", outcome, l.Value != nil,
			outcome.HasValue())
	}
	op, err := d.called(l)
	if err != nil {
		return err
	}
	if op != nil {
		op.Return, op.Result.Outcome = *l.Time, outcome
		if l.Value != nil {
			op.Result.Value = *l.Value
		}
		if op.Return == 0 {
			return d.malformed("time 0; times begin at 1")
		}
	}
	return d.tick(*l.Time)
}

func (d *decoder) killed(l line) error {
	op, err := d.called(l)
	if op != nil {
		op.Pending, op.Return = true, Forever
	}
	return err
}

func (d *decoder) finish() (File, error) {
	if len(d.orphans) > 0 {
		o := d.orphans[0]
		return File{}, fmt.Errorf("%w: line %d: id %d was never called", ErrUnmatchedReturn,
			o.line, o.id)
	}
	if err := d.file.Ops.Validate(); err != nil {
		return File{}, fmt.Errorf("history file of %d lines: %w", d.number, err)
	}
	return d.file, nil
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

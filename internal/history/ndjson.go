package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// File is a history as it is kept: it stands alone, with what the object held before, as entries of
// type E; struct{} is of objects that hold nothing before the first call.
//
// Requests, results and entries are written as encoding/json writes them. The members of one that is
// an object there stand in the line itself; anything else, such as the text of an
// encoding.TextMarshaler, is the member "request", "result" or "entry". No member of theirs may have
// one of these names, or one of event, text, t, id and client.
type File[Q, R Value, E any] struct {
	Note    string // what the file shows, in one line; may be empty
	Initial []E    // contents before the first call
	Ops     History[Q, R]
}

// Bounds of what Decode reads. A longer history is no use as a file: nobody can judge it.
const (
	MaxLineBytes = 4096
	MaxFileLines = 1 << 20
)

// ErrFormat is a line that is not an event. The error names the line and says what belongs there.
var ErrFormat = errors.New("history file malformed")

// line is what general code knows of one line of a file. The order of the fields is the order in the
// file, and the members of the request, the result or the entry follow them; a pointer is present
// exactly when its event has that field.
type line struct {
	Event  string  `json:"event"` // note, initial, call, return, killed
	Text   *string `json:"text,omitempty"`
	Time   *int64  `json:"t,omitempty"`
	ID     *uint64 `json:"id,omitempty"`
	Client *int    `json:"client,omitempty"`
}

// valueNames are the members that hold a value that is no object, by event.
var valueNames = map[string]string{"initial": "entry", "call": "request", "return": "result"}

// Encode writes the file, one event a line: the note, the initial contents as given, the calls and
// returns in the order of time, and last the killed operations. The history must be valid.
func Encode[Q, R Value, E any](w io.Writer, f File[Q, R, E]) error {
	if err := f.Ops.Validate(); err != nil {
		return err
	}
	out := writer{Writer: bufio.NewWriter(w)}
	if f.Note != "" {
		out.line(line{Event: "note", Text: &f.Note}, nil)
	}
	for i := range f.Initial {
		out.line(line{Event: "initial"}, &f.Initial[i])
	}
	for _, m := range f.Ops.moments(nil) {
		l := line{Event: "return", Time: &m.time, ID: &m.op.ID, Client: &m.op.Client}
		if m.isCall {
			l.Event = "call"
			out.line(l, &m.op.Request)
			continue
		}
		out.line(l, &m.op.Result)
	}
	for i := range f.Ops {
		if op := &f.Ops[i]; op.Pending {
			out.line(line{Event: "killed", ID: &op.ID, Client: &op.Client}, nil)
		}
	}
	if err := errors.Join(out.err, out.Flush()); err != nil {
		return fmt.Errorf("history file: %w", err)
	}
	return nil
}

// writer writes lines and keeps the first error of a value that cannot be written. The errors of the
// file itself a bufio.Writer keeps, and Flush returns them.
type writer struct {
	*bufio.Writer
	err error
}

func (w *writer) line(l line, value any) {
	text, err := appendLine(nil, l, value)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.Write(text)
}

// appendLine appends the line of the event, with the value that it has, or nil.
func appendLine(out []byte, l line, value any) ([]byte, error) {
	out, err := appendJSON(out, l)
	if err != nil || value == nil {
		return append(out, '\n'), err
	}
	members, err := appendJSON(nil, value)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(members, []byte("{")) {
		members = fmt.Appendf(nil, `{"%s":%s}`, valueNames[l.Event], members)
	}
	if out = out[:len(out)-1]; len(members) > len("{}") {
		out = append(out, ',')
	}
	return append(append(out, members[1:]...), '\n'), nil
}

func appendJSON(out []byte, value any) ([]byte, error) {
	buf := bytes.NewBuffer(out)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// Decode reads a file that Encode could have written. Each line must be, byte for byte, the one that Encode
// writes for its event. So a misspelt or doubled field is an error and is not skipped. The history that it
// returns is valid.
func Decode[Q, R Value, E any](r io.Reader) (File[Q, R, E], error) {
	var none File[Q, R, E]
	d := decoder[Q, R, E]{byID: map[uint64]int{}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, MaxLineBytes), MaxLineBytes)
	for in.Scan() {
		d.number++
		if d.number > MaxFileLines {
			return none, d.malformed("more than %d lines; cut the history", MaxFileLines)
		}
		if err := d.read(in.Bytes()); err != nil {
			return none, err
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		d.number++
		return none, d.malformed("longer than %d bytes", MaxLineBytes)
	case err != nil:
		return none, fmt.Errorf("history file: line %d: %w", d.number+1, err)
	}
	return d.finish()
}

// decoder keeps what the lines so far have said.
type decoder[Q, R Value, E any] struct {
	file    File[Q, R, E]
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

func (d *decoder[Q, R, E]) malformed(format string, args ...any) error {
	return fmt.Errorf("%w: line %d: %w", ErrFormat, d.number, fmt.Errorf(format, args...))
}

func (d *decoder[Q, R, E]) read(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return d.malformed("%w", err)
	}
	wanted, known := fieldsOf[l.Event]
	if !known {
		return d.malformed("event %q unknown; want note, initial, call, return or killed", l.Event)
	}
	if got := l.fields(); got != wanted {
		return d.malformed("event %q has the fields%s; want%s", l.Event, got, wanted)
	}
	switch l.Event {
	case "note":
		return d.note(l, text)
	case "initial":
		return d.initial(l, text)
	case "call":
		return d.call(l, text)
	case "return":
		return d.ret(l, text)
	}
	return d.killed(l, text)
}

// fieldsOf lists, by event, the fields of line that it must have, in the order of the file.
var fieldsOf = map[string]string{
	"note":    " text",
	"initial": "",
	"call":    " t id client",
	"return":  " t id client",
	"killed":  " id client",
}

func (l *line) fields() string {
	var out []byte
	for _, f := range []struct {
		name    string
		present bool
	}{
		{"text", l.Text != nil}, {"t", l.Time != nil}, {"id", l.ID != nil}, {"client", l.Client != nil},
	} {
		if f.present {
			out = append(append(out, ' '), f.name...)
		}
	}
	return string(out)
}

// value reads the value of the line into v, a pointer; nil is of a line that has none. It refuses a line that
// Encode would have written in another way.
func (d *decoder[Q, R, E]) value(l line, text []byte, v any) error {
	if v != nil {
		var alone map[string]json.RawMessage
		if err := json.Unmarshal(text, &alone); err != nil {
			return d.malformed("%w", err)
		}
		part, ok := alone[valueNames[l.Event]]
		if !ok {
			part = text
		}
		if err := json.Unmarshal(part, v); err != nil {
			return d.malformed("%w", err)
		}
	}
	want, err := appendLine(nil, l, v)
	if err != nil {
		return d.malformed("%w", err)
	}
	if want = bytes.TrimSuffix(want, []byte("\n")); !bytes.Equal(want, text) {
		return d.malformed("not in the stable form; write it as %s", want)
	}
	return nil
}

func (d *decoder[Q, R, E]) note(l line, text []byte) error {
	if d.number != 1 {
		return d.malformed("a note belongs in the first line")
	}
	d.file.Note = *l.Text
	return d.value(l, text, nil)
}

func (d *decoder[Q, R, E]) initial(l line, text []byte) error {
	if len(d.file.Ops) > 0 {
		return d.malformed("initial contents belong before the first call")
	}
	var entry E
	if err := d.value(l, text, &entry); err != nil {
		return err
	}
	d.file.Initial = append(d.file.Initial, entry)
	return nil
}

// tick checks that time does not run backwards from line to line.
func (d *decoder[Q, R, E]) tick(time int64) error {
	if time < d.time {
		return d.malformed("time %d is before time %d of the lines above; sort the lines by t",
			time, d.time)
	}
	d.time = time
	return nil
}

func (d *decoder[Q, R, E]) call(l line, text []byte) error {
	op := Op[Q, R]{ID: *l.ID, Client: *l.Client, Call: *l.Time}
	if err := d.value(l, text, &op.Request); err != nil {
		return err
	}
	if first, twice := d.byID[op.ID]; twice {
		return fmt.Errorf("%w: line %d: id %d belongs to %s", ErrDuplicateID, d.number, op.ID,
			d.file.Ops[first])
	}
	for _, o := range d.orphans {
		if o.id == op.ID {
			return fmt.Errorf("%w: line %d returns id %d, which line %d calls", ErrReturnBeforeCall,
				o.line, o.id, d.number)
		}
	}
	d.byID[op.ID] = len(d.file.Ops)
	d.file.Ops = append(d.file.Ops, op)
	return d.tick(op.Call)
}

// called finds the operation in flight that a return or a kill ends; nil without error is one that
// no earlier line has called.
func (d *decoder[Q, R, E]) called(l line) (*Op[Q, R], error) {
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

func (d *decoder[Q, R, E]) ret(l line, text []byte) error {
	var result R
	if err := d.value(l, text, &result); err != nil {
		return err
	}
	op, err := d.called(l)
	if err != nil {
		return err
	}
	if op != nil {
		op.Return, op.Result = *l.Time, result
		if op.Return == 0 {
			return d.malformed("time 0; times begin at 1")
		}
	}
	return d.tick(*l.Time)
}

func (d *decoder[Q, R, E]) killed(l line, text []byte) error {
	if err := d.value(l, text, nil); err != nil {
		return err
	}
	op, err := d.called(l)
	if op != nil {
		op.Pending, op.Return = true, Forever
	}
	return err
}

func (d *decoder[Q, R, E]) finish() (File[Q, R, E], error) {
	var none File[Q, R, E]
	if len(d.orphans) > 0 {
		o := d.orphans[0]
		return none, fmt.Errorf("%w: line %d: id %d was never called", ErrUnmatchedReturn,
			o.line, o.id)
	}
	if err := d.file.Ops.Validate(); err != nil {
		return none, fmt.Errorf("history file of %d lines: %w", d.number, err)
	}
	return d.file, nil
}

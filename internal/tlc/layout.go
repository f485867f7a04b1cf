package tlc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonColumns is how long a line of a file may be that has a list or an object on one line.
const jsonColumns = 100

// layOut writes JSON without spaces so that it can be read and compared line by line. A short list or
// object stands on one line, if it is deep enough; the others have a line for each member.
func layOut(b *bytes.Buffer, text json.RawMessage, indent string, deep int) error {
	if line := spaced(text); deep <= 0 && len(indent)+len(line) <= jsonColumns {
		b.WriteString(line)
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	open, err := dec.Token()
	if err != nil {
		return err
	}
	d, isList := open.(json.Delim)
	if !isList || !dec.More() {
		b.WriteString(spaced(text))
		return nil
	}
	b.WriteString(d.String())
	for first := true; dec.More(); first = false {
		if !first {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "  ")
		if d == '{' {
			name, err := dec.Token()
			if err != nil {
				return err
			}
			key, err := plainJSON(name)
			if err != nil {
				return err
			}
			b.WriteString(string(key) + ": ")
		}
		var member json.RawMessage
		if err := dec.Decode(&member); err != nil {
			return err
		}
		if err := layOut(b, member, indent+"  ", deep-1); err != nil {
			return err
		}
	}
	closing, err := dec.Token()
	if err != nil {
		return err
	}
	b.WriteString("\n" + indent + closing.(json.Delim).String())
	return nil
}

// spaced puts a space behind each comma and colon of JSON that has none.
func spaced(text json.RawMessage) string {
	var b strings.Builder
	quoted, escaped := false, false
	for _, c := range string(text) {
		b.WriteRune(c)
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			b.WriteByte(' ')
		}
	}
	return b.String()
}

package trace

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format is a form in which a file has requests.
type Format struct {
	Name string
	Text string // content of such a file

	lines   bool                   // the file is text
	endings []string               // endings of file names, without those of compressions
	fits    func(head []byte) bool // whether a file with this beginning may have this format
	read    func(*source, *builder) error
}

// Formats returns all formats that can be read, in the order in which they are tried.
func Formats() []Format {
	return []Format{
		{Name: "arc", Text: "a line has four numbers: first block, number of blocks, two that do not count",
			lines: true, endings: []string{".lis"}, fits: fitsARC, read: readARC},
		{Name: "lirs", Text: "a line has one number, or a * between parts",
			lines: true, endings: []string{".trc"}, fits: fitsLIRS, read: readLIRS},
		{Name: "csv", Text: "a line has time, object, size in bytes, next use (fields of oracleGeneral)",
			lines: true, endings: []string{".csv"}, fits: fitsCSV, read: readCSV},
		{Name: "oracle", Text: "oracleGeneral in binary: records of 24 bytes",
			endings: []string{".oraclegeneral", ".oraclegeneral.bin"}, fits: fitsOracle, read: readOracle},
		{Name: "u64", Text: "keys of 8 bytes, little-endian", endings: []string{".u64"},
			read: readKeys(8, binary.LittleEndian.Uint64)},
		{Name: "u64be", Text: "keys of 8 bytes, big-endian", read: readKeys(8, binary.BigEndian.Uint64)},
		{Name: "u32", Text: "keys of 4 bytes, little-endian", endings: []string{".u32"},
			read: readKeys(4, func(b []byte) uint64 { return uint64(binary.LittleEndian.Uint32(b)) })},
		{Name: "u32be", Text: "keys of 4 bytes, big-endian",
			read: readKeys(4, func(b []byte) uint64 { return uint64(binary.BigEndian.Uint32(b)) })},
		{Name: "text", Text: "a line is a key",
			lines: true, endings: []string{".keys"}, fits: fitsText, read: readText},
	}
}

// wrong returns the error of a line, and says what is wrong in it.
func (s *source) wrong(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %w: %s; mend it, or say with --format what the file is", s.name, s.line,
		ErrLine, fmt.Sprintf(format, args...))
}

// next returns the next line that is not blank, without the space around it.
func (s *source) next() ([]byte, error) {
	for {
		line, err := s.r.ReadSlice('\n')
		s.line++
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil, io.EOF
		case err != nil && len(line) >= headBytes:
			return nil, s.wrong("it is longer than %d bytes", headBytes)
		case err != nil && !errors.Is(err, io.EOF):
			s.failed = err
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// eachLine calls f with every line that is not blank.
func (s *source) eachLine(f func(line []byte) error) error {
	for {
		line, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := f(line); err != nil {
			return err
		}
	}
}

func readText(s *source, b *builder) error {
	return s.eachLine(func(line []byte) error {
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			return s.wrong("%s is no text", shown(line))
		}
		return b.text(line, 0)
	})
}

// shown returns a part of a line for an error.
func shown(text []byte) string {
	const most = 40
	if len(text) > most {
		return strconv.QuoteToASCII(string(text[:most])) + "..."
	}
	return strconv.QuoteToASCII(string(text))
}

// whole reads a whole number from a line.
func whole(s *source, what string, text []byte) (uint64, error) {
	n, err := strconv.ParseUint(string(text), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, s.wrong("the %s %s is more than 18446744073709551615", what, shown(text))
	case err != nil:
		return 0, s.wrong("the %s %s is no whole number", what, shown(text))
	}
	return n, nil
}

func readLIRS(s *source, b *builder) error {
	return s.eachLine(func(line []byte) error {
		if string(line) == "*" {
			return nil
		}
		key, err := whole(s, "block", line)
		if err != nil {
			return err
		}
		return b.number(key, 0)
	})
}

func readARC(s *source, b *builder) error {
	return s.eachLine(func(line []byte) error {
		fields := bytes.Fields(line)
		if len(fields) != 4 {
			return s.wrong("it has %d fields, a line of an ARC trace has 4: start, count, ignored, request",
				len(fields))
		}
		start, err := whole(s, "first block", fields[0])
		if err != nil {
			return err
		}
		n, err := whole(s, "number of blocks", fields[1])
		switch {
		case err != nil:
			return err
		case n == 0:
			return s.wrong("it asks for 0 blocks")
		case n > MostRequests || start+n < start:
			return s.wrong("%d blocks from %d on are too many", n, start)
		}
		for block := start; block < start+n; block++ {
			if err := b.number(block, 0); err != nil {
				return err
			}
		}
		return nil
	})
}

// errLong ends the reading of a line of CSV. If a quote is missing, all following lines count as one line.
var errLong = fmt.Errorf("it is longer than %d bytes, or a quote is missing", headBytes)

// bounded is the rest of a line that is still to be read.
type bounded struct {
	from io.Reader
	left int
}

func (x *bounded) Read(p []byte) (int, error) {
	if x.left <= 0 {
		return 0, errLong
	}
	n, err := x.from.Read(p)
	x.left -= n
	return n, err
}

func readCSV(s *source, b *builder) error {
	in := &bounded{from: s.r}
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = -1, true, true
	for top := true; ; top = false {
		in.left = headBytes
		fields, err := r.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLong):
			s.line++
			return s.wrong("%v", err)
		case errors.As(err, &wrong):
			s.line = wrong.Line
			return s.wrong("%v", wrong.Err)
		case err != nil:
			s.failed = err
			return err
		}
		s.line, _ = r.FieldPos(0)
		if len(fields) < 3 {
			return s.wrong("it has %d fields, at least 3 are needed: time, object, size", len(fields))
		}
		size := []byte(strings.TrimSpace(fields[2]))
		if top && !isFloat(fields[0]) && !isNumber(size) {
			continue // a line with names of columns
		}
		n, err := whole(s, "size", size)
		if err != nil {
			return err
		}
		if n > math.MaxUint32 {
			return s.wrong("the size %d is more than %d", n, uint32(math.MaxUint32))
		}
		add := func(size uint32) error { return b.text([]byte(fields[1]), size) }
		if err := b.sized(uint32(n), add); err != nil {
			return err
		}
	}
}

// oracleBytes is the size of a record: time 4, object 8, size 4, next use 8.
const oracleBytes = 24

func readOracle(s *source, b *builder) error {
	return s.eachRecord(oracleBytes, func(r []byte) error {
		return b.sized(binary.LittleEndian.Uint32(r[12:]), func(size uint32) error {
			return b.number(binary.LittleEndian.Uint64(r[4:]), size)
		})
	})
}

func readKeys(bytes int, key func([]byte) uint64) func(*source, *builder) error {
	return func(s *source, b *builder) error {
		return s.eachRecord(bytes, func(r []byte) error { return b.number(key(r), 0) })
	}
}

// eachRecord calls f with every record of so many bytes.
func (s *source) eachRecord(size int, f func([]byte) error) error {
	record := make([]byte, size)
	for n := 0; ; n++ {
		switch got, err := io.ReadFull(s.r, record); {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF) && s.atEnd():
			return fmt.Errorf("%s, record %d, at byte %d: %w: it has %d bytes, a record has %d; fetch the "+
				"file again, or say with --format what it is", s.name, n+1, n*size, ErrLine, got, size)
		case err != nil:
			s.failed = err
			return err
		}
		if err := f(record); err != nil {
			return err
		}
	}
}

// atEnd reports whether the file has ended as it should. For a damaged file it returns the same error again.
func (s *source) atEnd() bool {
	_, err := s.r.ReadByte()
	return errors.Is(err, io.EOF)
}

// lines returns the first complete lines of a file that are not blank.
func lines(head []byte) (all [][]byte) {
	if !isText(head) {
		return nil
	}
	for line := range bytes.Lines(head) {
		if bytes.HasSuffix(line, []byte("\n")) || len(head) < headBytes {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				all = append(all, line)
			}
		}
	}
	return all
}

// isText reports whether bytes are text. The last character may be cut.
func isText(head []byte) bool {
	if i := len(head); i == headBytes {
		head = head[:i-utf8.UTFMax]
	}
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return len(head) > 0
}

// each reports whether there are lines, and all of them have the property.
func each(all [][]byte, is func([]byte) bool) bool {
	for _, line := range all {
		if !is(line) {
			return false
		}
	}
	return len(all) > 0
}

func isFloat(text string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil
}

func isNumber(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// The formats of lines are recognised by the first lines, so a later line that is wrong is reported as a
// wrong line.

func first(n int, all [][]byte) [][]byte { return all[:min(n, len(all))] }

// fitsARC looks at one line only. The keys of a text are hardly ever four numbers, so if a later line
// differs, it is a wrong line.
func fitsARC(head []byte) bool {
	return each(first(1, lines(head)), func(line []byte) bool {
		fields := bytes.Fields(line)
		return len(fields) == 4 && each(fields, isNumber)
	})
}

func fitsLIRS(head []byte) bool {
	return each(first(3, lines(head)), func(line []byte) bool {
		return isNumber(line) || string(line) == "*"
	})
}

func fitsCSV(head []byte) bool {
	return each(first(3, lines(head)), func(line []byte) bool {
		return bytes.Count(line, []byte(",")) >= 2
	})
}

// fitsOracle reports whether times do not go back, and whether the next use of each request is later, or
// never.
func fitsOracle(head []byte) bool {
	if len(head) < oracleBytes || isText(head) || len(head) < headBytes && len(head)%oracleBytes != 0 {
		return false
	}
	time := uint32(0)
	for n := int64(0); len(head) >= oracleBytes; n++ {
		now, next := binary.LittleEndian.Uint32(head), int64(binary.LittleEndian.Uint64(head[16:]))
		if now < time || next >= 0 && next <= n || next < -2 {
			return false
		}
		time, head = now, head[oracleBytes:]
	}
	return true
}

func fitsText(head []byte) bool { return len(lines(head)) > 0 && utf8.Valid(lines(head)[0]) }

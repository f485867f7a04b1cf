package trace

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Open reads the trace of a file. Errors: those of the file, and ErrEmpty, ErrFormat, ErrLine, ErrTooLong.
func Open(path string, o Options) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%w: run as a user who may read it", err)
		}
		return nil, fmt.Errorf("%w: name a file with a trace", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name the files in it", path)
	}
	return Read(path, f, o)
}

// Read reads a trace. name is the name of the file; its endings help to recognise the format.
func Read(name string, from io.Reader, o Options) (*Trace, error) {
	if o.Progress == nil {
		o.Progress = func(int64) error { return nil }
	}
	counted := &counter{from: from}
	plain, packed, err := unpacked(counted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in := &source{name: name, r: bufio.NewReaderSize(plain, headBytes)}
	head, err := in.r.Peek(headBytes)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, in.broken(err, packed)
	}
	text, marked := withoutMark(head)
	if len(bytes.TrimSpace(text)) == 0 && err == io.EOF {
		return nil, fmt.Errorf("%s: %w: name a file with a trace", name, ErrEmpty)
	}
	f, err := formatFor(name, text, o.Format)
	if err != nil {
		return nil, err
	}
	if marked && f.lines {
		_, _ = in.r.Discard(len(byteOrderMark)) // the mark is in the buffer
	}
	b := newBuilder(name, o)
	b.t.Format = f.Name
	b.tick = func() error { return o.Progress(counted.bytes) }
	switch err = f.read(in, b); {
	case errors.Is(err, errEnough):
	case errors.Is(err, ErrTooLong):
		return nil, fmt.Errorf("%s: %w: read a part of it with --requests", name, err)
	case in.failed != nil:
		return nil, in.broken(in.failed, packed)
	case err != nil:
		return nil, err
	}
	switch {
	case len(b.t.Requests) == 0 && b.t.Empty > 0:
		return nil, fmt.Errorf("%s: %w: each of its %d requests is of 0 bytes", name, ErrEmpty, b.t.Empty)
	case len(b.t.Requests) == 0:
		return nil, fmt.Errorf("%s: %w: name a file with a trace", name, ErrEmpty)
	}
	return b.t, o.Progress(counted.bytes)
}

// headBytes is the number of bytes that are read to recognise a format. No line may be longer.
const headBytes = 1 << 16

// byteOrderMark is the mark that some programs write before a text in UTF-8. It does not belong to the first
// line.
const byteOrderMark = "\xef\xbb\xbf"

// withoutMark returns the beginning of a file without this mark, and reports whether there is a mark. After
// a mark there must be text, because a file of numbers may begin with the same bytes.
func withoutMark(head []byte) (text []byte, marked bool) {
	text, marked = bytes.CutPrefix(head, []byte(byteOrderMark))
	if marked && len(text) > 0 && !isText(text) {
		return head, false
	}
	return text, marked
}

// counter counts the bytes that are read, and keeps the last of them.
type counter struct {
	from  io.Reader
	bytes int64
	end   []byte // the last bytes up to one that is not 0, and some zeros after it
}

// endBytes is as much of the end of a file as is needed.
const endBytes = 12

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.bytes += int64(n)
	c.end = append(c.end, p[:n]...)
	used := len(bytes.TrimRight(c.end, "\x00"))
	c.end = bytes.Clone(c.end[max(0, used-endBytes):min(len(c.end), used+endBytes)])
	return n, err
}

// inWhole is an unpacked file that has to end as its compression requires.
type inWhole struct {
	io.Reader
	ends func() bool
}

func (w inWhole) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err == io.EOF && !w.ends() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// endsXZ reports whether a file ends with the footer of a stream of xz: four bytes with the checksum of the
// next six bytes, and then two letters. Zeros after it are padding. The xz package does not look for the
// footer at the end of a block, so it would accept a file that is cut there.
func endsXZ(end []byte) bool {
	end = bytes.TrimRight(end, "\x00")
	return len(end) == endBytes && string(end[10:]) == "YZ" &&
		crc32.ChecksumIEEE(end[4:10]) == binary.LittleEndian.Uint32(end)
}

// source is a file that is being read.
type source struct {
	name   string
	r      *bufio.Reader
	failed error // error of the file, and not of its content
	line   int
}

// broken returns the error of a file that ends too early, or whose compression is damaged.
func (s *source) broken(err error, packed string) error {
	if packed == "" || errors.Is(err, errBehind) {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return fmt.Errorf("%s: damaged %s file: %w; fetch it again", s.name, packed, err)
}

// packings are the compressions of a file: the first bytes, the function that unpacks it, and, if that does
// not check the end, a function that does. at is the number of bytes of the file that r has returned so far.
var packings = []struct {
	name, magic, ending string
	open                func(r *bufio.Reader, at func() int64) (io.Reader, error)
	ends                func(end []byte) bool
}{
	{"gzip", gzipMagic, ".gz", unzip, nil},
	{"zstd", "\x28\xb5\x2f\xfd", ".zst", func(r *bufio.Reader, _ func() int64) (io.Reader, error) {
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}, nil},
	{"xz", "\xfd7zXZ\x00", ".xz", func(r *bufio.Reader, _ func() int64) (io.Reader, error) {
		return xz.NewReader(r)
	}, endsXZ},
	{"bzip2", "BZh", ".bz2", func(r *bufio.Reader, _ func() int64) (io.Reader, error) {
		return bzip2.NewReader(r), nil
	}, nil},
}

// skips reports whether a file begins with a frame of zstd without data, which a reader leaves out. pzstd
// writes one before each frame with data.
func skips(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// unpacked returns the content of a file, and the name of its compression, if it has one.
func unpacked(from *counter) (io.Reader, string, error) {
	r := bufio.NewReaderSize(from, headBytes)
	head, err := r.Peek(6)
	if err != nil && err != io.EOF {
		return nil, "", err
	}
	for _, p := range packings {
		if strings.HasPrefix(string(head), p.magic) || p.name == "zstd" && skips(head) {
			plain, err := p.open(r, func() int64 { return from.bytes - int64(r.Buffered()) })
			if err != nil {
				return nil, "", fmt.Errorf("damaged %s file: %w; fetch it again", p.name, err)
			}
			if p.ends != nil {
				plain = inWhole{plain, func() bool { return p.ends(from.end) }}
			}
			return plain, p.name, nil
		}
	}
	return r, "", nil
}

// formatFor returns the format with that name, or the format that the file seems to have.
func formatFor(file string, head []byte, name string) (Format, error) {
	formats := Formats()
	if name != "" {
		i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
		if i < 0 {
			return Format{}, fmt.Errorf("%w %q: use one of %s", ErrFormat, name,
				strings.Join(FormatNames(), ", "))
		}
		return formats[i], nil
	}
	base := strings.ToLower(filepath.Base(file))
	for _, p := range packings {
		base = strings.TrimSuffix(base, p.ending)
	}
	for _, f := range formats {
		for _, ending := range f.endings {
			if strings.HasSuffix(base, ending) {
				return f, nil
			}
		}
	}
	for _, f := range formats {
		if f.fits != nil && f.fits(head) {
			return f, nil
		}
	}
	for _, p := range packed {
		if len(head) > p.at && strings.HasPrefix(string(head[p.at:]), p.magic) {
			return Format{}, fmt.Errorf("%s: %w: it is %s; unpack it, and name the file with the trace", file,
				ErrFormat, p.name)
		}
	}
	return Format{}, fmt.Errorf("%s: %w: say which one it is with --format (%s)", file, ErrFormat,
		strings.Join(FormatNames(), ", "))
}

// packed are kinds of files that must be unpacked first. No --format can help with them.
var packed = []struct {
	name, magic string
	at          int
}{
	{"a zip archive", "PK\x03\x04", 0},
	{"a 7z archive", "7z\xbc\xaf\x27\x1c", 0},
	{"a tar archive", "ustar", 257},
	{"compressed with lz4", "\x04\x22\x4d\x18", 0},
	{"compressed with compress", "\x1f\x9d", 0},
}

// FormatNames returns the possible values of Options.Format.
func FormatNames() []string {
	var all []string
	for _, f := range Formats() {
		all = append(all, f.Name)
	}
	return all
}

package trace

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

func read(name, text string, o Options) (*Trace, error) {
	o.Object = max(o.Object, 1)
	return Read(name, strings.NewReader(text), o)
}

// record is one of oracleGeneral in binary.
func record(time uint32, object uint64, size uint32, next int64) string {
	b := binary.LittleEndian.AppendUint32(nil, time)
	b = binary.LittleEndian.AppendUint64(b, object)
	b = binary.LittleEndian.AppendUint32(b, size)
	return string(binary.LittleEndian.AppendUint64(b, uint64(next)))
}

// keys are raw keys of so many bytes.
func keys(order binary.ByteOrder, size int, all ...uint64) string {
	var text []byte
	for _, key := range all {
		b := make([]byte, size)
		if size == 4 {
			order.PutUint32(b, uint32(key))
		} else {
			order.PutUint64(b, key)
		}
		text = append(text, b...)
	}
	return string(text)
}

// TestRead_Formats: each format is recognised, or can be named, and gives the requests that are in the file.
func TestRead_Formats(t *testing.T) {
	binaryRecords := record(1, 900, 10, 2) + record(1, 7, 4000, -1) + record(2, 900, 10, -1)
	for _, c := range []struct {
		name, format, text, want string
		requests                 []uint32
		sizes                    []uint32
	}{
		{"a", "", "user:1\n user:2 \r\n\nuser:1", "text", []uint32{0, 1, 0}, []uint32{64, 64}},
		{"a", "", "x\n5\n*\n5\n", "text", []uint32{0, 1, 2, 1}, []uint32{64, 64, 64}},
		{"a", "", "5\n*\n6\n5\n", "lirs", []uint32{0, 1, 0}, []uint32{64, 64}},
		{"a", "text", "5\n*\n5\n", "text", []uint32{0, 1, 0}, []uint32{64, 64}},
		{"a", "", "10 3 0 1\n11 1 0 2\n", "arc", []uint32{0, 1, 2, 1}, []uint32{64, 64, 64}},
		{"a", "", "time,object,size,next\n1,9,10,3\n1,x,20,-1\n2,9,10,-1\n", "csv", []uint32{0, 1, 0},
			[]uint32{10, 20}},
		{"a", "", "1,9,10\n1,8,0\n2,9,11\n", "csv", []uint32{0, 0}, []uint32{10}},
		{"a", "", binaryRecords, "oracle", []uint32{0, 1, 0}, []uint32{10, 4000}},
		{"x.U64.gz", "", keys(binary.LittleEndian, 8, 3, 1<<40, 3), "u64", []uint32{0, 1, 0},
			[]uint32{64, 64}},
		{"a", "u64be", keys(binary.BigEndian, 8, 3, 4), "u64be", []uint32{0, 1}, []uint32{64, 64}},
		{"a", "u32", keys(binary.LittleEndian, 4, 1, 2, 2), "u32", []uint32{0, 1, 1}, []uint32{64, 64}},
		{"a", "u32be", keys(binary.BigEndian, 4, 1, 2, 2), "u32be", []uint32{0, 1, 1}, []uint32{64, 64}},
	} {
		got, err := read(c.name, c.text, Options{Format: c.format, Object: 64})
		if err != nil {
			t.Errorf("%s %q: %v", c.format, c.text, err)
			continue
		}
		var sum uint64
		for _, size := range got.Sizes {
			sum += uint64(size)
		}
		sized := c.want == "csv" || c.want == "oracle"
		if got.Format != c.want || !slices.Equal(got.Requests, c.requests) || got.Bytes != sum ||
			!slices.Equal(got.Sizes, c.sizes) || got.Sized != sized || got.Cut {
			t.Errorf("%s %q: %+v", c.format, c.text, got)
		}
	}
	for _, f := range Formats() {
		if f.Text == "" || f.read == nil {
			t.Errorf("format %s says nothing", f.Name)
		}
	}
}

// TestRead_Counts: what is left out, what changes its size, and what is cut off is counted.
func TestRead_Counts(t *testing.T) {
	got, err := read("a", "1,9,10\n1,8,0\n2,9,11\n3,7,0\n", Options{})
	if err != nil || got.Empty != 2 || got.Resized != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	for n, cut := range map[int]bool{2: true, 3: true, 4: false, 5: false} {
		got, err := read("a", "10 3 0 1\n11 1 0 2\n", Options{Requests: n})
		if err != nil || got.Cut != cut || len(got.Requests) != min(n, 4) {
			t.Errorf("%d of 4 requests: %+v, %v", n, got, err)
		}
	}
}

// TestRead_Unreadable: the error names the file, the place, what is wrong, and what to do.
func TestRead_Unreadable(t *testing.T) {
	long := strings.Repeat("9", headBytes+9)
	for _, c := range []struct {
		format, text string
		is           error
		says         []string
	}{
		{"", "", ErrEmpty, []string{"name a file with a trace"}},
		{"", " \n\n", ErrEmpty, []string{"name a file with a trace"}},
		{"lirs", "*\n*\n", ErrEmpty, []string{"name a file with a trace"}},
		{"", "1,9,0\n", ErrEmpty, []string{"each of its 1 requests is of 0 bytes"}},
		{"", "5\n6\n7\n\n7x\n", ErrLine, []string{"line 5", `the block "7x" is no whole number`, "--format"}},
		{"", "5\n6\n7\n18446744073709551616\n", ErrLine,
			[]string{"line 4", "is more than 18446744073709551615"}},
		{"", "1 2 3 4\n1 2 3 4\n1 2 3 4\n1 2 3\n", ErrLine, []string{"line 4", "it has 3 fields"}},
		{"", "10 3 0 1\n11 1 0\n", ErrLine, []string{"line 2", "3 fields", "--format"}},
		{"arc", "1 0 3 4\n", ErrLine, []string{"line 1", "0 blocks"}},
		{"arc", "18446744073709551615 2 3 4\n", ErrLine, []string{"line 1", "too many"}},
		{"arc", "1 99999999999 3 4\n", ErrLine, []string{"line 1", "too many"}},
		{"", "1,9,10\n1,9,x\n", ErrLine, []string{"line 2", `the size "x" is no whole number`}},
		{"csv", "1,9\n", ErrLine, []string{"line 1", "it has 2 fields"}},
		{"csv", "1,9,10\n1,9,4294967296\n", ErrLine, []string{"line 2", "is more than 4294967295"}},
		{"csv", "1,9,10\n1,\"9,10\n", ErrLine, []string{"line 2", "quote"}},
		{"csv", "1,9,10\n1,\"9,10\n" + strings.Repeat("1,9,10\n", headBytes), ErrLine,
			[]string{"line 2", "longer than 65536 bytes, or a quote is missing"}},
		{"csv", "1,9,10\n1,9,10,\n1," + long + long, ErrLine, []string{"line 3", "longer than 65536 bytes"}},
		{"csv", "1,9,-10\n1,9,10\n", ErrLine, []string{"line 1", `the size "-10" is no whole number`}},
		{"csv", "0.5,9,10.5\n1,9,10\n", ErrLine, []string{"line 1", `the size "10.5" is no whole number`}},
		{"u64", "12345678123", ErrLine, []string{"record 2, at byte 8", "it has 3 bytes, a record has 8"}},
		{"text", "a\n\xff\xfe\n", ErrLine, []string{"line 2", `"\xff\xfe" is no text`}},
		{"lirs", "5\n" + long, ErrLine, []string{"line 2", "longer than"}},
		{"", "\x01\x02\x03", ErrFormat, []string{"--format", "arc, lirs, csv, oracle, u64"}},
		{"", "PK\x03\x04\x14\x00", ErrFormat, []string{"it is a zip archive; unpack it"}},
		{"", "\x04\x22\x4d\x18\x00", ErrFormat, []string{"it is compressed with lz4; unpack it"}},
		{"", "name" + strings.Repeat("\x00", 253) + "ustar\x00", ErrFormat, []string{"it is a tar archive"}},
		{"tar", "a", ErrFormat, []string{`"tar"`, "use one of arc"}},
		{"", "\x1f\x8bx", nil, []string{"damaged gzip file", "fetch it again"}},
		{"", "\xfd7zXZ\x00xxxxxxx", nil, []string{"damaged xz file", "fetch it again"}},
	} {
		_, err := read("some.file", c.text, Options{Format: c.format})
		if err == nil || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%.40q: %v", c.text, err)
			continue
		}
		says := c.says
		if c.format != "tar" {
			says = append(says, "some.file")
		}
		for _, want := range says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%.40q: %q, want %q", c.text, err, want)
			}
		}
	}
}

// TestOpen: of a file that is not there, and of a folder.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for name, says := range map[string]string{"missing": "no such file", "": "is a folder"} {
		if _, err := Open(filepath.Join(dir, name), Options{}); err == nil ||
			!strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "name ") {
			t.Errorf("%q: %v", name, err)
		}
	}
	file := filepath.Join(dir, "trace")
	if err := os.WriteFile(file, []byte("1\n2\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Open(file, Options{Object: 8}); err != nil || got.Objects() != 2 || got.Bytes != 16 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestOpen_Unreadable: another name would not help who may not read the file.
func TestOpen_Unreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(file, []byte("1\n2\n1\n"), 0); err != nil {
		t.Fatal(err)
	}
	_, err := Open(file, Options{})
	if err == nil || errors.Is(err, ErrFormat) {
		t.Skip("NOT RUN: root may read each file; run it as another user")
	}
	if !strings.HasSuffix(err.Error(), "trace: permission denied: run as a user who may read it") {
		t.Errorf("%v", err)
	}
}

// bzipped is "5\n6\n5\n", which the standard library can read and not write.
const bzipped = "425a6839314159265359e7de59c9000002480000100300200030cc0c7a845e2ee48a70a121cfbcb392"

// packs are a text in each compression.
func packs(t *testing.T, text string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, open := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	} {
		var b bytes.Buffer
		w, err := open(&b)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		all[name] = b.Bytes()
	}
	return all
}

// TestRead_Packed: whatever the name, a compressed file is read as what is in it; one that is cut short or
// damaged is an error that says so.
func TestRead_Packed(t *testing.T) {
	small := packs(t, "5\n6\n5\n")
	b, err := hex.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	small["bzip2"] = b
	if len(small) != len(packings) {
		t.Errorf("%d compressions are tested, there are %d", len(small), len(packings))
	}
	for name, packed := range small {
		got, err := read("x", string(packed), Options{})
		if err != nil || got.Format != "lirs" || !slices.Equal(got.Requests, []uint32{0, 1, 0}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	var long strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&long, "%d\n", i*i%100_003)
	}
	for name, packed := range packs(t, long.String()) {
		for _, format := range []string{"lirs", "text", "csv", "u64", "arc"} {
			_, err := read("x", string(packed[:len(packed)/2]), Options{Format: format})
			if err == nil || format != "csv" && format != "arc" &&
				!strings.Contains(err.Error(), "x: damaged "+name+" file: ") {
				t.Errorf("half a %s file as %s: %v", name, format, err)
			}
		}
	}
}

// TestRead_CutXZ: a file of xz that is cut short is damaged, wherever that is, also between two blocks. Zeros
// behind the last stream are padding.
func TestRead_CutXZ(t *testing.T) {
	var b bytes.Buffer
	for range 2 { // two streams, of three blocks each
		w, err := xz.WriterConfig{BlockSize: 8}.NewWriter(&b)
		if err == nil {
			_, err = w.Write([]byte("512345\n676767\n512345\n"))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	packed := b.Bytes()
	for padding := 0; padding <= 32; padding += 4 {
		got, err := read("x", string(packed)+strings.Repeat("\x00", padding), Options{})
		if err != nil || !slices.Equal(got.Requests, []uint32{0, 1, 0, 0, 1, 0}) {
			t.Errorf("whole, with %d zeros behind it: %+v, %v", padding, got, err)
		}
	}
	const magic = 6
	for n := magic; n < len(packed); n++ {
		got, err := read("x", string(packed[:n]), Options{Format: "lirs"})
		whole := n == len(packed)/2
		if whole != (err == nil) || whole && len(got.Requests) != 3 {
			t.Errorf("the first %d of %d bytes: %+v, %v", n, len(packed), got, err)
		}
		if err != nil && !strings.Contains(err.Error(), "x: damaged xz file: ") {
			t.Errorf("the first %d of %d bytes: %v", n, len(packed), err)
		}
	}
}

// TestRead_Progress: it is told how far the reading is, and can end it.
func TestRead_Progress(t *testing.T) {
	text := strings.Repeat("5\n6\n7\n", 10_000)
	var told []int64
	o := Options{Progress: func(n int64) error { told = append(told, n); return nil }}
	if _, err := read("x", text, o); err != nil || len(told) < 3 || !slices.IsSorted(told) ||
		told[len(told)-1] != int64(len(text)) {
		t.Errorf("%v, %v", told, err)
	}
	stop := errors.New("stop")
	o.Progress = func(int64) error { return stop }
	if _, err := read("x", text, o); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

// FuzzRead: no file makes it fail otherwise than by an error, and what it reads is sound.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"5\n*\n6\n", "10 3 0 1\n", "1,9,10,3\n1,x,20,-1\n", "a\nb\n",
		record(1, 900, 10, 2) + record(1, 7, 4000, -1), "\x1f\x8b", "BZh9", "\x28\xb5\x2f\xfd\x00"} {
		for i := range len(Formats()) + 1 {
			f.Add(text, i)
		}
	}
	f.Fuzz(func(t *testing.T, text string, format int) {
		o := Options{Object: 3, Requests: 1000}
		if format >= 0 && format < len(Formats()) {
			o.Format = Formats()[format].Name
		}
		got, err := read("x", text, o)
		if err != nil {
			if got != nil {
				t.Errorf("a trace and the error %v", err)
			}
			return
		}
		if err := sound(got); err != nil {
			t.Error(err)
		}
	})
}

// sound is what is wrong in a trace: objects have numbers in the order of their first requests, and sizes.
func sound(t *Trace) error {
	var sum uint64
	for _, size := range t.Sizes {
		if size == 0 {
			return errors.New("an object of 0 bytes")
		}
		sum += uint64(size)
	}
	next := uint32(0)
	for i, r := range t.Requests {
		if r > next || int(r) >= len(t.Sizes) {
			return fmt.Errorf("request %d is for object %d", i, r)
		}
		next = max(next, r+1)
	}
	if int(next) != len(t.Sizes) || sum != t.Bytes || len(t.Requests) == 0 {
		return fmt.Errorf("%d objects, %d sizes, %d bytes, %d said", next, len(t.Sizes), sum, t.Bytes)
	}
	return nil
}

// TestCanary_Sound: it finds what is wrong.
func TestCanary_Sound(t *testing.T) {
	for name, wrong := range map[string]*Trace{
		"nothing":      {},
		"no size":      {Requests: []uint32{0}, Sizes: []uint32{0}},
		"no object":    {Requests: []uint32{0, 1}, Sizes: []uint32{2}, Bytes: 2},
		"order":        {Requests: []uint32{1, 0}, Sizes: []uint32{2, 2}, Bytes: 4},
		"sum":          {Requests: []uint32{0, 1}, Sizes: []uint32{2, 2}, Bytes: 5},
		"never wanted": {Requests: []uint32{0, 0}, Sizes: []uint32{2, 2}, Bytes: 4},
	} {
		if sound(wrong) == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}

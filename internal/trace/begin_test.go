package trace

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestRead_ByteOrderMark: a mark ahead of a text is no part of its first line, whatever the text is; the same
// bytes at the begin of a file of numbers are part of its first number.
func TestRead_ByteOrderMark(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		requests         []uint32
	}{
		{"a", "5\n6\n5\n", "lirs", []uint32{0, 1, 0}},
		{"a.trc", "5\r\n6\r\n5\r\n", "lirs", []uint32{0, 1, 0}},
		{"a", "10 3 0 1\n11 1 0 2\n", "arc", []uint32{0, 1, 2, 1}},
		{"a.lis", "10 3 0 1\n11 1 0 2\n", "arc", []uint32{0, 1, 2, 1}},
		{"a", "1,9,10\n1,8,20\n2,9,10\n", "csv", []uint32{0, 1, 0}},
		{"a", "time,object,size\n1,9,10\n1,8,20\n2,9,10\n", "csv", []uint32{0, 1, 0}},
		{"a", "x\ny\nx\n", "text", []uint32{0, 1, 0}},
		{"a", "x\n" + strings.Repeat("y\n", headBytes), "text",
			append([]uint32{0}, slices.Repeat([]uint32{1}, headBytes)...)},
	} {
		got, err := read(c.name, byteOrderMark+c.text, Options{})
		if err != nil || got.Format != c.want || !slices.Equal(got.Requests, c.requests) {
			t.Errorf("%s %.20q: %+v, %v", c.name, c.text, got, err)
		}
	}
	for _, text := range []string{byteOrderMark, byteOrderMark + "\r\n"} {
		if _, err := read("a", text, Options{}); !errors.Is(err, ErrEmpty) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, rest := range []string{"\x00\x00\x00\x00\x00", "abcde"} {
		one := binary.LittleEndian.Uint64([]byte(byteOrderMark + rest))
		got, err := read("a.u64", keys(binary.LittleEndian, 8, one, one), Options{})
		if err != nil || !slices.Equal(got.Requests, []uint32{0, 0}) {
			t.Errorf("numbers of %q: %+v, %v", rest, got, err)
		}
	}
}

// TestRead_SkippedFrame: a file of zstd may begin with a frame without data, as those of pzstd do.
func TestRead_SkippedFrame(t *testing.T) {
	packed := string(packs(t, "5\n6\n5\n")["zstd"])
	for first := '\x50'; first <= '\x5f'; first++ {
		skipped := string(first) + "\x2a\x4d\x18\x04\x00\x00\x00abcd"
		got, err := read("a.trc.zst", skipped+packed+skipped+packed, Options{})
		if err != nil || !slices.Equal(got.Requests, []uint32{0, 1, 0, 0, 1, 0}) {
			t.Errorf("frame %#x: %+v, %v", first, got, err)
		}
		if _, err := read("a", skipped[:10], Options{}); err == nil ||
			!strings.Contains(err.Error(), "a: damaged zstd file") {
			t.Errorf("frame %#x, cut: %v", first, err)
		}
	}
	if _, err := read("a.keys", "P*M is a key\n", Options{}); err != nil {
		t.Error(err)
	}
}

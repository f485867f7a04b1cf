package trace

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestRead_PaddedGzip: zeros behind the last stream of a gzip file are padding. They may be as many as a tape
// or a device has written, and the file may have several streams.
func TestRead_PaddedGzip(t *testing.T) {
	one := string(packs(t, "512\n676\n512\n")["gzip"])
	for streams, requests := range map[string][]uint32{one: {0, 1, 0}, one + one: {0, 1, 0, 0, 1, 0}} {
		for _, padding := range []int{0, 1, 3, 511, 512, headBytes - len(one), headBytes, 3*headBytes + 1} {
			text := streams + strings.Repeat("\x00", padding)
			got, err := read("x", text, Options{})
			if err != nil || !slices.Equal(got.Requests, requests) {
				t.Errorf("%d bytes and %d zeros: %+v, %v", len(streams), padding, got, err)
			}
			got, err = Read("x", iotest.OneByteReader(strings.NewReader(text)), Options{Object: 1})
			if err != nil || !slices.Equal(got.Requests, requests) {
				t.Errorf("%d bytes and %d zeros, one by one: %+v, %v", len(streams), padding, got, err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "padded.gz")
	if err := os.WriteFile(path, []byte(one+strings.Repeat("\x00", 10240)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Open(path, Options{Object: 1}); err != nil || len(got.Requests) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRead_BehindGzip: what else is behind the end of a gzip file is shown, with where it begins and what to
// do about it; so is a stream behind padding, which GNU gzip leaves out as well. A stream that is cut short
// is damaged.
func TestRead_BehindGzip(t *testing.T) {
	one := string(packs(t, "512\n676\n512\n")["gzip"])
	for _, x := range []struct {
		behind, shown string
		zeros         int
	}{{"A", `"A"`, 0}, {"\n", `"\n"`, 0}, {"garbage\x00", `"garbage\x00"`, 0}, {"\x00\x00A", `"A"`, 2},
		{"0123456789abcdef", `"0123456789abcdef"...`, 0}, {"\x1f", `"\x1f"`, 0}, {"\x1fA", `"\x1fA"`, 0},
		{strings.Repeat("\x00", 70_000) + "end", `"end"`, 70_000},
		{"\x00" + one, `"\x1f\x8b\b\x00\x00`, 1}} {
		_, err := read("x", one+x.behind, Options{})
		at := len(one) + x.zeros
		begin := fmt.Sprintf("x: gzip file with something behind its end: from offset %d on there is %s", at,
			x.shown)
		end := fmt.Sprintf(", where only zeros may follow: cut it off (head -c %d), or fetch the file again",
			at)
		if err == nil || !strings.HasPrefix(err.Error(), begin) || !strings.HasSuffix(err.Error(), end) {
			t.Errorf("%.40q behind it: %v, want %s%s", x.behind, err, begin, end)
		}
	}
	for n := 2; n < len(one); n++ {
		_, err := read("x", one+one[:n], Options{Format: "lirs"})
		if err == nil || !strings.Contains(err.Error(), "x: damaged gzip file: ") {
			t.Errorf("a second stream of %d bytes: %v", n, err)
		}
	}
	broken := io.MultiReader(strings.NewReader(one), iotest.ErrReader(io.ErrClosedPipe))
	if _, err := Read("x", broken, Options{Object: 1}); err == nil ||
		!strings.Contains(err.Error(), io.ErrClosedPipe.Error()) {
		t.Errorf("a file that cannot be read any further: %v", err)
	}
}

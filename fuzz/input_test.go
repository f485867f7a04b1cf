package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// errWrong is what every check wraps: what was judged does not do what it should.
var errWrong = errors.New("wrong")

func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errWrong, fmt.Errorf(format, args...))
}

// input hands out bytes one by one; behind the last one there are zeros.
type input struct {
	bytes []byte
}

func (in *input) done() bool { return len(in.bytes) == 0 }

func (in *input) next() byte {
	if in.done() {
		return 0
	}
	b := in.bytes[0]
	in.bytes = in.bytes[1:]
	return b
}

// below is a number below n, which is 1..256.
func (in *input) below(n int) int { return int(in.next()) % n }

// between is a number of low..high.
func (in *input) between(low, high int) int { return low + in.below(high-low+1) }

// word is eight bytes, little endian.
func (in *input) word() uint64 {
	var b [8]byte
	for i := range b {
		b[i] = in.next()
	}
	return binary.LittleEndian.Uint64(b[:])
}

// random is n bytes that look arbitrary and depend on the seed alone.
func random(seed uint32, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		seed = seed*1664525 + 1013904223 // Numerical Recipes
		b[i] = byte(seed >> 24)
	}
	return b
}

// corpus is what a target starts from: its seeds and its files of testdata.
func corpus(tb testing.TB, target string, seeds [][]byte) [][]byte {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "fuzz", target, "*"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		quoted, ok := bytes.CutPrefix(bytes.TrimSpace(text), []byte("go test fuzz v1\n[]byte("))
		data, err := strconv.Unquote(string(bytes.TrimSuffix(quoted, []byte(")"))))
		if !ok || err != nil {
			tb.Fatalf("%s: not one slice of bytes: %v", name, err)
		}
		seeds = append(seeds, []byte(data))
	}
	return seeds
}

// findsFault is a canary: on some input of the corpus the check must find the fault that is in it.
func findsFault(t *testing.T, inputs [][]byte, check func([]byte) error) {
	t.Helper()
	for i, data := range inputs {
		if err := check(data); err != nil {
			if !errors.Is(err, errWrong) {
				t.Fatalf("input %d: %v", i, err)
			}
			t.Logf("input %d of %d: %v", i+1, len(inputs), err)
			return
		}
	}
	t.Errorf("none of %d inputs shows the fault", len(inputs))
}

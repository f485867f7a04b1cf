package cache

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

type (
	userID uint64
	name   string
	blob   []byte
)

// roundTrip encodes and decodes, and refuses bytes of another length.
func roundTrip[T any](t *testing.T, size int, values ...T) {
	t.Helper()
	c, ok := CodecOf[T]()
	if !ok {
		t.Fatalf("no codec for %T", values)
	}
	for _, v := range values {
		b, err := c.Append([]byte{7}, v)
		if err != nil || b[0] != 7 || size > 0 && len(b) != 1+size {
			t.Fatalf("%v: %x, %v, want %d bytes", v, b, err, size)
		}
		got, err := c.Decode(b[1:])
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%v comes back as %v, %v", v, got, err)
		}
	}
	for n := range 20 {
		if size == 0 || n == size {
			continue
		}
		var none T
		says := fmt.Sprintf("%d bytes for a value of %T, want %d: %v", n, none, size, ErrCodec)
		if v, err := c.Decode(bytes.Repeat([]byte{1}, n)); !errors.Is(err, ErrCodec) || err.Error() != says ||
			!reflect.DeepEqual(v, none) {
			t.Errorf("%v, %v, want %s", v, err, says)
		}
	}
}

func TestCodecOf_RoundTrips(t *testing.T) {
	roundTrip[int](t, 8, 0, -1, math.MaxInt, math.MinInt)
	roundTrip[uint](t, 8, 0, 1, math.MaxUint)
	roundTrip[bool](t, 1, false, true)
	roundTrip[int8](t, 1, -128, 127)
	roundTrip[uint8](t, 1, 0, 255)
	roundTrip[int16](t, 2, -32768, 1)
	roundTrip[uint16](t, 2, 0x1234)
	roundTrip[int32](t, 4, math.MinInt32, 5)
	roundTrip[uint32](t, 4, 0xFEDCBA98)
	roundTrip[int64](t, 8, math.MinInt64, 5)
	roundTrip[userID](t, 8, 0, math.MaxUint64)
	roundTrip[float32](t, 4, 1.5)
	roundTrip[float64](t, 8, -2.25)
	roundTrip[string](t, 0, "", "abc")
	roundTrip[name](t, 0, "", "abc")
	roundTrip[[]byte](t, 0, []byte{}, []byte("xyz"))
	roundTrip[blob](t, 0, blob{}, blob("xyz"))
}

// The bytes are the same on each machine.
func TestCodecOf_LowByteFirst(t *testing.T) {
	c, _ := CodecOf[userID]()
	if b, _ := c.Append(nil, 0x0102030405060708); string(b) != "\x08\x07\x06\x05\x04\x03\x02\x01" {
		t.Errorf("%x", b)
	}
	bools, _ := CodecOf[bool]()
	if v, err := bools.Decode([]byte{3}); v || !errors.Is(err, ErrCodec) ||
		!strings.HasPrefix(err.Error(), "byte 3 for a value of bool, want 0 or 1: ") {
		t.Errorf("%v, %v", v, err)
	}
}

func TestCodecOf_OtherTypesHaveNone(t *testing.T) {
	if _, ok := CodecOf[struct{ A int }](); ok {
		t.Error("a structure has a codec")
	}
	if _, ok := CodecOf[uintptr](); ok {
		t.Error("a uintptr has a codec")
	}
	if _, ok := CodecOf[[]int](); ok {
		t.Error("a slice of int has a codec")
	}
	var e *Error
	c := open(t, "", small())
	_, err := NewTyped[map[string]int, int](c, nil, nil)
	if !errors.As(err, &e) || e.Field != "codec of the key" {
		t.Errorf("%v", err)
	}
	_, err = NewTyped[map[string]int, struct{}](c, nil, nil) // the key is judged first
	if !errors.As(err, &e) || e.Field != "codec of the key" {
		t.Errorf("%v", err)
	}
	if _, err := NewTyped[int, map[string]int](c, nil, nil); !errors.As(err, &e) ||
		e.Field != "codec of the value" {
		t.Errorf("%v", err)
	}
}

// keyTrip holds the keys of a view against the numbers: those that are equal are one key, 0 and -0 among
// them, and no others are.
func keyTrip[T float32 | float64](t *testing.T, all ...T) {
	t.Helper()
	c, ok := keyCodecOf[T]()
	if !ok {
		t.Fatalf("no codec of keys of %T", all)
	}
	for _, v := range all {
		mine, err := c.Append([]byte{7}, v)
		back, bad := c.Decode(mine[1:])
		if err != nil || bad != nil || mine[0] != 7 || back != v || v == 0 && math.Signbit(float64(back)) {
			t.Errorf("%v comes back as %v, %v, %v", v, back, err, bad)
		}
		for _, w := range all {
			if other, err := c.Append([]byte{7}, w); err != nil || bytes.Equal(mine, other) != (v == w) {
				t.Errorf("%v is %x, and %v is %x, %v", v, mine, w, other, err)
			}
		}
	}
}

func TestCodecOf_KeysOfZero(t *testing.T) {
	keyTrip(t, 0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
		math.Float64frombits(1<<63|1<<8), math.Float64frombits(1<<63|1<<40),
		math.Float64frombits(1<<63|1<<48), math.Float64frombits(1<<48), math.Inf(-1), math.Inf(1),
		math.MaxFloat64, -math.MaxFloat64, 2, -2)
	keyTrip(t, 0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32,
		-math.SmallestNonzeroFloat32, math.Float32frombits(1<<31|1<<8), math.Float32frombits(1<<31|1<<16),
		math.Float32frombits(1<<16), float32(math.Inf(-1)), float32(math.Inf(1)), 2, -2)
}

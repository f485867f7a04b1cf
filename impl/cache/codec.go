package cache

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// Codec converts values of a type into bytes and back. Two keys must have the same bytes exactly when they
// are equal. All processes of a cache must use codecs that write the same bytes. All goroutines call its
// methods at once.
type Codec[T any] interface {
	// Append appends the bytes of v to dst and returns the longer slice, as the function append does. The
	// cache writes into the returned slice again. So it must be dst or a new slice, and must not belong to
	// anybody else.
	Append(dst []byte, v T) ([]byte, error)
	// Decode makes a value of bytes that Append has written. It must not keep them.
	Decode(b []byte) (T, error)
}

// CodecOf is the default codec of Typed for a type. Integers, floating-point numbers and bool have a fixed
// number of bytes, the low byte first (int and uint have 8 bytes). Strings and []byte are stored as their
// bytes. Types that are defined by one of these types have codecs as well. ok is false for other types, such
// as uintptr. Typed writes a key of -0 as 0, because the two are equal. If a key is NaN, each bit pattern is
// a key of its own.
func CodecOf[T any]() (codec Codec[T], ok bool) {
	switch t := reflect.TypeFor[T](); t.Kind() {
	case reflect.Int:
		return integer[T]{}, true
	case reflect.Uint:
		return natural[T]{}, true
	case reflect.Bool, reflect.Int8, reflect.Uint8, reflect.Int16, reflect.Uint16, reflect.Int32,
		reflect.Uint32, reflect.Int64, reflect.Uint64, reflect.Float32, reflect.Float64:
		return fixed[T]{int(t.Size())}, true
	case reflect.String:
		return text[T]{}, true
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return raw[T]{}, true
		}
	}
	return nil, false
}

// keyCodecOf is CodecOf for keys: 0 and -0 are equal, so they have the same bytes.
func keyCodecOf[T any]() (codec Codec[T], ok bool) {
	codec, ok = CodecOf[T]()
	if kind := reflect.TypeFor[T]().Kind(); kind == reflect.Float32 || kind == reflect.Float64 {
		return oneZero[T]{codec.(fixed[T])}, true
	}
	return codec, ok
}

// oneZero is the codec of a floating-point number that writes -0 as 0.
type oneZero[T any] struct{ fixed[T] }

func (o oneZero[T]) Append(dst []byte, v T) ([]byte, error) {
	dst, err := o.fixed.Append(dst, v)
	if b := dst[len(dst)-o.size:]; b[o.size-1] == 0x80 && allZero(b[:o.size-1]) {
		b[o.size-1] = 0
	}
	return dst, err
}

func allZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// short is the error for bytes that no value of the type has.
func short[T any](b []byte, want int) error {
	return fmt.Errorf("%d bytes for a value of %v, want %d: %w", len(b), reflect.TypeFor[T](), want, ErrCodec)
}

// fixed is the codec of numbers with so many bytes. CodecOf ensures that T has this size and no pointers.
type fixed[T any] struct{ size int }

func (f fixed[T]) Append(dst []byte, v T) ([]byte, error) {
	p := unsafe.Pointer(&v)
	switch f.size {
	case 1:
		return append(dst, *(*uint8)(p)), nil
	case 2:
		return binary.LittleEndian.AppendUint16(dst, *(*uint16)(p)), nil
	case 4:
		return binary.LittleEndian.AppendUint32(dst, *(*uint32)(p)), nil
	}
	return binary.LittleEndian.AppendUint64(dst, *(*uint64)(p)), nil
}

func (f fixed[T]) Decode(b []byte) (v T, err error) {
	if len(b) != f.size {
		return v, short[T](b, f.size)
	}
	p := unsafe.Pointer(&v)
	switch f.size {
	case 1:
		if b[0] > 1 && reflect.TypeFor[T]().Kind() == reflect.Bool {
			return v, fmt.Errorf("byte %d for a value of %v, want 0 or 1: %w", b[0], reflect.TypeFor[T](),
				ErrCodec)
		}
		*(*uint8)(p) = b[0]
	case 2:
		*(*uint16)(p) = binary.LittleEndian.Uint16(b)
	case 4:
		*(*uint32)(p) = binary.LittleEndian.Uint32(b)
	default:
		*(*uint64)(p) = binary.LittleEndian.Uint64(b)
	}
	return v, nil
}

// integer is the codec of int: 8 bytes on every machine.
type integer[T any] struct{}

func (integer[T]) Append(dst []byte, v T) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(dst, uint64(*(*int)(unsafe.Pointer(&v)))), nil
}

func (integer[T]) Decode(b []byte) (v T, err error) {
	if len(b) != counterBytes {
		return v, short[T](b, counterBytes)
	}
	n := int64(binary.LittleEndian.Uint64(b))
	if int64(int(n)) != n {
		return v, fmt.Errorf("%d is no int of this machine: %w", n, ErrCodec)
	}
	*(*int)(unsafe.Pointer(&v)) = int(n)
	return v, nil
}

// natural is the codec of uint: 8 bytes on every machine.
type natural[T any] struct{}

func (natural[T]) Append(dst []byte, v T) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(dst, uint64(*(*uint)(unsafe.Pointer(&v)))), nil
}

func (natural[T]) Decode(b []byte) (v T, err error) {
	if len(b) != counterBytes {
		return v, short[T](b, counterBytes)
	}
	n := binary.LittleEndian.Uint64(b)
	if uint64(uint(n)) != n {
		return v, fmt.Errorf("%d is no uint of this machine: %w", n, ErrCodec)
	}
	*(*uint)(unsafe.Pointer(&v)) = uint(n)
	return v, nil
}

// text is the codec of strings.
type text[T any] struct{}

func (text[T]) Append(dst []byte, v T) ([]byte, error) {
	return append(dst, *(*string)(unsafe.Pointer(&v))...), nil
}

func (text[T]) Decode(b []byte) (v T, err error) {
	*(*string)(unsafe.Pointer(&v)) = string(b)
	return v, nil
}

// raw is the codec of byte slices.
type raw[T any] struct{}

func (raw[T]) Append(dst []byte, v T) ([]byte, error) {
	return append(dst, *(*[]byte)(unsafe.Pointer(&v))...), nil
}

func (raw[T]) Decode(b []byte) (v T, err error) {
	*(*[]byte)(unsafe.Pointer(&v)) = append([]byte{}, b...)
	return v, nil
}

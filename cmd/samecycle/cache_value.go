package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"golang.org/x/term"
)

// The keys and values that commands of a cache are given.

// keysOf are keys on the command line: as they are, or in base64.
func keysOf(args []string, inBase64 bool) ([]string, error) {
	if !inBase64 {
		return args, nil
	}
	var keys []string
	for _, arg := range args {
		key, err := base64.StdEncoding.Strict().DecodeString(arg)
		if err != nil {
			return nil, fmt.Errorf("--key-base64: the key %q is not in base64: use the key_base64 that "+
				"samecycle cache keys --json prints, or leave the flag out", arg)
		}
		keys = append(keys, string(key))
	}
	return keys, nil
}

// errNoValue says that there is neither a value nor an input that somebody has redirected.
var errNoValue = errors.New("VALUE is missing, and no file is redirected to the standard input")

// errLarge says that an input has more bytes than were asked for.
var errLarge = errors.New("the standard input has too many bytes")

// interruptTime is how long a value that came through a pipe waits for an interrupt. One that a person sends
// ends the program at the other end as well, whose end must not be taken for that of the value. A test has
// another one.
var interruptTime = 50 * time.Millisecond

// inputOf is what the input has, which may be at most so many bytes; of more only the next one is read. An
// interrupt ends it at once, whatever the input does. Errors: errLarge, the cause of the interrupt, and those
// of the input.
func inputOf(ctx context.Context, in io.Reader, most int) ([]byte, error) {
	type read struct {
		value []byte
		err   error
	}
	done := make(chan read, 1)
	go func() {
		value, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
		done <- read{value, err}
	}()
	var r read
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r = <-done:
	}
	switch {
	case r.err != nil:
		return nil, fmt.Errorf("no value on the command line, and none on the standard input: %w", r.err)
	case len(r.value) > most:
		return nil, errLarge
	case isRegular(in):
		return r.value, nil
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-time.After(interruptTime):
		return r.value, nil
	}
}

// isRegular reports whether the input is a file whose end is that of what it has.
func isRegular(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// isTerminal reports whether the input is one: then nobody has redirected a file into it.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// valueToSet is the value of cache set: that on the command line, or what the input has, if the cache in the
// file has room for it. Who leaves FILE out names the key as the file, and the value as the key. So a value
// from the input makes a cache only where --size says that there is to be a new one.
func valueToSet(ctx context.Context, in io.Reader, file, key string, args []string,
	o cache.Options) ([]byte, error) {
	if len(args) > 0 {
		return []byte(args[0]), nil
	}
	if isTerminal(os.Stdin) {
		return nil, errNoValue
	}
	if _, err := os.Stat(file); o.Bytes == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no cache %s, and VALUE is missing: name FILE, KEY and VALUE; to "+
			"make a cache for a value from the standard input, add --size 256MiB", shellWord(file))
	}
	room, err := roomIn(file, len(key), o)
	if err != nil {
		return nil, err
	}
	value, err := inputOf(ctx, in, room.most)
	if errors.Is(err, errLarge) {
		err = room.tooLarge()
	}
	return value, failed(err)
}

// bytesOf is the number of bytes that a flag says, within bounds that are whole numbers of KiB. A most of 0
// is none.
func bytesOf(flag, text, such string, least, most uint64) (uint64, error) {
	size, err := sizeOf(text)
	switch {
	case err != nil || size.bytes == 0:
		return 0, fmt.Errorf("%s %s: use a number of bytes, such as %s", flag, text, such)
	case most == 0 && size.bytes < least:
		return 0, fmt.Errorf("%s %s: use %s or more", flag, text, wholeBytes(least))
	case most > 0 && (size.bytes < least || size.bytes > most):
		return 0, fmt.Errorf("%s %s: use %s to %s", flag, text, wholeBytes(least), wholeBytes(most))
	}
	return size.bytes, nil
}

// wholeBytes is a number of bytes, as a flag takes it, in the largest unit of which it is a whole number.
func wholeBytes(n uint64) string {
	unit := "KiB"
	n >>= 10
	for _, larger := range []string{"MiB", "GiB"} {
		if n%1024 == 0 {
			n, unit = n/1024, larger
		}
	}
	return fmt.Sprint(n, unit)
}

// room is what a cache has room for.
type room struct {
	key    int    // bytes of the key
	keys   int    // bytes of a key, at most
	most   int    // bytes of its value
	basket uint32 // bytes of a basket; 0: there is no cache yet
}

// roomIn is that of the cache in a file, or if there is none, more than any cache has that would be made.
func roomIn(file string, key int, o cache.Options) (room, error) {
	c, err := cache.Attach(file, o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		bytes := o.Bytes
		if bytes == 0 {
			bytes = cache.DefaultBytes
		}
		return room{key, cache.KeyMax, int(min(bytes, cache.BasketBytesMax)), 0}, nil
	case err != nil:
		err, _ = ownPolicy(file, orNoRegion(file, err))
		return room{}, failed(err)
	}
	return roomOf(c, key), failed(c.Close())
}

func roomOf(c *cache.Cache, key int) room {
	return room{key, min(c.ValueMax(0), cache.KeyMax), c.ValueMax(key), c.Options().BasketBytes}
}

// basketBySize is the size of a basket in a cache of the largest --size.
const basketBySize = 4 << 20

// tooLarge is the error of a value, or of a key, for which there is no room.
func (r room) tooLarge() error {
	if r.key > r.keys {
		advice := "use a shorter one"
		if r.keys < cache.KeyMax {
			advice += ", or make a new cache with a larger --size"
		}
		return fmt.Errorf("the key is too long: it has %d bytes, and a key can have at most %d bytes here; "+
			"%s", r.key, r.keys, advice)
	}
	advice := "make it smaller, or make a new cache with a larger --size"
	if r.basket == 0 || r.basket >= basketBySize {
		advice = "make it smaller, or store it in parts"
	}
	if r.basket == 0 {
		return fmt.Errorf("the value is too large: it has more than %d bytes; %s", r.most, advice)
	}
	return fmt.Errorf("the value is too large: with a key of %d bytes it can have at most %d bytes here; %s",
		r.key, r.most, advice)
}

// write gives a key its value, in the way that was asked for, and reports whether it has it.
func (x setting) write(c *cache.Cache, key, value []byte) (set bool, err error) {
	switch {
	case x.ifAbsent && x.ttlGiven:
		set, err = c.SetIfAbsentTTL(key, value, x.ttl)
	case x.ifAbsent:
		set, err = c.SetIfAbsent(key, value)
	case x.ttlGiven:
		set, err = true, c.SetTTL(key, value, x.ttl)
	default:
		set, err = true, c.Set(key, value)
	}
	if errors.Is(err, cache.ErrTooLarge) || errors.Is(err, cache.ErrKey) {
		err = roomOf(c, len(key)).tooLarge()
	}
	return set, err
}

package cache

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Each failure of this package wraps one of these, or one of package region where the file or the system is
// at fault, or one of package hopscotch where the index is.
var (
	ErrOptions  = errors.New("options of a cache unusable")
	ErrClosed   = errors.New("cache is closed: open it again")
	ErrTTL      = errors.New("time to live is negative: use 0 for no end, or a positive time")
	ErrCounter  = errors.New("value is no counter: use 8 bytes, as Add and Typed[K, int64] write them")
	ErrOverflow = errors.New("counter would leave the range of int64: its value is as before")
	ErrBatch    = errors.New("batch has slices of different lengths: make them as long as the keys")
	ErrCodec    = errors.New("value has other bytes than its codec writes: use one codec for one cache")
	ErrBusy     = errors.New("nothing free for this call: close other caches of the file, or try again")

	ErrOp = errors.New(
		"function of Compute returned no operation: return Keep, Write, WriteKeepTTL or Remove")

	ErrKey      = basket.ErrKey      // the key is longer than KeyMax
	ErrTooLarge = basket.ErrTooLarge // the value does not fit into a basket; what the key had stays
	ErrNoRoom   = basket.ErrNoRoom   // no basket can be freed at present
	ErrCorrupt  = basket.ErrCorrupt  // the region is damaged: unlink the file, and create it anew
)

// failed is an error of that call, nil for none. Callers look for ErrCorrupt and ErrBusy, whatever part of
// the cache has them.
func failed(call string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, hopscotch.ErrCorrupt):
		err = classed{ErrCorrupt, err}
	case errors.Is(err, hopscotch.ErrBusy), errors.Is(err, basket.ErrBusy):
		err = classed{ErrBusy, err}
	}
	return fmt.Errorf("%s: %w", call, err)
}

// classed is an error of a part of the cache that is one of the cache as well.
type classed struct{ class, err error }

func (e classed) Error() string   { return e.err.Error() }
func (e classed) Unwrap() []error { return []error{e.class, e.err} }

// neverOpened is ErrClosed of a *Cache that is nil or zero, and of a Typed without one.
type neverOpened struct{}

func (neverOpened) Error() string {
	return "cache was never opened: use what Open returns with a nil error"
}

func (neverOpened) Unwrap() error { return ErrClosed }

// Error tells which option was wrong, and what to do about it.
type Error struct {
	Field string // of Options
	Found string
	Want  string
	Do    string // what the reader of the message can do
}

// Error has the form: cache: option FIELD is FOUND, want WANT: DO.
func (e *Error) Error() string {
	return fmt.Sprintf("cache: option %s is %s, want %s: %s", e.Field, e.Found, e.Want, e.Do)
}

// Unwrap gives ErrOptions.
func (e *Error) Unwrap() error { return ErrOptions }

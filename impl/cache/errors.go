package cache

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Each error of this package wraps one of these errors. If the file or the system is at fault, it wraps an
// error of package region; if the index is, one of package hopscotch.
var (
	ErrOptions  = errors.New("options of a cache unusable")
	ErrClosed   = errors.New("cache is closed: open it again")
	ErrTTL      = errors.New("time to live is negative: use 0 for no end, or a positive time")
	ErrCounter  = errors.New("value is no counter: use 8 bytes, as Add and Typed[K, int64] write them")
	ErrOverflow = errors.New("counter would leave the range of int64: its value is as before")
	ErrBatch    = errors.New("batch has slices of different lengths: make them as long as the keys")
	ErrCodec    = errors.New("value has other bytes than its codec writes: use one codec for one cache")
	ErrBusy     = errors.New("cache is busy: close other caches of the file, or try again")

	ErrOp = errors.New(
		"function of Compute returned no operation: return Keep, Write, WriteKeepTTL or Remove")

	ErrKey      = basket.ErrKey      // the key is longer than KeyMax; to calls that only look it is absent
	ErrTooLarge = basket.ErrTooLarge // the value does not fit into a basket; the key keeps its value
	ErrNoRoom   = basket.ErrNoRoom   // no basket can be freed at present
	ErrCorrupt  = basket.ErrCorrupt  // the region is damaged: unlink the file, and create it anew
)

// failed adds the name of the call to an error; it returns nil for nil. Callers test for ErrCorrupt and
// ErrBusy, so errors of the parts of the cache wrap these, too.
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

// classed is an error of a part of the cache that also wraps an error of the cache.
type classed struct{ class, err error }

func (e classed) Error() string   { return e.err.Error() }
func (e classed) Unwrap() []error { return []error{e.class, e.err} }

// neverOpened is the ErrClosed of a *Cache that is nil or zero, and of a Typed without a cache.
type neverOpened struct{}

func (neverOpened) Error() string {
	return "cache was never opened: use what Open returns with a nil error"
}

func (neverOpened) Unwrap() error { return ErrClosed }

// Error says which option was wrong, and what to do about it.
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

// Unwrap returns ErrOptions.
func (e *Error) Unwrap() error { return ErrOptions }

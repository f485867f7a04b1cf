package region

import (
	"errors"
	"fmt"
)

// Each error of this package wraps one of these errors. All except ErrSystem come as an *Error.
var (
	ErrGeometry   = errors.New("geometry out of bounds")
	ErrMagic      = errors.New("not a region")
	ErrUnfinished = errors.New("region not finished")
	ErrVersion    = errors.New("format version differs")
	ErrLayout     = errors.New("layout differs")
	ErrSize       = errors.New("size is wrong")
	ErrHeader     = errors.New("header is damaged")
	ErrSpare      = errors.New("spare word is written")
	ErrOwner      = errors.New("owner differs")
	ErrMode       = errors.New("mode is too open")
	ErrNotRegular = errors.New("not a regular file")
	ErrClosed     = errors.New("region is closed")
	ErrNil        = errors.New("argument is nil")
	ErrRange      = errors.New("offset out of range")
	ErrFault      = errors.New("memory is gone")
	ErrDirty      = errors.New("memory is not zero")
	ErrProcesses  = errors.New("process table is full")
	ErrReadOnly   = errors.New("region is read-only")
	ErrSystem     = errors.New("system call failed") // wraps the errno too
)

// Error says what was wrong with which field of which file, and what to do about it.
type Error struct {
	Reason error  // one of the sentinels above
	File   string // path as given, "" for a heap region
	Field  string // the field, attribute or argument that was looked at
	Found  string
	Want   string
	Do     string // what the reader of the message can do
}

// Error has the form: region FILE: FIELD is FOUND, want WANT (REASON): DO.
func (e *Error) Error() string {
	name := "region on the heap"
	if e.File != "" {
		name = "region " + e.File
	}
	return fmt.Sprintf("%s: %s is %s, want %s (%v): %s",
		name, e.Field, e.Found, e.Want, e.Reason, e.Do)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// system wraps the errno of a failed call on file with ErrSystem.
func system(call, file, do string, cause error) error {
	return fmt.Errorf("region %s: %s: %w: %w; %s", file, call, ErrSystem, cause, do)
}

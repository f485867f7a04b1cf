package slots

import (
	"errors"
	"fmt"
)

// Each error of this package wraps one of these errors.
var (
	// ErrTooLarge: a request does not fit. It was not sent.
	ErrTooLarge = errors.New("too large")
	// ErrBusy: another process, or handle, has the role.
	ErrBusy = errors.New("busy")
	// ErrCorrupt: the slot file is damaged, or somebody else has written there.
	ErrCorrupt = errors.New("damaged")
	// ErrClosed: the client or the service is closed.
	ErrClosed = errors.New("closed")
	// ErrOptions: an option is out of bounds.
	ErrOptions = errors.New("options of a slot file unusable")
	// ErrFile: the file cannot be used here, because its kind, owner, mode or layout is wrong.
	ErrFile = errors.New("slot file unusable")
	// ErrSystem: the operating system refused a call. The error wraps what it said.
	ErrSystem = errors.New("system call failed")
)

// Error says what is wrong with a file, an option or a request, and what to do about it.
type Error struct {
	Reason error  // one of the errors above
	File   string // "" if it is not about a file
	Call   string // what the system was asked for, if it has refused that
	Field  string // what was looked at
	Found  string
	Want   string
	Do     string // what the reader of the message can do
	Cause  error  // what the system said, or nil
}

// Error has the form: slots: FILE: CALL: REASON: FIELD is FOUND, want WANT: DO: CAUSE. Parts that are empty
// are left out.
func (e *Error) Error() string {
	text := "slots: "
	if e.File != "" {
		text += e.File + ": "
	}
	if e.Call != "" {
		text += e.Call + ": "
	}
	text += e.Reason.Error()
	if e.Field != "" {
		text += fmt.Sprintf(": %s is %s", e.Field, e.Found)
	}
	if e.Want != "" {
		text += ", want " + e.Want
	}
	if e.Do != "" {
		text += ": " + e.Do
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the reason and the error of the system.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Cause}
}

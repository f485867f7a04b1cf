//go:build !linux

package slots

import "errors"

// descriptor is nothing here: slot files need locks of open file descriptions and futexes.
type descriptor struct{}

func elsewhere(path string) error {
	return &Error{Reason: ErrSystem, File: path, Do: "slot files need Linux", Cause: errors.ErrUnsupported}
}

// Create needs Linux. Errors: ErrSystem.
func Create(path string, _ Options) (*Service, error) { return nil, elsewhere(path) }

// Dial needs Linux. Errors: ErrSystem.
func Dial(path string, _ int) (*Client, error) { return nil, elsewhere(path) }

// Close ends the view of memory that the caller has mapped. Errors: ErrClosed.
func (m *mailbox) Close() error {
	if m.memory == nil {
		return &Error{Reason: ErrClosed, Field: "slot file", Found: "closed", Want: "open",
			Do: "close it once"}
	}
	m.memory = nil
	return nil
}

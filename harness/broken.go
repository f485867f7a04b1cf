package harness

import (
	"errors"
	"regexp"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/linearizability"
)

// Complaint is an error of a judge that distinguishes failures: a smaller failure must have the same
// complaint.
type Complaint string

// Error is the complaint.
func (c Complaint) Error() string { return string(c) }

// ErrOperation says that an operation of a program returned an error. No operation of a program may do so.
const ErrOperation = Complaint("operation failed")

// propertyName is the head of a complaint of the model.
var propertyName = regexp.MustCompile(`(?:^|; )([A-Z][A-Za-z0-9]+): `)

// Broken names what a failure violates: properties of the model, the names that the failure's error returns
// by a method Broken() []string, or the judge. It is empty for the explorer's own kinds of failure, such as a
// deadlock.
func Broken(f *explore.Failure) []string {
	var rejected *Rejection
	var names interface{ Broken() []string }
	var complaint Complaint
	switch {
	case errors.As(f.Err, &rejected):
		var all []string
		for _, m := range propertyName.FindAllStringSubmatch(rejected.Guard, -1) {
			all = append(all, m[1])
		}
		return append(all, "step "+rejected.Action+" of the model")
	case errors.As(f.Err, &names):
		return names.Broken()
	}
	for _, err := range []error{linearizability.ErrIllegal, linearizability.ErrUnknown} {
		if errors.Is(f.Err, err) {
			return []string{err.Error()}
		}
	}
	if errors.As(f.Err, &complaint) {
		return []string{complaint.Error()}
	}
	if errors.Is(f.Err, ErrRejected) {
		return []string{ErrRejected.Error()}
	}
	return nil
}

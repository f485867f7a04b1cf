package scenarios

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// structure runs the structural check of the table.
func structure(t *hopscotch.Table, live bool) error {
	found := hopscotch.Check(t, hopscotch.CheckOptions{Live: live})
	if len(found) == 0 {
		return nil
	}
	return &structureError{found}
}

// structureError is what the structural check found.
type structureError struct{ found hopscotch.Findings }

func (e *structureError) Error() string {
	return fmt.Sprintf("%v: %d findings, the first: %v", ErrStructure, len(e.found), e.found[0])
}

func (e *structureError) Unwrap() error { return ErrStructure }

// Broken names each invariant that is violated once.
func (e *structureError) Broken() []string {
	var all []string
	for _, x := range e.found {
		if !slices.Contains(all, x.Invariant) {
			all = append(all, x.Invariant)
		}
	}
	return all
}

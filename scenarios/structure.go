package scenarios

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// structure runs the structural check of the table.
func structure(t *hopscotch.Table, live bool) error {
	found := hopscotch.Check(t, hopscotch.CheckOptions{Live: live})
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d findings, the first: %v", ErrStructure, len(found), found[0])
}

//go:build !explore

package fuzz

import (
	"errors"

	scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"
)

// plainBuild tells whether the error says that this build has no explorer.
func plainBuild(err error) bool { return errors.Is(err, scenarios.ErrPlain) }

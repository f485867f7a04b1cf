//go:build !explore

package fuzz

import (
	"errors"

	"github.com/samecycle/samecycle/harness"
)

// plainBuild tells whether the error says that this build has no explorer.
func plainBuild(err error) bool { return errors.Is(err, harness.ErrPlain) }

//go:build !linux

package hostileslots

import (
	"context"
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/slots"
)

var geometry slots.Options

// hostile needs slot files.
func (x *run) hostile(context.Context) error {
	return fmt.Errorf("slot files need Linux: %w", errors.ErrUnsupported)
}

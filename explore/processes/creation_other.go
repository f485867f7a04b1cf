//go:build !linux

package processes

import (
	"errors"

	"github.com/samecycle/samecycle/impl/region"
)

// folder is the site of a process of the operating system; here there is none.
type folder struct {
	path   string
	layout region.Layout
}

func (folder) seen() bool { return false }

func (folder) taken() (bool, error) { return false, errors.ErrUnsupported }

func (folder) memory() ([]byte, region.System, error) { return nil, nil, errors.ErrUnsupported }

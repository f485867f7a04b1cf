//go:build !linux

package hostile

import "errors"

// errPlatform says that a cache lies in a file on Linux only.
var errPlatform = errors.New("a cache lies in a file on Linux only: run this there")

func (x *round) prepare() error { return errPlatform }

func (x *round) unmap() error { return errPlatform }

func (x *round) truncate(int) error { return errPlatform }

//go:build !linux

package hostile

import "errors"

// errPlatform means that a cache in a file needs Linux.
var errPlatform = errors.New("a cache lies in a file on Linux only: run this there")

func (x *round) prepare() error { return errPlatform }

func (x *round) unmap() error { return errPlatform }

func (x *round) truncate(int) error { return errPlatform }

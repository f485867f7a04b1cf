//go:build !linux

package stress

import "errors"

var errShared = errors.New("processes share their log on Linux only: use --processes 0")

func createShared(string, int) (shared, error) { return nil, errShared }

func openShared(string, int) (shared, error) { return nil, errShared }

func (m shared) unmap() error { return errShared }

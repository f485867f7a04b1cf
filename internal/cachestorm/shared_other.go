//go:build !linux

package cachestorm

import "errors"

// errPlatform means that a cache shared by processes needs Linux.
var errPlatform = errors.New("processes share a cache on Linux only: run the storm there")

func mapWords(string, int, bool) (shared, error) { return nil, errPlatform }

func (b *board) close() error { return errPlatform }

func (p *process) halt() {}

func (p *process) resume() {}

func clockNow() int64 { return 0 }

func schedule() (ran, ready int64, ok bool) { return 0, 0, false }

func stolen() int64 { return 0 }

func majorFaults() int64 { return 0 }

//go:build !linux

package region

import "errors"

// ErrPlatform is what file regions give on systems for which they are not written.
var ErrPlatform = errors.New("region files need linux: use Heap")

// canMap tells Heap that all regions are Go memory.
const canMap = false

// Create needs linux.
func Create(string, Layout) (*Region, error) { return nil, ErrPlatform }

// Open needs linux.
func Open(string, Layout) (*Region, error) { return nil, ErrPlatform }

// Unlink needs linux.
func Unlink(string) error { return ErrPlatform }

func (r *Region) mapAnonymous(int) ([]byte, error) { return nil, ErrPlatform }

func unmap(string, []byte) error { return ErrPlatform }

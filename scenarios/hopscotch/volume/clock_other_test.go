//go:build !linux

package volume

import "time"

var began = time.Now()

// threadTime stands for the time of the thread, where it is not known.
func threadTime() int64 { return int64(time.Since(began)) }

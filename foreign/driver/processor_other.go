//go:build !unix

package driver

import "time"

// processorTime is as if the process never waited.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }

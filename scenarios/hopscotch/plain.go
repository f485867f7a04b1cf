//go:build !explore

package scenarios

import "errors"

// ErrPlain says that the program was built without the explorer's seam.
var ErrPlain = errors.New("engine cannot be explored: this program was built without the tag " +
	"explore; build it with: make build")

func requireExplored() error { return ErrPlain }

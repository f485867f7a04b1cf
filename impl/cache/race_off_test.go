//go:build !race

package cache

// raced tells that the race detector is in this build.
const raced = false

//go:build !linux

package cache

import "testing"

// cacheFile ends the test: there is no region in a file on this system.
func cacheFile(t testing.TB) string {
	t.Helper()
	t.Skip("NOT RUN: a cache in a file needs Linux; run the test there")
	return ""
}

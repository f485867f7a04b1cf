package bench

import (
	"os"
	"testing"
)

// The test binary is its own second process.
func TestMain(m *testing.M) {
	Child()
	os.Exit(m.Run())
}

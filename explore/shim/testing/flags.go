package testing

import (
	"flag"
	"os"
	"testing"

	"github.com/samecycle/samecycle/explore/shim/globals"
)

// Init registers the flags of the original. It has no effect if it was called before.
func Init() { testing.Init() }

// KeepFlags keeps the command line: the flags, those that are registered by now and their values, whether
// they were parsed, and os.Args.
func KeepFlags() *globals.Snapshot {
	return globals.KeepOnly("flag", &flag.CommandLine, &flag.Usage, &os.Args)
}

// SetShort chooses the form of the test: what Short reports, and the flag for it.
func SetShort(short bool) {
	if InShort = short; short {
		_ = flag.Set("test.short", "true") // it fails if nobody has called Init
	}
}

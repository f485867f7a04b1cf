package samestates

import (
	"flag"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	runs  = flag.String("runs", "", "compare the states of these runs alone, with commas between")
	equal = flag.String("equal", "", "file that gets the name of each run whose states are the same")
)

// askedTime bounds each run of TLC that is asked for by -runs.
const askedTime = 20 * time.Minute

// Asked returns the runs that the flag -runs names, of those that are given. If the flag names none at all,
// set is false, and the test decides itself what it compares.
func Asked(names []string) (asked []string, set bool) {
	for _, name := range names {
		if slices.Contains(strings.Split(*runs, ","), name) {
			asked = append(asked, name)
		}
	}
	return asked, *runs != ""
}

var writing sync.Mutex

// Equal notes that the states of a run are the same, for who asked by -equal. A test calls it when it has
// compared them, and notes nothing if it has failed.
func Equal(t testing.TB, run string) {
	t.Helper()
	if *equal == "" || t.Failed() {
		return
	}
	writing.Lock()
	defer writing.Unlock()
	file, err := os.OpenFile(*equal, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.WriteString(run + "\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

package driver

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// Arguments is the variable of the environment that names the file with the arguments of a driver, in JSON.
// They are not on the command line, because the explored code sees that: it may have flags of the same names,
// and it may parse the flags when it is loaded.
const Arguments = "SAMECYCLE_DRIVER"

// commandLine is the flags of a driver. The explored code does not see them.
func commandLine() *flag.FlagSet { return flag.NewFlagSet("driver", flag.ExitOnError) }

// parse gives the flags the values of the arguments. Processes that the explored code starts do not get them.
// It ends the process with status 2 if there are none.
func parse(set *flag.FlagSet) {
	var args []string
	text, err := os.ReadFile(os.Getenv(Arguments))
	if err == nil {
		err = json.Unmarshal(text, &args)
	}
	if err == nil {
		err = os.Unsetenv(Arguments)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "this program explores code for samecycle, which starts it: %v\n", err)
		os.Exit(2)
	}
	_ = set.Parse(args) // it ends the process if it fails
}

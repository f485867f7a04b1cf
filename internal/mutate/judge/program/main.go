// Command program runs the programs of an engine's scenarios on code into which a mutant has been compiled.
// It is built and run by samecycle mutants.
package main

import (
	"fmt"
	"os"

	"github.com/samecycle/samecycle/internal/mutate/judge"
	"github.com/samecycle/samecycle/scenarios/engines"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run() error {
	o, err := judge.Parse(os.Args[1:])
	if err != nil {
		return err
	}
	e, ok := engines.ByName(o.Engine)
	if !ok {
		return fmt.Errorf("-engine %q is the name of none", o.Engine)
	}
	return judge.Run(e, o, hits, os.Stdout)
}

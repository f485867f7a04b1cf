package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/samecycle/samecycle/internal/newengine"
	"github.com/spf13/cobra"
)

func newEngineCommand(a *app) *cobra.Command {
	var letter string
	cmd := &cobra.Command{
		Use:   "new-engine NAME",
		Short: "Write the files of a small new engine, which you then change step by step",
		Long: `new-engine writes a small engine that is complete: its names, its specification, its model,
the code that ships, and its scenarios. It enters the engine into the list in
scenarios/engines/engines.go. The engine increments a shared number; its chain of evidence
is green from the start, and docs/add-an-engine.md says which file to change next.

NAME is the name of its Go packages: small letters and digits. No engine, no folder and no
text of a general package may have it already. The identifiers of its states begin with a
letter that no other engine has: --letter, or the first free letter of NAME.

No file is overwritten. If anything fails, the repository is as it was.

With --json it prints {"engine", "letter", "files", "edited", "next"}: the new files, the
existing files that were edited, and the command lines to run next.`,
		Example: `  samecycle new-engine counter
  samecycle new-engine counter --letter T`,
		Args: oneArgument("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := a.repository()
			if err != nil {
				return err
			}
			e, err := newengine.Write(root, args[0], letter)
			if errors.Is(err, newengine.ErrRefused) {
				return lineError("%w", err)
			}
			return a.deliver(newEngineReport(e), err)
		},
	}
	cmd.Flags().StringVar(&letter, "letter", "", "begin the identifiers of its states with this `LETTER`")
	return cmd
}

func newEngineReport(e newengine.Engine) report {
	next := []string{"make build", "bin/samecycle check --engine " + e.Name, "go test ./internal/lint"}
	return report{
		Data: map[string]any{"engine": e.Name, "letter": e.Letter, "files": e.Files, "edited": e.Edited,
			"next": next},
		Text: func(w io.Writer) error {
			var b strings.Builder
			fmt.Fprintf(&b, "the engine %s, whose states begin with %s, has these files:\n", e.Name, e.Letter)
			for _, name := range e.Files {
				fmt.Fprintf(&b, "  %s\n", name)
			}
			fmt.Fprintf(&b, "it is entered in %s\n", strings.Join(e.Edited, ", "))
			fmt.Fprintf(&b, "next, to see that its chain of evidence is green:\n  %s\n",
				strings.Join(next, "\n  "))
			fmt.Fprintln(&b, "then change it as docs/add-an-engine.md says")
			_, err := io.WriteString(w, b.String())
			return err
		},
	}
}

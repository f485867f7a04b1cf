package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpCommand is cobra's, but that a topic which there is not is an error.
func helpCommand() *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND]", Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("no command %q; samecycle --help lists them", strings.Join(args, " "))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		}}
}

// commandHelp is the help of a command as --json prints it.
type commandHelp struct {
	Command  string        `json:"command"`
	Usage    string        `json:"usage"`
	Text     string        `json:"text"`
	Examples []string      `json:"examples"`
	Flags    []flagHelp    `json:"flags"`
	Commands []commandLine `json:"commands"`
}

type flagHelp struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"`
	Text    string `json:"text"`
}

type commandLine struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// helpAsJSON makes the help of all commands JSON when it is asked for with --json.
func (a *app) helpAsJSON(root *cobra.Command) {
	text := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !a.json {
			text(cmd, args)
			return
		}
		_ = a.printJSON(helpOf(cmd)) // run looks at what became of the output
	})
}

func helpOf(cmd *cobra.Command) commandHelp {
	h := commandHelp{Command: cmd.CommandPath(), Usage: cmd.UseLine(), Text: cmd.Long,
		Examples: []string{}, Flags: []flagHelp{}, Commands: []commandLine{}}
	if h.Text == "" {
		h.Text = cmd.Short
	}
	for line := range strings.Lines(cmd.Example) {
		if line = strings.TrimSpace(line); line != "" {
			h.Examples = append(h.Examples, line)
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			h.Flags = append(h.Flags, flagHelp{f.Name, f.Value.Type(), f.DefValue, f.Usage})
		}
	})
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			h.Commands = append(h.Commands, commandLine{c.Name(), c.Short})
		}
	}
	return h
}

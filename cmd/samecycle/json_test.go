package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// shown are the commands that help lists, those of completion included, with their paths as words.
func shown(cmd *cobra.Command) (paths [][]string) {
	for _, c := range cmd.Commands() {
		if c.Hidden && c.Name() != "completion" {
			continue
		}
		paths = append(paths, strings.Fields(c.CommandPath())[1:])
		paths = append(paths, shown(c)...)
	}
	return paths
}

func allCommands() [][]string {
	root := newRoot(&app{out: io.Discard, err: io.Discard})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("x")
	return append([][]string{{}}, shown(root)...)
}

// objects are what a program reads, or an error if there is anything but JSON.
func objects(text string) (list []map[string]any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var x map[string]any
		if err := d.Decode(&x); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
}

// TestJSON_Everywhere: with --json each command prints JSON and nothing else on the standard output, of its
// help and of each error of the command line, too.
func TestJSON_Everywhere(t *testing.T) {
	commands := allCommands()
	if len(commands) < 14 {
		t.Fatalf("only %v", commands)
	}
	for _, words := range commands {
		name := strings.Join(append([]string{"samecycle"}, words...), " ")
		for _, more := range [][]string{{"--json", "--help"}, {"--help", "--json"}, {"-h", "--json"}} {
			code, out, errOut := call(append(slices.Clone(words), more...)...)
			list, err := objects(out)
			if err != nil || code != exitOK || len(list) != 1 || list[0]["command"] != name ||
				!strings.HasPrefix(fmt.Sprint(list[0]["usage"]), name) || list[0]["text"] == "" ||
				list[0]["flags"] == nil || list[0]["commands"] == nil || errOut != "" {
				t.Errorf("%s %v: status %d, %v\n%s%s", name, more, code, err, out, errOut)
			}
		}
		for _, more := range [][]string{{"--json", "--nonsense"}, {"--nonsense", "--json"},
			{"--json", "--root", ""}, {"--json=perhaps", "--json"}} {
			if name == "samecycle completion" && more[1] == "--root" {
				continue // it runs nothing, and shows its help
			}
			code, out, errOut := call(append(slices.Clone(words), more...)...)
			list, err := objects(out)
			if err != nil || code != exitUsage || len(list) != 1 || list[0]["exit"] != 2.0 ||
				list[0]["error"] == "" || !strings.HasPrefix(fmt.Sprint(list[0]["help"]), "samecycle") ||
				!strings.Contains(errOut, fmt.Sprint(list[0]["error"])) {
				t.Errorf("%s %v: status %d, %v\n%s%s", name, more, code, err, out, errOut)
			}
		}
	}
}

// TestJSON_NoCommand: a person gets the help, a program an error, for it has asked for nothing.
func TestJSON_NoCommand(t *testing.T) {
	code, out, _ := call("--json")
	list, err := objects(out)
	if err != nil || code != exitUsage || len(list) != 1 || list[0]["error"] != "a command is missing" ||
		list[0]["help"] != "samecycle --help" {
		t.Errorf("status %d, %v: %s", code, err, out)
	}
	if code, out, _ := call(); code != exitOK || !strings.Contains(out, "\nUsage:\n") {
		t.Errorf("status %d: %s", code, out)
	}
	if code, out, _ = call("help", "verify", "--json"); code != exitOK ||
		!strings.Contains(out, `"command": "samecycle verify"`) {
		t.Errorf("status %d: %s", code, out)
	}
	code, out, _ = call("completion", "bash", "--json")
	if list, err := objects(out); err != nil || code != exitUsage || len(list) != 1 {
		t.Errorf("completion: status %d, %v\n%.200s", code, err, out)
	}
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// app is what all commands share: where they write, and the flags of the root command.
type app struct {
	out, err io.Writer
	root     string // folder of the repository; empty means: look for it, see repository
	json     bool   // results as JSON on out, everything else on err
	colour   bool   // of tables on out
	width    int    // columns of out; 0 when out is no terminal
}

// unknownWidth is taken for the columns of a terminal that does not say how many it has.
const unknownWidth = 80

// newApp is the app of a program with these outputs, which an interrupt ends by the context.
func newApp(ctx context.Context, out, err *os.File) *app {
	a := &app{out: outletOf(ctx, out), err: outletOf(ctx, err)}
	if term.IsTerminal(int(out.Fd())) {
		a.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		a.width = columnsOf(term.GetSize(int(out.Fd())))
	}
	return a
}

// columnsOf is how many columns a terminal has that says so much of its size. One that does not know is a
// terminal all the same.
func columnsOf(width, _ int, err error) int {
	if err != nil || width <= 0 {
		return unknownWidth
	}
	return width
}

// errRed ends a command whose output already said what is red.
var errRed = errors.New("red")

// errWork marks an error of the work itself, in contrast to one of the command line.
var errWork = errors.New("work")

// errLine marks an error of the command line that only the work finds.
var errLine = errors.New("command line")

// failed marks err as an error of the work, unless it is known to be one of the command line.
func failed(err error) error {
	for _, known := range []error{errRed, errWork, errLine} {
		if err == nil || errors.Is(err, known) {
			return err
		}
	}
	return &workError{err}
}

// lineError is an error of the command line.
func lineError(format string, args ...any) error { return &wrongLine{fmt.Errorf(format, args...)} }

type wrongLine struct{ err error }

func (e *wrongLine) Error() string        { return e.err.Error() }
func (e *wrongLine) Unwrap() error        { return e.err }
func (e *wrongLine) Is(target error) bool { return target == errLine }

type workError struct{ err error }

func (e *workError) Error() string        { return e.err.Error() }
func (e *workError) Unwrap() error        { return e.err }
func (e *workError) Is(target error) bool { return target == errWork }

func errorText(err error) string { return strings.TrimRight(err.Error(), "\n") }

const moduleLine = "module github.com/samecycle/samecycle"

// executable is the file of the program that runs; tests change it.
var executable = os.Executable

// repository returns the folder of the repository: the one that --root names, or the nearest folder upwards
// from here whose go.mod is this project's, or else from the file of this program.
func (a *app) repository() (string, error) {
	if a.root != "" {
		dir, err := filepath.Abs(a.root)
		if err == nil && !isRepository(dir) {
			err = fmt.Errorf("--root %s holds no go.mod of this project: name the folder of a clone", a.root)
		}
		return dir, failed(err)
	}
	here, err := os.Getwd()
	if err != nil {
		return "", failed(err)
	}
	if dir, is := repositoryAround(here); is {
		return dir, nil
	}
	file, err := executable()
	if err == nil {
		file, err = filepath.EvalSymlinks(file)
	}
	if dir, is := repositoryAround(filepath.Dir(file)); err == nil && is {
		return dir, nil
	}
	return "", failed(errors.New("repository not found: it is neither around the current folder nor around " +
		"the file of this program; change into a clone or name it: --root DIR"))
}

// repositoryAround is the repository that a folder lies in, if there is one.
func repositoryAround(dir string) (root string, is bool) {
	for !isRepository(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
	return dir, true
}

// failuresFolder is where pages of failures go: into the repository, or into the folder for temporary files
// if there is none. Only a wrong --root is an error.
func (a *app) failuresFolder() (string, error) {
	root, err := a.repository()
	switch {
	case err == nil:
		return failuresIn(root), nil
	case a.root != "":
		return "", err
	}
	return os.TempDir(), nil
}

// temporaryFolder makes a folder of that name and some digits; the caller removes it.
func temporaryFolder(name string) (string, error) {
	folder, err := os.MkdirTemp("", name)
	if err != nil {
		err = fmt.Errorf("no temporary folder: %w; set TMPDIR to one that can be written", err)
	}
	return folder, err
}

func failuresIn(root string) string { return filepath.Join(root, "results", "failures") }

func isRepository(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	first, _, _ := strings.Cut(string(text), "\n")
	return err == nil && strings.TrimSpace(first) == moduleLine
}

// printJSON writes v to out, indented.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return failed(enc.Encode(v))
}

// listed is a list as JSON should have it: with nothing in it it is empty, not null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// flagWants are the values that a flag takes, by its type.
var flagWants = map[string]string{"int": "a whole number", "uint64": "a whole number from 0",
	"duration": "a duration like 90s or 2h, less than 292 years", "bool": "true or false"}

// emptyFlag is the error of a flag that was given without a text, as by a variable of a shell that is not
// set: what is then left out is not what was asked for.
func emptyFlag(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if text := f.Value.String(); text == "" || text == "[]" {
			err = noValue(f)
		}
	})
	return err
}

func noValue(f *pflag.Flag) error {
	return fmt.Errorf("--%s is empty: give it a value, or leave it out", f.Name)
}

// flagMost are the largest of the numbers.
var flagMost = map[string]uint64{"int": math.MaxInt, "uint64": math.MaxUint64}

// flagError says what a flag wants whose value is none of that, and how a key or a value is given that looks
// like a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && strings.Contains(cmd.Use, "KEY") {
		return fmt.Errorf("%w; if it is a key or a value, put the word -- ahead of it", err)
	}
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	want, known := flagWants[wrong.GetFlag().Value.Type()]
	switch {
	case wrong.GetValue() == "":
		return noValue(wrong.GetFlag())
	case !known:
		return err
	}
	if errors.Is(err, strconv.ErrRange) {
		want += fmt.Sprintf(" up to %d", flagMost[wrong.GetFlag().Value.Type()])
	}
	return fmt.Errorf("--%s %s: use %s", wrong.GetFlag().Name, wrong.GetValue(), want)
}

// mostAtOnce bounds what runs at the same time: of programs and files of so many each machine has enough, and
// of more some run out.
const mostAtOnce = 1024

// atOnce refuses a number of what is to run at the same time that is out of bounds.
func atOnce(flag string, n int) error {
	if n < 1 || n > mostAtOnce {
		return fmt.Errorf("--%s %d: use 1 to %d", flag, n, mostAtOnce)
	}
	return nil
}

// newRoot builds the command tree.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "samecycle",
		Short: "Evidence that races in the same cycle come out right",
		Long: `samecycle checks concurrent Go code. Its chain of evidence has six links: a TLA+
specification, checked by TLC; a Go model with the same states; every interleaving of the
code that ships; linearizable histories; stress runs at full speed; seeded faults that
must be found. It checks a hash map in shared memory; the cache that is built on it (its
records, its slots, and the words by which processes steer one another); and a sharded map.
The command explore also takes modules of other people.

check writes a record of each operation state and link below results/ENGINE/records. A
cell of the matrix is green only while nothing that its verdict depends on has changed.

Exit status: 0 green; 1 red, unknown, not run or stale; 2 wrong command line; 130
interrupted before there was a verdict.

With --json standard output has only JSON. An error is one more object, on a line of its
own, instead of the result or after it: {"error", "exit", "help"}. The help of a
command is also an object: {"command", "usage", "text", "examples", "flags", "commands"}.`,
		Example: `  samecycle check                   run what is not green, then print the matrices
  samecycle check --state S04       run what concerns one state
  samecycle states                  print the matrix from the records
  samecycle spec                    run TLC over the manifests of the specifications
  samecycle explore S04             search the engine's interleavings of a state
  samecycle replay TOKEN            run one interleaving again, step by step`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 { // an empty one, which cobra takes for none
				return unknownIn(cmd, args[0])
			}
			if a.json {
				return errors.New("a command is missing")
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if a.json && cmd.HasParent() && cmd.Parent().Name() == "completion" {
				return fmt.Errorf("%s prints a script for a shell and no JSON; leave --json out",
					cmd.CommandPath())
			}
			return emptyFlag(cmd.Flags())
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(helpCommand())
	a.helpAsJSON(root)
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print the result as JSON on standard output")
	flags.StringVar(&a.root, "root", "",
		"folder of the repository (default: around the current folder, else around this program)")
	root.AddCommand(checkCommand(a), statesCommand(a), campaignsCommand(a), specCommand(a),
		exploreCommand(a), replayCommand(a), dumpCommand(a), verifyCommand(a), watchCommand(a),
		repairCommand(a), cacheCommand(a), diagramCommand(a),
		mutantsCommand(a), stressCommand(a), traceCommand(a), newEngineCommand(a),
		stressWorkerCommand(), replayWorkerCommand(), traceWorker(), stormWorker())
	return root
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/internal/campaign"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/spf13/pflag"
)

// What the commands cache storm and cache hostile have in common: a file of figures that says what they are
// of, and that a later run can go on from.

// cacheFigures is what --out keeps of a report R.
type cacheFigures[R any] struct {
	Command string            `json:"command"` // judges the same again, as far as chance allows
	Seed    uint64            `json:"seed"`
	Commit  string            `json:"commit"`
	Inputs  string            `json:"inputs_sha256"` // of the code that was judged, and that judged
	Tools   map[string]string `json:"tools"`
	Report  *R                `json:"report"`

	path  string
	print printed[R]
}

// outFlags are those of a command that writes figures.
type outFlags struct {
	seed   uint64
	out    string
	resume bool
}

func (f *outFlags) bind(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all random choices")
	flags.StringVar(&f.out, "out", "", "file for the figures")
	flags.BoolVar(&f.resume, "resume", false,
		"continue from the figures in --out, which must be of the same files and flags")
}

// checkOut refuses what does not go together.
func (f *outFlags) checkOut() error {
	if f.resume && f.out == "" {
		return errors.New("--resume needs --out: the file to continue from")
	}
	return nil
}

// openFigures makes the path of --out absolute, keeps other runs from the file, and reads what to go on from.
// Without --out the figures are written nowhere. The name is that of the campaign whose code is judged.
func openFigures[R any](ctx context.Context, a *app, name string, f *outFlags, args []string,
	print printed[R]) (x *cacheFigures[R], release func(), err error) {
	command := "samecycle " + strings.Join(args, " ") + " --seed " + strconv.FormatUint(f.seed, 10)
	x, release = &cacheFigures[R]{Command: command, Seed: f.seed, print: print}, func() {}
	if f.out == "" {
		return x, release, nil
	}
	if x.path, err = filepath.Abs(f.out); err != nil {
		return nil, nil, fmt.Errorf("--out: %w", err)
	}
	if release, err = holdWritable("--out", x.path); err != nil {
		return nil, nil, err
	}
	if err := x.fill(ctx, a, name, f); err != nil {
		release()
		return nil, nil, err
	}
	return x, release, nil
}

// fill says what the figures are of.
func (x *cacheFigures[R]) fill(ctx context.Context, a *app, name string, f *outFlags) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	code, err := closure.Open(root).Of(ctx, campaign.ByName(name).Scope, "")
	if err != nil {
		return err
	}
	if err := (evidence.Env{Root: root}).Outdated(ctx); err != nil {
		return err
	}
	x.Commit, x.Inputs = evidence.CommitOf(root, code.Files()), code.Hash()
	x.Tools = map[string]string{"go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH,
		"processors": strconv.Itoa(runtime.NumCPU())}
	text, err := os.ReadFile(x.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(text) == 0 {
		return nil
	}
	var old cacheFigures[R]
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	switch {
	case err != nil || old.Report == nil:
		return fmt.Errorf("%s is no file of figures, and would be lost: name another one", x.path)
	case !f.resume:
		return nil
	}
	if err := continues(x.path, old.Inputs == x.Inputs, old.Command, x.Command); err != nil {
		return err
	}
	x.Report = old.Report
	return nil
}

// continues refuses to add figures to those of a file which another command has made: of other code, or with
// another value of a flag that says what is done. Limits may differ.
func continues(path string, sameInputs bool, then, now string) error {
	if !sameInputs {
		return fmt.Errorf("%s is of other files; leave out --resume to start again", path)
	}
	for _, flag := range []string{"--seed", "--processes", "--threads", "--deaths"} {
		was, is := valueIn(then, flag), valueIn(now, flag)
		if was != "" && is != "" && was != is {
			return fmt.Errorf("%s was made with %s %s, and this is %s %s: give it the same value, or leave "+
				"out --resume to start again", path, flag, was, flag, is)
		}
	}
	return nil
}

// valueIn is the value of a flag in a command line of a file of figures; empty if it has none.
func valueIn(command, flag string) string {
	words := strings.Fields(command)
	if at := slices.Index(words, flag); at >= 0 && at+1 < len(words) {
		return words[at+1]
	}
	return ""
}

// save replaces the file in one step, and the figures on the page beside it in another one.
func (x *cacheFigures[R]) save(r *R) error {
	if x.path == "" {
		return nil
	}
	x.Report = r
	text, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		return err
	}
	if err := evidence.WriteFile(x.path, append(text, '\n')); err != nil {
		return err
	}
	return x.writePage()
}

// plainly runs the command line in a program without the explorer, if this one has it: what is judged is the
// code that ships. done is false if this program is that already.
func (a *app) plainly(ctx context.Context, args []string) (done bool, err error) {
	if !seam.Explored {
		return false, nil
	}
	root, err := a.repository()
	if err != nil {
		return true, err
	}
	p := newProgress(a.err)
	program, remove, err := a.workerProgram(ctx, p)
	p.close()
	if err != nil {
		return true, failed(err)
	}
	defer remove()
	args = append(args, "--root", root)
	if a.json {
		args = append(args, "--json")
	}
	cmd := stressCall(ctx, program, args)
	cmd.Stdout, cmd.Stderr = a.out, beneath(a.err)
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return true, errRed
	}
	return true, failed(err)
}

// args are the flags as arguments.
func (f *outFlags) args() []string {
	args := []string{"--seed", strconv.FormatUint(f.seed, 10)}
	if f.out != "" {
		args = append(args, "--out", f.out)
	}
	if f.resume {
		args = append(args, "--resume")
	}
	return args
}

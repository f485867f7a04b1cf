package evidence

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/disk"
)

// Outdated returns why the running program is not what the present files of the repository would build, or
// nil if it is. A link whose judged files are compiled into the program must call it: otherwise its record
// would name files that were not run. Outdated asks Go, which compares contents, and not the times of files.
// A test is built from the present files whenever it is run, so it is never outdated. If there is no Go, the
// error wraps ErrNotRun.
func (e Env) Outdated(ctx context.Context) error {
	program := e.Program
	if program == "" {
		if testing.Testing() {
			return nil
		}
		var err error
		if program, err = os.Executable(); err != nil {
			return CannotRun(err)
		}
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return CannotRun(fmt.Errorf("nobody can tell of which files the program was built: %w; "+
			"use make build", err))
	}
	return outdated(ctx, e.Root, program, info)
}

// outdated is Outdated for a program that was built in that way.
func outdated(ctx context.Context, root, program string, info *debug.BuildInfo) error {
	folder, err := os.MkdirTemp("", "samecycle-built-")
	if err != nil {
		return CannotRun(err)
	}
	defer os.RemoveAll(folder)
	// Go compares the program with what it would install. So the program is put where Go installs it.
	if err := os.Symlink(program, filepath.Join(folder, path.Base(info.Path))); err != nil {
		return CannotRun(err)
	}
	flags, env := built(info)
	args := append([]string{"list", "-f", "{{.Stale}} {{.StaleReason}}"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, info.Path)...)
	cmd.Dir = root
	cmd.Env = append(append(os.Environ(), env...), "GOBIN="+folder)
	out, err := cmd.Output()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		return CannotRun(disk.OfGo("go list cannot tell whether the program is of these files", err,
			strings.ReplaceAll(string(failed.Stderr), root, ".")))
	case err != nil:
		return CannotRun(fmt.Errorf("only Go can tell whether the program is of these files: %w; install it",
			err))
	}
	stale, why, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if stale == "false" {
		return nil
	}
	return otherBuild(why, info)
}

// otherBuild says what to do about a program that Go would build in another way, and why Go would.
func otherBuild(why string, info *debug.BuildInfo) error {
	pkg, dependency := strings.CutPrefix(why, "stale dependency: ")
	first, _, _ := strings.Cut(pkg, "/")
	if !dependency || strings.Contains(first, ".") {
		return fmt.Errorf("the program was not built of the files that it judges (%s); "+
			"build it again: make build", why)
	}
	// A package of Go itself. The files of the repository have no part in it.
	cgo := "CGO_ENABLED unset"
	for _, s := range info.Settings {
		if s.Key == "CGO_ENABLED" {
			cgo = "CGO_ENABLED=" + s.Value
		}
	}
	return fmt.Errorf("the setup of Go is not the one with which the program was built, %s (%s): let Go "+
		"find the same C compiler by PATH and CC, and set CGO_ENABLED and Go itself as they were; or build "+
		"it again as things are: make build", cgo, why)
}

// built returns how a program was built: the flags and environment for another build with the same result.
func built(info *debug.BuildInfo) (flags, env []string) {
	vcs := "-buildvcs=false"
	for _, s := range info.Settings {
		switch {
		case strings.HasPrefix(s.Key, "vcs"):
			vcs = "-buildvcs=true"
		case s.Value == "" || s.Key == "DefaultGODEBUG":
		case s.Key == "-buildmode": // go list would treat the default mode, given by name, as another one
		case strings.HasPrefix(s.Key, "-"):
			flags = append(flags, s.Key+"="+s.Value)
		default:
			env = append(env, s.Key+"="+s.Value)
		}
	}
	return append(flags, vcs), env
}

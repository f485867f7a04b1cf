//go:build explore

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/internal/plural"
	scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"
)

func init() { replayServer = scenarios.ServeReal }

// enacted is the result of replay --real --json.
type enacted struct {
	Program string `json:"program"`
	processes.Enacted
	Differs string `json:"differs,omitempty"` // the first step that differs
}

// replayReal runs a token by processes of this program.
func replayReal(ctx context.Context, token string) (report, error) {
	program, err := explore.TokenProgram(token)
	if err != nil {
		return report{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return report{}, fmt.Errorf("the program's own file is not known: %w", err)
	}
	folder, err := temporaryFolder("samecycle-real-")
	if err != nil {
		return report{}, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "region")
	done, err := scenarios.ReplayReal(token, file, func(i int) *exec.Cmd {
		return exec.CommandContext(ctx, self, replayWorker, program, file, strconv.Itoa(i))
	})
	out := enacted{Program: program, Enacted: done}
	if errors.Is(err, processes.ErrDiffers) {
		out.Differs = err.Error()
	} else if err != nil {
		return report{}, err
	}
	return report{Red: out.Differs != "", Data: out, Text: func(w io.Writer) error {
		if out.Differs != "" {
			_, err := fmt.Fprintf(w, "%s\n  %s\n", program, out.Differs)
			return err
		}
		_, err := fmt.Fprintf(w, "%s\n  %s, %d killed, stopped %s, did the same: %s, and %s at the end\n",
			program, plural.Of(done.Processes, "real process"), done.Deaths, plural.Of(done.Stops, "time"),
			plural.Of(done.Accesses, "access"), plural.Of(done.Words, "word"))
		return err
	}}, nil
}

package foreign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// checkSystem returns an error if the go command builds for another system than this one, where the driver
// has to run. A driver for 386 runs on amd64.
func checkSystem(ctx context.Context, folder string) error {
	out, err := goCommand(ctx, folder, "env", "GOOS", "GOARCH")
	if err != nil {
		return err
	}
	f := strings.Fields(string(out))
	if len(f) != 2 || f[0] == runtime.GOOS && (f[1] == runtime.GOARCH ||
		f[1] == "386" && runtime.GOARCH == "amd64") {
		return nil
	}
	return fmt.Errorf("%w: it builds for %s/%s, and what is explored runs here, on %s/%s: leave GOOS and "+
		"GOARCH unset (they may be set by go env -w)", ErrToolchain, f[0], f[1], runtime.GOOS, runtime.GOARCH)
}

// moduleOf returns the folder of the module that contains a folder, and that folder. If a symbolic link
// leads from a module to the folder, or if there is a module only where links lead to, both are without
// links, because a search does not go through links below a module.
func moduleOf(folder string) (module, inside string, err error) {
	module, missing := moduleAbove(folder)
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", "", errors.Join(missing, fmt.Errorf("%w: %w", ErrTarget, err))
	}
	if missing == nil {
		up, err := filepath.EvalSymlinks(filepath.Dir(module))
		if err != nil {
			return "", "", fmt.Errorf("%w: %w", ErrTarget, err)
		}
		rel, err := filepath.Rel(filepath.Dir(module), folder)
		if err == nil && filepath.Join(up, rel) == real {
			return module, folder, nil
		}
	}
	if real == folder {
		return module, folder, missing
	}
	module, err = moduleAbove(real)
	return module, real, err
}

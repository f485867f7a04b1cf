package foreign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// everywhere is the end of a target that stands for a folder and all folders below it, as in go test.
const everywhere = "/..."

// Everywhere reports whether a target stands for several packages: FOLDER/...
func Everywhere(spec string) bool { return strings.HasSuffix(filepath.ToSlash(spec), everywhere) }

// TestPackages lists the packages that FOLDER/... stands for, if they have tests that match the expression,
// or that may have matching subtests. Each package is a target of its own. Errors: ErrTarget, also if there
// are no such packages.
func TestPackages(ctx context.Context, spec, test string) (targets []string, err error) {
	function, _, _ := strings.Cut(test, "/")
	m, err := regexp.Compile(function)
	if err != nil {
		return nil, fmt.Errorf("%w: --test: %w", ErrTarget, err)
	}
	folder := strings.TrimSuffix(filepath.ToSlash(spec), everywhere) + "/"
	o, err := localModule(ctx, folder)
	if err != nil {
		return nil, err
	}
	w := &Work{module: o}
	all, err := w.testFiles()
	if err != nil {
		return nil, errors.Join(ErrTarget, err)
	}
	inside := map[string][]testFile{}
	for _, p := range slices.Sorted(maps.Keys(all)) {
		rel, err := filepath.Rel(filepath.FromSlash(o.below), filepath.FromSlash(p))
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		inside[p] = all[p]
		if len(matching(all[p], m)) > 0 {
			targets = append(targets, below(folder, filepath.ToSlash(rel)))
		}
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("%w: no test of %s matches %s; %s", ErrTarget, spec, m, testList(inside))
	}
	return targets, nil
}

// below joins a folder and a path below it. The result is never mistaken for the name of a module.
func below(folder, rel string) string {
	if rel == "." {
		return folder
	}
	return folder + rel
}

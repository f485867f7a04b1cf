package campaign

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// past reads earlier commits of a repository, each once, into a folder that close removes.
type past struct {
	root, dir string
	trees     map[string]*closure.Tree
}

func openPast(root string) (*past, error) {
	dir, err := os.MkdirTemp("", "samecycle-campaigns-")
	return &past{root, dir, map[string]*closure.Tree{}}, err
}

func (p *past) close() { _ = os.RemoveAll(p.dir) }

// at returns the files of a commit. Errors wrap ErrFigures.
func (p *past) at(ctx context.Context, commit string) (*closure.Tree, error) {
	if t, ok := p.trees[commit]; ok {
		return t, nil
	}
	cmd := exec.CommandContext(ctx, "git", "-C", p.root, "archive", "--format=tar", commit)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		said := strings.TrimSpace(complaints.String())
		return nil, fmt.Errorf("%w: git cannot read commit %s (%s). A shallow clone has no history: "+
			"get it with git fetch --unshallow", ErrFigures, commit, cmp.Or(said, err.Error()))
	}
	dir := filepath.Join(p.dir, commit)
	if err := unpack(bytes.NewReader(out), dir); err != nil {
		return nil, fmt.Errorf("%w: commit %s: %w", ErrFigures, commit, err)
	}
	p.trees[commit] = closure.Open(dir)
	return p.trees[commit], nil
}

// unpack writes the regular files of an archive below dir, and nothing outside it.
func unpack(from io.Reader, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case h.Typeflag != tar.TypeReg, strings.HasPrefix(h.Name, "results/"): // no scope has figures
			continue
		}
		if err := root.MkdirAll(filepath.Dir(h.Name), 0o700); err != nil {
			return err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := root.WriteFile(h.Name, text, 0o600); err != nil {
			return err
		}
	}
}

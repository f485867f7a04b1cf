package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
)

// absentLink stands for a link that this program was built without. It keeps the link's records
// in the matrix, judges nothing, and says how to build a program that can.
type absentLink struct{ link string }

func (l absentLink) Link() string { return l.link }

func (absentLink) Inputs() []string { return []string{"go.mod"} }

// Covers returns the states that have a record.
func (l absentLink) Covers(env evidence.Env) ([]string, error) {
	dir := evidence.Path(env.Root, env.Engine.Name, l.link, "")
	files, err := os.ReadDir(strings.TrimSuffix(dir, ".json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, f := range files {
		out = append(out, strings.TrimSuffix(f.Name(), ".json"))
	}
	return out, err
}

func (absentLink) Run(context.Context, evidence.Env, []catalog.State,
	evidence.Progress) ([]evidence.Record, error) {
	return nil, evidence.CannotRun(errors.New(buildHint))
}

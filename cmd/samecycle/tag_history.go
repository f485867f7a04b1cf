//go:build explore

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"
)

// handedOver is the result of explore --history --json.
type handedOver struct {
	History    string        `json:"history"`    // what is wrong with it
	Reproduced bool          `json:"reproduced"` // some schedule fails
	Searches   []exploration `json:"searches"`
}

// readHistory reads the file of --history.
func readHistory(path string) (mapmodel.File, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return mapmodel.File{}, fmt.Errorf("--history: %w; run as a user who may read it", err)
	}
	if err != nil {
		return mapmodel.File{}, fmt.Errorf("--history: %w; name a file of results/failures", err)
	}
	defer file.Close()
	f, err := mapmodel.Decode(file)
	switch {
	case err != nil:
		err = fmt.Errorf("--history %s: %w; name a file of results/failures", path, err)
	case len(f.Ops) == 0:
		err = fmt.Errorf("--history %s: it has no calls; name a file of results/failures", path)
	}
	return f, err
}

// exploreHistory searches for a schedule behind a refused history. It is red in any case: the history
// is a failure, whether a schedule for it is found or not.
func exploreHistory(ctx context.Context, r exploreRequest) (report, error) {
	f, err := readUntil(ctx, func() (mapmodel.File, error) { return readHistory(r.History) })
	if err != nil {
		return report{}, err
	}
	h, err := scenarios.HandOver(f)
	if err != nil {
		return report{}, fmt.Errorf("--history %s: %w", r.History, err)
	}
	r.Say("seed %d", r.Seed)
	r.Kills = max(r.Kills, h.Kills)
	out := handedOver{History: h.Verdict.Err().Error()}
	for i, p := range h.Programs {
		e, err := r.search(ctx, scenarios.Registered(p), float64(i)/float64(len(h.Programs)))
		if err != nil {
			return report{}, err
		}
		out.Searches = append(out.Searches, e)
		r.Say("%s: %s, %s", p.Name, plural.Of(e.Executions, "execution"), e.state())
		if out.Reproduced = e.Failure != nil; out.Reproduced || ctx.Err() != nil {
			break
		}
	}
	return report{Red: true, Data: out, Text: func(w io.Writer) error {
		fmt.Fprintf(w, "%s\n", out.History)
		for _, e := range out.Searches {
			if err := e.write(w, r.Tokens); err != nil {
				return err
			}
		}
		if !out.Reproduced {
			fmt.Fprintf(w, "NOT REPRODUCED: %d of %d programs made of the window were searched, none fails; "+
				"the history stays a failure\n", len(out.Searches), len(h.Programs))
		}
		_, err := fmt.Fprintln(w, trust(out.Searches, r.Kills, r.Apart))
		return err
	}}, nil
}

package stress

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/samecycle/samecycle/linearizability"
)

// decideTime bounds the search for one window. A window that was not decided is unknown.
const decideTime = 20 * time.Second

// decide decides the history of a window of the state. What is not decided is noted in the report; a history
// that is refused is kept in a file.
func (o *Options) decide(h History, rep *StateReport) error {
	err := h.Decide(decideTime, cmp.Or(o.OpsPerKey, ClientsMost*logRoom))
	switch {
	case err == nil:
		return nil
	case errors.Is(err, linearizability.ErrUnknown):
		rep.undecided("a window of %d operations: %v", h.Operations(), err)
		return nil
	case o.Histories != "":
		return keep(o.Histories, rep.State, h, err)
	}
	return err
}

// keep writes the refused history to a file of its own, as explore --history reads it, and adds to
// the refusal where it is.
func keep(folder, state string, h History, refused error) error {
	err := os.MkdirAll(folder, 0o755)
	if err != nil {
		return errors.Join(refused, fmt.Errorf("history not kept: %w", err))
	}
	file, err := os.CreateTemp(folder, state+"-*.ndjson")
	if err != nil {
		return errors.Join(refused, fmt.Errorf("history not kept: %w", err))
	}
	note, _, _ := strings.Cut(refused.Error(), "\n")
	err = h.Write(file, note[:min(len(note), noteMost)])
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(refused, fmt.Errorf("history not kept: %w", err))
	}
	return fmt.Errorf("%w; a schedule of it may be found: samecycle explore --history %s", refused,
		file.Name())
}

// noteMost bounds the note of a history's file, which is one line of it.
const noteMost = 1000

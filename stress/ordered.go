package stress

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// Ordered is a [History] that a sequential model decides: it is linearizable if its operations have an order
// that the model allows. The model knows the contents with which the window began.
type Ordered[Q, R history.Value] struct {
	Model linearizability.Model[Q, R]
	Ops   history.History[Q, R]
}

// Operations is how many there are.
func (o Ordered[Q, R]) Operations() int { return len(o.Ops) }

// Decide looks for an order. Errors: as History.Decide.
func (o Ordered[Q, R]) Decide(within time.Duration, opsPerKey int) error {
	limits := linearizability.DefaultLimits()
	limits.Timeout, limits.OpsPerKey = within, opsPerKey
	return linearizability.CheckWithin(o.Model, o.Ops, limits).Err()
}

// Write writes the note, and the history, an operation a line. Errors: those of w.
func (o Ordered[Q, R]) Write(w io.Writer, note string) error {
	return WriteLines(w, note, len(o.Ops), func(i int) string { return o.Ops[i].String() })
}

// WriteLines writes a note as a JSON value, and n lines behind it: the form of a history whose operations
// people read, and no program. Errors: those of w.
func WriteLines(w io.Writer, note string, n int, line func(i int) string) error {
	if err := json.NewEncoder(w).Encode(map[string]string{"note": note}); err != nil {
		return err
	}
	for i := range n {
		if _, err := fmt.Fprintln(w, line(i)); err != nil {
			return err
		}
	}
	return nil
}

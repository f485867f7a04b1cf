package harness

import (
	"errors"
	"fmt"
	"strings"
)

// ErrRejected says that the model does not allow an execution of the engine.
var ErrRejected = errors.New("step rejected by the model")

// Rejection says why the model did not accept a step.
type Rejection struct {
	Program string
	Prefix  []string // the accepted steps before it: actor and action
	Actor   int      // 1-based, as in the model
	Action  string   // the nearest action: that of the engine function's name
	Enabled string   // what the model would have the actor do
	Guard   string   // the first guard that was false, or what differed
	Site    string   // file:line of the access; "" for a step without one
}

// Head says which step was rejected, and why.
func (r *Rejection) Head() string {
	at := ""
	if r.Site != "" {
		at = " at " + r.Site
	}
	return fmt.Sprintf("%v: %s, step %d: actor %d, %s%s\n  first guard that is false: %s\n"+
		"  the model would take: %s", ErrRejected, r.Program, len(r.Prefix)+1, r.Actor, r.Action, at, r.Guard,
		r.Enabled)
}

// Error says the same in a few lines.
func (r *Rejection) Error() string {
	var b strings.Builder
	b.WriteString(r.Head() + "\n  longest accepted prefix:\n")
	const most = 30
	from := max(0, len(r.Prefix)-most)
	if from > 0 {
		fmt.Fprintf(&b, "    ... %d steps ...\n", from)
	}
	for i, s := range r.Prefix[from:] {
		fmt.Fprintf(&b, "    %3d  %s\n", from+i+1, s)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Unwrap makes errors.Is(err, ErrRejected) hold.
func (r *Rejection) Unwrap() error { return ErrRejected }

package evidence

import (
	"context"
	"errors"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// Runner judges the states of one link.
type Runner interface {
	// Link is the identifier of the link in the catalog.
	Link() string
	// Scope returns what the link's verdicts depend on.
	Scope(env Env) (closure.Scope, error)
	// Covers returns the identifiers of the states for which the link has material. A state that is covered
	// and has no record is not-run. A state that is not covered is not-built.
	Covers(env Env) ([]string, error)
	// Run judges the given states, all of them covered, and returns a record for each. It passes each record
	// to env.Save as soon as it is finished, so an interrupt loses little; the returned records are saved as
	// well. progress may be called from any goroutine. A runner need not fill in Engine, Link and Inputs.
	//
	// If the error wraps ErrNotRun, the states without a record are not-run; any other error makes them
	// unknown.
	Run(ctx context.Context, env Env, states []catalog.State, progress Progress) ([]Record, error)
}

// Progress is called with a few words about the present work, and with the finished share of the run, 0 to
// 1.
type Progress func(what string, share float64)

// Env is what a runner may use.
type Env struct {
	Root    string             // folder of the repository
	Engine  *catalog.Engine    // engine whose states are judged
	Program string             // file of the program that judges; "" is the one that runs
	Seed    uint64             // for random choices; print it into the record
	Tree    *closure.Tree      // files of the repository when the run began; nil: RunLink opens them
	Save    func(Record) error // writes one record; safe from any goroutine
}

// notRunError is an error that also wraps ErrNotRun.
type notRunError struct{ err error }

func (e notRunError) Error() string        { return e.err.Error() }
func (e notRunError) Unwrap() error        { return e.err }
func (e notRunError) Is(target error) bool { return target == ErrNotRun }

// ErrNotRun marks the reason why a runner could not run at all: a tool is missing, or the binary was built
// without a part that the link needs.
var ErrNotRun = errors.New("not run")

// CannotRun marks err as the reason why a link is not run, and keeps its text.
func CannotRun(err error) error { return notRunError{err} }

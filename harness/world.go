package harness

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
)

// PlainWorld is embedded by a [World] that needs nothing of its own in some of these methods: the model
// compares the words after each step, the actors are goroutines, and the history is what clients saw.
type PlainWorld[Q, R history.Value] struct{}

// Actor is a goroutine.
func (PlainWorld[Q, R]) Actor(int) explore.Actor { return explore.Actor{} }

// Observe looks at nothing.
func (PlainWorld[Q, R]) Observe(explore.Step) {}

// Step judges nothing.
func (PlainWorld[Q, R]) Step(explore.Step) error { return nil }

// History adds nothing.
func (PlainWorld[Q, R]) History(h history.History[Q, R]) history.History[Q, R] { return h }

// Finish judges nothing.
func (PlainWorld[Q, R]) Finish(*explore.Execution, int) error { return nil }

// Told describes a step as World.Tell does: the name of the word and its value, or both values if it has
// changed; it is "" for a step that is no access. text formats a value for people; nil formats numbers.
func Told(s explore.Step, name string, text func(v uint64) string) string {
	if text == nil {
		text = func(v uint64) string { return fmt.Sprintf("%#x", v) }
	}
	switch {
	case !s.Kind.Access():
		return ""
	case s.Kind == hook.Load || s.Old == s.New:
		return fmt.Sprintf("%s is %s", name, text(s.Old))
	}
	return fmt.Sprintf("%s: %s => %s", name, text(s.Old), text(s.New))
}

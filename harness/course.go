package harness

import "github.com/samecycle/samecycle/model/search"

// Raced is a state of a model, with the races that have happened on the way to it.
type Raced[S comparable] struct {
	State S
	races uint32 // of Races
}

// Course is the part of a [Follower] that is the same for all models whose properties and witnesses are those
// of package search. A follower embeds it; its states are of type Raced.
type Course[M interface{ Initial() S }, S comparable] struct {
	Machine    M
	properties []search.Property[M, S]
	races      *Races[M, S]
}

// NewCourse is the course of a machine that keeps the properties. The witnesses, see [Races], are those of
// its races.
func NewCourse[M interface{ Initial() S }, S comparable](m M, properties,
	witnesses []search.Property[M, S]) Course[M, S] {
	return Course[M, S]{m, properties, NewRaces(witnesses)}
}

// Initial is the state before the first call.
func (c Course[M, S]) Initial() Raced[S] { return c.After(&Raced[S]{}, c.Machine.Initial()) }

// After is a state of the model that follows another one.
func (c Course[M, S]) After(before *Raced[S], next S) Raced[S] {
	return Raced[S]{next, c.races.Seen(before.races, c.Machine, &next)}
}

// Accept appends a state that follows another one, if the step to it keeps the properties.
func (c Course[M, S]) Accept(list []Raced[S], before *Raced[S], next S) ([]Raced[S], string) {
	if name := search.Broken(c.properties, c.Machine, &before.State, &next); name != "" {
		return nil, name + ": it does not hold"
	}
	return append(list, c.After(before, next)), ""
}

// Marks are the operation states whose race has happened.
func (c Course[M, S]) Marks(s *Raced[S]) []string { return c.races.Names(s.races) }

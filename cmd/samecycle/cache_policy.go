package main

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/region"
)

// What the commands do with a cache whose policy a program has of its own. They do not have it, so they set
// and delete nothing there: which entries leave for that would be for the policy to say. All else they do.

// standIn takes the place of such a policy in a command that changes no entry. It has the name and the shape
// that the file has. Nothing more is asked of it, but it could answer: as Ageing does.
type standIn struct {
	cache.Ageing
	of basket.Layout
}

func (s standIn) Name() string { return s.of.Policy.String() }

func (s standIn) Shape(uint32) (tiers, lanes uint32) { return s.of.Tiers, s.of.Lanes }

func (s standIn) Words(uint64) uint64 { return s.of.PolicyWords }

// ownPolicy is the error of a cache whose policy a program has of its own, if that is what err says.
func ownPolicy(file string, err error) (own error, ok bool) {
	var e *region.Error
	if !errors.Is(err, region.ErrLayout) || !errors.As(err, &e) || e.Field != "policy" {
		return err, false
	}
	return fmt.Errorf("%s: the cache has the policy %s, which a program brings along: set and delete in it; "+
		"get, keys, stats, suspects, tune and top work from here, too", file, e.Found), true
}

// withEntries runs f, which changes no entry, on the cache in a file, which must exist.
func withEntries(file string, f func(*cache.Cache) error) error {
	c, err := cache.Attach(file, cache.Options{NoJanitor: true})
	if _, own := ownPolicy(file, err); own {
		c, err = attachAnyPolicy(file)
	}
	return withOpened(file, c, err, f)
}

// attachAnyPolicy opens the cache with the shape of policy that it has.
func attachAnyPolicy(file string) (*cache.Cache, error) {
	r, err := region.Observe(file)
	if err != nil {
		return nil, err
	}
	l, err := basket.LayoutOf(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	return cache.Attach(file, cache.Options{NoJanitor: true, Policy: standIn{of: l}})
}

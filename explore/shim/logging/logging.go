// Package logging is for copies of the standard packages log and log/slog. It has what these use of other
// packages that concerns nobody else, and that would make many schedules if it were explored.
package logging

import (
	"time"

	"github.com/samecycle/samecycle/explore/shim/flow"
	shim "github.com/samecycle/samecycle/explore/shim/time"
	"github.com/samecycle/samecycle/internal/hook"
)

// Now returns the time. Inside the exploration of a test that is no step, and takes no time.
func Now() time.Time {
	if hook.Active == nil || flow.Clock == nil || !flow.Clock.Ordered {
		return shim.Now()
	}
	return flow.Clock.Seen()
}

// A Pool is a sync.Pool that keeps nothing, as a sync.Pool may.
type Pool struct {
	// New makes an item.
	New func() any
}

// Get makes an item.
func (p *Pool) Get() any {
	if p.New == nil {
		return nil
	}
	return p.New()
}

// Put does nothing.
func (p *Pool) Put(any) {}

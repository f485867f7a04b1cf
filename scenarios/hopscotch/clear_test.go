//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// clearing is the clients of a program and one more actor, which clears the table.
type clearing struct {
	*bulk
	bad  bool     // the canary: it hands everything out twice
	left []uint32 // what the clear was handed
}

func (c *clearing) start(x *explore.Execution) []explore.Actor {
	c.left = c.left[:0]
	c.actor = explore.Actor{Name: "clear", Body: c.clears}
	return c.bulk.start(x)
}

func (c *clearing) clears() {
	_, err := c.newcomer.Clear(func(l hopscotch.Leaving) { c.left = append(c.left, l.Value) })
	if c.bad {
		c.left = append(c.left, c.left...)
	}
	if err != nil {
		c.failed = fmt.Errorf("%w: clear: %w", harness.ErrOperation, err)
	}
}

// finish finds elements that were there before the clear and that nobody has added again, and values
// that were handed out twice or are in the table still.
func (c *clearing) finish(*explore.Execution) error {
	if c.failed != nil {
		return c.failed
	}
	handed := slices.Concat(c.handed.values, c.left)
	for i, k := range c.keys {
		value, there, err := c.table.Lookup(c.names[i])
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		handed = append(handed, value)
		added := slices.ContainsFunc(slices.Concat(c.program.Ops...), func(op model.Op) bool {
			return op.Op == model.OpAdd && uint32(op.K) == k
		})
		if !added {
			return fmt.Errorf("%w: key %d is there, which was cleared", ErrContents, k)
		}
	}
	return errors.Join(eachOnce(handed), structure(c.table, false))
}

func exploreClear(t *testing.T, p model.Program, c clearing) explore.Report {
	t.Helper()
	var err error
	if c.bulk, err = newBulk(p); err != nil {
		t.Fatal(err)
	}
	rep, err := explore.Explore(explore.Program{Name: p.Name + "_Clear", Start: c.start,
		Finish: c.finish}, explore.Options{Preemptions: 1, Stateful: true, SpinLimit: 400,
		MaxExecutions: 1500})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// Clearing beside the programs of all states: every element that was there is gone.
func TestClear_BesideAllPrograms(t *testing.T) {
	for _, p := range model.Programs() {
		if rep := exploreClear(t, p, clearing{}); rep.Failure != nil {
			t.Errorf("%s: %v\n%s", p.Name, rep.Failure, rep.Failure.Table())
		}
	}
}

func TestClear_HandingOutTwiceIsFoundOut(t *testing.T) {
	rep := exploreClear(t, mustProgram(t, "S20DeleteMembers"), clearing{bad: true})
	if rep.Failure == nil || !errors.Is(rep.Failure.Err, ErrHanded) {
		t.Errorf("%v, want %v", rep.Failure, ErrHanded)
	}
}

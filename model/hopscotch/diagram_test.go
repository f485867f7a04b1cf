package model

import (
	"context"
	"fmt"
	"slices"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
)

// unlawful returns what the rules of the protocol do not allow, or do not allow to be missing.
func unlawful(l Lives) []string {
	var bad []string
	say := func(what string, x Transition) { bad = append(bad, fmt.Sprintf("%s: %v", what, x)) }
	known := map[string]bool{}
	for _, a := range register.Actions() {
		known[a.Name] = true
	}
	reached := map[string]bool{Empty.String(): true, Unused: true}
	rest := []string{Empty.String(), Base.String(), LostBase, Member.String(), LostMember}
	for _, x := range l.Cells {
		reached[x.To] = true
		if !known[x.Action] {
			say("an action that the catalog does not have", x)
		}
		if deletes := x.Action == "DeleteSwap"; deletes !=
			(slices.Contains(rest, x.From) && slices.Contains(rest, x.To)) {
			say("only a delete changes a cell without an operation", x)
		}
		if (x.From == LostBase || x.From == LostMember) && x.To != "O" && x.To != "U" {
			say("what is lost stays so until an operation takes it", x)
		}
	}
	for _, x := range l.Descriptors {
		reached[x.To] = true
		if !known[x.Action] {
			say("an action that the catalog does not have", x)
		}
		if x.From == Over && x.To != Filling {
			say("an operation that is over comes back", x)
		}
		if decided := x.From == Decided || x.From == Holeless; decided && x.To == GivenUp {
			say("a committed operation is given up", x)
		}
	}
	for _, stage := range append(CellStages(), DescriptorStages()...) {
		if !reached[stage] {
			bad = append(bad, "no transition leads to "+stage)
		}
	}
	return bad
}

func TestLivesAreLawful(t *testing.T) {
	l, err := CollectLives(context.Background(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range unlawful(l) {
		t.Error(bad)
	}
	if l.Whole == 0 || l.Whole >= l.Programs {
		t.Errorf("%d of %d programs have at most 10000 states", l.Whole, l.Programs)
	}
}

// A step that is not of the protocol becomes a transition, and the transition is refused.
func TestUnlawfulLivesAreRefused(t *testing.T) {
	m := machineOf(t, "S02AddCollision", 0)
	m.hook = func(action ActionID, _, next *State) {
		if action == AddFillPlan {
			next.w0[0][0] = empty(9)
		}
	}
	c := collector{cells: map[Transition]bool{}, descriptors: map[Transition]bool{}}
	c.search(context.Background(), m, 1000)
	l := Lives{Cells: inOrder(c.cells), Descriptors: inOrder(c.descriptors)}
	want := "only a delete changes a cell without an operation: {B E AddFillPlan none}"
	if bad := unlawful(l); !slices.Contains(bad, want) {
		t.Errorf("not refused: %q, only %q", want, bad)
	}
	if bad := unlawful(l); !slices.Contains(bad, "no transition leads to M lost") {
		t.Errorf("one add alone loses a member: %q", bad)
	}
}

func TestCollectingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := CollectLives(ctx, 10_000); err == nil {
		t.Error("a cancelled search returned a result")
	}
}

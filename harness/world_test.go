package harness

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// TestTold: a value that was loaded or has stayed is told once, one that was changed before and behind it.
func TestTold(t *testing.T) {
	letter := func(v uint64) string { return fmt.Sprintf("%c", rune(v)) }
	for want, c := range map[string]struct {
		step explore.Step
		text func(uint64) string
	}{
		"x is 0x41":         {explore.Step{Kind: hook.Load, Old: 'A', New: 'B'}, nil},
		"x is A":            {explore.Step{Kind: hook.CompareAndSwap, Old: 'A', New: 'A'}, letter},
		"x: A => B":         {explore.Step{Kind: hook.Store, Old: 'A', New: 'B'}, letter},
		"x: 0x41 => 0x4200": {explore.Step{Kind: hook.Store, Old: 'A', New: 0x4200}, nil},
		"":                  {explore.Step{Kind: hook.Kill, Old: 'A', New: 'B'}, letter},
	} {
		if got := Told(c.step, "x", c.text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

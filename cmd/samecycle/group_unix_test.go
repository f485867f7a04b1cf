//go:build unix

package main

import "testing"

// TestStressCall_Terminal: an interrupt from the terminal goes to its group, and one that comes twice ends a
// program at once: who is interrupted through its context is of another group.
func TestStressCall_Terminal(t *testing.T) {
	a := stressCall(t.Context(), "true", nil).SysProcAttr
	if a == nil || !a.Setpgid {
		t.Error("a stress run is in the group that the terminal interrupts")
	}
}

//go:build explore

package main

import (
	"strconv"
	"testing"
)

// TestCheckpoint_OfOtherClaims: what a search without a claim has saved says nothing about a claim.
func TestCheckpoint_OfOtherClaims(t *testing.T) {
	root, saved := repositoryWith(t), t.TempDir()
	plain := []string{"explore", "S15GetMany", "--exact", "--bound", "2", "--root", root}
	_, out, _ := call(append(plain, "--json")...)
	longest := asJSON[[]exploration](t, out)[0].LongestGap
	claim := append(plain[:len(plain):len(plain)], "--lock-free", strconv.Itoa(longest-1))
	plain = append(plain, "--checkpoint", saved)
	if code, out, errOut := call(claim...); code != exitRed {
		t.Fatalf("a claim that does not hold: status %d\n%s%s", code, out, errOut)
	}
	if code, out, errOut := call(plain...); code != exitOK {
		t.Fatalf("without a claim: status %d\n%s%s", code, out, errOut)
	}
	if code, out, errOut := call(append(claim, "--checkpoint", saved)...); code == exitOK {
		t.Errorf("the claim holds when the search goes on: status %d\n%s%s", code, out, errOut)
	}
}

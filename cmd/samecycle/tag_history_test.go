//go:build explore

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestExploreHistory: a refused history stays red when no schedule is found, a legal one and what is no
// history are errors.
func TestExploreHistory(t *testing.T) {
	root := repositoryWith(t)
	samples := filepath.Join("..", "..", "linearizability", "mapmodel", "testdata")
	bad := filepath.Join(samples, "illegal-two-added.ndjson")
	put(t, root, "broken.ndjson", "{}\n")
	put(t, root, "empty.ndjson", "")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{bad, "--bound", "1"}, exitRed, "NOT REPRODUCED: 2 of 2 programs"},
		{[]string{bad, "--bound", "1"}, exitRed, "no order explains"},
		{[]string{filepath.Join(samples, "legal-full.ndjson")}, exitRed, "it is linearizable"},
		{[]string{filepath.Join(root, "broken.ndjson")}, exitRed,
			"; name a file of results/failures"},
		{[]string{filepath.Join(root, "empty.ndjson")}, exitRed, "empty.ndjson: it has no calls"},
		{[]string{filepath.Join(root, "none.ndjson")}, exitRed, "none.ndjson"},
		{[]string{bad, "S04"}, exitUsage, "leave S04 out"},
		{[]string{bad, "--bound", "1", "--stateless", "--shard", "0/2"}, exitUsage,
			"leave it out with --history"},
	} {
		code, out, errOut := call(append([]string{"explore", "--root", root, "--history"}, c.args...)...)
		if code != c.code || !strings.Contains(out+errOut, c.says) {
			t.Errorf("%v: status %d, want %d and %q\n%s%s", c.args, code, c.code, c.says, out, errOut)
		}
	}
}

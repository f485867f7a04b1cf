package explore_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	rand "github.com/samecycle/samecycle/explore/shim/crand"
)

// TestCryptoRand: two actors draw the same numbers in each execution, of which there is one for each order of
// their draws; who comes first gets the first. Outside nobody knows them.
func TestCryptoRand(t *testing.T) {
	all := func() string {
		b := make([]byte, 4)
		n, err := rand.Read(b)
		i, err2 := rand.Int(rand.Reader, big.NewInt(1000))
		p, err3 := rand.Prime(rand.Reader, 64)
		if n != 4 || err != nil || err2 != nil || err3 != nil || i.Cmp(big.NewInt(1000)) >= 0 ||
			p.BitLen() != 64 || !p.ProbablyPrime(20) {
			t.Errorf("%d %v, %v %v, %v %v", n, err, i, err2, p, err3)
		}
		text := rand.Text()
		if len(text) != 26 {
			t.Errorf("a text of %d letters", len(text))
		}
		return fmt.Sprint(b, i, p, text)
	}
	var alone []string
	draws := func() { alone = append(alone, all(), all()) }
	mustExplore(t, simple("alone", func() {}, draws), explore.Options{MaxExecutions: 1})
	if len(alone) < 2 || alone[0] == alone[1] || alone[0] == all() {
		t.Errorf("drawn are %q", alone)
	}
	var seen []string
	byte1 := func() {
		var b [1]byte
		if _, err := rand.Reader.Read(b[:]); err != nil {
			t.Error(err)
		}
		seen = append(seen, fmt.Sprint(b))
	}
	var first []string
	p := explore.Program{Name: "draws", Start: func(*explore.Execution) []explore.Actor {
		seen = nil
		return []explore.Actor{{Body: byte1}, {Body: byte1}}
	}, Finish: func(*explore.Execution) error {
		if first = cmp(first, seen); !slices.Equal(first, seen) {
			return fmt.Errorf("drawn are %v, then %v", first, seen)
		}
		return nil
	}}
	if r := mustExplore(t, p, unbounded()); r.Failure != nil || r.Executions != 2 {
		t.Errorf("%d executions, %v", r.Executions, r.Failure)
	}
	if _, err := rand.Prime(rand.Reader, 1); err == nil {
		t.Error("a prime number of one bit")
	}
}

// cmp is the first list, or the second one if there is none yet.
func cmp(a, b []string) []string {
	if a == nil {
		return slices.Clone(b)
	}
	return a
}

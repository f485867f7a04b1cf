package stress

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// number is a request to a counter, which adds it, and an answer, which is the sum.
type number uint64

func (n number) Append(text []byte) []byte { return fmt.Append(text, uint64(n)) }

// TestOrdered: a history is decided from the contents with which it began, within as many operations as there
// may be, and its file has a line for each.
func TestOrdered(t *testing.T) {
	counter := linearizability.Spec[number, number, number]{
		Init: func(number) number { return 10 },
		Step: func(sum, n, answer number) (number, bool) { return sum + n, answer == sum+n },
	}.Model()
	for last, want := range map[number]error{13: nil, 12: linearizability.ErrIllegal} {
		h := Ordered[number, number]{Model: counter, Ops: history.History[number, number]{
			{ID: 1, Client: 1, Request: 1, Result: 11, Call: 1, Return: 2},
			{ID: 2, Client: 2, Request: 2, Result: last, Call: 3, Return: 4}}}
		if err := h.Decide(time.Minute, 2); !errors.Is(err, want) {
			t.Errorf("%d: %v, want %v", last, err, want)
		}
		if err := h.Decide(time.Minute, 1); !errors.Is(err, linearizability.ErrUnknown) {
			t.Errorf("%d: two operations, where one is the most: %v", last, err)
		}
		var text strings.Builder
		if err := h.Write(&text, "a note"); err != nil || h.Operations() != 2 || text.String() !=
			fmt.Sprintf("{\"note\":\"a note\"}\nclient 1 1: 11 [1, 2]\nclient 2 2: %d [3, 4]\n", last) {
			t.Errorf("%v, %d operations: %s", err, h.Operations(), text.String())
		}
	}
}

// TestDraw: each kind comes as often as its weight says, and one without any never.
func TestDraw(t *testing.T) {
	weights := []uint32{1, 0, 2, 5}
	var drawn [4]int
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8000 {
		drawn[Draw(rng, weights)]++
	}
	for kind, n := range drawn {
		if want := 1000 * int(weights[kind]); n < want*9/10 || n > want*11/10 {
			t.Errorf("kind %d: %d of 8000, want about %d", kind, n, want)
		}
	}
}

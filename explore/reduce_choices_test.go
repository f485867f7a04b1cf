package explore_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
)

// chance is a step of a program of data choices: what it does to which word.
type chance struct{ kind, word int }

// chances draws three actors of two or three steps each on two words.
func chances(r *rand.Rand) (actors [3][]chance) {
	for i := range actors {
		for range 2 + r.IntN(2) {
			actors[i] = append(actors[i], chance{r.IntN(4), r.IntN(2)})
		}
	}
	return actors
}

// chancesProgram tells each of what the actors have read, and of the words at the end.
func chancesProgram(steps [3][]chance, each func(string)) explore.Program {
	var words [2]atomic.Uint64
	var seen [3]uint64
	var actors []explore.Actor
	for i := range steps {
		actors = append(actors, explore.Actor{Body: func() {
			for _, s := range steps[i] {
				w := &words[s.word]
				switch s.kind {
				case 0:
					seen[i] = 100*seen[i] + w.Load()
				case 1:
					w.Store(uint64(i + 1))
				case 2:
					seen[i] = 100*seen[i] + w.Add(1)
				default:
					w.Add(uint64(1 + hook.Active.Choose(2)))
				}
			}
		}})
	}
	return explore.Program{
		Name: "chances",
		Start: func(*explore.Execution) []explore.Actor {
			clear(seen[:])
			for i := range words {
				words[i].Store(0)
			}
			return actors
		},
		Finish: func(*explore.Execution) error {
			each(fmt.Sprint(seen, words[0].Load(), words[1].Load()))
			return nil
		},
	}
}

// TestReducedChoices: after a step that has alternatives, a data choice or a death, the same plans are
// followed once for each. What comes of a program is the same with and without reduction.
func TestReducedChoices(t *testing.T) {
	for seed := range uint64(60) {
		steps := chances(rand.New(rand.NewPCG(seed, 7)))
		outcomes := func(reduce bool) map[string]bool {
			found := map[string]bool{}
			o := unbounded()
			o.Reduce, o.Kills = reduce, int(seed%2)
			r, err := explore.Explore(chancesProgram(steps, func(s string) { found[s] = true }), o)
			if err != nil || r.Failure != nil || !r.Exhaustive {
				t.Fatal(seed, steps, err, r.Failure, r.Bound)
			}
			return found
		}
		if all, reduced := outcomes(false), outcomes(true); !maps.Equal(all, reduced) {
			t.Errorf("seed %d: %v has %d outcomes, reduced %d", seed, steps, len(all), len(reduced))
		}
	}
}

package scenarios

import (
	"github.com/samecycle/samecycle/model"
	"github.com/samecycle/samecycle/scenarios/explore"
)

// Budget is how far a program is searched.
type Budget struct {
	Preemptions int // explore.Unbounded or a bound
	Kills       int
}

// Checked is the budget of a program in make check: everything where it fits in seconds, else
// the largest preemption bound that does. What a bound leaves out, the record says.
func Checked(p model.Program) Budget {
	switch p.Name {
	case "S04AddCollisionEmpty_SameKeyBases":
		return Budget{Preemptions: 3, Kills: 1}
	case "S04AddCollisionEmpty_LateHelper", "S06AddCollisionGet_Helped",
		"S02AddCollision_LostHole", "S02AddCollision_FullHalf":
		return Budget{Preemptions: 2, Kills: 1}
	}
	return Budget{Preemptions: explore.Unbounded, Kills: 1}
}

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

// budgets are those of make check: everything where it fits in seconds, else the largest
// preemption bound that does. What a bound leaves out, the record says.
var budgets = map[string]Budget{
	"S01AddEmpty":                       {explore.Unbounded, 1},
	"S02AddCollision":                   {explore.Unbounded, 1},
	"S02AddCollision_SharedHole":        {explore.Unbounded, 1},
	"S02AddCollision_LostHole":          {2, 1},
	"S02AddCollision_FullHalf":          {2, 1},
	"S04AddCollisionEmpty":              {explore.Unbounded, 1},
	"S04AddCollisionEmpty_SameKey":      {explore.Unbounded, 1},
	"S04AddCollisionEmpty_SameKeyBases": {3, 1},
	"S04AddCollisionEmpty_LateHelper":   {2, 1},
	"S05AddEmptyGet":                    {explore.Unbounded, 1},
	"S06AddCollisionGet":                {explore.Unbounded, 1},
	"S06AddCollisionGet_New":            {explore.Unbounded, 1},
	"S06AddCollisionGet_Helped":         {2, 1},
}

// Checked is the budget of a program in make check; one that is not listed gets two preemptions.
func Checked(p model.Program) Budget {
	if b, ok := budgets[p.Name]; ok {
		return b
	}
	return Budget{Preemptions: 2, Kills: 1}
}

package scenarios

import (
	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// budgets are those of make check: everything where it fits in seconds, else the largest
// preemption bound that does. What a bound leaves out, the record says.
var budgets = map[string]harness.Budget{
	"S01AddEmpty":                        budget(explore.Unbounded, 1),
	"S01AddEmpty_Near":                   budget(explore.Unbounded, 1),
	"S02AddCollision":                    budget(explore.Unbounded, 1),
	"S02AddCollision_SharedHole":         budget(explore.Unbounded, 1),
	"S02AddCollision_LostHole":           budget(2, 1),
	"S02AddCollision_FullHalf":           budget(2, 1),
	"S02AddCollision_Near":               budget(explore.Unbounded, 1),
	"S03AddFull":                         budget(3, 1),
	"S03AddFull_Oldest":                  budget(2, 1),
	"S03AddFull_OnlyMember":              budget(2, 1),
	"S03AddFull_Foreign":                 budget(2, 1),
	"S03AddFull_Base":                    budget(2, 1),
	"S03AddFull_LostHole":                budget(2, 1),
	"S03AddFull_Far":                     budget(2, 1),
	"S03AddFull_Near":                    budget(2, 1),
	"S04AddCollisionEmpty":               budget(explore.Unbounded, 1),
	"S04AddCollisionEmpty_SameKey":       budget(explore.Unbounded, 1),
	"S04AddCollisionEmpty_SameKeyBases":  budget(3, 1),
	"S04AddCollisionEmpty_LateHelper":    budget(2, 1),
	"S04AddCollisionEmpty_Near":          budget(explore.Unbounded, 1),
	"S04AddCollisionEmpty_NearSameKey":   budget(explore.Unbounded, 1),
	"S05AddEmptyGet":                     budget(explore.Unbounded, 1),
	"S05AddEmptyGet_Near":                budget(explore.Unbounded, 1),
	"S06AddCollisionGet":                 budget(explore.Unbounded, 1),
	"S06AddCollisionGet_New":             budget(explore.Unbounded, 1),
	"S06AddCollisionGet_Helped":          budget(2, 1),
	"S06AddCollisionGet_Near":            budget(explore.Unbounded, 1),
	"S06AddCollisionGet_NearNew":         budget(explore.Unbounded, 1),
	"S07AddCollisionUpdate":              budget(explore.Unbounded, 1),
	"S07AddCollisionUpdate_OldMap":       budget(2, 1),
	"S07AddCollisionUpdate_Near":         budget(3, 1),
	"S08AddEmptyDelete":                  budget(explore.Unbounded, 1),
	"S08AddEmptyDelete_Update":           budget(2, 1),
	"S08AddEmptyDelete_Near":             budget(explore.Unbounded, 1),
	"S09AddCollisionDeleteMember":        budget(2, 1),
	"S09AddCollisionDeleteMember_OldMap": budget(2, 1),
	"S09AddCollisionDeleteMember_Turn":   budget(2, 1),
	"S09AddCollisionDeleteMember_Near":   budget(2, 1),
	"S10AddCollisionDeleteBase":          budget(3, 1),
	"S10AddCollisionDeleteBase_SameKey":  budget(2, 1),
	"S10AddCollisionDeleteBase_Near":     budget(2, 1),
	"S11UsurpGet":                        budget(3, 1),
	"S11UsurpGet_Near":                   budget(3, 1),
	"S12UsurpUpdate":                     budget(3, 1),
	"S12UsurpUpdate_LateMark":            budget(2, 1),
	"S12UsurpUpdate_Near":                budget(2, 1),
	"S13UsurpDelete":                     budget(3, 1),
	"S13UsurpDelete_Again":               budget(2, 1),
	"S13UsurpDelete_Near":                budget(2, 1),
	"S14UsurpDeleteBase":                 budget(3, 1),
	"S14UsurpDeleteBase_Crop":            budget(2, 1),
	"S14UsurpDeleteBase_Turn":            budget(2, 1),
	"S14UsurpDeleteBase_Near":            budget(2, 1),
	"S15GetMany":                         budget(explore.Unbounded, 1),
	"S15GetMany_Near":                    budget(explore.Unbounded, 1),
	"S16GetDeleteMember":                 budget(explore.Unbounded, 1),
	"S16GetDeleteMember_Near":            budget(3, 1),
	"S17GetDeleteBase":                   budget(explore.Unbounded, 1),
	"S17GetDeleteBase_Turn":              budget(2, 1),
	"S17GetDeleteBase_Near":              budget(3, 1),
	"S18GetUpdate":                       budget(explore.Unbounded, 1),
	"S18GetUpdate_Near":                  budget(explore.Unbounded, 1),
	"S19UpdateSameKey":                   budget(explore.Unbounded, 1),
	"S19UpdateSameKey_Near":              budget(explore.Unbounded, 1),
	"S20DeleteMembers":                   budget(explore.Unbounded, 1),
	"S20DeleteMembers_Crops":             budget(2, 1),
	"S20DeleteMembers_Near":              budget(2, 1),
	"S21DeleteBase":                      budget(3, 1),
	"S21DeleteBase_Reused":               budget(2, 1),
	"S21DeleteBase_Turn":                 budget(2, 1),
	"S21DeleteBase_Near":                 budget(2, 1),
	"S22DeleteBaseMembers":               budget(3, 1),
	"S22DeleteBaseMembers_Crops":         budget(2, 1),
	"S22DeleteBaseMembers_Update":        budget(2, 1),
	"S22DeleteBaseMembers_Near":          budget(2, 1),
	"S23DeleteSameKey":                   budget(3, 1),
	"S23DeleteSameKey_Near":              budget(explore.Unbounded, 1),
	"S24UsurpDeleteInProgress":           budget(3, 1),
	"S24UsurpDeleteInProgress_Near":      budget(2, 1),
}

// threeActors are the budgets of model.ThreeActors. A death at each step makes some fifty times as many
// executions of one preemption: the large ones go without.
var threeActors = map[string]harness.Budget{
	"S01AddEmpty_Three":                 budget(1, 1),
	"S02AddCollision_Three":             budget(1, 0),
	"S03AddFull_Three":                  budget(1, 0),
	"S04AddCollisionEmpty_Three":        budget(1, 0),
	"S05AddEmptyGet_Three":              budget(1, 1),
	"S06AddCollisionGet_Three":          budget(1, 0),
	"S07AddCollisionUpdate_Three":       budget(1, 0),
	"S08AddEmptyDelete_Three":           budget(1, 1),
	"S09AddCollisionDeleteMember_Three": budget(1, 0),
	"S10AddCollisionDeleteBase_Three":   budget(1, 0),
	"S11UsurpGet_Three":                 budget(1, 0),
	"S12UsurpUpdate_Three":              budget(1, 0),
	"S13UsurpDelete_Three":              budget(1, 0),
	"S14UsurpDeleteBase_Three":          budget(1, 0),
	"S15GetMany_Three":                  budget(1, 1),
	"S16GetDeleteMember_Three":          budget(1, 1),
	"S17GetDeleteBase_Three":            budget(1, 1),
	"S18GetUpdate_Three":                budget(1, 1),
	"S19UpdateSameKey_Three":            budget(1, 1),
	"S20DeleteMembers_Three":            budget(1, 1),
	"S21DeleteBase_Three":               budget(1, 1),
	"S22DeleteBaseMembers_Three":        budget(1, 0),
	"S23DeleteSameKey_Three":            budget(1, 1),
	"S24UsurpDeleteInProgress_Three":    budget(1, 0),
}

// Checked is the budget of a program in make check; one that is not listed gets two preemptions.
func Checked(p model.Program) harness.Budget {
	if b, ok := budgets[p.Name]; ok {
		return b
	}
	if b, ok := threeActors[p.Name]; ok {
		return b
	}
	return harness.Budget{Preemptions: 2, Kills: 1}
}

func budget(preemptions, kills int) harness.Budget {
	return harness.Budget{Preemptions: preemptions, Kills: kills}
}

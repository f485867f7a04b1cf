package model

import "fmt"

// The properties of a step.
const (
	P1VersionsGrow    = "P1VersionsGrow"
	P2GenerationsGrow = "P2GenerationsGrow"
	P3LostStaysOut    = "P3LostStaysOut"
	RefinesMap        = "RefinesMap"
)

// CheckStep returns every property of a step that the step from prev to next violates, as
// "name: detail". Action and actor are only named.
func (m *Machine) CheckStep(prev, next *State, action string, actor int) []string {
	var bad []string
	if m.unchecked {
		return nil
	}
	no := func(name, detail string) {
		bad = append(bad, fmt.Sprintf("%s: %s of actor %d: %s", name, action, actor, detail))
	}
	if prev.w1 != next.w1 {
		if detail := m.each(func(a addr) string {
			old, now := prev.at1(a), next.at1(a)
			if *old == *now || now.N > old.N || now.N == old.N && old.Z == 0 && now.Z == 1 {
				return ""
			}
			return fmt.Sprintf("cell %v: %v -> %v", a, old, now)
		}); detail != "" {
			no(P1VersionsGrow, detail)
		}
	}
	if prev.w0 != next.w0 {
		if detail := m.each(func(a addr) string {
			old, now := prev.at0(a), next.at0(a)
			if *old == *now || now.F != Empty ||
				(old.held() || old.F == Member) && prev.at1(a).N == now.G {
				return ""
			}
			return fmt.Sprintf("cell %v: %v -> %v over %v", a, old, now, prev.at1(a))
		}); detail != "" {
			no(P2GenerationsGrow, detail)
		}
		if detail := m.each(func(a addr) string {
			old, now := prev.at0(a), next.at0(a)
			if old.F != Claimed || !now.is(Member, Base) || now.K != Lost {
				return ""
			}
			return fmt.Sprintf("cell %v: %v -> %v", a, old, now)
		}); detail != "" {
			no(P3LostStaysOut, detail)
		}
	}
	if detail := m.refines(prev, next); detail != "" {
		no(RefinesMap, detail)
	}
	return bad
}

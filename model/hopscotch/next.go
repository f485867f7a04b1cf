package model

import (
	"fmt"
)

// Successor is one outcome of an action.
type Successor struct {
	Action ActionID
	Next   State
}

// action is one action of actor t in s. It changes shared memory and the atomic map in next,
// which is a copy of s, and returns the actor's local states.
type action func(m *Machine, s, next *State, t int) moves

var actionsByPC = [actionCount]action{
	ClientCall:            (*Machine).clientCall,
	ClientReturn:          (*Machine).clientReturn,
	SearchVersion:         (*Machine).searchVersion,
	SearchBase:            (*Machine).searchBase,
	SearchHead:            (*Machine).searchHead,
	SearchPair:            (*Machine).searchPair,
	SearchPlan:            (*Machine).searchPlan,
	SearchExpect:          (*Machine).searchExpect,
	SearchSource:          (*Machine).searchSource,
	SearchTarget:          (*Machine).searchTarget,
	SearchHeadAgain:       (*Machine).searchHeadAgain,
	SearchBaseAgain:       (*Machine).searchBaseAgain,
	SearchVersionAgain:    (*Machine).searchVersionAgain,
	SearchMember:          (*Machine).searchMember,
	SearchMemberValue:     (*Machine).searchMemberValue,
	SearchMemberAgain:     (*Machine).searchMemberAgain,
	SearchVersionLast:     (*Machine).searchVersionLast,
	UpdateSwap:            (*Machine).updateSwap,
	DeleteSwap:            (*Machine).deleteSwap,
	TicketLook:            (*Machine).ticketLook,
	TicketValue:           (*Machine).ticketValue,
	TicketSwap:            (*Machine).ticketSwap,
	AddFillHead:           (*Machine).addFillHead,
	AddFillPair:           (*Machine).addFillPair,
	AddFillPlan:           (*Machine).addFillPlan,
	AddFillExpect:         (*Machine).addFillExpect,
	AddFillSource:         (*Machine).addFillSource,
	AddFillTarget:         (*Machine).addFillTarget,
	AddClaimEmpty:         (*Machine).addClaimEmpty,
	AddStashBase:          (*Machine).addStashBase,
	FrontPeek:             (*Machine).frontPeek,
	UsurpVersion:          (*Machine).usurpVersion,
	UsurpBase:             (*Machine).usurpBase,
	RoomBeyond:            (*Machine).roomBeyond,
	RoomCell:              (*Machine).roomCell,
	RoomPeek:              (*Machine).roomPeek,
	RoomBase:              (*Machine).roomBase,
	RoomMember:            (*Machine).roomMember,
	RoomSpare:             (*Machine).roomSpare,
	RoomValue:             (*Machine).roomValue,
	EvictMember:           (*Machine).evictMember,
	EvictValue:            (*Machine).evictValue,
	CropVersion:           (*Machine).cropVersion,
	CropBase:              (*Machine).cropBase,
	CropMember:            (*Machine).cropMember,
	CropValue:             (*Machine).cropValue,
	DiscardLook:           (*Machine).discardLook,
	DiscardValue:          (*Machine).discardValue,
	DiscardMember:         (*Machine).discardMember,
	DiscardMemberValue:    (*Machine).discardMemberValue,
	DiscardVersion:        (*Machine).discardVersion,
	DiscardBase:           (*Machine).discardBase,
	HelpHead:              (*Machine).helpHead,
	HelpPair:              (*Machine).helpPair,
	HelpPlan:              (*Machine).helpPlan,
	HelpExpect:            (*Machine).helpExpect,
	HelpSource:            (*Machine).helpSource,
	HelpHeadAgain:         (*Machine).helpHeadAgain,
	HelpTarget:            (*Machine).helpTarget,
	HelpFreeze:            (*Machine).helpFreeze,
	HelpFreezeCheck:       (*Machine).helpFreezeCheck,
	HelpMark:              (*Machine).helpMark,
	HelpMarkCheck:         (*Machine).helpMarkCheck,
	HelpFreezeMember:      (*Machine).helpFreezeMember,
	HelpFreezeMemberCheck: (*Machine).helpFreezeMemberCheck,
	HelpProbe:             (*Machine).helpProbe,
	HelpAbort:             (*Machine).helpAbort,
	HelpAbortOther:        (*Machine).helpAbortOther,
	HelpCommit:            (*Machine).helpCommit,
	HelpPropose:           (*Machine).helpPropose,
	HelpWriteValue:        (*Machine).helpWriteValue,
	HelpPublishNew:        (*Machine).helpPublishNew,
	HelpReserve:           (*Machine).helpReserve,
	HelpReserveCheck:      (*Machine).helpReserveCheck,
	HelpStillHeld:         (*Machine).helpStillHeld,
	HelpStillFrozen:       (*Machine).helpStillFrozen,
	HelpTargetAgain:       (*Machine).helpTargetAgain,
	HelpWithdraw:          (*Machine).helpWithdraw,
	HelpCopyValue:         (*Machine).helpCopyValue,
	HelpPublishMember:     (*Machine).helpPublishMember,
	HelpFlip:              (*Machine).helpFlip,
	HelpUnfreeze:          (*Machine).helpUnfreeze,
	HelpClearMember:       (*Machine).helpClearMember,
	HelpEmptyMember:       (*Machine).helpEmptyMember,
	HelpFinish:            (*Machine).helpFinish,
	HelpStillMarked:       (*Machine).helpStillMarked,
	HelpThawMember:        (*Machine).helpThawMember,
	HelpUnmark:            (*Machine).helpUnmark,
	HelpThaw:              (*Machine).helpThaw,
	HelpRelease:           (*Machine).helpRelease,
	HelpClearVersion:      (*Machine).helpClearVersion,
	HelpReopen:            (*Machine).helpReopen,
}

// Step appends every successor of s by the actor to buf: one, two on a tie between the halves,
// none if the actor is finished or dead. Crash is apart.
func (m *Machine) Step(s *State, actor int, buf []Successor) []Successor {
	pc, ok := m.Next(s, actor)
	if !ok {
		return buf
	}
	first := len(buf)
	buf = append(buf, Successor{Action: pc, Next: *s})
	set := actionsByPC[pc](m, s, &buf[first].Next, actor)
	buf[first].Next.loc[actor-1] = set.at[0]
	if set.n > 1 {
		buf = append(buf, buf[first])
		buf[first+1].Next.loc[actor-1] = set.at[1]
	}
	if m.hook != nil {
		for i := first; i < len(buf); i++ {
			m.hook(pc, s, &buf[i].Next)
		}
	}
	return buf
}

// Next returns the action that the actor is about to take; false if it is finished or dead.
func (m *Machine) Next(s *State, actor int) (ActionID, bool) {
	pc := s.loc[actor-1].pc
	return pc, pc != pcDead && !s.Finished(actor)
}

// Enabled returns the name of the action that the actor is about to take, "" if it is finished
// or dead. An actor that may move may always move by exactly one action.
func (m *Machine) Enabled(s *State, actor int) string {
	if pc, ok := m.Next(s, actor); ok {
		return pc.String()
	}
	return ""
}

// AllDone reports whether every actor is finished or dead.
func (m *Machine) AllDone(s *State) bool {
	for t := 1; t <= m.actors; t++ {
		if !s.Dead(t) && !s.Finished(t) {
			return false
		}
	}
	return true
}

// Explain returns the first guard of the action that is false for the actor in s, in words; ""
// if the action is enabled.
func (m *Machine) Explain(s *State, actor int, action string) string {
	id, ok := ActionByName(action)
	switch {
	case !ok:
		return fmt.Sprintf("%s is no action of the catalog", action)
	case actor < 1 || actor > m.actors:
		return fmt.Sprintf("%d is no actor of 1..%d", actor, m.actors)
	case id == ClientCrash:
		return m.crashGuard(s, actor)
	case s.loc[actor-1].pc != id:
		return fmt.Sprintf("loc[%d].pc = %s, not %s", actor, s.loc[actor-1].pc, id)
	case s.Finished(actor):
		return fmt.Sprintf("Finished(%d): its program of %d operations is over",
			actor, s.length[actor-1])
	}
	return ""
}

func (m *Machine) crashGuard(s *State, actor int) string {
	switch {
	case deadCount(s) >= m.cfg.MaxCrashes:
		return fmt.Sprintf("%d actors are dead, not fewer than MaxCrashes = %d",
			deadCount(s), m.cfg.MaxCrashes)
	case s.loc[actor-1].pc == ClientCall:
		return fmt.Sprintf("loc[%d].pc = ClientCall: the actor has nothing in progress", actor)
	case s.loc[actor-1].pc == pcDead:
		return fmt.Sprintf("loc[%d].pc = Dead: an actor dies once", actor)
	}
	return ""
}

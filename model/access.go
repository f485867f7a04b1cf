package model

// Word names one word of shared memory, so that a harness can compare what an engine accesses with
// what the action of the same name accesses.
type Word struct {
	Desc  uint8 // the actor that owns the descriptor; 0: a word of a cell
	Half  uint8 // of a cell
	Cell  uint8 // of a cell
	Index uint8 // word of the cell (0, 1), or of the descriptor in the order of Desc's fields
}

// Indices of the words of a descriptor.
const (
	WordHead uint8 = iota
	WordPair
	WordPlan
	WordExpect
	WordTarget
)

// Access says how an action touches its word.
type Access uint8

// The ways to touch a word. NoAccess is that of the client's events.
const (
	NoAccess Access = iota
	Loads
	Stores
	Swaps // a compare-and-swap
)

// String returns the access in words.
func (a Access) String() string {
	return [...]string{"no access", "load", "store", "compare-and-swap"}[a]
}

func cellWord(a addr, index uint8) Word { return Word{Half: a.h, Cell: a.c, Index: index} }

func descWord(owner, index uint8) Word { return Word{Desc: owner, Index: index} }

// Touches returns the word that the next action of the actor accesses, and how.
func (m *Machine) Touches(s *State, actor int) (Word, Access) {
	id, ok := m.Next(s, actor)
	if !ok || id == ClientCall || id == ClientReturn {
		return Word{}, NoAccess
	}
	l := &s.loc[actor-1]
	switch id {
	case SearchVersion, SearchVersionAgain, SearchVersionLast:
		return cellWord(m.searchHome(l), 1), Loads
	case SearchBase, SearchBaseAgain:
		return cellWord(m.searchHome(l), 0), Loads
	case SearchHead, SearchHeadAgain:
		return descWord(l.s.r.D, WordHead), Loads
	case SearchPair:
		return descWord(l.s.r.D, WordPair), Loads
	case SearchPlan:
		return descWord(l.s.r.D, WordPlan), Loads
	case SearchTarget:
		return descWord(l.s.r.D, WordTarget), Loads
	case SearchMember, SearchMemberAgain:
		return cellWord(m.searchMemberCell(l), 0), Loads
	case SearchMemberValue:
		return cellWord(m.searchMemberCell(l), 1), Loads
	case AddFillHead, AddFillPair, AddFillPlan, AddFillExpect, AddFillTarget:
		return descWord(uint8(actor), uint8(id-AddFillHead)), Stores
	case AddClaimEmpty, AddStashBase:
		return cellWord(m.addHome(s, actor), 0), Swaps
	}
	return m.helpTouches(l, id)
}

func (m *Machine) helpTouches(l *local, id ActionID) (Word, Access) {
	home := addr{l.p.head.H, l.p.head.Home}
	switch id {
	case HelpHead, HelpHeadAgain:
		return descWord(l.p.r.D, WordHead), Loads
	case HelpPair:
		return descWord(l.p.r.D, WordPair), Loads
	case HelpPlan:
		return descWord(l.p.r.D, WordPlan), Loads
	case HelpExpect:
		return descWord(l.p.r.D, WordExpect), Loads
	case HelpTarget, HelpTargetAgain:
		return descWord(l.p.r.D, WordTarget), Loads
	case HelpAbort, HelpCommit, HelpPropose, HelpWithdraw:
		return descWord(l.p.r.D, WordTarget), Swaps
	case HelpAbortOther:
		return descWord(l.s.r.D, WordTarget), Swaps
	case HelpFreezeCheck:
		return cellWord(home, 1), Loads
	case HelpFreeze, HelpWriteValue, HelpUnfreeze, HelpThaw, HelpClearVersion:
		return cellWord(home, 1), Swaps
	case HelpStillHeld:
		return cellWord(home, 0), Loads
	case HelpPublishNew, HelpFlip, HelpFinish, HelpRelease, HelpReopen:
		return cellWord(home, 0), Swaps
	case HelpProbe:
		return cellWord(m.at(home.h, home.c, l.p.i), 0), Loads
	case HelpReserveCheck:
		return cellWord(m.helpCell(l), 0), Loads
	case HelpReserve, HelpPublishMember:
		return cellWord(m.helpCell(l), 0), Swaps
	case HelpCopyValue:
		return cellWord(m.helpCell(l), 1), Swaps
	}
	return Word{}, NoAccess
}

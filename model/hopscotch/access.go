package model

// Word names one word of shared memory, so that a harness can compare what an engine accesses with
// what the action of the same name accesses.
type Word struct {
	Desc  uint8 // the actor that owns the descriptor; 0: a word of a cell
	Half  uint8 // of a cell
	Cell  uint8 // of a cell
	Index uint8 // word of the cell (0, 1), or of the descriptor, as named below
}

// Indices of the words of a descriptor.
const (
	WordHead uint8 = iota
	WordPair
	WordPlan
	WordExpect
	WordTarget
	WordSource uint8 = 6 // word 5 is its owner, which is no word of the protocol
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
	case SearchExpect:
		return descWord(l.s.r.D, WordExpect), Loads
	case SearchSource:
		return descWord(l.s.r.D, WordSource), Loads
	case SearchTarget:
		return descWord(l.s.r.D, WordTarget), Loads
	case SearchMember, SearchMemberAgain:
		return cellWord(m.searchMemberCell(l), 0), Loads
	case SearchMemberValue:
		return cellWord(m.searchMemberCell(l), 1), Loads
	case UpdateSwap, DeleteSwap:
		a, _, _ := m.matched(l)
		if id == UpdateSwap {
			return cellWord(a, 1), Swaps
		}
		return cellWord(a, 0), Swaps
	case TicketLook:
		return cellWord(l.tk.at, 0), Loads
	case TicketValue:
		return cellWord(l.tk.at, 1), Loads
	case TicketSwap:
		return cellWord(l.tk.at, 1), Swaps
	}
	if id >= HelpHead {
		return m.helpTouches(l, id)
	}
	return m.addTouches(s, actor, id)
}

// addTouches are the accesses of what Add, Room, Crop and Discard prepare and install.
func (m *Machine) addTouches(s *State, actor int, id ActionID) (Word, Access) {
	l := &s.loc[actor-1]
	switch id {
	case AddFillHead:
		return descWord(uint8(actor), WordHead), Stores
	case AddFillPair:
		return descWord(uint8(actor), WordPair), Stores
	case AddFillPlan:
		return descWord(uint8(actor), WordPlan), Stores
	case AddFillExpect:
		return descWord(uint8(actor), WordExpect), Stores
	case AddFillSource:
		return descWord(uint8(actor), WordSource), Stores
	case AddFillTarget:
		return descWord(uint8(actor), WordTarget), Stores
	case AddClaimEmpty, AddStashBase:
		return cellWord(m.addHome(s, actor), 0), Swaps
	case FrontPeek:
		a, _ := m.frontPeeked(s, actor)
		return cellWord(a, 0), Loads
	case RoomBeyond:
		a, _ := m.memberPassed(s, actor)
		return cellWord(a, 0), Loads
	case UsurpVersion:
		return cellWord(workHome(l), 1), Loads
	case UsurpBase, RoomBase:
		return cellWord(workHome(l), 0), Loads
	case RoomCell, RoomMember, RoomSpare:
		return cellWord(m.roomAddr(s, actor), 0), Loads
	case RoomPeek:
		return cellWord(m.peeked(l), 0), Loads
	case RoomValue:
		return cellWord(m.roomAddr(s, actor), 1), Loads
	case EvictMember, EvictValue:
		a, _ := m.evictCell(l)
		return cellWord(a, uint8(id-EvictMember)), Loads
	case CropVersion:
		return cellWord(m.cropHome(s, actor), 1), Loads
	case CropBase:
		return cellWord(m.cropHome(s, actor), 0), Loads
	case CropMember:
		return cellWord(m.cropCell(s, actor), 0), Loads
	case DiscardLook, DiscardValue:
		return cellWord(l.tk.at, uint8(id-DiscardLook)), Loads
	case DiscardMember, DiscardMemberValue:
		return cellWord(m.discardMemberCell(l), uint8(id-DiscardMember)), Loads
	case DiscardVersion:
		return cellWord(discardBaseCell(l), 1), Loads
	case DiscardBase:
		return cellWord(discardBaseCell(l), 0), Loads
	}
	return cellWord(m.at(l.u.h, l.u.home, l.u.c), 1), Loads // CropValue
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
	case HelpSource:
		return descWord(l.p.r.D, WordSource), Loads
	case HelpTarget, HelpTargetAgain:
		return descWord(l.p.r.D, WordTarget), Loads
	case HelpAbort, HelpCommit, HelpPropose, HelpWithdraw:
		return descWord(l.p.r.D, WordTarget), Swaps
	case HelpAbortOther:
		return descWord(l.s.r.D, WordTarget), Swaps
	case HelpFreezeCheck, HelpStillFrozen:
		return cellWord(home, 1), Loads
	case HelpFreeze, HelpWriteValue, HelpUnfreeze, HelpThaw, HelpClearVersion:
		return cellWord(home, 1), Swaps
	case HelpStillHeld:
		return cellWord(home, 0), Loads
	case HelpPublishNew, HelpFlip, HelpFinish, HelpRelease, HelpReopen:
		return cellWord(home, 0), Swaps
	case HelpMarkCheck, HelpStillMarked:
		return cellWord(m.sourceCell(l), 0), Loads
	case HelpFreezeMemberCheck:
		return cellWord(m.sourceCell(l), 1), Loads
	case HelpMark, HelpEmptyMember, HelpUnmark:
		return cellWord(m.sourceCell(l), 0), Swaps
	case HelpFreezeMember, HelpClearMember, HelpThawMember:
		return cellWord(m.sourceCell(l), 1), Swaps
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

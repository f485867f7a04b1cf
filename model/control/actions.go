package control

import "github.com/samecycle/samecycle/model/search"

// Action is an action of the specification, and the program counter of who takes it next.
type Action uint8

// The actions in the order of the specification.
const (
	noAction Action = iota
	ClientCall
	ClientReturn
	TimePass
	LeaseFind
	LeaseLook
	LeaseClock
	LeaseAsk
	LeaseTake
	LeaseRenew
	LeaseGive
	ParamRead
	TuneLoad
	TuneSwap
	LevelLoad
	LevelSwap
	PenaltyLoad
	PenaltySwap
	WishSee
	WishClock
	WishSay
	WishLook
	WishTake
	over // where an actor is when it has ended
)

var actionNames = [...]string{"", "ClientCall", "ClientReturn", "TimePass", "LeaseFind", "LeaseLook",
	"LeaseClock", "LeaseAsk", "LeaseTake", "LeaseRenew", "LeaseGive", "ParamRead", "TuneLoad", "TuneSwap",
	"LevelLoad", "LevelSwap", "PenaltyLoad", "PenaltySwap", "WishSee", "WishClock", "WishSay", "WishLook",
	"WishTake", "Over"}

// String is the name that the specification has for it.
func (a Action) String() string {
	if a > over {
		return otherNames[a-over-1]
	}
	return actionNames[a]
}

// Actions returns the names of all actions of actors, in the order of the specification.
func Actions() []string { return append([]string(nil), actionNames[ClientCall:over]...) }

// Move is an action and who takes it, numbered from 1.
type Move struct {
	Action
	Actor uint8
}

// Step is one step of an actor.
type Step = search.Step[State, Move]

package shardmap

import "github.com/samecycle/samecycle/model/search"

// Action is an action of the specification, and the program counter of who takes it next.
type Action uint8

// The actions in the order of the specification. Over is where an actor is when it has ended.
const (
	noAction Action = iota
	ClientCall
	ClientReturn
	ReadEnter
	ReadRetreat
	ReadWait
	ReadLeave
	WriteClaim
	WriteWait
	WriteDrain
	WriteLeave
	ShardLook
	ShardChange
	CleanupClaim
	CleanupWait
	CleanupNext
	CleanupLeave
	Over
)

var actionNames = [...]string{"", "ClientCall", "ClientReturn", "ReadEnter", "ReadRetreat", "ReadWait",
	"ReadLeave", "WriteClaim", "WriteWait", "WriteDrain", "WriteLeave", "ShardLook", "ShardChange",
	"CleanupClaim", "CleanupWait", "CleanupNext", "CleanupLeave", "Over"}

func (a Action) String() string { return actionNames[a] }

// Actions returns the names of all actions, in the order of the specification.
func Actions() []string { return append([]string(nil), actionNames[ClientCall:Over]...) }

// ActionByName finds an action.
func ActionByName(name string) (Action, bool) {
	for a := ClientCall; a < Over; a++ {
		if actionNames[a] == name {
			return a, true
		}
	}
	return noAction, false
}

// Step is one step of an actor.
type Step = search.Step[State, Action]

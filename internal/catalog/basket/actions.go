package basket

import "github.com/samecycle/samecycle/internal/catalog"

// Actions returns every atomic action of an actor in the order of the specification. The slice is a copy: a
// caller may change it.
func Actions() []catalog.Action { return Engine().Actions }

// missing are the names of the actions for which the engine has no function of its own. IndexFlip,
// IndexPush and IndexDrop are steps within calls of the index. A value has two words in the specification,
// and as many as its bytes need in the engine, whose copies are those of internal/seam. Parameters are words
// of package control, whose functions have these names.
var missing = []string{"CopyLow", "CopyHigh", "AppendLow", "AppendHigh", "IndexFlip", "IndexPush",
	"IndexDrop", "ParamRead", "TuneLoad", "TuneSwap"}

// elsewhere are the names of the actions whose access is not made by the engine's function of that name
// itself: the index makes it, which is an engine of its own. WalkTell has no access, and RoomSettle and
// WalkHand may be several calls.
var elsewhere = []string{"IndexLookup", "IndexStill", "IndexSwap", "IndexInstall", "RoomSettle", "WalkTell",
	"WalkHand"}

// stutters are accesses of the engine that change no state of the specification: entries of writers,
// recency, counts of what lives, what a policy remembers, times, and numbers that the store keeps for others;
// and words of a record that the specification does not have.
var stutters = []string{"CopySize", "CopyExpiry", "CopyRequest", "AppendExpiry",
	"HintRead", "HintBegin", "HintRaise", "HintSwap", "TouchRead", "TouchMark", "TouchClear",
	"OwnerTake", "OwnerRead", "OwnerTakeOver", "OwnerFree",
	"TimeSet", "TimeRead", "HitRead", "HitStore", "RivalRead",
	"SketchRead", "SketchSwap", "SketchTell", "SketchTime",
	"SequenceRead", "SecretSet", "SecretRead", "TickRead", "TickSet"}

var actions = []catalog.Action{
	action("ClientCall", "Client", false, ""),
	action("ClientReturn", "Client", false, ""),

	action("CopyHead", "Append", false, "C01GetReuse,C09EvictColliding"),
	action("CopyLow", "Append", false, ""),
	action("CopyHigh", "Append", false, "C01GetReuse"),
	action("AppendZero", "Append", false, "C10OpenOwnerDies"),
	action("AppendHead", "Append", false, "C19SuspectSet"),
	action("AppendLow", "Append", false, ""),
	action("AppendHigh", "Append", false, ""),
	action("AppendSize", "Append", false, "C10OpenOwnerDies"),

	action("IndexLookup", "Index", true, ""),
	action("IndexStill", "Index", true, "C01GetReuse"),
	action("IndexSwap", "Index", true, "C02SetEvict,C03SetCompact,C04DeleteEvict,C05PromoteSet,"+
		"C07SetSetColliding,C08DeleteSetColliding,C09EvictColliding,C19SuspectSet"),
	action("IndexInstall", "Index", false, "C07SetSetColliding"),
	action("IndexFlip", "Index", true, "C10OpenOwnerDies"),
	action("IndexPush", "Index", true, "C13IndexFull"),
	action("IndexDrop", "Index", false, "C13IndexFull"),

	action("RoomSeal", "Room", false, ""),
	action("RoomLook", "Room", false, ""),
	action("RoomNumber", "Room", false, ""),
	action("RoomOpen", "Room", false, "C12RoomForTwo"),
	action("RoomSettle", "Room", false, "C10OpenOwnerDies"),
	action("RoomAge", "Room", false, "C06PromoteAge"),
	action("RoomTake", "Room", false, "C06PromoteAge,C11RetireOwnerDies"),

	action("WalkSize", "Walk", false, ""),
	action("WalkTell", "Walk", false, "C02SetEvict"),
	action("WalkHand", "Walk", false, "C13IndexFull"),
	action("WalkNumber", "Walk", false, ""),
	action("WalkBack", "Walk", false, "C13IndexFull"),
	action("WalkZero", "Walk", false, "C01GetReuse"),
	action("WalkFree", "Walk", false, "C02SetEvict"),

	action("ParamRead", "Params", true, "C20ParameterChange"),
	action("TuneLoad", "Params", false, ""),
	action("TuneSwap", "Params", true, "C20ParameterChange"),
}

func action(name, module string, lp bool, states string) catalog.Action {
	return catalog.Action{Name: name, Module: module, LP: lp, States: states}
}

package shardmap

import "github.com/samecycle/samecycle/internal/catalog"

// Actions returns every atomic action in the order of the specification. The slice is a copy: a caller may
// change it.
func Actions() []catalog.Action { return Engine().Actions }

var actions = []catalog.Action{
	action("ClientCall", "Client", false, ""),
	action("ClientReturn", "Client", false, ""),

	action("ReadEnter", "Lock", false, "M01ReaderWriter,M14CallbackReenters"),
	action("ReadRetreat", "Lock", false, "M05ReadRetreat"),
	action("ReadWait", "Lock", false, ""),
	action("ReadLeave", "Lock", false, ""),
	action("WriteClaim", "Lock", false, "M02WriterStarvation,M04WriterWriter"),
	action("WriteWait", "Lock", false, ""),
	action("WriteDrain", "Lock", false, "M03WriterDrain,M14CallbackReenters"),
	action("WriteLeave", "Lock", false, "M05ReadRetreat"),

	action("ShardLook", "Contents", true, "M06GetInvalidate,M11SizeChanging"),
	action("ShardChange", "Contents", true,
		"M06GetInvalidate,M07DeferredInvalidation,M08CleanupPut,M12ConditionalInvalidate,M13FullCleanup"),

	action("CleanupClaim", "Cleanup", false, "M09TwoCleanups,M13FullCleanup"),
	action("CleanupWait", "Cleanup", false, ""),
	action("CleanupNext", "Cleanup", false, "M10CursorWrap"),
	action("CleanupLeave", "Cleanup", false, ""),
}

func action(name, module string, lp bool, states string) catalog.Action {
	return catalog.Action{Name: name, Module: module, LP: lp, States: states}
}

package explore

// Faults are the wrong dependency relations, by name, for canaries.
var Faults = map[string]fault{
	"a CompareAndSwap reads": casReads, "a read does not see changes": readBlind,
	"locks are read": lockReads, "call and return commute": silent,
}

// Orphans is the fault that a go statement does not order what it starts after what came before it.
const Orphans = orphans

// WithFault calls f while all reduced searches have the wrong dependency relation.
func WithFault(wrong fault, f func()) {
	seeded = wrong
	defer func() { seeded = sound }()
	f()
}

// Defects are the wrong edges of the race detector, by name, for canaries.
var Defects = map[string]defect{
	"locks tell nothing": deafLock, "stores tell nothing": muteStore, "readers tell readers": oneClock,
}

// WithDefect calls f while all race detectors have the wrong edge.
func WithDefect(wrong defect, f func()) {
	defer func(before defect) { flaw = before }(flaw)
	flaw = wrong
	f()
}

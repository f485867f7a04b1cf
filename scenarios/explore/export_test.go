package explore

// Faults are the wrong dependency relations, by name, for canaries.
var Faults = map[string]fault{
	"a CompareAndSwap reads": casReads, "a read does not see changes": readBlind,
	"locks are read": lockReads, "call and return commute": silent,
}

// WithFault calls f while all reduced searches have the wrong dependency relation.
func WithFault(wrong fault, f func()) {
	seeded = wrong
	defer func() { seeded = sound }()
	f()
}

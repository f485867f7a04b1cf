package catalog

// Link is one link of the chain of evidence: a column of the matrix.
type Link struct {
	ID    string // as in the records and in JSON
	Title string // what the link shows of a state, in one sentence
}

// Links returns the six links in the order of the chain, from the specification to the engine
// under load. The slice is a copy: a caller may change it.
func Links() []Link { return append([]Link(nil), links[:]...) }

// LinkByID returns the link with the given identifier.
func LinkByID(id string) (Link, bool) {
	for _, l := range links {
		if l.ID == id {
			return l, true
		}
	}
	return Link{}, false
}

var links = [6]Link{
	{"spec", "TLC finds the properties of the specification to hold, and the race to be reachable"},
	{"model", "the model in Go has the specification's states and keeps its invariants"},
	{"engine", "each explored interleaving of the shipping source is a path of the model"},
	{"histories", "the histories that clients record are linearizable"},
	{"volume", "the race comes out right in bulk, on free-running threads and processes"},
	{"mutants", "each seeded fault of the engine is found by a link before this one"},
}

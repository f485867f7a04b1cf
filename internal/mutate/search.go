package mutate

import "fmt"

// Verdict is what is known of a mutant.
type Verdict string

// The verdicts. Killed, Hangs and Equivalent are good.
const (
	Killed     Verdict = "killed"
	Hangs      Verdict = "hangs"       // the tests do not end; without the mutant they end in time
	Survived   Verdict = "survived"    // reached, and no judge refuses it
	NotCovered Verdict = "not covered" // no judge has executed its statement
	Unknown    Verdict = "unknown"     // time ran out, or the judge itself could not continue
	Equivalent Verdict = "equivalent"  // survived, and listed as equivalent with the reason
)

// Noticed reports whether a judge has distinguished the mutant from the original.
func (v Verdict) Noticed() bool { return v == Killed || v == Hangs }

// Search is one search of a program of the scenarios.
type Search struct {
	Program     string `json:"program,omitempty"`
	Preemptions int    `json:"preemptions"` // -1: no bound
	Kills       int    `json:"kills"`
	Executions  uint64 `json:"executions,omitempty"` // largest number; 0: no limit
	Drawn       int    `json:"drawn,omitempty"`      // so many drawn programs, instead of those of the states
	Walks       uint64 `json:"walks,omitempty"`      // number of drawn executions, instead of a search
}

// String is the search in a few words.
func (s Search) String() string {
	bound := fmt.Sprintf("preemptions %d", s.Preemptions)
	if s.Preemptions < 0 {
		bound = "any preemptions"
	}
	return fmt.Sprintf("%s, %s, kills %d", s.Program, bound, s.Kills)
}

// Found is the result of the judges for a mutant.
type Found struct {
	Verdict Verdict `json:"verdict,omitempty"`
	Judge   string  `json:"judge,omitempty"`
	Search  *Search `json:"search,omitempty"` // for the judges of scenarios
	Test    string  `json:"test,omitempty"`   // for the package's tests
	Why     string  `json:"why,omitempty"`
	Token   string  `json:"token,omitempty"` // replays the interleaving in the program with the mutant
}

// Line is what the judge prints: where it is, or what it found.
type Line struct {
	At    *Search `json:"at,omitempty"`
	Found *Found  `json:"found,omitempty"`
	Hits  []byte  `json:"hits,omitempty"` // with At: the places that the search has reached
}

package slots

import (
	"fmt"

	model "github.com/samecycle/samecycle/model/slots"
)

// call is what an actor asks for.
type call struct {
	kind  model.Kind
	actor uint8
}

// requests reports whether the call asks a service for something.
func (c call) requests() bool { return c.kind == model.Ask || c.kind == model.Try }

// Append appends the call as a text.
func (c call) Append(text []byte) []byte { return fmt.Appendf(text, "%v", c.kind) }

// String is the text.
func (c call) String() string { return string(c.Append(nil)) }

// answer is what came back. Of a request that was performed, n is how many were performed before it, and 1.
// Gave tells an answer from none.
type answer struct {
	gave   bool
	result model.Result
	n      uint8
}

// Append appends the answer as a text that differs from those of all others.
func (a answer) Append(text []byte) []byte {
	switch {
	case !a.gave:
		return append(text, "nothing"...)
	case a.result == model.Performed:
		return fmt.Appendf(text, "%v, number %d", a.result, a.n)
	}
	return fmt.Appendf(text, "%v", a.result)
}

// String is the text.
func (a answer) String() string { return string(a.Append(nil)) }

func callsOf(actor int, kinds []model.Kind) (all []call) {
	for _, k := range kinds {
		all = append(all, call{k, uint8(actor)})
	}
	return all
}

package basket

import (
	"fmt"

	model "github.com/samecycle/samecycle/model/basket"
)

// call is what a client asks for; or a removal that was told, which takes effect between the swap and the
// telling.
type call struct {
	kind       model.Kind
	removed    bool
	moved      bool // the index moves the entry of the key: nobody asks for it, and nobody sees it
	key, value uint8
	pair       model.Pair
}

func callOf(o model.Op) call { return call{kind: o.Kind, key: o.Key, value: o.Value, pair: o.Pair} }

// changes reports whether the call changes or tells what a client can see of a key.
func (c call) changes() bool {
	return c.removed || !c.moved && !c.kind.Service() && c.kind != model.Tune
}

// Append appends the call as a text that differs from those of all others.
func (c call) Append(text []byte) []byte {
	switch {
	case c.moved:
		return fmt.Appendf(text, "move of %d", c.key)
	case c.removed:
		return fmt.Appendf(text, "told %d of %d", c.value, c.key)
	case c.kind == model.Set:
		return fmt.Appendf(text, "%v(%d, %d)", c.kind, c.key, c.value)
	case c.kind == model.Mark && c.value == 0:
		return fmt.Appendf(text, "Clear(%d)", c.key)
	case c.kind == model.Tune:
		return fmt.Appendf(text, "Tune(%d, %d)", c.pair.Low, c.pair.High)
	case c.kind.Service():
		return fmt.Appendf(text, "%v", c.kind)
	}
	return fmt.Appendf(text, "%v(%d)", c.kind, c.key)
}

// String is the text.
func (c call) String() string { return string(c.Append(nil)) }

// answer is what came back: a value or 0 of a get, and whether it has the mark of a suspect; 1 or 0 of a
// delete; of a mark the value to which it went, or 0; the parameters by which baskets have aged. Gave tells
// an answer from none.
type answer struct {
	gave bool
	n    int8
	mark uint8
	pair model.Pair
}

// Append appends the answer as a text that differs from those of all others.
func (a answer) Append(text []byte) []byte {
	if !a.gave {
		return append(text, "nothing"...)
	}
	if a.mark != 0 {
		text = append(text, "suspect "...)
	}
	if a.pair != (model.Pair{}) {
		return fmt.Appendf(text, "by %d, %d", a.pair.Low, a.pair.High)
	}
	return fmt.Appendf(text, "%d", a.n)
}

// String is the text.
func (a answer) String() string { return string(a.Append(nil)) }

package scenarios

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Replay runs the one interleaving that the token stands for, with the same judges. Errors:
// explore.ErrToken, also when no scenario has the token's program.
func Replay(token string) (harness.Replayed, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return harness.Replayed{}, err
	}
	p, err := programNamed(name)
	if err != nil {
		return harness.Replayed{}, err
	}
	return Registered(p).Replay(token)
}

// ObjectName names the word at an offset of the region: cell 0.3 word 1, descriptor 2 target.
func (w *world) ObjectName(offset uint64) string {
	for half := uint8(0); half < model.Halves; half++ {
		for c := range uint8(w.table.Layout().CellsPerHalf) {
			for i := uint8(0); i < 2; i++ {
				if w.offset(model.Word{Half: half, Cell: c, Index: i}) == offset {
					return fmt.Sprintf("cell %d.%d word %d", half, c, i)
				}
			}
		}
	}
	for t := 1; t <= len(w.program.Ops); t++ {
		for _, word := range descWords {
			if w.offset(model.Word{Desc: uint8(t), Index: uint8(word.index)}) == offset {
				return fmt.Sprintf("descriptor %d %s", t, word.name)
			}
		}
	}
	return fmt.Sprintf("offset %#x", offset)
}

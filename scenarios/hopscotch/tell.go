package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Tell says what a step read, and lists every word of the region that differs from what it was after the
// step before. For an access of the protocol that is one word; it is more if something else writes to the
// region.
func (w *world) Tell(s explore.Step) string {
	if w.seen == nil || s.Index == 0 {
		w.seen = slices.Clone(w.image)
	}
	var all []string
	if s.Kind == hook.Load || s.Kind == hook.CompareAndSwap && !s.OK {
		text := w.ObjectName(s.Object) + " is " + w.decode(s.Object, s.Old)
		if s.Kind != hook.Load {
			text += ", wanted " + w.decode(s.Object, s.New)
		}
		all = append(all, text)
	}
	for i, now := range w.memory {
		if was := w.seen[i]; was != now {
			offset := uint64(i) * 8
			all = append(all, fmt.Sprintf("%s: %s => %s", w.ObjectName(offset), w.decode(offset, was),
				w.decode(offset, now)))
		}
	}
	copy(w.seen, w.memory)
	return strings.Join(all, "; ")
}

// decode renders the word at an offset as the engine prints it, with the keys of the model.
func (w *world) decode(offset, v uint64) string {
	text := w.decodeWord(offset, v)
	for k := 1; k < len(w.keys); k++ {
		text = strings.ReplaceAll(text, "key="+hopscotch.Key(w.keys[k]).String(), fmt.Sprintf("key=%d", k))
	}
	return text
}

func (w *world) decodeWord(offset, v uint64) string {
	for half := range uint8(model.Halves) {
		for c := range uint8(w.table.Layout().CellsPerHalf) {
			if w.offset(model.Word{Half: half, Cell: c}) == offset {
				return w.table.RefLayout().Text(hopscotch.Word0(v))
			}
			if w.offset(model.Word{Half: half, Cell: c, Index: 1}) == offset {
				return hopscotch.Word1(v).String()
			}
		}
	}
	for t := 1; t <= len(w.program.Ops)+1; t++ { // the last is the newcomer's
		for _, word := range descWords {
			if w.offset(model.Word{Desc: uint8(t), Index: uint8(word.index)}) == offset {
				return hopscotch.DescriptorText(word.index, v)
			}
		}
	}
	return fmt.Sprintf("%#x", v)
}

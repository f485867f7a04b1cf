package basket

import "fmt"

// Mark records that the key of f is asked for too often, or that it no longer is: see Meta.Suspect. Like
// each change, it appends a copy of the record, with the other flag, and swaps what the index has under the
// hash. ok is false if another call has changed that since the Find: then nothing has happened. So a value
// that was set in between stays, without the mark; a value that is set later has no mark either. If f says
// that the key is absent, or has that mark already, ok is true and nothing happens.
//
// The old record is not told, because its value has not left. Records that leave to make room are told, as
// by Replace. Errors and progress: those of Replace, except ErrTooLarge.
func (w *Writer) Mark(f Found, suspect bool) (ok bool, err error) {
	if err := w.usable(); err != nil {
		return false, err
	}
	if f.serial != w.serial || f.serial == 0 {
		return false, nil
	}
	if f.state != there || f.meta.Suspect == suspect {
		return true, nil
	}
	p := &w.found
	x := p.links[p.at]
	own := x.size.Units()
	if w.prepared != w.serial {
		if err := w.portionFor(own); err != nil {
			return false, fmt.Errorf("mark of hash %#x: %w", p.hash, err)
		}
	}
	w.laneOf(f, own)
	keep := w.fitting(p.links[:p.at], own)
	if err := w.room(own + unitsOfLinks(p.links[:keep])); err != nil {
		return false, fmt.Errorf("mark of hash %#x: %w", p.hash, err)
	}
	pos := w.pos
	w.noteLinks(p.links[keep:p.at], ReasonEvicted)
	w.dies(p.links[:p.at+1])
	x.word = x.word.marked(suspect)
	ref := w.appendCopies(p.links[:keep], p.hash, w.appendCopy(x, p.hash, p.tail()))
	ok, err = w.indexSwap(p, ref)
	return w.changed(ok, err, pos)
}

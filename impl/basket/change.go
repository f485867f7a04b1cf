package basket

import (
	"errors"
	"fmt"
)

// Changes of one key. Each of them appends what the chain will have before its unchanged rest, and swaps what
// the index has under the hash. All records of a change lie in one basket, which stays open until it is made.

// RecordOptions are those of a new record.
type RecordOptions struct {
	Expires uint64 // milliseconds since 1970 UTC, 0 for never
}

// Prepare does ahead of a Find what a Replace behind it would do first, for a key and a value of so many
// bytes together: it walks over some records of a basket that retires, if one does. Before that it asks for
// the cells of the hash in the index, so that the Find does not wait for them. It need not be called, and
// nothing need follow it. Errors and progress: those of Replace.
func (w *Writer) Prepare(hash uint32, bytes int) error {
	if err := w.usable(); err != nil {
		return err
	}
	w.indexRequest(hash)
	w.prepared = w.serial + 1
	if err := w.portionFor(unitsOf(bytes, 0, 1)); err != nil {
		return fmt.Errorf("set of hash %#x: %w", hash, err)
	}
	w.appendRequest()
	return nil
}

// Replace gives the key of f that value, also if f says that it is absent. ok is false if somebody has
// changed what the index has under the hash since the Find: nothing has happened then, Find again.
//
// The record that was there is told with ReasonReplaced or ReasonExpired. So is what leaves to make room:
// before, also if ok is false: the call walks over some records of a basket that retires (Portion). A chain
// has 8 records at most: a ninth lets the oldest one leave, with ReasonEvicted; so does one that leaves no
// room for another in one basket.
//
// Errors: ErrTooLarge, and the old value stays; ErrNoRoom; ErrCorrupt; ErrClosed; those of the index.
// Progress: lock-free while a basket can be had: each other writer holds two at most. It does not allocate.
func (w *Writer) Replace(f Found, value []byte, o RecordOptions) (ok bool, err error) {
	if err := w.usable(); err != nil {
		return false, err
	}
	if err := w.store.fit(w.key, value); err != nil {
		return false, err
	}
	if f.serial != w.serial || f.serial == 0 {
		return false, nil
	}
	if w.prepared != w.serial {
		if err := w.portionFor(unitsOf(len(w.key), len(value), o.Expires)); err != nil {
			return false, fmt.Errorf("set of hash %#x: %w", w.found.hash, err)
		}
	}
	p, own := &w.found, unitsOf(len(w.key), len(value), o.Expires)
	w.laneOf(f, own)
	keep, gone, tail := w.kept(f, own)
	if err := w.room(own + unitsOfLinks(p.links[:keep])); err != nil {
		return false, fmt.Errorf("set of hash %#x: %w", p.hash, err)
	}
	pos := w.pos
	w.noteLinks(p.links[keep:gone], ReasonEvicted)
	switch f.state {
	case there:
		w.note(p.links[p.at].record, ReasonReplaced)
	case outdated:
		w.note(p.links[p.at].record, ReasonExpired)
	}
	w.dies(p.links[:gone])
	if f.state == there || f.state == outdated {
		w.dies(p.links[p.at : p.at+1])
	}
	ref := w.appendCopies(p.links[:keep], p.hash, tail)
	ref = w.appendNew(p.hash, w.key, value, o.Expires, ref)
	if f.state == nothing {
		return w.added(ref, pos)
	}
	ok, err = w.indexSwap(p, ref)
	return w.changed(ok, err, pos)
}

// kept plans a change that puts a record of so many units before the chain: copies of the first keep links
// are appended, those from there to gone leave, and tail is what is behind.
func (w *Writer) kept(f Found, own uint32) (keep, gone int, tail Ref) {
	p := &w.found
	switch {
	case f.state == nothing:
		return 0, 0, 0
	case f.state == others && p.n < ChainMax:
		return 0, 0, p.tail()
	case f.state == others:
		keep, gone, tail = ChainMax-1, ChainMax, 0
	default:
		keep, gone, tail = p.at, p.at, p.tail()
	}
	return w.fitting(p.links[:keep], own), gone, tail
}

// fitting is how many of the first links fit into one basket beside so many units.
func (w *Writer) fitting(links []link, own uint32) int {
	for len(links) > 0 && own+unitsOfLinks(links) > w.store.units {
		links = links[:len(links)-1]
	}
	return len(links)
}

// Remove takes the key of f out, and tells it with the reason; with ReasonExpired if f has found it expired.
// ok is false if somebody has changed what the index has under the hash since the Find: nothing has happened
// then, Find again. Of a key that f says is absent it is true, and nothing has happened either.
//
// Errors and progress: those of Replace.
func (w *Writer) Remove(f Found, reason Reason) (ok bool, err error) {
	if err := w.usable(); err != nil {
		return false, err
	}
	if f.serial != w.serial || f.serial == 0 {
		return false, nil
	}
	switch f.state {
	case nothing, others:
		return true, nil
	case outdated:
		reason = ReasonExpired
	}
	p := &w.found
	w.lane = &w.lanes[0]
	keep := w.fitting(p.links[:p.at], 0)
	if keep > 0 {
		if err := w.room(unitsOfLinks(p.links[:keep])); err != nil {
			return false, fmt.Errorf("delete of hash %#x: %w", p.hash, err)
		}
	}
	pos := w.pos
	w.noteLinks(p.links[keep:p.at], ReasonEvicted)
	w.note(p.links[p.at].record, reason)
	w.dies(p.links[:p.at+1])
	ok, err = w.indexSwap(p, w.appendCopies(p.links[:keep], p.hash, p.tail()))
	return w.changed(ok, err, pos)
}

// indexSwap puts ref in the place of what the path was followed from; with ref 0 it takes the hash out.
//
// LP: of a replace, a remove, an eviction and a move.
func (w *Writer) indexSwap(p *path, ref Ref) (ok bool, err error) {
	if ref == 0 {
		if ok, err = w.index.CompareAndDelete(p.ticket); ok {
			err = errors.Join(err, w.index.Forget())
		}
		return ok, err
	}
	return w.index.CompareAndSwap(p.ticket, uint32(ref))
}

// indexInstall adds the hash of the last Find.
func (w *Writer) indexInstall(ref Ref) (added bool, err error) {
	added, err = w.index.Add(w.found.hash, uint32(ref), w.handed)
	return added, errors.Join(err, w.index.Forget())
}

// added is what comes of an add. What the index has handed over has left, whether it has added or not.
func (w *Writer) added(ref Ref, pos uint32) (bool, error) {
	added, err := w.indexInstall(ref)
	w.walkTell()
	if err != nil {
		return false, err // the index may have the record
	}
	if added {
		w.raise(pos)
	} else {
		w.back(pos)
	}
	return added, nil
}

// raise counts what was appended from pos on.
func (w *Writer) raise(pos uint32) {
	if w.open != none && w.pos != pos {
		w.store.baskets[w.open].hintRaise(w.pos - pos)
	}
}

// changed is what comes of a change that has appended its records from pos on.
func (w *Writer) changed(ok bool, err error, pos uint32) (bool, error) {
	switch {
	case ok:
		w.raise(pos)
		w.buried()
		w.walkTell()
	case err == nil:
		w.back(pos) // else the index may have the records
	}
	w.dyings = 0
	w.unsay()
	return ok, err
}

package basket

import (
	"errors"
	"fmt"
)

// This file changes one key. Each change appends the new records of the chain, which lead to its unchanged
// rest, and then swaps what the index has under the hash. All new records of a change are in one basket,
// which stays open until the change is made.

// RecordOptions are the options of a new record.
type RecordOptions struct {
	Expires uint64 // milliseconds since 1970 UTC, 0 for never
}

// Prepare does work in advance, before a Find, that the next Replace would have to do, for a key and a value
// of so many bytes together: it walks over some records of a basket that retires, if there is one. Before
// that it requests the cells of the hash in the index, so the Find does not wait for memory. Prepare is
// optional, and no call has to follow it. Errors and progress: those of Replace.
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

// Replace gives the key of f the value, even if f says that the key is absent. ok is false if another call
// has changed what the index has under the hash since the Find: then nothing has happened, and the caller
// has to Find again.
//
// Replace tells the record that it replaces, with ReasonReplaced or ReasonExpired. It also tells the records
// that leave to make room; these leave before the change, even if ok is false, because the call walks over
// some records of a basket that retires (Portion). A chain has 8 records at most. A ninth record makes the
// oldest one leave, with ReasonEvicted; so does a record that no longer fits into one basket with the chain.
//
// Errors: ErrTooLarge, and the old value stays; ErrNoRoom; ErrCorrupt; ErrClosed; those of the index.
// Progress: lock-free while a basket is available; each other writer holds at most one for each lane, and
// one that it retires. It does not allocate.
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

// kept plans a change that puts a record of so many units before the chain. Copies of the first keep links
// are appended, the links from keep to gone leave, and tail is the rest of the chain.
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

// fitting is how many of the first links fit into one basket together with so many units.
func (w *Writer) fitting(links []link, own uint32) int {
	for len(links) > 0 && own+unitsOfLinks(links) > w.store.units {
		links = links[:len(links)-1]
	}
	return len(links)
}

// Remove takes the key of f out, and tells its record with the reason, or with ReasonExpired if f has found
// it expired. ok is false if another call has changed what the index has under the hash since the Find: then
// nothing has happened, and the caller has to Find again. If f says that the key is absent, ok is true and
// nothing happens.
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

// indexSwap replaces what the path was followed from by ref; with ref 0 it takes the hash out.
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

// added returns the result of an add. What the index has handed over has left, whether the add succeeded or
// not.
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

// changed returns the result of a change that has appended its records from pos on.
func (w *Writer) changed(ok bool, err error, pos uint32) (bool, error) {
	switch {
	case ok:
		w.raise(pos)
		w.buried()
		w.walkTell()
	case err == nil:
		w.back(pos) // the index cannot have the records
	}
	w.dyings = 0
	w.unsay()
	return ok, err
}

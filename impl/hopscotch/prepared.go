package hopscotch

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// Operations in two stages: prepare, then do. Preparing validates, computes the homes and requests their
// cache lines. A program that prepares several keys before it uses the first one waits for memory once, and
// not once for each key.

// Prepared is a key together with its home cells (source: augmented hash; docs/protocol.md, section 13, says
// why it names no half). It belongs to tables of one size: any view of the same region, in any process, and
// any other region with as many cells and the same choice of homes. It is a value that may be copied and
// kept, and it stays valid: the homes of a key never change. The zero value is the prepared form of no key:
// using it is ErrKey.
type Prepared struct {
	key    Key
	layout homing // of the table that it was prepared for
	h0, h1 uint32 // No array, and no fifth field: it would be copied through memory, and calls wait for that.
}

// Key is the key that was prepared, 0 for the zero value.
func (p Prepared) Key() uint32 { return uint32(p.key) }

// Homes gives the index of the home cell in half 0 and in half 1, as the function Homes does.
func (p Prepared) Homes() (h0, h1 uint32) { return p.h0, p.h1 }

// PreparedAdd is an element that is about to be added: a prepared key and its value. The rules of Prepared
// hold for it, too.
type PreparedAdd struct {
	Prepared
	value Value
}

// Value is the value that was prepared, 0 for the zero value.
func (p PreparedAdd) Value() uint32 { return uint32(p.value) }

// Prepare computes the homes of a key, 1..0xFFFFFFFE, and asks for the two cache lines. It says
// nothing about whether the key is there. Errors: ErrKey. Progress: wait-free; it stores nothing.
func (t *Table) Prepare(key uint32) (Prepared, error) {
	switch {
	case t.all == nil:
		return Prepared{}, fmt.Errorf("prepare key %v: %w", Key(key), ErrZero)
	case Key(key).Reserved():
		return Prepared{}, fmt.Errorf("prepare key %v: %w", Key(key), ErrKey)
	}
	p := t.prepared(Key(key))
	t.request(spots(p.h0, p.h1))
	return p, nil
}

// PrepareAt is Prepare for a key that was kept together with its bucket, the home in half 0
// ([Prepared.Homes]), for example in a word that another process has sent. If the bucket is not that of the
// key in this table, this is an error, and not a key that is absent. Errors: ErrKey, ErrHomes. Progress:
// wait-free; it stores nothing.
func (t *Table) PrepareAt(key, bucket uint32) (Prepared, error) {
	p, err := t.Prepare(key)
	if err == nil && bucket != p.h0 {
		return Prepared{}, fmt.Errorf("prepare key %v at bucket %d: %w (its bucket here is %d, of %v)",
			p.key, bucket, ErrHomes, p.h0, p.layout)
	}
	return p, err
}

// PrepareAdd is the first stage of an add: it validates key and value, computes the homes, and asks
// for the two cache lines. The second stage is [Handle.AddPrepared]; nothing is reserved in between,
// and a prepared add that is never done costs nothing.
//
// Errors: ErrKey, ErrValue. Progress: wait-free; it stores nothing.
func (t *Table) PrepareAdd(key, value uint32) (PreparedAdd, error) {
	if value == 0 {
		return PreparedAdd{}, fmt.Errorf("prepare key %v: %w", Key(key), ErrValue)
	}
	p, err := t.Prepare(key)
	if err != nil {
		return PreparedAdd{}, err
	}
	return PreparedAdd{p, Value(value)}, nil
}

// homing is what the homes of a key depend on: twice the number of cells of a half, and 1 for homes
// that are near.
type homing uint64

func (t *Table) homing() homing {
	x := homing(t.cells) << 1
	if t.near {
		x |= 1
	}
	return x
}

// String says it in words.
func (x homing) String() string {
	homes := HomesApart
	if x&1 != 0 {
		homes = HomesNear
	}
	return fmt.Sprintf("%d cells a half, homes %v", uint64(x>>1), homes)
}

// prepared computes the homes of a key that is none of the reserved ones.
func (t *Table) prepared(k Key) Prepared {
	h0, h1 := t.homes(k)
	return Prepared{k, t.homing(), h0, h1}
}

// request asks for the lines of the homes at these spots; near homes share one.
func (t *Table) request(first, apart spot) {
	t.on(first).searchRequest()
	if !t.near {
		t.on(first ^ apart).searchRequest()
	}
}

// requestWindows requests the next lines of the windows of both homes (near homes share theirs), because an
// add that finds both homes taken looks there, one cell after the other. A short ring is in the caches
// anyway.
func (t *Table) requestWindows(first, apart spot) {
	const lines, rows = 3, region.LineBytes / RowBytes
	if t.cells < longRing {
		return
	}
	for row := uint32(rows); row <= lines*rows; row += rows {
		t.halves[0].at(first.index(), row).searchRequest()
		if !t.near {
			t.halves[1].at((first ^ apart).index(), row).searchRequest()
		}
	}
}

// accepts returns why p cannot be used with this table, or nil. Its homes are below p.cells, because only
// prepared makes them.
func (t *Table) accepts(what string, p Prepared) error {
	switch {
	case t.made() != nil:
		return fmt.Errorf("%s: %w", what, t.made())
	case p.key.Reserved():
		return fmt.Errorf("%s: %w", what, ErrKey)
	case p.layout != t.homing():
		return fmt.Errorf("%s of key %v: %w (for %v, this one has %v)",
			what, p.key, ErrHomes, p.layout, t.homing())
	}
	return nil
}

// admitPrepared returns why a call on the prepared key may not begin, or nil.
func (h *Handle) admitPrepared(what string, p Prepared) error {
	admitted := h.admits(p.key)
	if err := h.table.accepts(what, p); err != nil {
		return err
	}
	if !admitted {
		return h.refuse(what, p.key)
	}
	return nil
}

// GetPrepared is Lookup for a prepared key. Errors: those of Lookup, and ErrHomes. Progress:
// lock-free; it stores nothing.
func (t *Table) GetPrepared(p Prepared) (value uint32, found bool, err error) {
	if err := t.accepts("get", p); err != nil {
		return 0, false, err
	}
	v, o := t.getAt(p.key, p.h0, p.h1)
	if o > present {
		return 0, false, fmt.Errorf("get of key %v: %w", p.key, o.err())
	}
	return uint32(v), o == present, nil
}

// AddPrepared is the second stage of an add, and does what Add does. Errors: those of Add, and
// ErrHomes. Progress: that of Add.
func (h *Handle) AddPrepared(p PreparedAdd) (Result, error) {
	if err := h.admitPrepared("add", p.Prepared); err != nil {
		return 0, err
	}
	first, apart := spots(p.h0, p.h1)
	return h.addAt(p.key, p.value, first, apart)
}

// UpdatePrepared is Update for a prepared key. Errors: those of Update, and ErrHomes. Progress: that
// of Update.
func (h *Handle) UpdatePrepared(p Prepared, value uint32) (old uint32, ok bool, err error) {
	if err := h.admitPrepared("update", p); err != nil {
		return 0, false, err
	}
	first, apart := spots(p.h0, p.h1)
	return h.updateAt(p.key, first, apart, Value(value))
}

// DeletePrepared is Delete for a prepared key. Errors: those of Delete, and ErrHomes. Progress: that
// of Delete.
func (h *Handle) DeletePrepared(p Prepared) (ok bool, err error) {
	if err := h.admitPrepared("delete", p); err != nil {
		return false, err
	}
	return h.deletePrepared(p)
}

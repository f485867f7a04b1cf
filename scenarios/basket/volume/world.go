package volume

import (
	"encoding/json"
	"maps"
	"math"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/stress"
)

// world is the store of one run, as the parent has it.
type world struct {
	subject *subject
	state   int
	recipe
	region   *region.Region
	heads    *heads
	table    *hopscotch.Table
	store    *basket.Store
	index    basket.Index
	reader   *basket.Reader
	ledger   ledger
	left     map[uint32]remains // by owner
	retiring []retired
	contents map[uint32]uint64
	suspects map[uint32]bool // the keys among them that have a mark
	params   params
	pair     uint64 // the parameters when the round began
}

// remains is what the parent saw of a client that was stopped, or has died.
type remains struct {
	open     []uint64 // words of its open basket
	retiring uint32   // none: no basket
	head     basket.Head
}

// retired is a basket that a dead one has left as it retired.
type retired struct {
	basket     uint32
	generation uint32
}

// newWorld is a store in r, which is the world's to close.
func newWorld(s *subject, state int, r *region.Region) (*world, error) {
	w := &world{subject: s, state: state, recipe: recipes[state], region: r, ledger: ledger{},
		left: map[uint32]remains{}, contents: map[uint32]uint64{}}
	if err := w.attach(); err != nil {
		_ = r.Close() // the run is over before it has begun
		return nil, err
	}
	return w, nil
}

func (w *world) attach() (err error) {
	if w.heads, err = newHeads(w.region); err != nil {
		return err
	}
	if w.params, err = w.paramsOf(w.region); err != nil {
		return err
	}
	if w.store, err = basket.New(w.region); err != nil {
		return err
	}
	if w.table, err = hopscotch.NewWith(w.region, hopscotch.Options{Older: w.store.Older}); err != nil {
		return err
	}
	h, err := w.table.NewHandle(stress.ParentOwner)
	if err != nil {
		return err
	}
	w.index = basket.OnTable(h)
	w.reader, err = w.store.NewReader(w.index, basket.ReaderOptions{NoTouch: true})
	return err
}

// Client attaches a goroutine.
func (w *world) Client(owner uint32) (stress.Client, error) {
	return newClient(w.subject, w.state, w.region, owner, false)
}

// Handout names the file of the region.
func (w *world) Handout() ([]byte, error) {
	return json.Marshal(handout{Region: w.region.File(), State: w.state})
}

// InProgress looks at the baskets of a client that is stopped or dead: whether it has appended a record to
// which the index does not lead, or has a basket that retires.
func (w *world) InProgress(owner uint32) stress.Progress {
	entry := w.heads.entry(owner)
	x := remains{retiring: none}
	open, _ := w.heads.owned(entry, basket.StateOpen)
	if open != none {
		x.open = w.heads.copyOf(open)
	}
	x.retiring, x.head = w.heads.owned(entry, basket.StateRetiring)
	w.left[owner] = x
	pending := open != none && w.appended(open, x.open)
	switch {
	case w.state == 10 && pending, w.state == 11 && x.retiring != none:
		return stress.Wanted
	case pending || x.retiring != none:
		return stress.Busy
	}
	return stress.Idle
}

// appended tells whether the last record of an open basket is one to which the index does not lead. One that
// is incomplete has no size, and does not count.
func (w *world) appended(b uint32, words []uint64) bool {
	last := none
	for at := uint32(0); at < uint32(len(words)) && words[at] != 0; {
		last = at
		at += max(basket.SizeWord(words[at]).Units(), 1)
	}
	if last == none {
		return false
	}
	ref, there := w.table.Get(basket.SizeWord(words[last]).Hash())
	return !there || ref != b*w.heads.units+last+1
}

// Close gives the region back.
func (w *world) Close() error { return w.region.Close() }

// parent is a client that is the parent's own.
func (w *world) parent() *client {
	return &client{recipe: w.recipe, subject: w.subject, store: w.store, index: w.index, params: w.params,
		owner: stress.ParentOwner}
}

// settle finishes what the dead have left, as any new writer would.
func (w *world) settle(f *stress.Faults) (notes []stress.Words) {
	c := w.parent()
	err := c.open()
	if err == nil {
		err = c.writer.Settle()
	}
	if err == nil {
		err = c.writer.Close()
	}
	if err != nil || c.err != nil {
		f.Add("a newcomer cannot settle what is left: %v %v", err, c.err)
	}
	return c.notes
}

// rest is the value of each key at rest, and which of them have a mark.
func (w *world) rest(f *stress.Faults) (all map[uint32]uint64, suspects map[uint32]bool) {
	all, suspects = map[uint32]uint64{}, map[uint32]bool{}
	for key := range w.keys {
		value, m, ok, err := w.reader.Get(w.hash(key), keyBytes(key), nil)
		if err != nil {
			f.Add("get of key %d at rest: %v", key, err)
		}
		if ok {
			n, err := w.number(value)
			if err != nil {
				f.Add("key %d at rest: %v", key, err)
			}
			all[key] = n
			if m.Suspect {
				suspects[key] = true
			}
		}
	}
	return all, suspects
}

// check is that of the store.
func (w *world) check(records int, f *stress.Faults) {
	found := w.store.Check(w.table.All(), w.table.Handed)
	for _, x := range found.All {
		f.Add("check of the store: %v", x)
	}
	if found.Records != records {
		f.Add("accounts: the index leads to %d records, and %d keys are there", found.Records, records)
	}
}

// Audit settles what the dead have left, and holds the store, what was told, and what was found against one
// another.
func (w *world) Audit(x *stress.Window, f *stress.Faults) stress.Audit {
	notes := w.settle(f)
	now, suspects := w.rest(f)
	w.check(len(now), f)
	win := w.window(x, notes, now)
	win.suspects, win.pair = suspects, w.params.now()
	initial := maps.Clone(w.contents)
	initial[w.keys] = w.pair
	lost := w.ledger.window(win, f)
	a := stress.Audit{Marks: w.marks(win), Lost: uint64(len(lost)), Returned: uint64(len(x.Dead)),
		History: stress.Ordered[asked, given]{Model: modelOf(initial, w.suspects), Ops: win.history(lost)}}
	w.contents, w.suspects, w.pair = now, suspects, win.pair
	w.left = map[uint32]remains{}
	return a
}

// window is what is known of a round.
type window struct {
	*stress.Window
	keys     uint32
	now      map[uint32]uint64
	suspects map[uint32]bool
	pair     uint64         // the parameters
	settled  []stress.Words // what the parent was told
	deaths   int            // that may hide something
	since    int64          // nothing of that is older
	lossMost int
}

// hiddenMost is how many values one death hides at most: those of a call with its tries, of which the last
// one retires some baskets.
func (w *world) hiddenMost() int {
	perBasket := int(w.bytes/basket.UnitBytes) / 4
	return noteStop + 32 + basket.ChainMax + 3*perBasket
}

func (w *world) window(x *stress.Window, settled []stress.Words, now map[uint32]uint64) *window {
	win := &window{Window: x, keys: w.keys, now: now, settled: settled, since: math.MaxInt64}
	seen := map[uint32]bool{}
	for i := range x.Events {
		e := &x.Events[i]
		seen[e.Owner] = true
		if e.Pending {
			win.deaths++
			win.since = min(win.since, e.Call)
		}
	}
	for _, owner := range x.Dead {
		if !seen[owner] { // it died as it attached: what it was told then nobody knows
			win.deaths++
		}
	}
	if win.since == math.MaxInt64 && len(x.Events) > 0 {
		win.since = x.Events[0].Call
	}
	win.lossMost = win.deaths * w.hiddenMost()
	return win
}

// Drain removes every key: each is told with its value.
func (w *world) Drain(f *stress.Faults) {
	c := w.parent()
	if err := c.open(); err != nil {
		f.Add("drain: %v", err)
		return
	}
	for key := range w.keys {
		c.notes, c.taken, c.now = c.notes[:0], 0, key
		if _, err := c.change(request(kindRemove, key, 0)); err != nil {
			f.Add("drain: a remove of key %d: %v", key, err)
		}
		for _, n := range c.notes { // the key, or others that were evicted to have room for what stays
			if w.contents[keyOf(n)] != n[1] {
				f.Add("drain: %v of value %#x of key %d was told, which has %#x", reasonOf(n), n[1], keyOf(n),
					w.contents[keyOf(n)])
			}
			delete(w.contents, keyOf(n))
		}
		if value, ok := w.contents[key]; ok {
			f.Add("drain: value %#x of key %d was removed, and not told", value, key)
		}
	}
	if err := c.writer.Close(); err != nil {
		f.Add("drain: %v", err)
	}
	w.check(0, f)
}

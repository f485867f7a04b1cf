package cachestorm

import (
	"errors"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// audit judges a round when all processes are at rest. No process has the cache open then.
func (w *world) audit() error {
	s := w.storm
	if err := w.finish(); err != nil {
		return err
	}
	if s.o.damage != nil {
		s.o.damage(w.region)
	}
	c, err := cache.Attach(w.region, cache.Options{NoJanitor: true, OnEvent: w.told})
	if err != nil {
		s.report.fault("accounts: the cache cannot be opened any more: %v", err)
		return nil
	}
	x, err := c.Stats()
	if err != nil {
		s.report.fault("counts: %v", err)
	}
	now, _, err := readValues(c)
	if err != nil {
		s.report.fault("tune: at rest: %v", err)
	}
	w.check(c)
	present := w.present(c)
	if err := c.Close(); err != nil {
		s.report.fault("accounts: %v", err)
	}
	w.tunes(&w.known, now)
	w.verdict(present, func() { w.tally(x.All.Minus(w.counts), len(w.deaths)) })
	w.counts = x.All
	return nil
}

// told journals an event of the parent.
func (w *world) told(e cache.Event) {
	key := keyNumber(e.Key)
	number, whole, _ := numberOf(e.Value, key, nil)
	w.board.tell(w.board.slots, uint8(e.Reason), max(key, 0), number, whole && key >= 0)
}

// raw is the store of records below a cache.
type raw struct {
	region *region.Region
	store  *basket.Store
	table  *hopscotch.Table
}

// openRaw opens the store of records.
func (w *world) openRaw() (x raw, err error) {
	if x.region, err = region.Open(w.region, nil); err != nil {
		return x, err
	}
	if x.store, err = basket.New(x.region); err == nil {
		x.table, err = hopscotch.NewWith(x.region, hopscotch.Options{Older: x.store.Older})
	}
	if err != nil {
		return x, errors.Join(err, x.region.Close())
	}
	return x, nil
}

// parentNumber is the number by which a person recognises the parent's handles.
const parentNumber = 1 << 30

// finish finishes what the dead have begun in the index, and tells what has left by that. Otherwise that
// would happen in a later round.
func (w *world) finish() error {
	x, err := w.openRaw()
	if err != nil {
		w.storm.report.fault("accounts: the region cannot be opened any more: %v", err)
		return nil
	}
	work := func() error {
		h, err := x.table.NewHandle(parentNumber)
		if err != nil {
			return err
		}
		writer, err := x.store.NewWriter(basket.OnTable(h), basket.WriterOptions{Number: parentNumber,
			Tell: func(l basket.Leaving) {
				w.told(cache.Event{Reason: l.Reason, Key: l.Key, Value: l.Value})
			}})
		if err != nil {
			return errors.Join(err, h.Close())
		}
		return errors.Join(writer.Settle(), writer.Close(), h.Close())
	}
	if err := work(); err != nil {
		w.storm.report.fault("accounts: what the dead have left cannot be finished: %v", err)
	}
	return x.region.Close()
}

// check checks the structure of the cache, and its accounts.
func (w *world) check(c *cache.Cache) {
	r := w.storm.report
	r.Checks++
	found, err := c.Check()
	if err == nil {
		err = found.Err()
	}
	if err != nil {
		r.fault("accounts: cache.Check: %v, seed %d, round %d", err, w.storm.o.Seed, r.Rounds)
		return
	}
	x, err := w.openRaw()
	if err != nil {
		r.fault("accounts: the region cannot be opened any more: %v", err)
		return
	}
	w.accounts(x, found.Records.LiveBytes)
	if err := x.region.Close(); err != nil {
		r.fault("accounts: %v", err)
	}
}

// placed is a record that a walk has passed.
type placed struct {
	basket uint32
	bytes  uint64
	next   basket.Ref
}

// walked returns the records of all baskets, and how many bytes each basket has of them.
func (x raw) walked() (records map[basket.Ref]placed, used []uint64) {
	records, used = map[basket.Ref]placed{}, make([]uint64, x.store.Layout().Baskets)
	x.store.Records(func(y basket.Record) bool {
		records[y.Ref] = placed{y.Basket, bytesOf(y), y.Next}
		used[y.Basket] += bytesOf(y)
		return true
	})
	return records, used
}

// lives returns, for each basket, the bytes of records that the index leads to and that a walk passes.
func (x raw) lives() []uint64 {
	records, used := x.walked()
	lives := make([]uint64, len(used))
	for _, ref := range x.table.All() {
		for next, n := basket.Ref(ref), 0; next != 0 && n <= basket.ChainMax; n++ {
			y := records[next] // the zero value if there is no such record
			lives[y.basket] += y.bytes
			next = y.next
		}
	}
	return lives
}

// accounts counts all bytes of all baskets independently: it walks over the records, and follows the index.
func (w *world) accounts(x raw, live uint64) {
	r, l := w.storm.report, x.store.Layout()
	_, used := x.walked()
	free, total := uint64(0), uint64(0)
	for b, lives := range x.lives() {
		if used[b] > uint64(l.BasketBytes) || lives > used[b] {
			r.fault("accounts: basket %d of %d bytes has records of %d, of which %d live", b, l.BasketBytes,
				used[b], lives)
		}
		if total += lives; used[b] == 0 {
			free += uint64(l.BasketBytes)
		}
	}
	stats := x.store.Stats()
	all := uint64(l.Baskets) * uint64(l.BasketBytes)
	if stats.FreeBytes+stats.LiveBytes+stats.DeadBytes != all || stats.FreeBytes > free || total != live {
		r.fault("accounts: of %d bytes are free %d + live %d + dead %d; empty baskets have %d; live are %d "+
			"by one count and %d by the other", all, stats.FreeBytes, stats.LiveBytes, stats.DeadBytes, free,
			total, live)
	}
	r.Held = max(r.Held, stats.Open+stats.Retiring)
	r.Drift = max(r.Drift, max(live, stats.LiveBytes)-min(live, stats.LiveBytes))
}

// bytesOf is the size of a record.
func bytesOf(y basket.Record) uint64 {
	words := 2
	if y.Meta.Expires != 0 {
		words = 3
	}
	return uint64(words*8 + (len(y.Key)+len(y.Value)+7)/8*8)
}

// present returns the value of each key, and tells the judge.
func (w *world) present(c *cache.Cache) []uint64 {
	all := make([]uint64, w.keys)
	var value, scratch []byte
	w.begin()
	for k := range all {
		begin := w.board.tick()
		now := clockNow()
		v, ok, err := c.Peek(keyOf(k), value[:0])
		if err != nil {
			w.storm.report.fault("whole: key %d at rest: %v", k, err)
			continue
		}
		whole := true
		if ok {
			value = v
			if all[k], whole, scratch = numberOf(v, k, scratch); !whole {
				w.storm.report.fault("whole: key %d has at rest a value that nobody has set: %.16x", k, v)
			}
		}
		w.judge.look(k, all[k], begin, w.board.tick(), now)
	}
	return all
}

// begin makes the judge read all journals.
func (w *world) begin() {
	w.judge.fault = func(format string, args ...any) {
		args = append(args, w.storm.o.Seed, w.storm.report.Rounds)
		w.storm.report.fault(format+"; seed %d, round %d", args...)
	}
	w.judge.read(w.board)
}

// verdict judges all values of the round; more judges the other results of calls.
func (w *world) verdict(present []uint64, more func()) {
	j, r := w.judge, w.storm.report
	r.Stored += j.stores(w.board)
	j.hear(w.board, r.Told)
	j.settle()
	j.returns()
	e := j.tells(present, w.deaths)
	r.Calls, r.Changes = r.Calls+j.calls, r.Changes+j.news
	r.Values += e.values
	r.Doubt += uint64(e.doubt)
	r.DoubtPeak = max(r.DoubtPeak, e.doubt)
	r.Twice += e.twice
	for _, d := range w.deaths {
		r.DoubtMost += uint64(d.most())
	}
	w.unmades()
	w.quotas.judge(j.asks, r, j.fault)
	more()
	if w.storm.o.judged != nil {
		w.storm.o.judged(j, r.Rounds)
	}
	r.BySlots += j.bySlots
	j.calls, j.news, j.bySlots, j.counts, j.asks, j.unmade = 0, 0, 0, counted{}, j.asks[:0], j.unmade[:0]
	j.next(present)
}

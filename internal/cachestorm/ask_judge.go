package cachestorm

import (
	"cmp"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// asked is an Ask from a journal.
type asked struct {
	slot, key  int
	begin, end int64 // nanoseconds of the system's clock; end is 0 if there was no answer
	answered
}

// bucket is the highest possible level of a bucket of the cache that is charged by one class, as the time
// that it takes to drain. It is kept from round to round.
type bucket struct {
	level, at int64
	over      []span // times at which it may have been too high, in order
}

// quotaClock is how much the clocks by which rates are counted may differ from the clock of the journals,
// because they are rounded down to milliseconds.
const quotaClock = 2 * int64(time.Millisecond)

// charge adds a call that begins at that time. slack is the charge of calls that began earlier and were
// charged later, one for each thread.
func (b *bucket) charge(begin, slack int64) {
	const cost = int64(time.Second / askLeast)
	b.level = max(0, b.level-max(0, begin-b.at)) + cost
	b.at = max(b.at, begin)
	high := b.level + slack + cost + quotaClock // one more, because a client needs room for a call
	if high <= int64(askBurst) {
		return
	}
	until := begin + high - int64(askBurst)
	if n := len(b.over); n > 0 && begin <= b.over[n-1].to {
		b.over[n-1].to = max(b.over[n-1].to, until)
		return
	}
	b.over = append(b.over, span{begin, until})
}

// could reports whether the bucket can have been too high at an instant of the span.
func (b *bucket) could(from, to int64) bool {
	return slices.ContainsFunc(b.over, func(s span) bool { return s.from <= to && from <= s.to })
}

// forget drops the spans that no answer of a later round can depend on.
func (b *bucket) forget(now int64) {
	b.over = slices.DeleteFunc(b.over, func(s span) bool { return s.to+2*penaltyMost < now })
}

// quotas judges the answers of Ask from round to round of a cache.
type quotas struct {
	askers
	threads             int // of all processes
	keys, coldKeys      bucket
	clients, coldClient bucket
}

// judge judges the answers of a round.
func (q *quotas) judge(asks []asked, r *Report, fault func(format string, args ...any)) {
	slices.SortFunc(asks, func(a, b asked) int { return cmp.Compare(a.begin, b.begin) })
	slack := int64(q.threads) * int64(time.Second/askLeast)
	for _, a := range asks {
		if a.end != 0 && a.byClient() {
			continue // it was not charged
		}
		q.keys.charge(a.begin, slack)
		q.clients.charge(a.begin, slack)
		if !q.hot(a.key) {
			q.coldKeys.charge(a.begin, slack)
		}
		if !q.hotClient(a.client()) {
			q.coldClient.charge(a.begin, slack)
		}
	}
	for _, a := range asks {
		r.Asks++
		if a.end != 0 {
			q.one(a, r, fault)
		}
	}
	q.rates(asks, fault)
	if n := len(asks); n > 0 {
		for _, b := range []*bucket{&q.keys, &q.coldKeys, &q.clients, &q.coldClient} {
			b.forget(asks[n-1].begin)
		}
	}
}

// one judges one answer. If a client or a key is refused, it must have been asked often enough.
func (q *quotas) one(a asked, r *Report, fault func(format string, args ...any)) {
	switch state := a.state(); {
	case state == cache.Denied && a.byClient():
		r.DeniedClients++
		b, what := &q.clients, "asks often"
		if !q.hotClient(a.client()) {
			b, what = &q.coldClient, "asks rarely"
		}
		if !b.could(a.begin-refusalMost-quotaClock, a.end) {
			fault("quota: client %d, which %s, is denied to slot %d, and the calls ahead of that do not "+
				"allow it", a.client(), what, a.slot)
		}
	case state == cache.Denied || state == cache.Suspect:
		if state == cache.Denied {
			r.DeniedKeys++
		} else {
			r.Suspects++
		}
		b, what := &q.keys, "is asked for often"
		if !q.hot(a.key) {
			b, what = &q.coldKeys, "is asked for rarely"
		}
		if !b.could(a.begin-penaltyMost-quotaClock, a.end) {
			fault("quota: key %d, which %s, is %v to slot %d, and the calls ahead of that do not allow it",
				a.key, what, state, a.slot)
		}
	}
}

// rates judges how many calls of each client were served in a round.
func (q *quotas) rates(asks []asked, fault func(format string, args ...any)) {
	type served struct{ first, last, n int64 }
	all := map[uint64]*served{}
	for _, a := range asks {
		if a.end == 0 || a.byClient() {
			continue
		}
		s := all[a.client()]
		if s == nil {
			s = &served{first: a.begin}
			all[a.client()] = s
		}
		s.n++
		s.last = max(s.last, a.end)
	}
	for client, s := range all {
		most := int64(askMost)*(int64(askBurst)+s.last-s.first+quotaClock)/int64(time.Second) +
			int64(q.threads)
		if s.n > most {
			fault("quota: client %d was served %d calls in %.1f ms, and the highest limit allows %d",
				client, s.n, float64(s.last-s.first)/1e6, most)
		}
	}
}

// expelled judges an event: the key must have been asked for too often, and the process that tells the event
// must have been in an Ask of the key.
func (j *judge) expelled(h *history, l *life, x telling) {
	if j.askers.hot(l.key) && quotaOf(x.slot).Action == cache.ActionExpel && slices.ContainsFunc(h.asks,
		func(a sight) bool { return a.slot == x.slot && within(a, x.moment) }) {
		return
	}
	j.fault("quota: value %#x of key %d was expelled, and slot %d was in no Ask of it that may do so: %v",
		l.number, l.key, x.slot, l.told)
}

// within reports whether a call ran at that moment.
func within(a sight, moment uint64) bool { return a.begin < moment && (a.end == 0 || a.end > moment) }

// calm judges whether keys stop being suspects when no process asks for them any more.
func (w *world) calm() error {
	time.Sleep(time.Duration(max(penaltyMost, 2*int64(askBurst)) + 2*quotaClock))
	c, err := cache.Attach(w.region, cache.Options{NoJanitor: true, OnEvent: w.told, Quota: quotaOf(0)})
	if err != nil {
		return err
	}
	for i, key := range append(append([]int{}, w.askers.HotKeys...), w.askers.ColdKeys...) {
		who := w.askers.HotClients[i%len(w.askers.HotClients)]
		_, a, err := c.Ask(who, keyOf(key), nil)
		if err != nil {
			w.storm.report.fault("quota: an Ask at rest: %v", err)
			break
		}
		if a.State != cache.Hit && a.State != cache.Miss {
			w.storm.report.fault("quota: key %d is %v to client %d, %v after all calls: %+v; seed %d, "+
				"round %d", key, a.State, who, time.Duration(penaltyMost), a, w.storm.o.Seed,
				w.storm.report.Rounds)
		}
		w.storm.report.Calmed++
	}
	if all, err := c.Suspects(); err != nil || len(all) > 0 {
		w.storm.report.fault("quota: at rest Suspects lists %d keys, %v", len(all), err)
	}
	return c.Close()
}

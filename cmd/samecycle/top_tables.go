package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
)

// topTables make the tables of a frame, in the order in which they are shown.
var topTables = []func(now, before *topSample) topTable{
	topCalls, topSizes, topBaskets, topTiers, topSuspects, topAges, topParameters,
	topProcesses,
}

// topSample is what there is to know of a cache at about one moment.
type topSample struct {
	time      time.Time
	options   cache.Options
	stats     cache.Stats
	baskets   []basket.Info
	processes []cache.Process
	suspects  []cache.SuspectKey
}

// topWatch takes samples of a cache, and makes frames of two.
type topWatch struct {
	cache  *cache.Cache
	info   os.FileInfo // of the file at its name when it was opened
	before *topSample

	searched time.Time     // when suspects were looked for last
	search   time.Duration // how long that took
}

// suspectsPart is how many times as long as a search for suspects takes, nobody searches again: it reads all
// entries.
const suspectsPart = 20

// suspects are the keys that are suspects now, or those of the sample before if it is too early for another
// search. A cache in which no call was ever refused has none.
func (w *topWatch) suspects(all cache.Counts) (found []cache.SuspectKey, err error) {
	if all.Suspects+all.Denied+all.Expelled == 0 {
		return nil, nil
	}
	begun := time.Now()
	if w.before != nil && begun.Sub(w.searched) < suspectsPart*w.search {
		return w.before.suspects, nil
	}
	found, err = w.cache.Suspects()
	w.searched, w.search = begun, time.Since(begun)
	sortSuspects(found)
	return found, err
}

// sample looks at the cache.
func (w *topWatch) sample() (s *topSample, err error) {
	s = &topSample{time: time.Now(), options: w.cache.Options()}
	if s.stats, err = w.cache.Stats(); err != nil {
		return nil, err
	}
	if s.baskets, err = w.cache.Baskets(); err != nil {
		return nil, err
	}
	if s.processes, err = w.cache.Processes(); err != nil {
		return nil, err
	}
	s.suspects, err = w.suspects(s.stats.All)
	return s, err
}

// frame makes a frame of a new sample and the one before.
func (w *topWatch) frame() (topFrame, error) {
	now, err := w.sample()
	if err != nil {
		return topFrame{}, err
	}
	f := topFrame{File: w.cache.File(), Time: now.time}
	if w.before != nil {
		f.Seconds = now.time.Sub(w.before.time).Seconds()
	}
	if info, err := os.Stat(w.cache.File()); err != nil || w.info == nil || !os.SameFile(info, w.info) {
		f.Note = "the name leads to this cache no more"
	}
	for _, make := range topTables {
		f.Tables = append(f.Tables, make(now, w.before))
	}
	w.before = now
	return f, nil
}

// perSecond is a rate; nil without a sample before.
func perSecond(more uint64, now, before *topSample) any {
	if before == nil || !now.time.After(before.time) {
		return nil
	}
	return float64(more) / now.time.Sub(before.time).Seconds()
}

// share is a part of all; nil of nothing.
func share(part, all uint64) any {
	if all == 0 {
		return nil
	}
	return cellShare(float64(part) / float64(all))
}

// topCalls is what all processes do.
func topCalls(now, before *topSample) topTable {
	t := topTable{Name: "calls of all processes", Columns: []string{"what", "a second", "in all"}}
	all, more := now.stats.All, cache.Counts{}
	if before != nil {
		more = all.Minus(before.stats.All)
	}
	rates := countLines(more)
	for i, x := range countLines(all) {
		t.Rows = append(t.Rows, []any{x.name, perSecond(rates[i].n, now, before), x.n})
	}
	ratio := []any{"hit ratio", share(more.Hits, more.Hits+more.Misses),
		share(all.Hits, all.Hits+all.Misses)}
	t.Rows = slices.Insert(t.Rows, 2, ratio)
	return t
}

// countLine is a count with the name that it has for a person.
type countLine struct {
	name string
	n    uint64
}

// countLines are the counts of a cache, in the order in which they are shown.
func countLines(c cache.Counts) []countLine {
	return []countLine{{"hits", c.Hits}, {"misses", c.Misses}, {"sets", c.Sets}, {"replaced", c.Replaced},
		{"deleted", c.Deleted}, {"expired", c.Expired}, {"evicted", c.Evicted}, {"index full", c.IndexFull},
		{"left by the dead", c.Dead}, {"expelled", c.Expelled}, {"suspect", c.Suspects}, {"denied", c.Denied}}
}

// topSizes is what the cache has.
func topSizes(now, _ *topSample) topTable {
	s, o := now.stats, now.options
	records := s.LiveBytes + s.DeadBytes + s.FreeBytes
	return topTable{Name: "sizes", Columns: []string{"what", "now", "share"}, Rows: [][]any{
		{"entries", s.Entries, share(uint64(s.Entries), o.Entries)},
		{"live", cellBytes(s.LiveBytes), share(s.LiveBytes, records)},
		{"dead", cellBytes(s.DeadBytes), share(s.DeadBytes, records)},
		{"free", cellBytes(s.FreeBytes), share(s.FreeBytes, records)},
		{"all records", cellBytes(records), share(records, o.Bytes)},
		{"the cache", cellBytes(o.Bytes), nil},
		{"writers", s.Writers, nil},
		{"policy", s.Policy, nil},
	}}
}

// topBaskets are the baskets by state.
func topBaskets(now, _ *topSample) topTable {
	t := topTable{Name: "baskets", Columns: []string{"state", "baskets", "share", "live"}}
	for _, state := range []basket.State{basket.StateFree, basket.StateOpen, basket.StateSealed,
		basket.StateRetiring} {
		n, live := uint64(0), uint64(0)
		for _, x := range now.baskets {
			if x.State == state {
				n, live = n+1, live+x.LiveBytes
			}
		}
		t.Rows = append(t.Rows, []any{state.String(), n, share(n, uint64(len(now.baskets))), cellBytes(live)})
	}
	return t
}

// topTiers are the tiers, the top one first.
func topTiers(now, before *topSample) topTable {
	t := topTable{Name: "tiers", Columns: []string{"tier", "baskets", "entries", "live", "of it", "hits/s",
		"youngest", "oldest"}}
	for i, x := range now.stats.Tiers {
		var rate any
		if len(now.stats.Tiers) > 1 && before != nil {
			rate = perSecond(now.stats.All.Minus(before.stats.All).TierHits[i], now, before)
		}
		t.Rows = append(t.Rows, []any{i, x.Baskets, x.Entries, cellBytes(x.LiveBytes),
			share(x.LiveBytes, x.LiveBytes+x.DeadBytes), rate, cellDuration(x.Youngest.Seconds()),
			cellDuration(x.Oldest.Seconds())})
	}
	return t
}

// suspectsMost is how many suspects are shown.
const suspectsMost = 10

// topSuspects are the keys that have to wait longest.
func topSuspects(now, _ *topSample) topTable {
	t := topTable{Name: "suspects", Columns: []string{"key", "wait", "offences"}, Rows: [][]any{}}
	for i, x := range now.suspects {
		if i == suspectsMost {
			t.Rows = append(t.Rows, []any{fmt.Sprintf("and %d more", len(now.suspects)-i), nil, nil})
			break
		}
		t.Rows = append(t.Rows, []any{shownKey(x.Key), cellDuration(x.RetryAfter.Seconds()), x.Offences})
	}
	return t
}

// keyShown is how many bytes of a key are shown at most.
const keyShown = 32

// shownKey is the key in quotes. A long one is cut behind a whole character.
func shownKey(key []byte) string {
	if len(key) <= keyShown {
		return strconv.Quote(string(key))
	}
	n := 0
	for {
		_, size := utf8.DecodeRune(key[n:])
		if n+size > keyShown {
			return strconv.Quote(string(key[:n]) + "...")
		}
		n += size
	}
}

// ageGroups is into how many groups the baskets in use are divided by their age.
const ageGroups = 4

// topAges are the baskets in use, the youngest first.
func topAges(now, _ *topSample) topTable {
	t := topTable{Name: "ages of baskets", Columns: []string{"baskets in use", "number", "age from", "to",
		"live", "of it"}, Rows: [][]any{}}
	used := slices.DeleteFunc(slices.Clone(now.baskets), func(x basket.Info) bool {
		return x.State == basket.StateFree
	})
	slices.SortFunc(used, func(a, b basket.Info) int { return cmp.Compare(a.Age, b.Age) })
	for i, name := range [ageGroups]string{"youngest quarter", "second", "third", "oldest quarter"} {
		group := used[len(used)*i/ageGroups : len(used)*(i+1)/ageGroups]
		if len(group) == 0 {
			continue
		}
		live, all := uint64(0), uint64(0)
		for _, x := range group {
			live, all = live+x.LiveBytes, all+x.LiveBytes+x.DeadBytes
		}
		t.Rows = append(t.Rows, []any{name, len(group), ageOf(group[0], now), ageOf(group[len(group)-1], now),
			cellBytes(live), share(live, all)})
	}
	return t
}

// clocksApart is how many milliseconds the clock of a cache may be ahead of the calendar. It goes evenly, and
// the calendar is corrected now and then.
const clocksApart = 1000

// ageOf is for how long a basket has been in use; nil if that is not known.
func ageOf(x basket.Info, now *topSample) any {
	at := uint64(max(now.time.UnixMilli(), 0))
	if x.Opened == 0 || x.Opened > at+clocksApart {
		return nil
	}
	return cellDuration(float64(at-min(x.Opened, at)) / 1000)
}

// topParameters are the live parameters.
func topParameters(now, _ *topSample) topTable {
	t := topTable{Name: "live parameters", Columns: []string{"parameter", "value", "unit", "default", ""}}
	for _, p := range linesOf(now.stats.Parameters) {
		state := ""
		switch {
		case p.Damaged:
			state = "damaged"
		case p.Tuned:
			state = "tuned"
		}
		t.Rows = append(t.Rows, []any{p.Name, p.Value, p.Unit, p.Default, state})
	}
	return t
}

// topProcesses are the processes that have the cache, and dead ones whose entries nobody has used since.
func topProcesses(now, before *topSample) topTable {
	t := topTable{Name: "processes", Columns: []string{"process", "pid", "state", "open for",
		"makes room", "hits/s", "misses/s", "sets/s", "hits", "misses", "sets"}, Rows: [][]any{}}
	for _, p := range now.processes {
		state, since := "alive", time.Unix(0, int64(p.Since))
		switch {
		case p.Damaged:
			state = "damaged"
		case !p.Alive:
			state = "dead"
		case p.Own:
			state = "this one"
		}
		makes := p.Lease && p.Alive // nobody has taken over yet what a dead one had
		row := []any{p.Process.String(), p.Pid, state, cellDuration(now.time.Sub(since).Seconds()), makes}
		rates := []any{nil, nil, nil}
		if before != nil {
			i := slices.IndexFunc(before.processes, func(x cache.Process) bool {
				return x.Process == p.Process
			})
			if i >= 0 {
				x := before.processes[i]
				rates = []any{perSecond(p.Hits-min(p.Hits, x.Hits), now, before),
					perSecond(p.Misses-min(p.Misses, x.Misses), now, before),
					perSecond(p.Sets-min(p.Sets, x.Sets), now, before)}
			}
		}
		t.Rows = append(t.Rows, append(append(row, rates...), p.Hits, p.Misses, p.Sets))
	}
	return t
}

// openTop opens the cache in a file to watch it, and knows which file that was.
func openTop(file string, c *cache.Cache) (*topWatch, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &topWatch{cache: c, info: info}, nil
}

package cachestorm

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
)

// TestJudgeRegister holds the judge of live parameters against journals that are written by hand. The value
// ahead of all is 7.
func TestJudgeRegister(t *testing.T) {
	const dies = math.MaxUint64
	for name, x := range map[string]struct {
		writes []write
		reads  []reading
		good   bool
	}{
		"as before":             {nil, []reading{{1, 2, 7, 0}}, true},
		"what nobody has set":   {nil, []reading{{1, 2, 8, 0}}, false},
		"what was set":          {[]write{{1, 2, 8}}, []reading{{3, 4, 8, 0}}, true},
		"what was replaced":     {[]write{{1, 2, 8}}, []reading{{3, 4, 7, 0}}, false},
		"beside a change":       {[]write{{1, 4, 8}}, []reading{{2, 3, 7, 0}}, true},
		"the new, then the old": {[]write{{1, 8, 8}}, []reading{{2, 3, 8, 0}, {4, 5, 7, 0}}, false},
		"both at once":          {[]write{{1, 8, 8}}, []reading{{2, 5, 8, 0}, {4, 6, 7, 0}}, true},
		"ahead of its change":   {[]write{{3, 4, 8}}, []reading{{1, 2, 8, 0}}, false},
		"of a dead, made":       {[]write{{1, dies, 8}}, []reading{{3, 4, 8, 0}, {5, 6, 8, 0}}, true},
		"of a dead, not made":   {[]write{{1, dies, 8}}, []reading{{3, 4, 7, 0}}, true},
		"of a dead, undone":     {[]write{{1, dies, 8}}, []reading{{3, 4, 8, 0}, {5, 6, 7, 0}}, false},
		"behind a dead":         {[]write{{1, dies, 8}, {3, 4, 9}}, []reading{{5, 6, 8, 0}}, false},
		"the same value again": {[]write{{1, 2, 8}, {3, 4, 7}, {5, 6, 8}},
			[]reading{{1, 7, 8, 0}, {8, 9, 8, 0}}, true},
		"the same value again, and gone": {[]write{{1, 2, 8}, {3, 4, 7}, {5, 6, 9}},
			[]reading{{1, 7, 9, 0}, {8, 9, 7, 0}}, false},
	} {
		if bad := judgeRegister(7, x.writes, x.reads); (bad == nil) != x.good {
			t.Errorf("%s: %v, want good %v", name, bad, x.good)
		}
	}
}

// TestBucket: what is asked for less often than the lowest limit allows is never over it, however long; what
// is asked for at once more often than the burst allows is, until that has drained.
func TestBucket(t *testing.T) {
	const ms = int64(time.Millisecond)
	var b bucket
	for at := range int64(1000) {
		b.charge(at*2*ms, 8*ms)
	}
	if len(b.over) != 0 {
		t.Errorf("half of the lowest limit: %v", b.over)
	}
	for range 100 {
		b.charge(2000*ms, 8*ms)
	}
	if !b.could(2000*ms, 2001*ms) || b.could(0, 1999*ms) || b.could(2200*ms, 2300*ms) {
		t.Errorf("a hundred at once: %v", b.over)
	}
	if b.forget(2000*ms + 10*penaltyMost); len(b.over) != 0 {
		t.Errorf("long ago: %v", b.over)
	}
}

// TestQuotas holds the judge of Ask against journals that are written by hand: key 0 and client 1 are hot.
func TestQuotas(t *testing.T) {
	const ms = int64(time.Millisecond)
	suspect := cache.Answer{State: cache.Suspect}
	denied := cache.Answer{State: cache.Denied, ByClient: true}
	many := func(key int, client uint64, n int, every int64) (all []asked) {
		for i := range int64(n) {
			all = append(all, asked{0, key, i * every, i*every + 1, makeAnswered(client, cache.Answer{})})
		}
		return all
	}
	at := func(key int, client uint64, a cache.Answer, begin int64) asked {
		return asked{0, key, begin, begin + 1, makeAnswered(client, a)}
	}
	for name, x := range map[string]struct {
		asks []asked
		says string
	}{
		"asked for often":            {append(many(0, 1, 100, ms/10), at(0, 1, suspect, 10*ms)), ""},
		"not asked for":              {append(many(0, 1, 5, ms), at(0, 1, suspect, 10*ms)), "key 0"},
		"long ago":                   {append(many(0, 1, 100, ms/10), at(0, 1, suspect, 999*ms)), "key 0"},
		"cold, beside what is hot":   {append(many(0, 1, 100, ms/10), at(5, 1, suspect, 10*ms)), "key 5"},
		"a client that asks often":   {append(many(0, 1, 100, ms/10), at(0, 1, denied, 10*ms)), ""},
		"one that asks rarely":       {append(many(0, 1, 100, ms/10), at(0, 7, denied, 10*ms)), "client 7"},
		"one that is served all":     {many(0, 1, 400, ms/10), "and the highest limit allows"},
		"one that is served at rest": {many(0, 1, 400, ms), ""},
	} {
		var faults []string
		q := quotas{askers: askers{HotKeys: []int{0}, HotClients: []uint64{1}}, threads: 8}
		q.judge(x.asks, &Report{}, func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf(format, args...))
		})
		got := strings.Join(faults, "\n")
		if (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}

// TestAnswerSound: an answer that contradicts itself is refused, and one of each state is not.
func TestAnswerSound(t *testing.T) {
	const wait = time.Millisecond
	for _, x := range []struct {
		a      cache.Answer
		value  int
		action cache.Action
		good   bool
	}{
		{cache.Answer{State: cache.Hit}, 5, 0, true},
		{cache.Answer{State: cache.Miss}, 0, 0, true},
		{cache.Answer{State: cache.Suspect, RetryAfter: wait, Offences: 2}, 0, 0, true},
		{cache.Answer{State: cache.Suspect, RetryAfter: wait, Offences: 5}, 5, cache.ActionWarn, true},
		{cache.Answer{State: cache.Denied, RetryAfter: wait, Offences: 3}, 0, 0, true},
		{cache.Answer{State: cache.Denied, RetryAfter: wait, ByClient: true}, 0, 0, true},

		{cache.Answer{State: cache.Miss}, 5, 0, false},
		{cache.Answer{State: cache.Hit, Offences: 1}, 5, 0, false},
		{cache.Answer{State: cache.Hit, RetryAfter: wait}, 5, 0, false},
		{cache.Answer{State: cache.Suspect, Offences: 1}, 0, 0, false},
		{cache.Answer{State: cache.Suspect, RetryAfter: wait}, 0, 0, false},
		{cache.Answer{State: cache.Suspect, RetryAfter: wait, Offences: 1}, 5, 0, false},
		{cache.Answer{State: cache.Suspect, RetryAfter: wait, Offences: 3}, 0, 0, false},
		{cache.Answer{State: cache.Suspect, RetryAfter: time.Minute, Offences: 1}, 0, 0, false},
		{cache.Answer{State: cache.Denied, RetryAfter: wait, Offences: 2}, 0, 0, false},
		{cache.Answer{State: cache.Denied, RetryAfter: wait, Offences: 3}, 0, cache.ActionWarn, false},
		{cache.Answer{State: cache.Denied, RetryAfter: time.Second, ByClient: true}, 0, 0, false},
		{cache.Answer{State: cache.Suspect, RetryAfter: wait, ByClient: true}, 0, 0, false},
	} {
		if err := answerSound(x.a, x.value, x.action); (err == nil) != x.good {
			t.Errorf("%+v with %d bytes, %v: %v, want good %v", x.a, x.value, x.action, err, x.good)
		}
	}
}

// TestStored holds the judge of stores against journals that are written by hand, of a value of slot 0 that
// is no more.
func TestStored(t *testing.T) {
	left := func(r basket.Reason, moment uint64) telling { return telling{0, r, moment} }
	for name, x := range map[string]struct {
		l      life
		there  bool
		deaths []*death
		says   string
	}{
		"given, then told": {life{given: []given{{0, 3, 0}}, told: []telling{left(evicted, 4)}}, false, nil,
			""},
		"not given": {life{told: []telling{left(evicted, 4)}}, false, nil, "no store"},
		"not given, and over": {life{mortal: 1, told: []telling{left(evicted, 4)}}, false, nil,
			""},
		"replaced": {life{told: []telling{left(replaced, 4)}}, false, nil, ""},
		"told, then given": {life{given: []given{{0, 5, 0}}, told: []telling{left(evicted, 4)}}, false, nil,
			"has not told it"},
		"given by another": {life{given: []given{{1, 3, 0}}, told: []telling{left(evicted, 4)}}, false, nil,
			"has not told it"},
		"given, and there": {life{given: []given{{0, 3, 0}}}, true, inCall(1, 4), "is there"},
		"given, not told":  {life{given: []given{{0, 3, 0}}}, false, nil, "has not told it"},
		"given, and died":  {life{given: []given{{0, 3, 0}}}, false, inCall(1, 4), ""},
		"died, and given":  {life{given: []given{{0, 5, 0}}}, false, inCall(1, 4), "has not told it"},
		"given twice": {life{given: []given{{0, 2, 0}, {0, 3, 0}}, told: []telling{left(evicted, 4)}}, false,
			nil, "2 times"},
	} {
		b := newBook()
		b.stored(&x.l, x.there, x.deaths)
		got := strings.Join(b.faults, "\n")
		if (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}

// TestUnmades: a client may be told that its service has died if that has died.
func TestUnmades(t *testing.T) {
	d := &death{slot: 0, from: 10, moment: 12}
	for name, x := range map[string]struct {
		u    unmade
		good bool
	}{
		"no service":               {unmade{1, kindGet, foundNot | whyService<<whyShift, 13, 14}, true},
		"no service, and it lived": {unmade{1, kindGet, foundNot | whyService<<whyShift, 8, 9}, false},
		"of another service":       {unmade{3, kindGet, foundNot | whyService<<whyShift, 13, 14}, false},
		"died with it":             {unmade{1, kindSet, foundUnknown | whyDied<<whyShift, 9, 14}, true},
		"died ahead of it":         {unmade{1, kindSet, foundUnknown | whyDied<<whyShift, 13, 14}, false},
		"its time was over":        {unmade{3, kindSet, foundNot | whyTime<<whyShift, 1, 2}, true},
		"the same, and not known":  {unmade{3, kindSet, foundUnknown | whyAbandons<<whyShift, 1, 2}, true},
	} {
		w := &world{storm: &storm{report: &Report{}}, judge: newJudge(1), variant: variant{remote: true},
			deaths: []*death{d}}
		w.judge.unmade = []unmade{x.u}
		if w.unmades(); (len(w.storm.report.Faults) == 0) != x.good {
			t.Errorf("%s: %q", name, w.storm.report.Faults)
		}
	}
}

// TestTally: counts are held against the journals: they are equal, or at most so in a round with a death.
func TestTally(t *testing.T) {
	w := &world{storm: &storm{report: &Report{}}, judge: newJudge(1)}
	w.judge.counts.call(kindGet, true, foundSeen, 0)
	w.judge.counts.call(kindGet, false, 0, 0)
	w.judge.counts.call(kindGet, true, foundNot, 0)
	w.judge.counts.left[basket.ReasonEvicted] = 2
	for _, x := range []struct {
		hits, evicted uint64
		deaths        int
		good          bool
	}{{1, 2, 0, true}, {2, 2, 0, true}, {0, 2, 0, false}, {3, 2, 0, false}, {1, 1, 0, false},
		{1, 3, 0, false},
		{0, 0, 1, true}, {3, 0, 1, false}} {
		w.storm.report.Faults = nil
		w.tally(cache.Counts{Hits: x.hits, Evicted: x.evicted}, x.deaths)
		if (len(w.storm.report.Faults) == 0) != x.good {
			t.Errorf("%+v: %q", x, w.storm.report.Faults)
		}
	}
}

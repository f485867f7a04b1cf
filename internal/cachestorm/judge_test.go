package cachestorm

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// book makes journals by hand, for a key 0.
type book struct {
	*judge
	faults []string
}

func newBook() *book {
	b := &book{judge: newJudge(1)}
	b.fault = func(format string, args ...any) { b.faults = append(b.faults, fmt.Sprintf(format, args...)) }
	return b
}

// set is a call that brings a value from begin to end; end never has no answer.
func (b *book) set(value, begin, end uint64) *life {
	l := &life{number: value, begin: begin, end: end, certain: never, gone: never}
	b.live(l)
	if end != never {
		b.see(value, begin, end)
	}
	return l
}

func (b *book) see(value, begin, end uint64) {
	b.keys[0].sights = append(b.keys[0].sights, sight{begin: begin, end: end, value: value, kind: kindGet})
}

func (b *book) tell(value, moment uint64, reason basket.Reason) {
	l := b.lives[value]
	if reason == basket.ReasonEvicted {
		l.given = append(l.given, given{moment: moment - 1})
	}
	l.told = append(l.told, telling{reason: reason, moment: moment})
}

// judged are the faults, when present is there at the end.
func (b *book) judged(present uint64, deaths ...*death) string {
	b.settle()
	b.returns()
	b.tells([]uint64{present}, deaths)
	return strings.Join(b.faults, "\n")
}

// judgeCase is a journal, and what the judge says of it.
type judgeCase struct {
	write   func(b *book)
	present uint64
	deaths  []*death
	says    string // "": no fault
}

const (
	replaced = basket.ReasonReplaced
	evicted  = basket.ReasonEvicted
	dead     = basket.ReasonDead
	expired  = basket.ReasonExpired
)

// inCall is a death within a call that began then.
func inCall(begin, moment uint64) []*death { return []*death{{calls: []uint64{begin}, moment: moment}} }

// told is a value that was set from 1 to 2, and then told.
func told(reasons ...basket.Reason) func(b *book) {
	return func(b *book) {
		b.set(1, 1, 2)
		for i, reason := range reasons {
			b.tell(1, uint64(3+i), reason)
		}
	}
}

var judgeCases = map[string]judgeCase{
	"replaced": {func(b *book) { b.set(1, 1, 2); b.set(2, 3, 5); b.tell(1, 4, replaced); b.see(2, 6, 7) },
		2, nil, ""},
	"an old value while its successor is set": {func(b *book) {
		b.set(1, 1, 2)
		b.set(2, 3, 6)
		b.see(1, 4, 5)
		b.tell(1, 6, replaced)
	}, 2, nil, ""},
	"an old value behind its successor": {func(b *book) {
		b.set(1, 1, 2)
		b.set(2, 3, 6)
		b.see(1, 7, 8)
		b.tell(1, 5, replaced)
	}, 2, nil, "return: "},
	"an old value behind a reader of its successor": {func(b *book) {
		b.set(1, 1, 2)
		b.set(2, 3, never)
		b.see(2, 4, 5)
		b.see(1, 6, 7)
	}, 2, inCall(3, 8), "return: "},
	"absent, and there again": {func(b *book) { b.set(1, 1, 2); b.see(0, 3, 4); b.see(1, 5, 6) }, 1, nil,
		"return: "},
	"absent beside a set": {func(b *book) {
		b.set(1, 1, 4)
		b.see(0, 2, 5)
		b.see(1, 6, 7)
	}, 1, nil, ""},
	"ahead of its set": {func(b *book) {
		b.set(1, 5, 6)
		b.see(1, 1, 2)
	}, 1, nil, "ahead of its set"},
	"never set":                      {func(b *book) { b.see(9, 1, 2) }, 0, nil, "never set"},
	"evicted":                        {told(evicted), 0, nil, ""},
	"missing":                        {func(b *book) { b.set(1, 1, 2) }, 0, nil, "nobody was told why"},
	"missing, and a death in a call": {func(b *book) { b.set(1, 1, 2) }, 0, inCall(3, 4), ""},
	"missing, and a death in no call": {func(b *book) { b.set(1, 1, 2) }, 0, []*death{{moment: 4}},
		"nobody was told why"},
	"missing, and a death ahead of its set": {func(b *book) { b.set(1, 5, 6) }, 0,
		inCall(3, 4), "nobody was told why"},
	"missing ahead of the call of the dead": {func(b *book) { b.set(1, 1, 2); b.see(0, 3, 4) }, 0,
		inCall(5, 6), "nobody was told why"},
	"more missing than a death can have": {func(b *book) {
		for i := range uint64(callMost + 1) {
			b.set(i+1, 2*i+1, 2*i+2)
		}
	}, 0, inCall(1000, 1001), "nobody was told why"},
	"pending, and never seen": {func(b *book) { b.set(1, 1, never) }, 0, nil, ""},
	"told and there":          {told(evicted), 1, nil, "is there"},
	"told twice": {told(evicted, evicted), 0, nil,
		"has left twice"},
	"told twice by the dead": {told(evicted, dead),
		0, nil, ""},
	"seen behind its telling": {func(b *book) { told(evicted)(b); b.see(1, 4, 5) }, 0,
		nil, "return: "},
	"expired without an end": {told(expired), 0, nil,
		"has no end"},
	"expired": {func(b *book) { b.set(1, 1, 2).mortal = 5; b.limit = 5 }, 0, nil, ""},
	"missing ahead of its end": {func(b *book) { b.set(1, 1, 2).mortal = 5 + aheadMost; b.limit = 4 }, 0, nil,
		"nobody was told why"},
	"deleted by nobody": {told(basket.ReasonDeleted), 0, nil,
		"in no delete"},
	"not swapped, and there again": {func(b *book) {
		b.set(1, 1, 2)
		b.keys[0].sights = append(b.keys[0].sights, sight{begin: 3, end: 4, value: 1, not: true})
		b.see(1, 5, 6)
	}, 1, nil, "return: "},
}

// TestJudge holds the judge of values against journals that are written by hand.
func TestJudge(t *testing.T) {
	for name, x := range judgeCases {
		b := newBook()
		x.write(b)
		got := b.judged(x.present, x.deaths...)
		if (x.says == "") != (got == "") || !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, want %q", name, got, x.says)
		}
	}
}

// TestJudge_NextRound: what is gone is not known any more, what is there is.
func TestJudge_NextRound(t *testing.T) {
	b := newBook()
	b.set(1, 1, 2)
	b.set(2, 3, 4)
	b.tell(1, 4, basket.ReasonReplaced)
	if got := b.judged(2); got != "" {
		t.Fatal(got)
	}
	b.next([]uint64{2})
	b.see(2, 5, 6)
	if got := b.judged(2); got != "" {
		t.Error(got)
	}
	b.see(1, 7, 8)
	if got := b.judged(2); !strings.Contains(got, "gone in an earlier round") {
		t.Errorf("%q", got)
	}
}

// TestWait: what the scheduler explains is not the call's own.
func TestWait(t *testing.T) {
	w := &world{storm: &storm{report: &Report{Scheduler: true}}, stops: []stop{{1, span{100, 200}}}}
	const ms = int64(1e6)
	for _, x := range []struct {
		slowness
		robbed int64
		red    bool
	}{
		{slowness{slot: 0, begin: 0, spent: 11 * ms}, 0, true},
		{slowness{slot: 0, begin: 0, spent: 9 * ms}, 0, false},
		{slowness{slot: 0, begin: 0, spent: 30 * ms, ready: 25 * ms}, 0, false},
		{slowness{slot: 0, begin: 0, spent: 30 * ms, ready: 15 * ms}, 0, true},
		{slowness{slot: 0, begin: 0, spent: 30 * ms}, 20 * ms, false},
		{slowness{slot: 1, begin: 0, spent: 30 * ms}, 0, false},
		{slowness{slot: 1, begin: 300, spent: 30 * ms}, 0, true},
	} {
		w.storm.report.Faults = nil
		if w.judgeWait(x.slowness, x.robbed); (len(w.storm.report.Faults) > 0) != x.red {
			t.Errorf("%+v: %v", x, w.storm.report.Faults)
		}
	}
}

// TestValue: a value is known again, and none that differs from it in a byte.
// TestMeter_ShiftOfOneWhoHadNoProcessor: who stands still between the readings of the two clocks reads them
// again.
func TestMeter_ShiftOfOneWhoHadNoProcessor(t *testing.T) {
	base, reads := time.Now(), 0
	shift := shiftOf(base, func() int64 {
		now := clockNow()
		if reads++; reads == 1 {
			time.Sleep(50 * time.Millisecond)
		}
		return now
	})
	off := clockNow() - int64(time.Since(base)) - shift
	if reads < 2 || max(off, -off) > int64(20*time.Millisecond) {
		t.Errorf("%d readings, and the shift is off by %v", reads, time.Duration(off))
	}
}

func TestValue(t *testing.T) {
	for number := range uint64(50) {
		v := appendValue(nil, number, 7)
		if n, whole, _ := numberOf(v, 7, nil); n != number || !whole || len(v) < valueLeast {
			t.Fatalf("%d of %d bytes: %d, %v", number, len(v), n, whole)
		}
		if _, whole, _ := numberOf(v, 8, nil); whole {
			t.Error("a value of another key is whole")
		}
		v[len(v)-1] ^= 1
		if _, whole, _ := numberOf(v, 7, nil); whole {
			t.Error("a value with another last byte is whole")
		}
	}
	if recordsMost*(16+keyBytes+valueLeast) > basketBytes {
		t.Error("a basket has more records")
	}
}

// TestJudge_Unsure: a value that has expired is told when somebody comes by it. If somebody has died
// meanwhile it may be gone.
func TestJudge_Unsure(t *testing.T) {
	for _, deaths := range [][]*death{nil, inCall(3, 4)} {
		b := newBook()
		b.set(1, 1, 2).mortal = 5
		b.limit = 5
		if got := b.judged(0, deaths...); got != "" {
			t.Fatal(got)
		}
		b.next([]uint64{0})
		b.set(2, 5, 6)
		if got := b.judged(2); (got == "") != (deaths != nil) {
			t.Errorf("with the deaths %v: %q", deaths, got)
		}
	}
}

// TestJudge_TwoWithAnEnd: of two values with an end, either may be the one that is there, if the call that
// set one of them has died. The other one may be told later, too.
func TestJudge_TwoWithAnEnd(t *testing.T) {
	b := newBook()
	b.set(1, 1, never).mortal = 5 // seen, and behind 2, whose telling died with the call
	b.set(2, 2, 3).mortal = 5
	b.see(1, 4, 5)
	b.limit = 5
	if got := b.judged(0, inCall(1, 6)...); got != "" {
		t.Fatal(got)
	}
	b.next([]uint64{0})
	for n := range uint64(2) {
		if b.lives[n+1] == nil {
			t.Errorf("value %d is not known any more, and may be told", n+1)
		}
	}
}

// TestJudge_UnseenWithAnEnd: a call died that was to set a value with an end, and nobody has seen the value.
// It may have come in: then its record may be there, and be told later, or be taken out by another death.
func TestJudge_UnseenWithAnEnd(t *testing.T) {
	for _, told := range []bool{true, false} {
		b := newBook()
		b.set(1, 1, never).mortal = 5
		b.limit = 5
		if got := b.judged(0, inCall(1, 6)...); got != "" {
			t.Fatal(got)
		}
		b.next([]uint64{0})
		if b.lives[1] == nil {
			t.Fatal("the value is not known any more, and may be told")
		}
		b.set(2, 5, 6)
		if told {
			b.tell(1, 6, expired)
		}
		if got := b.judged(2); got != "" {
			t.Errorf("told %v: %q", told, got)
		}
	}
}

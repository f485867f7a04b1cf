package stress

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestLatency_OfNothing: where nobody died no operation is around a death, and the histogram has no steps.
func TestLatency_OfNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Campaign(ctx, &toy{}, Options{Threads: 1})
	if r == nil || err == nil {
		t.Fatalf("%+v, %v; want the report of a campaign that was ended at once", r, err)
	}
	text, err := json.Marshal(r)
	if err != nil || strings.Count(string(text), `"histogram":{}`) != 2 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestLatency(t *testing.T) {
	var l Latency
	for i := range int64(1000) {
		l.add(effort{spent: 1000 + i, count: uint32(i % 4)})
	}
	l.add(effort{spent: 2 * blockedAfter})
	l.settle()
	within := func(got, want int64) bool { return got >= want && got <= want+want/8 }
	if !within(l.P50, 1500) || !within(l.P99, 1990) || l.Max != 2*blockedAfter ||
		l.Over != 1 || l.Installs != 3 {
		t.Errorf("%+v", []any{l.P50, l.P99, l.Max, l.Over, l.Installs})
	}
	ms := int64(time.Millisecond)
	for name, c := range map[string]struct {
		s   slowness
		own int64
	}{
		"busy":                   {slowness{20 * ms, 20 * ms}, 20 * ms},
		"busy, and before it":    {slowness{20 * ms, 23 * ms}, 20 * ms},
		"waited for a processor": {slowness{20 * ms, ms}, ms},
	} {
		if got := c.s.own(); got != c.own {
			t.Errorf("%s: %d ns of its own, want %d", name, got, c.own)
		}
	}
	busy := []slowness{{20 * ms, 20 * ms}}
	if n := len(l.count(nil, busy, nil, 0)); n != 1 || l.Blocked != 1 {
		t.Errorf("%d are blocked, %d counted", n, l.Blocked)
	}
	if n := len(l.count(nil, busy, nil, stolenUnit)); n != 0 {
		t.Error("the machine was taken away for so long, and the operation is blamed")
	}
}

// TestArena_WindowEnds: a round is to end when it is told to, and when it has become too long.
func TestArena_WindowEnds(t *testing.T) {
	a, err := newArena("", 1)
	if err != nil {
		t.Fatal(err)
	}
	a.begin(1, calmOperations)
	if a.hurried() {
		t.Error("a round that has begun is to end")
	}
	a.words[wordClock].Add(2*windowMost + 1)
	if !a.hurried() {
		t.Error("a long round goes on")
	}
	a.begin(2, calmOperations)
	if a.hurried() {
		t.Error("the next round is to end at once")
	}
	if a.hurry(); !a.hurried() {
		t.Error("a round goes on although it is to end")
	}
}

// TestLogbook writes records as a client does, one of which dies in the middle of the next one.
func TestLogbook(t *testing.T) {
	a, err := newArena("", 2)
	if err != nil {
		t.Fatal(err)
	}
	l := a.log(1)
	rec := l.call(Words{3, 30}, a.tick)
	l.note(Words{4, 40})
	finish(rec, Words{5, 50}, effort{100, 200, 3}, 9, a.tick)
	l.slow(slowness{spent: 2, ran: 3})
	l.call(Words{3, 31}, a.tick)
	l.note(Words{0, 30})
	l.at(l.next)[atRequest].Store(77) // died before this record existed
	events, slow, err := a.log(1).read(5)
	if err != nil || len(events) != 2 || len(slow) != 1 {
		t.Fatalf("%v %v %v", events, slow, err)
	}
	want := Event{ID: 5<<32 | 1, Owner: 5, Request: Words{3, 30}, Result: Words{5, 50},
		Notes: []Words{{4, 40}}, Extra: 9, Call: 1, Return: 2, effort: effort{100, 200, 3}}
	if e := events[0]; !reflect.DeepEqual(e, want) {
		t.Errorf("%+v, want %+v", e, want)
	}
	want = Event{ID: 5<<32 | 4, Owner: 5, Request: Words{3, 31}, Notes: []Words{{0, 30}}, Call: 3,
		Pending: true}
	if d := events[1]; !reflect.DeepEqual(d, want) {
		t.Errorf("%+v, want %+v", d, want)
	}
	if slow[0] != (slowness{2, 3}) {
		t.Errorf("%+v", slow)
	}
	if again, _, err := a.log(1).read(5); err != nil || len(again) != 0 || l.at(5)[atRequest].Load() != 0 {
		t.Errorf("the log is not empty: %v %v", again, err)
	}
	for name, kind := range map[string]uint64{"no kind": 200, "a note of nothing": recordNote} {
		l.at(0)[atKind].Store(kind)
		if _, _, err := a.log(1).read(5); err == nil {
			t.Errorf("a record of %s is taken", name)
		}
	}
	for i := range logRoom {
		l.at(i)[atKind].Store(recordOperation)
	}
	if _, _, err := a.log(1).read(5); err == nil {
		t.Error("a log without an end is taken")
	}
}

// TestArena_Shared: what one process writes another one reads, and a file of another size is refused.
func TestArena_Shared(t *testing.T) {
	dir := t.TempDir()
	a, err := newArena(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	b, err := openArena(a.file, 2)
	if err != nil {
		t.Fatal(err)
	}
	a.tick()
	a.log(1).call(Words{3, 30}, a.tick)
	if events, _, err := b.log(1).read(7); err != nil || len(events) != 1 || events[0].Call != 2 ||
		b.now() != 2 {
		t.Errorf("the other one reads %v, %v", events, err)
	}
	if _, err := openArena(a.file, 3); err == nil || !strings.Contains(err.Error(), "the run's own file") {
		t.Errorf("a log that is too short: error %v", err)
	}
	if _, err := newArena(dir, 2); err == nil {
		t.Error("a file that is there is taken")
	}
	if err := errors.Join(a.close(), b.close()); err != nil {
		t.Error(err)
	}
}

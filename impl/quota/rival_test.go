//go:build explore

package quota_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/hook/hooktest"
)

// TestExplored_CallsEndUnderContention: a call whose cell is changed before each of its swaps ends after a
// number of tries. A level that it could not raise counts as full in that row only.
func TestExplored_CallsEndUnderContention(t *testing.T) {
	for offset := range 2 { // the level, the penalty
		s, words := newSketch(t, 16)
		s.Add(victim, start, limits.Burst, limits)
		lost := 0
		hook.Active = hooktest.Ahead(func(k hook.Kind, p unsafe.Pointer) {
			if k == hook.CompareAndSwap && p == unsafe.Pointer(&words[2+offset]) {
				lost++
				*(*uint64)(p) += 8
			}
		}).Scheduler()
		ruling := s.Judge(victim, start, 1, limits)
		hook.Active = nil
		if lost != 64 {
			t.Errorf("word %d: %d swaps were tried, want 64", offset, lost)
		}
		if ruling.Verdict != quota.Suspect || ruling.Offences != 1 {
			t.Errorf("word %d: %+v", offset, ruling)
		}
		if level := s.Level(victim, start, limits); level != 51*second/100 && offset == 1 {
			t.Errorf("word %d: the level is %d", offset, level)
		}
	}
}

// TestExplored_CallsOfFullRows: a call that cannot raise any of its cells counts as one at the highest
// level, also directly after the begin of the clock.
func TestExplored_CallsOfFullRows(t *testing.T) {
	for _, now := range []uint64{5, start} {
		s, _ := newSketch(t, 16)
		hook.Active = hooktest.Ahead(func(k hook.Kind, p unsafe.Pointer) {
			if k == hook.CompareAndSwap {
				*(*uint64)(p) += 8
			}
		}).Scheduler()
		level := s.Add(victim, now, 1, limits)
		hook.Active = nil
		if level != second {
			t.Errorf("at %d: the level is %d, want twice a burst", now, level)
		}
	}
}

// TestExplored_CallsOfWordsThatFall: all levels are set to zero between a look that finds no room and the
// charge. The caller is told to wait for the shortest time, and not for ever.
func TestExplored_CallsOfWordsThatFall(t *testing.T) {
	s, words := newSketch(t, 16)
	s.Take(victim, start, limits.Burst, limits)
	looks := 0
	hook.Active = hooktest.Ahead(func(k hook.Kind, _ unsafe.Pointer) {
		if looks++; k == hook.Load && looks == quota.Depth+1 {
			for i := range words {
				*(*uint64)(unsafe.Pointer(&words[i])) = 0
			}
		}
	}).Scheduler()
	r := s.Take(victim, start, 1, limits)
	hook.Active = nil
	if r != (quota.Ruling{Verdict: quota.Denied, Retry: 1}) {
		t.Errorf("%+v", r)
	}
}

// TestExplored_CallsRequest: a request asks for the cell of each row once, and for no other word.
func TestExplored_CallsRequest(t *testing.T) {
	s, words := newSketch(t, 16)
	asked := ""
	hook.Active = hooktest.Ahead(func(k hook.Kind, p unsafe.Pointer) {
		asked += fmt.Sprint(k, " ", (uintptr(p)-uintptr(unsafe.Pointer(&words[0])))/8, "; ")
	}).Scheduler()
	s.Request(victim)
	hook.Active = nil
	want := ""
	for _, word := range []int{2, 36, 70, 104} {
		want += fmt.Sprint(hook.Load, " ", word, "; ")
	}
	if asked != want {
		t.Errorf("it asks for %s want %s", asked, want)
	}
}

package service

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// TestService_SleepsInTheSystem: the service and its client have a mapping each, as two processes have.
// Deletes wake it out of a sleep that would outlast the test, and so does Stop.
func TestService_SleepsInTheSystem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	layout := region.Layout{CellsPerHalf: cells, Window: 8, Descriptors: 4}
	var handles [2]*hopscotch.Handle
	for i := range handles {
		r, _, err := region.OpenOrCreate(path, layout)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		table, err := hopscotch.New(r)
		if err != nil {
			t.Fatal(err)
		}
		if handles[i], err = table.NewHandle(uint64(i + 1)); err != nil {
			t.Fatal(err)
		}
	}
	const idle, soon = time.Hour, 20 * time.Second
	s, err := Start(t.Context(), handles[1], Options{Pause: time.Millisecond, Idle: idle})
	if err != nil {
		t.Fatal(err)
	}
	asleep := func() bool { // pauses double: the one that outlasts the test begins after as much time
		before := s.Counts().Buckets
		time.Sleep(300 * time.Millisecond)
		return s.Counts().Buckets == before
	}
	for end := time.Now().Add(soon); !asleep(); {
		if time.Now().After(end) {
			t.Fatal("the service does not go to sleep")
		}
	}
	churn(t, handles[0], 64)
	begun := time.Now()
	for s.Counts().Left == 0 && time.Since(begun) < soon {
		time.Sleep(time.Millisecond)
	}
	t.Logf("reclaimed %v after the deletes", time.Since(begun))
	if s.Counts().Left == 0 {
		t.Error("deletes do not wake the service")
	}
	for !asleep() {
		continue
	}
	begun = time.Now()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if d := time.Since(begun); d > soon {
		t.Errorf("Stop took %v", d)
	}
}

package service

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// TestService_SleepsInTheSystem: the service and its client have a mapping each, as two processes have.
// Deletes wake it out of the system's sleep, and so does Stop: by the word alone it would find out when the
// sleep is over.
func TestService_SleepsInTheSystem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	layout := hopscotch.Layout{CellsPerHalf: cells, Window: 8, Descriptors: 4}
	var handles [2]*hopscotch.Handle
	for i := range handles {
		r, _, err := hopscotch.OpenOrCreate(path, layout)
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
	s, left := asleep(t, handles[1])
	churn(t, handles[0], 64)
	begun := time.Now()
	for s.Counts().Left == 0 && time.Since(begun) < left {
		time.Sleep(time.Millisecond)
	}
	t.Logf("reclaimed %v after the deletes", time.Since(begun))
	if s.Counts().Left == 0 {
		t.Errorf("deletes do not wake the service: it slept for %v more", left)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}

	s, left = asleep(t, handles[1])
	begun = time.Now()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if d := time.Since(begun); d > left {
		t.Errorf("Stop took %v, as long as the sleep", d)
	}
}

// asleep starts a service and waits for a sleep of two seconds. It says how long the service sleeps at
// least from then on, if nobody wakes it.
func asleep(t *testing.T, h *hopscotch.Handle) (s *Service, left time.Duration) {
	t.Helper()
	const doubled = 11 // the pause of a millisecond
	s, err := Start(t.Context(), h, Options{Pause: time.Millisecond, Idle: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for s.Counts().Passes <= doubled {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond) // it sleeps by now, if the machine is slow, too
	return s, time.Millisecond << doubled / 2
}

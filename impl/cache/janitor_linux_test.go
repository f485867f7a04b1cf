package cache

import (
	"slices"
	"testing"
	"time"
)

// soon waits until something holds, no longer than some seconds.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("after 10 s still not so: %s", what)
			return
		}
	}
}

// The janitor gives back what dead processes had, gives up idle handles, and ends with the cache.
func TestJanitor_DoesItsChores(t *testing.T) {
	path := cacheFile(t)
	o := inFile(32)
	o.NoJanitor, o.Readers, o.Writers = false, 3, 2
	c := open(t, path, o)
	other := startChild(t, path, 32)
	if got := other.ask("set a 1"); got != "set" {
		t.Fatal(got)
	}
	other.kill()
	other.wait()
	if dead, err := c.table.Orphans(); err != nil || len(dead) == 0 {
		t.Fatalf("%v, %v: the dead process had nothing", dead, err)
	}
	soon(t, "descriptors of the dead are back", func() bool {
		dead, err := c.table.Orphans()
		return err == nil && len(dead) == 0
	})
	want(t, c, "a", "1")
	var held []*slot[*reader]
	for range 3 {
		s, err := c.readers.take()
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, s)
	}
	for _, s := range held {
		s.give(0)
	}
	if c.readers.made.Load() != 3 {
		t.Fatal("no three readers")
	}
	if c.clock.tick.Load() == 0 {
		t.Error("nobody moves the tick")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.stop:
	default:
		t.Error("the janitor was not told to end")
	}
}

// What a dead process had in the index is settled by one janitor at a time: a process that only reads does so
// while it has the lease, and keeps that, since it has a writer then and can make room.
func TestJanitor_SettlesWithTheLease(t *testing.T) {
	path := cacheFile(t)
	o := inFile(32)
	o.NoJanitor = true
	j := byHand(open(t, path, o))
	other := startChild(t, path, 32)
	if got := other.ask("set a 1"); got != "set" {
		t.Fatal(got)
	}
	other.kill()
	other.wait()
	if dead, err := j.table.Orphans(); err != nil || len(dead) == 0 || j.writers.made.Load() != 0 {
		t.Fatalf("%v, %v: the dead process had nothing, or this one writes", dead, err)
	}
	has := func() bool { return slices.Contains(j.leases.Owners(), j.leases.Me) }
	create, with := j.writers.create, []bool{}
	j.writers.create = func(int) (*writer, error) { return nil, ErrBusy } // others have all
	if dead, err := j.table.Orphans(); j.due() || err != nil || len(dead) == 0 {
		t.Errorf("without a writer the turn has settled, or keeps the lease: %v, %v", dead, err)
	}
	j.writers.create = func(n int) (*writer, error) {
		with = append(with, has())
		return create(n)
	}
	if !j.due() || !slices.Equal(with, []bool{true}) {
		t.Errorf("a lease when a writer is made: %v, and behind the turn: %v", with, has())
	}
	if dead, err := j.table.Orphans(); err != nil || len(dead) != 0 {
		t.Errorf("%v, %v: the dead process has something still", dead, err)
	}
}

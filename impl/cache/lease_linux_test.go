package cache

import (
	"fmt"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/region"
)

// leaseOwner is who has the first lease.
func leaseOwner(c *Cache) region.Process { return control.Lease(c.leases.Words[0].Load()).Owner() }

// The janitor that has the lease is killed at any instruction, again and again. The first turn of another
// one behind that has the lease, has the reserve of free baskets, and has taken back what the dead had. So
// there is no gap longer than the time between two turns. Before that it has none, since the owner lives.
func TestJanitor_KilledOwner(t *testing.T) {
	path := cacheFile(t)
	o := inFile(32)
	o.BasketBytes = 16 << 10
	c := open(t, path, o)
	set(t, c, "own", "v") // a process that writes keeps its lease
	const reserve = 4
	tuned(t, c, "janitor.reserve", reserve)
	tuned(t, c, "janitor.every", 5)
	tuned(t, c, "janitor.records", recordsMost)
	j := byHand(c)
	j.every = time.Minute // so that nobody counts as standing still
	for round := range shorter(20) + 2 {
		p := startChild(t, path, 32)
		if got := p.ask("background fill"); got != "begun" {
			t.Fatal(got)
		}
		soon(t, "the other process has the lease", func() bool {
			owner := leaseOwner(c)
			return owner != 0 && owner != c.region.Process()
		})
		owner := leaseOwner(c)
		if j.due() {
			t.Errorf("round %d: the lease was taken from %v, which lives", round, owner)
		}
		time.Sleep(time.Duration(round%7) * time.Millisecond)
		p.kill()
		p.wait()
		if !j.due() {
			t.Errorf("round %d: behind the death of %v the lease is that of %v", round, owner, leaseOwner(c))
		}
		s, err := c.Stats()
		if err != nil || s.FreeBaskets < reserve {
			t.Errorf("round %d: %d baskets are free, %v; want %d", round, s.FreeBaskets, err, reserve)
		}
		if dead, err := c.table.Orphans(); err != nil || len(dead) != 0 {
			t.Errorf("round %d: the dead still have %d descriptors, %v", round, len(dead), err)
		}
		j.release()
	}
	atRest(t, c)
}

// The janitors of several processes take over from one another by themselves, and a process that ends gives
// its lease up.
func TestJanitor_OthersGoOn(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	tuned(t, c, "janitor.every", 5)
	var others []*child
	for i := range 3 {
		p := startChild(t, path, 32)
		if got := p.ask("set k%d v", i); got != "set" {
			t.Fatal(got)
		}
		others = append(others, p)
	}
	dead := map[region.Process]bool{0: true}
	for n := range others {
		soon(t, fmt.Sprintf("behind %d deaths somebody has the lease", n), func() bool {
			return !dead[leaseOwner(c)]
		})
		owner := leaseOwner(c)
		all, err := c.region.Attachments()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			for _, p := range others {
				if a.Process == owner && int(a.Pid) == p.cmd.Process.Pid {
					p.kill()
					p.wait()
				}
			}
		}
		dead[owner] = true
	}
	last := startChild(t, path, 32)
	if got := last.ask("set k v"); got != "set" {
		t.Fatal(got)
	}
	soon(t, "the newcomer has the lease", func() bool { return !dead[leaseOwner(c)] })
	last.end()
	if owner := leaseOwner(c); owner != 0 {
		t.Errorf("a process that has ended has left its lease: %v", owner)
	}
}

// A process that stands still with the lease keeps it from others for some turns only. When it goes on, its
// turns go on without a lease, and it has one again when there is one.
func TestJanitor_StandsStill(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	set(t, c, "own", "v")
	tuned(t, c, "janitor.every", 5)
	p, j := startChild(t, path, 32), byHand(c)
	if got := p.ask("set k v"); got != "set" {
		t.Fatal(got)
	}
	has := func() bool { return leaseOwner(c) != 0 && leaseOwner(c) != c.region.Process() }
	soon(t, "the other process has the lease", has)
	p.stop()
	soon(t, "it was taken over", j.due)
	p.resume()
	turns := func() (n int) {
		if _, err := fmt.Sscan(p.ask("turns"), &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := turns()
	soon(t, "the other process has turns", func() bool { return j.due() && turns() > before+5 })
	j.release()
	soon(t, "the other process has a lease again", has)
}

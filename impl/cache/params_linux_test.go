package cache

import (
	"fmt"
	"testing"
	"time"
)

// J5: while processes work, one of which is killed now and then, another one changes each live parameter
// every 10 ms. Each process has the new value at once, nothing leaves that there is room for, and what lives
// has the value that it was set to.
func TestReportJ5_ChangesBesideWork(t *testing.T) {
	path := cacheFile(t)
	o := inFile(32)
	o.NoJanitor = false
	c := open(t, path, o)
	const kept = 40
	for i := range kept {
		set(t, c, fmt.Sprint("kept ", i), "v")
	}
	others := []*child{startChild(t, path, 32), startChild(t, path, 32), startChild(t, path, 32)}
	for i, p := range others {
		if got := p.ask("background storm-quietly p%d", i); got != "begun" {
			t.Fatal(got)
		}
	}
	type change struct {
		name   string
		values []uint64
	}
	changes := []change{
		{"ttl.default", []uint64{3_600_000, 0, 60_000_000}},
		{"compact.living", []uint64{60, 90, 99}}, {"compact.gain", []uint64{1, 10, 30}},
		{"janitor.every", []uint64{5, 60_000, 100}}, {"janitor.reserve", []uint64{3, 1, 2}},
		{"janitor.records", []uint64{64, 1 << 20, 4096}}, {"janitor.run", []uint64{0, 8, 1}},
		{"quota.object", []uint64{1, 100_000_000, 0}}, {"quota.client", []uint64{7, 1000, 0}},
		{"quota.retry", []uint64{1, 3_600_000, 1000}},
	}
	for tier := range c.Options().Tiers { // no entry leaves by these
		age := fmt.Sprintf("tier.%d.age", tier)
		changes = append(changes, change{fmt.Sprintf("tier.%d.share", tier), []uint64{1, 100, 0}},
			change{age, []uint64{0, 3_600_000, 7_200_000}})
	}
	if n := len(c.Parameters()); len(changes) != n {
		t.Fatalf("%d parameters are changed, there are %d", len(changes), n)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for round := range shorter(150) {
		<-tick.C
		x := changes[round%len(changes)]
		value := x.values[round/len(changes)%len(x.values)]
		tuned(t, c, x.name, value)
		i := round % len(others)
		if got := others[i].ask("value %s", x.name); got != fmt.Sprint(value) {
			t.Errorf("%s is %d, another process has %q", x.name, value, got)
		}
		if round%25 == 24 {
			others[i].kill()
			others[i].wait()
			others[i] = startChild(t, path, 32)
			if got := others[i].ask("background storm-quietly p%d", i); got != "begun" {
				t.Fatal(got)
			}
		}
	}
	for i := range kept {
		want(t, c, fmt.Sprint("kept ", i), "v")
	}
	for _, p := range others {
		p.kill()
		p.wait()
	}
	atRest(t, c)
}

// J5: the janitor of another process goes by a change although it sleeps for longer than the test waits, and
// what the other process sets has the time that the cache has now.
func TestReportJ5_SleepersWake(t *testing.T) {
	path := cacheFile(t)
	o := inFile(32)
	c := open(t, path, o)
	tuned(t, c, "janitor.every", everyMost)
	other := startChild(t, path, 32)
	turns := func() (n int) {
		if _, err := fmt.Sscan(other.ask("turns"), &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	soon(t, "the janitor sleeps", func() bool {
		before := turns()
		time.Sleep(3 * tickEvery)
		return turns() == before
	})
	before := turns()
	tuned(t, c, "janitor.every", 5)
	soon(t, "the janitor has many turns", func() bool { return turns() > before+20 })
	for _, hours := range []int{2, 0, 3} {
		tuned(t, c, "ttl.default", uint64(hours)*3_600_000)
		if got := other.ask("set k v"); got != "set" {
			t.Fatal(got)
		}
		want := fmt.Sprint(time.Duration(hours)*time.Hour, " true")
		if got := other.ask("left k"); got != want {
			t.Errorf("another process has set an entry that lives for %s, want %s", got, want)
		}
	}
}

// Whoever changes two parameters of one word is killed at any instruction: both have been changed, or none.
func TestTune_KilledInTheMiddle(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	seen := map[uint64]bool{}
	for round := range 12 {
		p := startChild(t, path, 32)
		p.order("tune")
		soon(t, "the other process tunes", func() bool { return live(t, c, "compact.gain").Tuned })
		time.Sleep(time.Duration(round%4) * time.Millisecond)
		p.kill()
		p.wait()
		living, gain := live(t, c, "compact.living"), live(t, c, "compact.gain")
		if living.Value != gain.Value || !living.Tuned || !gain.Tuned {
			t.Errorf("after a kill: %+v, %+v", living, gain)
		}
		seen[gain.Value] = true
	}
	if len(seen) < 2 {
		t.Errorf("after each kill there was %v: the kills hit one place only", seen)
	}
}

package cache

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// childAsks obeys orders that are about quotas.
func childAsks(c *Cache, words []string) (string, error) {
	if words[0] != "ask" { // for a key, by a client, so many times; answers how often it was served
		return "", fmt.Errorf("unknown order %q", words)
	}
	client, err := strconv.ParseUint(words[2], 10, 64)
	if err != nil {
		return "", err
	}
	n, err := strconv.Atoi(words[3])
	served := 0
	for i := 0; i < n && err == nil; i++ {
		var a Answer
		if _, a, err = c.Ask(client, []byte(words[1]), nil); a.State == Hit {
			served++
		}
	}
	return fmt.Sprint(served), err
}

// K2: three processes ask for one client, much more often than it may, and in each round but the first one of
// them is killed while it does. Together they are served what the rate allows for the time that it takes,
// however long that is, and half as much again for the spread of samples. By counts of their own they would
// be served three times as much, and more with each process that comes. Without the limit all are served.
func TestReportK2_ProcessesShareTheCounts(t *testing.T) {
	path := cacheFile(t)
	c := open(t, path, inFile(32))
	set(t, c, "k", "v")
	const rate, rounds = 2000, 6
	tuned(t, c, "quota.client", rate)
	var all [3]*child
	for i := range all {
		all[i] = startChild(t, path, 32)
	}
	served, begun := 0, time.Now()
	for round := range rounds {
		for _, p := range all {
			p.order("ask k 7 30000")
		}
		victim := round % len(all)
		if round > 0 {
			all[victim].kill()
		}
		for i, p := range all {
			if i == victim && round > 0 {
				p.wait()
				continue
			}
			n, err := strconv.Atoi(p.line())
			if err != nil {
				t.Fatal(err)
			}
			served += n
		}
		if round > 0 {
			all[victim] = startChild(t, path, 32)
		}
	}
	most := rate * (1 + time.Since(begun).Seconds()) * 1.5
	t.Logf("%d served in %v, at %d a second", served, time.Since(begun), rate)
	if float64(served) > most || served < rate/2 {
		t.Errorf("%d served in %v, want %.0f at most", served, time.Since(begun), most)
	}
	tuned(t, c, "quota.client", 0)
	for _, p := range all {
		if got := p.ask("ask k 7 1000"); got != "1000" {
			t.Errorf("without a limit the client is served %s of 1000", got)
		}
		if got := p.ask("ask k 8 1000"); got != "1000" {
			t.Errorf("another client is served %s of 1000", got)
		}
	}
}

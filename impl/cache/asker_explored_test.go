//go:build explore

package cache

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// refusalsProgram is two samples that find two clients of one place over their limits, until two times, while
// somebody asks for how long each of them is refused. put is what a sample does.
func refusalsProgram(t *testing.T, put func(r *refusals, client, until uint64)) error {
	const base = askStart * nanos
	c, _ := timed(t, askStart, Options{Quota: Quota{Client: 1000}})
	clients := [2]uint64{7, 8}
	for c.refused.at(clients[1]) != c.refused.at(clients[0]) {
		clients[1]++
	}
	untils := [2]uint64{base + uint64(time.Second), base + 2*uint64(time.Second)}
	var waits [4]uint64
	sample := func(i int) func() { return func() { put(&c.refused, clients[i], untils[i]) } }
	return inOrders(t, func() {
		*c.refused.at(clients[0]) = refusal{}
		waits = [4]uint64{}
	}, func() error {
		now := [2]uint64{c.refused.wait(c, clients[0]), c.refused.wait(c, clients[1])}
		if now == [2]uint64{} || now[0] != 0 && now[1] != 0 {
			return fmt.Errorf("at the end the two are refused for %d, one of them is to be", now)
		}
		for i, wait := range append(waits[:], now[:]...) {
			if own := untils[i%2] - base; wait != 0 && wait != own {
				return fmt.Errorf("client %d is refused for %d, want %d", i%2, wait, own)
			}
		}
		return nil
	}, sample(0), sample(1), func() {
		for i := range waits {
			waits[i] = c.refused.wait(c, clients[i%2])
		}
	})
}

// In every order with at most two preemptions a client is refused until its own time, and no other's.
func TestExplored_RefusalsOfOnePlace(t *testing.T) {
	if err := refusalsProgram(t, (*refusals).put); err != nil {
		t.Error(err)
	}
}

// A sample that takes no place ahead of its two stores is found to mix them with those of another one.
func TestExplored_RefusalsCanary(t *testing.T) {
	err := refusalsProgram(t, func(r *refusals, client, until uint64) {
		r.at(client).client.Store(client)
		r.at(client).until.Store(until)
	})
	if err == nil || !strings.Contains(err.Error(), "is refused for") {
		t.Errorf("the search does not see a time of another client: %v", err)
	}
}

// drawsProgram is two goroutines with three calls each on one line, of which next says whether it is a
// sample. Each gap is of one call.
func drawsProgram(t *testing.T, next func(d *draws, c *Cache) bool) error {
	const calls = 3
	c, _ := timed(t, askStart, Options{Quota: Quota{Client: 1}})
	var d *draws
	samples := 0
	actor := func() {
		for range calls {
			if next(d, c) {
				samples++
			}
		}
	}
	return inOrders(t, func() {
		d = drawnFrom(1)
		samples = 0
	}, func() error {
		// Who is preempted in the middle of a draw lets the other pass, for all its calls at most.
		if left := int64(d.left.Load()); left != 1 || samples < calls || samples > 2*calls {
			return fmt.Errorf("%d of %d calls are samples, and the next is %d calls away", samples, 2*calls,
				left)
		}
		return nil
	}, actor, actor)
}

// However two goroutines meet on a line, the next sample is never lost: all but the calls that come while one
// is being drawn are samples, at a rate at which each call is to be one.
func TestExplored_SamplesOfOneLine(t *testing.T) {
	if err := drawsProgram(t, func(d *draws, c *Cache) bool { return d.sample(c).sampled }); err != nil {
		t.Error(err)
	}
}

// A draw that stops at its first gap is found to lose all samples to come.
func TestExplored_SamplesCanary(t *testing.T) {
	err := drawsProgram(t, func(d *draws, c *Cache) bool {
		if d.left.Add(^uint64(0)) != 0 {
			return false
		}
		d.left.Add(d.gap(1))
		return true
	})
	if err == nil || !strings.Contains(err.Error(), "calls away") {
		t.Errorf("the search does not see that no sample follows: %v", err)
	}
}

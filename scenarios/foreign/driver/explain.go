package driver

import "slices"

// An outcome is what the calls of one sequential run returned. Of those that do not return, the first
// and all that would have followed are missing.
type outcome struct {
	results []string
	after   []string // of the probe
}

func (o outcome) equal(p outcome) bool {
	return slices.Equal(o.results, p.results) && slices.Equal(o.after, p.after)
}

// A sequentialRun is a sequential run of a program's calls.
type sequentialRun struct {
	order []int // by call, the actor who makes it
	outcome
}

// orders calls f with each order of the calls of actors who make so many.
func orders(sizes []int, f func(order []int) error) error {
	left, total := slices.Clone(sizes), 0
	for _, n := range sizes {
		total += n
	}
	order := make([]int, 0, total)
	var next func() error
	next = func() error {
		if len(order) == total {
			return f(order)
		}
		for a := range left {
			if left[a] == 0 {
				continue
			}
			left[a]--
			order = append(order, a)
			err := next()
			order = order[:len(order)-1]
			left[a]++
			if err != nil {
				return err
			}
		}
		return nil
	}
	return next()
}

// refusal says why no sequential run of the program, whose actors make so many calls, explains what its
// clients saw and what the probe saw after them; it is empty if one does. Actors that have not ended are
// right to wait if some order of the calls that returned explains these, and if after it each of them
// waits in its next call, alone.
func refusal[C any](runs []sequentialRun, sizes []int, calls []performed[C, string], after []string) string {
	done := 0
	byActor := make([][]performed[C, string], len(sizes))
	for _, c := range calls {
		if c.returned > 0 {
			done++
			byActor[c.actor] = append(byActor[c.actor], c)
		}
	}
	var waiting []int
	for a, n := range sizes {
		if len(byActor[a]) < n {
			waiting = append(waiting, a)
		}
	}
	why := "no order of the calls, one after the other, has these results"
	if len(waiting) > 0 {
		why = "no order of the calls that returned explains their results, and that the others wait"
	}
	for _, r := range runs {
		if !explains(r, byActor, done) {
			continue
		}
		waits := func(actor int) bool {
			return stands(runs, append(slices.Clone(r.order[:done]), actor), r.results[:done])
		}
		switch {
		case len(waiting) == 0 && slices.Equal(r.after, after):
			return ""
		case len(waiting) == 0:
			why = "the calls have the results of an order, but afterwards there is what no such order leaves"
		case !slices.ContainsFunc(waiting, func(actor int) bool { return !waits(actor) }):
			return ""
		}
	}
	return why
}

// explains reports whether the first n calls of a sequential run are those that returned, with the
// same results, and in an order that agrees with the time: a call that returned before another one was
// called stands before it.
func explains[C any](r sequentialRun, byActor [][]performed[C, string], n int) bool {
	if len(r.results) < n {
		return false
	}
	at := make([]int, len(byActor))
	latest := 0 // the last call of those that stand before
	for i, a := range r.order[:n] {
		if at[a] == len(byActor[a]) {
			return false
		}
		c := byActor[a][at[a]]
		at[a]++
		if c.answer != r.results[i] || c.returned < latest {
			return false
		}
		latest = max(latest, c.called)
	}
	return true
}

// stands reports whether a sequential run with these results does not return from the last call of the
// order.
func stands(runs []sequentialRun, order []int, results []string) bool {
	return slices.ContainsFunc(runs, func(r sequentialRun) bool {
		return len(r.order) >= len(order) && slices.Equal(r.order[:len(order)], order) &&
			slices.Equal(r.results, results)
	})
}

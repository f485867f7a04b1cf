package scenarios

import (
	"slices"

	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// lastWindow cuts the front off operations on one key that no order explains, if there are more than
// maxWindow, and returns what is left with the contents of the key before it. The cut is the first time
// that leaves so few operations, at which no operation was in flight, and up to which the operations have
// an order. As much as possible stays after the cut, because the table may have been damaged long before
// the answer that shows it. Whatever the key may hold at the cut, the rest has no order, for else the whole
// would have one; of the possible contents one is taken.
func lastWindow(h mapmodel.History, initial map[uint32]uint32) (mapmodel.History, map[uint32]uint32) {
	key := h[0].Request.Key
	best := map[uint32]uint32{}
	if v, ok := initial[key]; ok {
		best[key] = v
	}
	if len(h) <= maxWindow {
		return h, best
	}
	for _, at := range restTimes(h) {
		before, after := h.Prefix(at), mapmodel.History(nil)
		for _, op := range h {
			if op.Call > at {
				after = append(after, op)
			}
		}
		if len(after) > maxWindow {
			continue
		}
		if holds, possible := holding(before, at, best); possible {
			return after, holds
		}
	}
	return h, best
}

// restTimes are the times of returns at which no operation is in flight, in ascending order.
func restTimes(h mapmodel.History) []int64 {
	var all []int64
	end := int64(0)
	for i, op := range h {
		if i > 0 && op.Call > end {
			all = append(all, end)
		}
		end = max(end, op.Return)
	}
	return all
}

// holding returns contents that the key may have after the operations; false if there are none.
func holding(before mapmodel.History, at int64, start map[uint32]uint32) (map[uint32]uint32, bool) {
	key, last := before[0].Request.Key, uint64(0)
	for _, op := range before {
		last = max(last, op.ID)
	}
	try := func(r mapmodel.Result) bool {
		get := mapmodel.Op{ID: last + 1, Client: before[0].Client, Result: r, Call: at + 1, Return: at + 2,
			Request: mapmodel.Request{Kind: mapmodel.Get, Key: key}}
		h := append(before[:len(before):len(before)], get)
		return mapmodel.CheckWithin(h, historyLimits(), start).Outcome == linearizability.Ok
	}
	if try(mapmodel.Result{Outcome: mapmodel.Absent}) {
		return map[uint32]uint32{}, true
	}
	values := []uint32{}
	if v, ok := start[key]; ok {
		values = append(values, v)
	}
	for _, op := range before {
		values = append(values, op.Request.Value)
	}
	slices.Reverse(values) // the last ones are the likeliest
	for _, v := range values {
		if try(mapmodel.Result{Outcome: mapmodel.Found, Value: v}) {
			return map[uint32]uint32{key: v}, true
		}
	}
	return nil, false
}

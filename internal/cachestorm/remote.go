package cachestorm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// Sizes and times of slot files. If a client has many threads, it has more threads than slots.
const (
	slotArea    = 4 << 10
	slotNumber  = 4
	slotIdle    = 20 * time.Millisecond
	slotLook    = 3 * time.Millisecond
	slotTimeout = 40 * time.Millisecond // of a call
	slotShort   = time.Millisecond      // of some calls
	slotPause   = time.Millisecond      // after a call without a service
	shortEvery  = 24                    // one of so many calls has little time
	batchOps    = 4
)

var slotFile = slots.Options{Slots: slotNumber, RequestBytes: slotArea, ResponseBytes: slotArea}

// slotPath is the file of the client in that slot. Each round has a file of its own, so a request that a
// dead client has left is performed in its round, or never.
func slotPath(region string, slot int, round uint64) string {
	return fmt.Sprintf("%s.slots-%d-%d", region, slot, round)
}

// isClient reports whether the process of a slot uses a service, in a cache of that kind. Each second one
// does.
func isClient(remote bool, slot int) bool { return remote && slot%2 == 1 }

// serverOf is the slot of the process that makes the calls of a slot: the slot itself, or that of its
// service.
func serverOf(remote bool, slot int) int {
	if isClient(remote, slot) {
		return slot - 1
	}
	return slot
}

// served is the cache as a service uses it. It notes when a change runs, so a death within a change is
// known.
type served struct {
	*worker
	meter *meter
	again []byte // for a fault: a value that is set a second time
	key   []byte
	calls int
}

// change makes a call that changes something.
func (s *served) change(k kind, f func() error) error {
	begun := s.meter.before()
	s.board.slot(s.Slot, slotServing).Store(s.board.tick())
	err := f()
	s.board.slot(s.Slot, slotServing).Store(0)
	if _, slow, is := s.meter.behind(k, begun); is {
		s.board.slow(s.Slot, slow)
	}
	return err
}

// Get implements remote.Cache.
func (s *served) Get(key, dst []byte) ([]byte, bool, error) { return s.cache.Get(key, dst) }

// Set implements remote.Cache.
func (s *served) Set(key, value []byte) error {
	err := s.change(kindSet, func() error { return s.cache.Set(key, value) })
	if s.Fault != "repeats" || err != nil {
		return err
	}
	if s.calls++; s.calls%50 == 0 {
		if s.again != nil {
			err = s.change(kindSet, func() error { return s.cache.Set(s.key, s.again) })
		}
		s.key, s.again = append([]byte{}, key...), append([]byte{}, value...)
	}
	return err
}

// SetTTL implements remote.Cache.
func (s *served) SetTTL(key, value []byte, ttl time.Duration) error {
	return s.change(kindSetTTL, func() error { return s.cache.SetTTL(key, value, ttl) })
}

// Delete implements remote.Cache.
func (s *served) Delete(key []byte) (was bool, err error) {
	err = s.change(kindDelete, func() error {
		was, err = s.cache.Delete(key)
		return err
	})
	return was, err
}

// serve begins to serve the client of the next slot. The returned function ends that, after the client has
// ended the round.
func (w *worker) serve(n uint64) (end func() error, err error) {
	s, err := remote.Create(slotPath(w.Region, w.Slot+1, n), remote.Options{File: slotFile, Idle: slotIdle})
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, &served{worker: w, meter: newMeter()}) }()
	return func() error {
		for w.board.slot(w.Slot+1, slotRested).Load() != n {
			time.Sleep(restPoll)
		}
		stop()
		return errors.Join(<-ended, s.Close())
	}, nil
}

// dial waits for the service, and opens the slot file. It returns nil if the round has to end before that.
func (w *worker) dial(n uint64) (*remote.Client, error) {
	for w.board.slot(w.Slot-1, slotAtWork).Load()&0xFFFF != n&0xFFFF {
		if _, rest := w.board.round(); rest {
			return nil, nil
		}
		time.Sleep(restPoll)
	}
	return remote.Dial(slotPath(w.Region, w.Slot, n),
		remote.DialOptions{Timeout: slotTimeout, Look: slotLook})
}

// The reasons why a call through a service was not made, or why its outcome is unknown.
const (
	whyTime     = 1 + iota // the time of the call was over
	whyService             // no service lived
	whySlot                // no slot was free
	whyBusy                // the cache had no room, or no handle
	whyDied                // the service died with the call
	whyAbandons            // the time was over, and the service had the request
)

// call makes a call through the service. op makes it; entries are its entries in the journal.
func (x *client) call(entries []call, op func(ctx context.Context) error) (answered bool, err error) {
	ctx, allowed, begun := context.Background(), slotTimeout, time.Now()
	if x.random.IntN(shortEvery) == 0 {
		allowed = time.Duration(1 + x.random.Int64N(int64(slotShort)))
		short, stop := context.WithTimeout(ctx, allowed)
		defer stop()
		ctx = short
	}
	x.allowed = int64(allowed)
	err = op(ctx)
	late := time.Since(begun) >= allowed
	if err == nil {
		if x.Fault == "denies" && x.calls%200 == 0 {
			x.refused(entries, foundNot, whyTime)
			return false, nil
		}
		return true, nil
	}
	found, why := uint64(foundNot), 0
	switch {
	case errors.Is(err, remote.ErrCorrupt), errors.Is(err, remote.ErrClosed):
		return false, err
	case errors.Is(err, remote.ErrUnknown):
		found, why = foundUnknown, whyDied
		if late {
			why = whyAbandons
		}
	case errors.Is(err, remote.ErrNoService):
		why = whyService
	case errors.Is(err, remote.ErrTimeout) && late:
		why = whyTime
	case errors.Is(err, remote.ErrNoSlot) && late:
		why = whySlot
	case errors.Is(err, remote.ErrBusy):
		why = whyBusy
	default:
		return false, fmt.Errorf("slots: an outcome that is not documented, after %v of %v: %w",
			time.Since(begun), allowed, err)
	}
	x.refused(entries, found, why)
	if why == whyService {
		time.Sleep(slotPause) // as a client does that has other work
	}
	return false, nil
}

// refused journals that calls were not made, or that their outcome is unknown.
func (x *client) refused(entries []call, found uint64, why int) {
	for _, e := range entries {
		e[callSeen].Store(x.board.tick())
		x.spent(kind(e[callWhat].Load() & 0xFF))
		e[callFound].Store(found | uint64(why)<<whyShift)
		if found == foundNot {
			e[callEnd].Store(x.board.tick())
		}
	}
}

// stepRemote makes one call through the service.
func (x *client) stepRemote() error {
	key := x.pick()
	switch n := x.random.IntN(100); {
	case x.Fault == "orphan" && x.calls%100 == 99:
		if e := x.begin(kindGet, key, 0, 0); e != nil {
			x.refused([]call{e}, foundNot, whyService)
		}
		return nil
	case n < 40:
		return x.remoteGet(key)
	case n < 75:
		return x.remoteSet(key, 0)
	case n < 83:
		return x.remoteSet(key, time.Duration(1+x.random.IntN(30))*time.Millisecond)
	case n < 90:
		return x.remoteDelete(key)
	}
	return x.remoteBatch()
}

func (x *client) remoteGet(key int) error {
	e := x.begin(kindGet, key, 0, 0)
	if e == nil {
		return nil
	}
	var there bool
	ok, err := x.call([]call{e}, func(ctx context.Context) (err error) {
		x.got, there, err = x.remote.Get(ctx, keyOf(key), x.got[:0])
		return err
	})
	if ok {
		seen, found := x.saw(key, x.got, there)
		x.end(e, kindGet, seen, found)
	}
	return err
}

func (x *client) remoteSet(key int, life time.Duration) error {
	k := kindSet
	if life > 0 {
		k = kindSetTTL
	}
	e := x.begin(k, key, x.fresh(key), life)
	if e == nil {
		return nil
	}
	ok, err := x.call([]call{e}, func(ctx context.Context) error {
		switch {
		case x.Fault == "invents" && x.calls%200 == 0:
			return nil
		case life > 0:
			return x.remote.SetTTL(ctx, keyOf(key), x.value, life)
		}
		return x.remote.Set(ctx, keyOf(key), x.value)
	})
	if ok {
		x.end(e, k, x.deadline(life), foundNew)
	}
	return err
}

// deadline is what a set with an end journals about its return.
func (x *client) deadline(life time.Duration) uint64 {
	if life == 0 {
		return 0
	}
	return uint64(x.meter.now())
}

func (x *client) remoteDelete(key int) error {
	e := x.begin(kindDelete, key, 0, 0)
	if e == nil {
		return nil
	}
	ok, err := x.call([]call{e}, func(ctx context.Context) error {
		_, err := x.remote.Delete(ctx, keyOf(key))
		return err
	})
	if ok {
		x.end(e, kindDelete, 0, foundAbsent)
	}
	return err
}

// remoteBatch makes some calls in one request. They take effect one by one.
func (x *client) remoteBatch() error {
	var b remote.Batch
	var entries []call
	var keys [batchOps]int
	var kinds [batchOps]kind
	for i := range batchOps {
		keys[i], kinds[i] = x.pick(), []kind{kindGet, kindSet, kindDelete}[x.random.IntN(3)]
		number := uint64(0)
		switch kinds[i] {
		case kindGet:
			b.Get(keyOf(keys[i]))
		case kindSet:
			number = x.fresh(keys[i])
			b.Set(keyOf(keys[i]), x.value)
		case kindDelete:
			b.Delete(keyOf(keys[i]))
		}
		e := x.begin(kinds[i], keys[i], number, 0)
		if e == nil {
			x.refused(entries, foundNot, whyBusy) // nothing was sent
			return nil
		}
		entries = append(entries, e)
	}
	var results []remote.Result
	ok, err := x.call(entries, func(ctx context.Context) (err error) {
		results, err = x.remote.Do(ctx, &b)
		return err
	})
	if !ok || err != nil {
		return err
	}
	for i, res := range results {
		var seen, found uint64
		switch {
		case errors.Is(res.Err, remote.ErrBusy):
			x.refused(entries[i:i+1], foundNot, whyBusy)
			continue
		case errors.Is(res.Err, remote.ErrTooLarge) && kinds[i] == kindGet: // no room is left for it
			found = 0
		case res.Err != nil:
			return fmt.Errorf("slots: a result of a batch: %w", res.Err)
		case kinds[i] == kindGet:
			seen, found = x.saw(keys[i], res.Value, res.OK)
		case kinds[i] == kindSet:
			found = foundNew
		case kinds[i] == kindDelete:
			found = foundAbsent
		}
		x.end(entries[i], kinds[i], seen, found)
	}
	return nil
}

// remoteRound is a round of a process that uses a service.
func (w *worker) remoteRound(n uint64) error {
	c, err := w.dial(n)
	if c == nil || err != nil {
		return err
	}
	w.board.slot(w.Slot, slotAtWork).Store(atWork(w.Number, n))
	err = w.threads(n, w.Threads, func(x *client) { x.remote = c })
	return errors.Join(err, c.Close())
}

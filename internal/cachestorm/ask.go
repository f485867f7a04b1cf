package cachestorm

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// This file has the quotas of a storm. The rates are live parameters, which are tuned between askLeast and
// askMost all the time. So a call raises the level of a bucket by 1/askLeast seconds at most, and by
// 1/askMost at least. The burst is so small that each call of Ask is a sample, which reads the parameters
// and is charged for itself alone.
const (
	askLeast  = 1000 // calls a second
	askMost   = 2000
	askBurst  = 60 * time.Millisecond
	retryMost = 2 // milliseconds, for the first offence
	offences  = 7 // largest number that is counted (quota.OffencesMax)
	denyFrom  = 3 // offences

	coldEvery = int64(40 * time.Millisecond) // between two cold calls of a thread
)

// penaltyMost is the longest time for which a key is a suspect. refusalMost is the longest time for which a
// client is refused.
const (
	penaltyMost = retryMost * int64(time.Millisecond) << (offences - 1)
	refusalMost = int64(askBurst + time.Second/askLeast)
)

// askers are the keys and the clients of Ask. Hot ones ask, or are asked for, all the time; cold ones
// rarely. A cold one does not share all its cells of a sketch with hot ones (temper finds such ones).
type askers struct {
	HotKeys     []int    `json:"hot_keys"`
	ColdKeys    []int    `json:"cold_keys"`
	HotClients  []uint64 `json:"hot_clients"`
	ColdClients []uint64 `json:"cold_clients"`
}

// The numbers of keys and clients.
const (
	hotKeys     = 2
	coldKeys    = 12
	hotClients  = 4
	coldClients = 8
	clientsMost = 1 << 12 // the numbers of clients are below this
)

// quotaOf returns the quota of the process in a slot. The rates are the same for all.
func quotaOf(slot int) cache.Quota {
	return cache.Quota{Burst: askBurst, Action: cache.Action(slot % 3)}
}

// answered is the answer of an Ask, packed into a word.
//
//	bits 0..11 client; 16..19 state; 20 by client; 24..31 offences
type answered uint64

func makeAnswered(client uint64, a cache.Answer) answered {
	return answered(client | uint64(a.State)<<16 | flag(a.ByClient)<<20 | uint64(a.Offences)<<24)
}

func (a answered) client() uint64     { return uint64(a) & (clientsMost - 1) }
func (a answered) state() cache.State { return cache.State(a >> 16 & 0xF) }
func (a answered) byClient() bool     { return a>>20&1 != 0 }

// ask asks for a hot key or a cold one, as a hot or a cold client. No call asks as a cold client for a hot
// key, because that would count for both.
func (x *client) ask() error {
	key, who := x.HotKeys[0], x.HotClients[x.random.IntN(len(x.HotClients))]
	if x.random.IntN(3) == 0 {
		key = x.HotKeys[x.random.IntN(len(x.HotKeys))]
	}
	switch now := x.meter.now(); {
	case x.cold == 0: // so threads that begin together do not ask together
		x.cold = now + x.random.Int64N(coldEvery)
	case now >= x.cold:
		key = x.ColdKeys[x.random.IntN(len(x.ColdKeys))]
		who = x.ColdClients[x.random.IntN(len(x.ColdClients))]
		x.cold = now + coldEvery
	}
	return x.askFor(who, key)
}

// askFor makes one Ask, and judges the answer by itself.
func (x *client) askFor(who uint64, key int) error {
	e := x.begin(kindAsk, key, 0, 0)
	if e == nil {
		return nil
	}
	e[callAsk].Store(uint64(makeAnswered(who, cache.Answer{})))
	value, a, err := x.cache.Ask(who, keyOf(key), x.got[:0])
	if err != nil {
		return err
	}
	x.got = value
	if x.Fault == "lenient" && a.State == cache.Denied && a.ByClient {
		a = cache.Answer{} // as if it were a miss, which looks the same
	}
	if err := answerSound(a, len(value), quotaOf(x.Slot).Action); err != nil {
		return fmt.Errorf("%w: client %d, key %d", err, who, key)
	}
	var seen, found uint64
	switch warn := quotaOf(x.Slot).Action == cache.ActionWarn; {
	case a.State == cache.Hit || a.State == cache.Suspect && warn && len(value) > 0:
		seen, found = x.saw(key, value, true)
	case a.State == cache.Miss && x.Fault == "", a.State == cache.Suspect && warn:
		found = foundAbsent
	}
	e[callAsk].Store(uint64(makeAnswered(who, a)))
	e[callDone].Store(uint64(x.meter.now()))
	x.end(e, kindAsk, seen, found)
	return nil
}

// stillMost is the longest time for which a process may be stopped in a call. It has read the clock before,
// so the time that it is told to wait may be longer by that.
const stillMost = 2 * time.Second

// errQuota is the error of an answer that contradicts itself, or the documentation of every answer.
var errQuota = errors.New("quota: an answer of Ask that cannot be")

// answerSound judges an answer by itself.
func answerSound(a cache.Answer, value int, action cache.Action) error {
	wait := int64(a.RetryAfter)
	refused := a.State == cache.Suspect || a.State == cache.Denied
	switch {
	case refused != (wait > 0):
	case value > 0 && a.State != cache.Hit && (a.State != cache.Suspect || action != cache.ActionWarn):
	case a.ByClient && (a.State != cache.Denied || a.Offences != 0 || wait > refusalMost):
	case a.State == cache.Suspect && (a.Offences < 1 || a.Offences > offences):
	case a.State == cache.Suspect && action != cache.ActionWarn && a.Offences >= denyFrom:
	case a.State == cache.Denied && !a.ByClient && (a.Offences < denyFrom || action == cache.ActionWarn):
	case !refused && a.Offences != 0:
	case refused && !a.ByClient && wait > penaltyMost+int64(stillMost):
	default:
		return nil
	}
	return fmt.Errorf("%w: %+v with %d bytes, with the action %v", errQuota, a, value, action)
}

// suspects lists the suspects, which are hot keys.
func (x *client) suspects() error {
	all, err := x.cache.Suspects()
	for _, s := range all {
		if key := keyNumber(s.Key); !x.hot(key) {
			return fmt.Errorf("quota: Suspects lists key %d, which nobody asks for often", key)
		}
	}
	return err
}

// hot reports whether that is a hot key, and hotClient whether that is a hot client.
func (a *askers) hot(key int) bool { return slices.Contains(a.HotKeys, key) }

func (a *askers) hotClient(number uint64) bool { return slices.Contains(a.HotClients, number) }

// temper chooses keys and clients. With a fixed clock, far in the past, it fills the cells of all hot ones,
// and keeps as cold ones those that are not refused. What it has counted is over by all clocks of the storm.
func (w *world) temper() error {
	still := time.UnixMilli(1000)
	attach := func(q cache.Quota, f func(c *cache.Cache) error) error {
		c, err := cache.Attach(w.region, cache.Options{NoJanitor: true, Readers: 1, Quota: q,
			Clock: func() time.Time { return still }})
		if err != nil {
			return err
		}
		return errors.Join(f(c), c.Close())
	}
	const rate, many = 100, 150 // with a burst of a second
	refused := func(c *cache.Cache, who uint64, key int, times int) (bad bool, err error) {
		for range times {
			_, a, err := c.Ask(who, keyOf(key), nil)
			if err != nil {
				return false, err
			}
			bad = a.State == cache.Suspect || a.State == cache.Denied
		}
		return bad, nil
	}
	var x askers
	for i := range hotKeys {
		x.HotKeys = append(x.HotKeys, i)
	}
	for i := range hotClients {
		x.HotClients = append(x.HotClients, uint64(i+1))
	}
	err := errors.Join(attach(cache.Quota{Object: rate}, func(c *cache.Cache) error {
		for _, k := range x.HotKeys {
			if bad, err := refused(c, 0, k, many); err != nil || !bad {
				return errors.Join(err, errTemper)
			}
		}
		for k := hotKeys; k < w.keys && len(x.ColdKeys) < coldKeys; k++ {
			if bad, err := refused(c, 0, k, 1); err != nil || !bad {
				x.ColdKeys = append(x.ColdKeys, k)
			}
		}
		return nil
	}), attach(cache.Quota{Client: rate}, func(c *cache.Cache) error {
		for _, n := range x.HotClients {
			if bad, err := refused(c, n, 0, many); err != nil || !bad {
				return errors.Join(err, errTemper)
			}
		}
		for n := uint64(100); n < clientsMost && len(x.ColdClients) < coldClients; n++ {
			if bad, err := refused(c, n, 0, 1); err != nil || !bad {
				x.ColdClients = append(x.ColdClients, n)
			}
		}
		return nil
	}))
	w.askers = x
	if err == nil && (len(x.ColdKeys) < coldKeys || len(x.ColdClients) < coldClients) {
		err = errTemper
	}
	return err
}

var errTemper = errors.New("keys and clients for Ask cannot be found: this is a defect of the storm")

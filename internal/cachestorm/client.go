package cachestorm

import (
	"errors"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// step makes one call of any kind.
func (x *client) step() error {
	key := x.pick()
	switch m := x.random.IntN(1000); {
	case m < 70:
		return x.ask()
	case m < 76:
		_, _, err := x.read()
		return err
	case m == 76 && x.calls%16 == 0:
		return x.suspects()
	}
	switch n := x.random.IntN(100); {
	case x.Fault != "" && x.calls%400 == 399:
		return x.wrong(key)
	case n < 30:
		return x.get(kindGet, key)
	case n < 35:
		return x.get(kindPeek, key)
	case n < 38:
		return x.contains(key)
	case n < 41:
		return x.batch()
	case n < 42 && x.calls%8 == 0:
		return x.walk()
	case n < 72:
		return x.set(key, 0)
	case n < 77:
		return x.set(key, time.Duration(1+x.random.IntN(30))*time.Millisecond)
	case n < 82:
		return x.setIfAbsent(key)
	case n < 88:
		return x.compareAndSwap(key)
	case n < 93:
		return x.compute(key, n == 92)
	}
	return x.delete(key)
}

// saw returns what a call has found that returned a value, or no value.
func (x *client) saw(key int, value []byte, ok bool) (seen, found uint64) {
	if !ok {
		return 0, foundAbsent
	}
	seen, whole, scratch := numberOf(value, key, x.scratch)
	x.scratch = scratch
	if !whole {
		return seen, foundTorn
	}
	return seen, foundSeen
}

func (x *client) get(k kind, key int) error {
	e := x.begin(k, key, 0, 0)
	if e == nil {
		return nil
	}
	name := keyOf(key)
	f := x.cache.Get
	if k == kindPeek {
		f = x.cache.Peek
	}
	value, ok, err := f(name, x.got[:0])
	if err != nil {
		return err
	}
	x.got = value
	seen, found := x.saw(key, value, ok)
	x.end(e, k, seen, found)
	return nil
}

func (x *client) contains(key int) error {
	e := x.begin(kindContains, key, 0, 0)
	if e == nil {
		return nil
	}
	ok, err := x.cache.Contains(keyOf(key))
	if err != nil {
		return err
	}
	found := uint64(0)
	if !ok {
		found = foundAbsent
	}
	x.end(e, kindContains, 0, found)
	return nil
}

// batch is a call with an entry for each of its keys.
func (x *client) batch() error {
	const n = 5
	var entries [n]call
	var numbers [n]int
	var keys, values [n][]byte
	for i := range keys {
		numbers[i] = x.pick()
		keys[i] = keyOf(numbers[i])
		if entries[i] = x.begin(kindBatch, numbers[i], 0, 0); entries[i] == nil {
			return nil
		}
	}
	all, _, err := x.cache.GetBatch(keys[:], values[:], x.got[:0])
	if err != nil {
		return err
	}
	x.got = all
	for i, e := range entries {
		seen, found := x.saw(numbers[i], values[i], values[i] != nil)
		x.end(e, kindBatch, seen, found)
	}
	return nil
}

// walk looks at the first entries that a walk yields.
func (x *client) walk() error {
	const n = 8
	var entries [n]call
	for i := range entries {
		if entries[i] = x.begin(kindWalk, 0, 0, 0); entries[i] == nil {
			return nil
		}
	}
	i := 0
	err := x.cache.Walk(func(name, value []byte) bool {
		key := keyNumber(name)
		seen, found := x.saw(key, value, true)
		if key < 0 {
			key, found = 0, foundTorn
		}
		entries[i][callWhat].Store(uint64(kindWalk) | uint64(key)<<8)
		x.end(entries[i], kindWalk, seen, found)
		i++
		return i < n
	})
	for ; i < n; i++ {
		x.end(entries[i], kindWalk, 0, 0)
	}
	return err
}

func (x *client) set(key int, life time.Duration) error {
	k := kindSet
	if life > 0 {
		k = kindSetTTL
	}
	e := x.begin(k, key, x.fresh(key), life)
	if e == nil {
		return nil
	}
	var err error
	if life > 0 || x.calls%2 == 0 {
		err = x.cache.SetTTL(keyOf(key), x.value, life)
	} else {
		err = x.cache.Set(keyOf(key), x.value) // with the time to live of ttl.default
	}
	if err != nil {
		return err
	}
	x.end(e, k, x.deadline(life), foundNew)
	return nil
}

func (x *client) setIfAbsent(key int) error {
	e := x.begin(kindSetIfAbsent, key, x.fresh(key), 0)
	if e == nil {
		return nil
	}
	set, err := x.cache.SetIfAbsent(keyOf(key), x.value)
	if err != nil {
		return err
	}
	found := uint64(0)
	if set {
		found = foundNew | foundAbsent
	}
	x.end(e, kindSetIfAbsent, 0, found)
	return nil
}

func (x *client) compareAndSwap(key int) error {
	if err := x.get(kindPeek, key); err != nil {
		return err
	}
	x.other = append(x.other[:0], x.got...)
	old, whole, _ := numberOf(x.other, key, nil)
	if !whole {
		return nil // the key was absent
	}
	e := x.begin(kindCompareAndSwap, key, x.fresh(key), 0)
	if e == nil {
		return nil
	}
	swapped, err := x.cache.CompareAndSwap(keyOf(key), x.other, x.value)
	if err != nil {
		return err
	}
	found := uint64(foundOther)
	if swapped {
		found = foundSeen | foundNew
	}
	x.end(e, kindCompareAndSwap, old, found)
	return nil
}

func (x *client) compute(key int, remove bool) error {
	k, op := kindCompute, cache.Write
	if remove {
		k, op = kindRemove, cache.Remove
	}
	number := x.fresh(key)
	if remove {
		number = 0
	}
	e := x.begin(k, key, number, 0)
	if e == nil {
		return nil
	}
	var seen, found uint64
	_, _, err := x.cache.Compute(keyOf(key), func(old []byte, ok bool) ([]byte, cache.Op) {
		seen, found = x.saw(key, old, ok)
		return x.value, op
	})
	if err != nil {
		return err
	}
	if remove {
		// The key is not absent at the instant at which the value is seen, but directly after it.
		found |= foundAbsent
	} else {
		found |= foundNew
	}
	x.end(e, k, seen, found)
	return nil
}

func (x *client) delete(key int) error {
	e := x.begin(kindDelete, key, 0, 0)
	if e == nil {
		return nil
	}
	if _, err := x.cache.Delete(keyOf(key)); err != nil {
		return err
	}
	x.end(e, kindDelete, 0, foundAbsent)
	return nil
}

// errFault is the error of a seeded fault.
var errFault = errors.New("a fault of a test")

// wrong makes, from time to time, the fault of a process with a seeded fault, which a judge has to find.
func (x *client) wrong(key int) error {
	switch x.Fault {
	case "exits":
		return errFault
	case "torn":
		e := x.begin(kindSet, key, x.fresh(key), 0)
		if e == nil {
			return nil
		}
		x.value[len(x.value)-1] ^= 1
		err := x.cache.Set(keyOf(key), x.value)
		x.end(e, kindSet, 0, foundNew)
		return err
	case "alien":
		x.fresh(key)
		return x.cache.Set(keyOf(key), x.value) // and does not journal it
	case "forgets":
		e := x.begin(kindSet, key, x.fresh(key), 0)
		if e != nil {
			x.end(e, kindSet, 0, foundNew) // without a set
		}
	case "revives":
		if x.old == nil {
			err := x.set(key, 0)
			x.old, x.oldKey = append([]byte{}, x.value...), key
			return err
		}
		if err := x.delete(x.oldKey); err != nil {
			return err
		}
		return x.cache.Set(keyOf(x.oldKey), x.old)
	case "lies":
		err := x.set(key, 0)
		number, whole, _ := numberOf(x.value, key, nil)
		x.board.tell(x.Slot, uint8(cache.Evicted), key, number, whole)
		return err
	case "accuses":
		e := x.begin(kindAsk, x.ColdKeys[0], 0, 0)
		if e != nil {
			e[callAsk].Store(uint64(makeAnswered(x.ColdClients[0], cache.Answer{State: cache.Suspect})))
			e[callDone].Store(uint64(x.meter.now()))
			x.end(e, kindAsk, 0, 0)
		}
	case "bans":
		e := x.begin(kindAsk, x.ColdKeys[0], 0, 0)
		if e != nil {
			e[callAsk].Store(uint64(makeAnswered(x.ColdClients[0],
				cache.Answer{State: cache.Denied, ByClient: true})))
			e[callDone].Store(uint64(x.meter.now()))
			x.end(e, kindAsk, 0, 0)
		}
	case "imagines":
		e := x.begin(kindAsk, x.HotKeys[0], 0, 0)
		if e != nil {
			e[callAsk].Store(uint64(makeAnswered(x.HotClients[0],
				cache.Answer{State: cache.Denied, ByClient: true})))
			e[callDone].Store(uint64(x.meter.now()))
			x.end(e, kindAsk, 0, 0)
		}
	case "expels":
		key = x.ColdKeys[0]
		err := x.set(key, 0)
		number, whole, _ := numberOf(x.value, key, nil)
		x.board.tell(x.Slot, uint8(cache.Expelled), key, number, whole)
		return errors.Join(err, x.delete(key))
	}
	return nil
}

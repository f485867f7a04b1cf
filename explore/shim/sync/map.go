package sync

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/order"
	"github.com/samecycle/samecycle/internal/hook"
)

// A Map has the methods of the standard Map and reports each of its operations as one step. Inside an
// exploration it is empty when an execution starts, unless the execution's Start fills it. Each key is an
// object of its own: an operation that reads a key is ordered after the earlier changes of that key, and
// operations of different keys are not ordered. Which keys there are is one more object, which Range looks
// at, and which the first value of a key and a deletion change. Range makes a step for each pair, in the
// order in which the keys came.
type Map struct {
	real    sync.Map // used outside explorations
	entries map[any]*entry
	keys    []*entry       // those that have a value
	changes uint64         // of keys
	cleared unsafe.Pointer // what happens before whoever finds a key gone that Clear has deleted
	epoch   uint64         // the execution that entries belongs to
}

// An entry is a key that somebody has asked for. It stays when the key is deleted.
type entry struct {
	key, value any
	there      bool
	cleared    bool   // Clear has deleted it, and nobody has set it since
	changes    uint64 // so far
}

// Load returns the value of the key, nil if there is none; ok tells whether there is.
func (m *Map) Load(key any) (value any, ok bool) {
	s := hook.Active
	if s == nil {
		return m.real.Load(key)
	}
	return m.load(s, m.entry(key))
}

func (m *Map) load(s hook.Scheduler, e *entry) (value any, ok bool) {
	m.before(s, hook.Look, e)
	value, ok = e.value, e.there
	m.done(s, e, false)
	return value, ok
}

// Store sets the value of the key.
func (m *Map) Store(key, value any) { m.Swap(key, value) }

// Swap sets the value of the key and returns the one before; loaded tells whether there was one.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	s := hook.Active
	if s == nil {
		return m.real.Swap(key, value)
	}
	e := m.change(s, key)
	previous, loaded = e.value, e.there
	m.put(s, e, value)
	m.done(s, e, true)
	return previous, loaded
}

// LoadOrStore returns the value of the key, which it sets if there is none; loaded tells whether
// there was one.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	s := hook.Active
	if s == nil {
		return m.real.LoadOrStore(key, value)
	}
	e := m.change(s, key)
	if actual, loaded = e.value, e.there; !loaded {
		actual = value
		m.put(s, e, value)
	}
	m.done(s, e, !loaded)
	return actual, loaded
}

// LoadAndDelete deletes the key and returns its value; loaded tells whether there was one.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	s := hook.Active
	if s == nil {
		return m.real.LoadAndDelete(key)
	}
	e := m.change(s, key)
	if value, loaded = e.value, e.there; loaded {
		m.drop(s, e)
	}
	m.done(s, e, loaded)
	return value, loaded
}

// Delete deletes the key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// CompareAndSwap sets the value of the key to new if it is old. Old must be comparable.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	s := hook.Active
	if s == nil {
		return m.real.CompareAndSwap(key, old, new)
	}
	e := m.change(s, key)
	if e.there && e.value == old {
		swapped = true
		m.put(s, e, new)
	}
	m.done(s, e, swapped)
	return swapped
}

// CompareAndDelete deletes the key if its value is old. Old must be comparable.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	s := hook.Active
	if s == nil {
		return m.real.CompareAndDelete(key, old)
	}
	e := m.change(s, key)
	if e.there && e.value == old {
		deleted = true
		m.drop(s, e)
	}
	m.done(s, e, deleted)
	return deleted
}

// Range calls f for each pair until f returns false. A pair that is deleted before its turn is left
// out, and one whose value changes has the new one.
func (m *Map) Range(f func(key, value any) bool) {
	s := hook.Active
	if s == nil {
		m.real.Range(f)
		return
	}
	m.begin()
	s.Before(hook.Look, unsafe.Pointer(m))
	keys := append([]*entry(nil), m.keys...)
	s.After(hook.Look, unsafe.Pointer(m), m.changes, m.changes, true)
	for _, e := range keys {
		v, ok := m.load(s, e)
		if ok && !f(e.key, v) {
			return
		}
	}
}

// Clear deletes all keys.
func (m *Map) Clear() {
	s := hook.Active
	if s == nil {
		m.real.Clear()
		return
	}
	m.begin()
	s.Before(hook.Change, unsafe.Pointer(m))
	k, old := hook.Look, m.changes
	if len(m.keys) > 0 {
		k = hook.Change
		m.changes++
		if told, is := s.(hook.Messenger); is {
			m.cleared = told.Tell()
		}
	}
	for _, e := range m.keys {
		touch(s, unsafe.Pointer(e))
		e.value, e.there, e.cleared = nil, false, true
		e.changes++
	}
	m.keys = nil
	s.After(k, unsafe.Pointer(m), old, m.changes, true)
}

// begin empties the map if another execution has begun: it then has what the original has.
func (m *Map) begin() {
	if m.epoch == hook.Epoch {
		return
	}
	m.epoch, m.entries, m.keys, m.changes, m.cleared = hook.Epoch, map[any]*entry{}, nil, 0, nil
	var keys []any
	values := map[any]any{}
	m.real.Range(func(k, v any) bool {
		keys = append(keys, k)
		values[k] = v
		return true
	})
	order.Sort(keys) // the original has another order in each process
	for _, k := range keys {
		e := &entry{key: k, value: values[k], there: true}
		m.entries[k] = e
		m.keys = append(m.keys, e)
	}
}

// entry returns the entry of the key.
func (m *Map) entry(key any) *entry {
	m.begin()
	e := m.entries[key]
	if e == nil {
		e = &entry{key: key}
		m.entries[key] = e
	}
	return e
}

// change announces an operation that may change the key.
func (m *Map) change(s hook.Scheduler, key any) *entry {
	e := m.entry(key)
	m.before(s, hook.Change, e)
	return e
}

// before announces an operation on the key. A deletion by Clear is no step of the key's own.
func (m *Map) before(s hook.Scheduler, k hook.Kind, e *entry) {
	s.Before(k, unsafe.Pointer(e))
	if learns, is := s.(hook.Messenger); is && e.cleared {
		learns.Learn(m.cleared)
	}
}

// done reports the operation on the key, and whether it changed it.
func (m *Map) done(s hook.Scheduler, e *entry, changed bool) {
	k, old := hook.Look, e.changes
	if changed {
		k = hook.Change
		e.changes++
	}
	s.After(k, unsafe.Pointer(e), old, e.changes, true)
}

// touch says that the running step also changes the object at p.
func touch(s hook.Scheduler, p unsafe.Pointer) {
	if also, is := s.(hook.Messenger); is {
		also.Also(p, true)
	}
}

// put sets the value of the key, in the running step.
func (m *Map) put(s hook.Scheduler, e *entry, value any) {
	if e.value = value; e.there {
		return
	}
	e.there, e.cleared = true, false
	m.keys = append(m.keys, e)
	m.changes++
	touch(s, unsafe.Pointer(m))
}

// drop deletes the key, in the running step.
func (m *Map) drop(s hook.Scheduler, e *entry) {
	e.value, e.there = nil, false
	for i, k := range m.keys {
		if k == e {
			m.keys = append(m.keys[:i:i], m.keys[i+1:]...)
			break
		}
	}
	m.changes++
	touch(s, unsafe.Pointer(m))
}

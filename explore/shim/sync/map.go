package sync

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/order"
	"github.com/samecycle/samecycle/internal/hook"
)

// A Map has the methods of the standard Map and reports each of its operations as one step. Inside an
// exploration it is empty when an execution starts, unless the execution's Start fills it. All its keys are
// one object: an operation that reads is ordered after every earlier change. Range makes a step for each
// pair, in the order in which the keys came.
type Map struct {
	real  sync.Map // used outside explorations
	pairs map[any]any
	keys  []any
	count uint64 // changes so far
	epoch uint64 // the execution that pairs belong to
}

// Load returns the value of the key, nil if there is none; ok tells whether there is.
func (m *Map) Load(key any) (value any, ok bool) {
	s := m.step(hook.Look)
	if s == nil {
		return m.real.Load(key)
	}
	value, ok = m.pairs[key]
	m.done(s, false)
	return value, ok
}

// Store sets the value of the key.
func (m *Map) Store(key, value any) { m.Swap(key, value) }

// Swap sets the value of the key and returns the one before; loaded tells whether there was one.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	s := m.step(hook.Change)
	if s == nil {
		return m.real.Swap(key, value)
	}
	previous, loaded = m.pairs[key]
	m.put(key, value)
	m.done(s, true)
	return previous, loaded
}

// LoadOrStore returns the value of the key, which it sets if there is none; loaded tells whether
// there was one.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	s := m.step(hook.Change)
	if s == nil {
		return m.real.LoadOrStore(key, value)
	}
	if actual, loaded = m.pairs[key]; !loaded {
		actual = value
		m.put(key, value)
	}
	m.done(s, !loaded)
	return actual, loaded
}

// LoadAndDelete deletes the key and returns its value; loaded tells whether there was one.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	s := m.step(hook.Change)
	if s == nil {
		return m.real.LoadAndDelete(key)
	}
	value, loaded = m.pairs[key]
	m.drop(key)
	m.done(s, loaded)
	return value, loaded
}

// Delete deletes the key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// CompareAndSwap sets the value of the key to new if it is old. Old must be comparable.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	s := m.step(hook.Change)
	if s == nil {
		return m.real.CompareAndSwap(key, old, new)
	}
	if v, ok := m.pairs[key]; ok && v == old {
		swapped = true
		m.put(key, new)
	}
	m.done(s, swapped)
	return swapped
}

// CompareAndDelete deletes the key if its value is old. Old must be comparable.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	s := m.step(hook.Change)
	if s == nil {
		return m.real.CompareAndDelete(key, old)
	}
	if v, ok := m.pairs[key]; ok && v == old {
		deleted = true
		m.drop(key)
	}
	m.done(s, deleted)
	return deleted
}

// Range calls f for each pair until f returns false. A pair that is deleted before its turn is left
// out, and one whose value changes has the new one.
func (m *Map) Range(f func(key, value any) bool) {
	s := m.step(hook.Look)
	if s == nil {
		m.real.Range(f)
		return
	}
	keys := append([]any(nil), m.keys...)
	m.done(s, false)
	for _, k := range keys {
		v, ok := m.Load(k)
		if ok && !f(k, v) {
			return
		}
	}
}

// Clear deletes all keys.
func (m *Map) Clear() {
	s := m.step(hook.Change)
	if s == nil {
		m.real.Clear()
		return
	}
	any := len(m.keys) > 0
	m.pairs, m.keys = nil, nil
	m.done(s, any)
}

// step announces an operation, and returns the scheduler to which it is reported, or nil outside
// explorations.
func (m *Map) step(k hook.Kind) hook.Scheduler {
	s := hook.Active
	if s == nil {
		return nil
	}
	s.Before(k, unsafe.Pointer(m))
	if m.epoch != hook.Epoch {
		m.epoch, m.pairs, m.keys = hook.Epoch, nil, nil
		m.real.Range(func(k, v any) bool { m.put(k, v); return true })
		order.Sort(m.keys) // the original has another order in each process
	}
	return s
}

// done reports the operation, and whether it changed the map.
func (m *Map) done(s hook.Scheduler, changed bool) {
	k, old := hook.Look, m.count
	if changed {
		k = hook.Change
		m.count++
	}
	s.After(k, unsafe.Pointer(m), old, m.count, true)
}

func (m *Map) put(key, value any) {
	if m.pairs == nil {
		m.pairs = map[any]any{}
	}
	if _, ok := m.pairs[key]; !ok {
		m.keys = append(m.keys, key)
	}
	m.pairs[key] = value
}

func (m *Map) drop(key any) {
	if _, ok := m.pairs[key]; !ok {
		return
	}
	delete(m.pairs, key)
	for i, k := range m.keys {
		if k == key {
			m.keys = append(m.keys[:i:i], m.keys[i+1:]...)
			return
		}
	}
}

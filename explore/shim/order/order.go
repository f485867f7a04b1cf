package order

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"sort"
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// Sort sorts keys of a map into the order of a walk.
func Sort[K comparable](keys []K) {
	switch keys := any(keys).(type) {
	case []string:
		slices.Sort(keys)
	case []int:
		slices.Sort(keys)
	default:
		if hidden.Reduced && points(reflect.TypeFor[K]()) {
			numbering.Read()
		}
		all := reflect.ValueOf(keys)
		sort.Slice(keys, func(i, j int) bool { return compare(all.Index(i), all.Index(j)) < 0 })
	}
}

// compare compares two values of one type that keys of maps can have.
func compare(a, b reflect.Value) int {
	switch k := a.Kind(); {
	case k == reflect.Bool:
		return ordinal(a.Bool()) - ordinal(b.Bool())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.CanComplex():
		x, y := a.Complex(), b.Complex()
		return cmp.Or(cmp.Compare(real(x), real(y)), cmp.Compare(imag(x), imag(y)))
	case k == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case k == reflect.Interface:
		return compareDynamic(a.Elem(), b.Elem())
	case k == reflect.Array:
		return first(a.Len(), func(i int) int { return compare(a.Index(i), b.Index(i)) })
	case k == reflect.Struct:
		return first(a.NumField(), func(i int) int { return compare(a.Field(i), b.Field(i)) })
	}
	return comparePointers(a.UnsafePointer(), b.UnsafePointer())
}

func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}

// first returns the first of n comparisons that finds a difference.
func first(n int, at func(i int) int) int {
	for i := range n {
		if c := at(i); c != 0 {
			return c
		}
	}
	return 0
}

// compareDynamic compares the contents of two interfaces. An empty interface comes first.
func compareDynamic(a, b reflect.Value) int {
	if !a.IsValid() || !b.IsValid() {
		return ordinal(a.IsValid()) - ordinal(b.IsValid())
	}
	if a.Type() == b.Type() {
		return compare(a, b)
	}
	return cmp.Or(cmp.Compare(a.Type().String(), b.Type().String()),
		cmp.Compare(a.Type().PkgPath(), b.Type().PkgPath()))
}

// numbers are the numbers of the pointers that were seen, from 1. The table keeps what they point to alive,
// so nothing else gets the same address.
var numbers struct {
	sync.Mutex
	kept  map[unsafe.Pointer]numbered // of all executions
	now   map[unsafe.Pointer]numbered // of the execution of this epoch; they come after the others
	first int                         // how many have a number from before all executions
	epoch uint64
}

// numbered are the numbers of a pointer: in the order of all, and among those of its execution, which does
// not depend on how many executions there were before. The second begins behind those from before all
// executions.
type numbered struct{ all, own int }

// Seen gives numbers to the pointers in a key that is about to be put into a map, if they have none yet, and
// returns the key. A number lasts as long as the execution. A number that is given before all executions, or
// before [Keep] is called, lasts for ever.
func Seen[K any](key K) K {
	if hidden.Reduced && points(reflect.TypeFor[K]()) {
		numbering.Change()
	}
	numbers.Lock()
	defer numbers.Unlock()
	see(reflect.ValueOf(&key).Elem())
	return key
}

// Number is Seen for a pointer, or for what is one in the runtime, such as a channel, and returns a number
// that is the same in each execution with the same schedule. It is 0 for nil. Two pointers may have the same
// one if Keep was called in between.
func Number(p unsafe.Pointer) int {
	if p == nil {
		return 0
	}
	numbering.Change()
	numbers.Lock()
	defer numbers.Unlock()
	number(p)
	return max(numbers.kept[p].own, numbers.now[p].own)
}

// numbering is the state of the numbers.
var numbering hidden.State

// points reports whether keys of the type may have pointers.
func points(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return points(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if points(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

func see(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v = v.Elem(); v.IsValid() {
			see(v)
		}
	case reflect.Array:
		for i := range v.Len() {
			see(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			see(v.Field(i))
		}
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		number(v.UnsafePointer())
	}
}

func number(p unsafe.Pointer) {
	if p == nil || numberOf(p) > 0 {
		return
	}
	if numbers.now == nil {
		numbers.now = map[unsafe.Pointer]numbered{}
	}
	n := len(numbers.now) + 1
	numbers.now[p] = numbered{len(numbers.kept) + n, numbers.first + n}
}

// numberOf returns the number of a pointer, or 0 if it has none.
func numberOf(p unsafe.Pointer) int {
	if numbers.epoch != hook.Epoch { // a new execution
		if numbers.epoch == 0 {
			keep()
			numbers.first = len(numbers.kept)
		}
		numbers.epoch = hook.Epoch
		clear(numbers.now)
	}
	return max(numbers.kept[p].all, numbers.now[p].all)
}

func keep() {
	if numbers.kept == nil {
		numbers.kept = map[unsafe.Pointer]numbered{}
	}
	maps.Copy(numbers.kept, numbers.now)
	clear(numbers.now)
}

// Keep makes the numbers of this execution last for ever: those of values that a package keeps, such as what
// it makes at the first use.
func Keep() {
	numbers.Lock()
	defer numbers.Unlock()
	if numberOf(nil); len(numbers.now) > 0 {
		keep()
	}
}

func comparePointers(a, b unsafe.Pointer) int {
	numbers.Lock()
	defer numbers.Unlock()
	m, n := numberOf(a), numberOf(b)
	switch {
	case a == nil || b == nil:
		return ordinal(a != nil) - ordinal(b != nil)
	case m == 0 && n == 0:
		return cmp.Compare(uintptr(a), uintptr(b))
	case m == 0 || n == 0:
		return n - m // the pointer without a number comes last
	}
	return m - n
}

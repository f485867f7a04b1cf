package seam_test

import (
	"reflect"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// TestTypes: the normal build's words are sync/atomic's types themselves, those of the explored build and
// of one with the race detector have the same size, alignment and methods.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		seam, real reflect.Type
		same       bool
	}{
		{reflect.TypeFor[seam.Uint64](), reflect.TypeFor[atomic.Uint64](), seam.Aliased},
		{reflect.TypeFor[seam.Uint32](), reflect.TypeFor[atomic.Uint32](), !seam.Explored},
	} {
		if same := c.seam == c.real; same != c.same || seam.Aliased && seam.Explored {
			t.Errorf("%v is %v: %t, want %t", c.seam, c.real, same, c.same)
		}
		if c.seam.Size() != c.real.Size() || c.seam.Align() != c.real.Align() {
			t.Errorf("%v: size %d, alignment %d; %v has %d, %d", c.seam, c.seam.Size(),
				c.seam.Align(), c.real, c.real.Size(), c.real.Align())
		}
		p, q := reflect.PointerTo(c.seam), reflect.PointerTo(c.real)
		if p.NumMethod() != q.NumMethod() {
			t.Errorf("%v has %d methods, %v has %d", p, p.NumMethod(), q, q.NumMethod())
		}
		for i := range q.NumMethod() {
			m, ok := p.MethodByName(q.Method(i).Name)
			if !ok || signature(m) != signature(q.Method(i)) {
				t.Errorf("%v lacks %s", p, q.Method(i).Name)
			}
		}
	}
}

// signature is a method's type without the receiver.
func signature(m reflect.Method) string {
	var in, out []reflect.Type
	for i := 1; i < m.Type.NumIn(); i++ {
		in = append(in, m.Type.In(i))
	}
	for i := range m.Type.NumOut() {
		out = append(out, m.Type.Out(i))
	}
	return reflect.FuncOf(in, out, false).String()
}

// TestWords: a word overlaid on bytes does what sync/atomic documents.
func TestWords(t *testing.T) {
	mem := make([]uint64, 2)
	w := (*seam.Uint64)(unsafe.Pointer(&mem[1]))
	w.Store(6)
	if w.Load() != 6 || w.Add(1) != 7 || w.Swap(9) != 7 || w.CompareAndSwap(1, 2) ||
		!w.CompareAndSwap(9, 12) || w.And(6) != 12 || w.Or(3) != 4 || mem[1] != 7 {
		t.Errorf("the word is %d", mem[1])
	}
	if seam.StoreOwn(w, 1<<40); w.Load() != 1<<40 || mem[0] != 0 {
		t.Errorf("the word is %d, the one before it %d", mem[1], mem[0])
	}
	v := (*seam.Uint32)(unsafe.Pointer(&mem[0]))
	v.Store(6)
	if v.Load() != 6 || v.Add(1) != 7 || v.Swap(9) != 7 || v.CompareAndSwap(1, 2) ||
		!v.CompareAndSwap(9, 12) || v.And(6) != 12 || v.Or(3) != 4 || v.Load() != 7 {
		t.Errorf("the word is %d", v.Load())
	}
}

// TestRandomBit: both values occur; missing one in 64 draws has odds of 2^-63.
func TestRandomBit(t *testing.T) {
	seen := map[uint32]bool{}
	for range 64 {
		seen[seam.RandomBit()] = true
	}
	if len(seen) != 2 || !seen[0] || !seen[1] {
		t.Errorf("values %v, want 0 and 1", seen)
	}
	seam.Gosched()
}

// TestCoin: each of the first tosses has both values, also where one call of the generator follows another.
func TestCoin(t *testing.T) {
	seen := [130]map[uint32]bool{}
	for range 64 {
		var c seam.Coin
		for i := range seen {
			if seen[i] == nil {
				seen[i] = map[uint32]bool{}
			}
			seen[i][c.Toss()] = true
		}
	}
	for i, values := range seen {
		if len(values) != 2 || !values[0] || !values[1] {
			t.Errorf("toss %d: values %v, want 0 and 1", i, values)
		}
	}
}

// TestRequest: a word that is asked for stays what it is.
func TestRequest(t *testing.T) {
	words := make([]seam.Uint64, 9)
	words[8].Store(7)
	for i := range words {
		if seam.Request(&words[i]); words[i].Load() != uint64(i/8*7) {
			t.Errorf("word %d is %d", i, words[i].Load())
		}
	}
}

// TestRandom_TossesAreIndependent: of two tosses as far apart as a word has bits, or less, one says nothing
// of the other, and each value comes as often. Random bits are 8 deviations off once in 10^15 runs.
func TestRandom_TossesAreIndependent(t *testing.T) {
	const n, most = 1 << 14, 8 * 64 // 64 is the deviation of n tosses
	var c seam.Coin
	for what, toss := range map[string]func() uint32{"coin": c.Toss, "bit": seam.RandomBit} {
		var tosses [n + 64]uint32
		for i := range tosses {
			tosses[i] = toss()
		}
		for lag := range 65 {
			odd := 0 // of lag 0: those that are 1
			for i := range n {
				if lag == 0 {
					odd += int(tosses[i])
				} else {
					odd += int(tosses[i] ^ tosses[i+lag])
				}
			}
			if odd < n/2-most || odd > n/2+most {
				t.Errorf("%s, %d tosses apart: %d of %d differ", what, lag, odd, n)
			}
		}
	}
}

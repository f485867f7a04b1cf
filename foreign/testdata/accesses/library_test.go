package accesses

import (
	"bufio"
	"bytes"
	"container/ring"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/big"
	"math/rand"
	v2 "math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"text/template"
)

// uses are uses of a map and of a slice, which has the elements 3, 1, 2.
var mapUses = map[string]func(map[int]int){
	"Clone":      func(m map[int]int) { maps.Clone(m) },
	"Keys":       func(m map[int]int) { slices.Sorted(maps.Keys(m)) },
	"All":        func(m map[int]int) { maps.Collect(maps.All(m)) },
	"Equal":      func(m map[int]int) { maps.Equal(m, map[int]int{1: 1}) },
	"Copy":       func(m map[int]int) { maps.Copy(m, map[int]int{3: 1}) },
	"CopyFrom":   func(m map[int]int) { maps.Copy(map[int]int{}, m) },
	"Insert":     func(m map[int]int) { maps.Insert(m, maps.All(map[int]int{3: 1})) },
	"DeleteFunc": func(m map[int]int) { maps.DeleteFunc(m, func(k, v int) bool { return true }) },
}

func mapRace(name string, f func(map[int]int)) {
	m := map[int]int{1: 1}
	both(func() { mapUses[name](m) }, func() { f(m) })
}

func put1(m map[int]int)  { m[1] = 2 }
func look1(m map[int]int) { _ = m[1] == 7 }

func TestRace_MapsKeys(t *testing.T)       { mapRace("Keys", put1) }
func TestRace_MapsAll(t *testing.T)        { mapRace("All", put1) }
func TestRace_MapsEqual(t *testing.T)      { mapRace("Equal", put1) }
func TestRace_MapsCopy(t *testing.T)       { mapRace("Copy", look1) }
func TestRace_MapsCopyFrom(t *testing.T)   { mapRace("CopyFrom", put1) }
func TestRace_MapsInsert(t *testing.T)     { mapRace("Insert", look1) }
func TestRace_MapsDeleteFunc(t *testing.T) { mapRace("DeleteFunc", look1) }

// The race detector of the go command does not see this one.
func TestRace_MapsClone(t *testing.T) { mapRace("Clone", put1) }

// A range reads the map, and not what makes the iterator; what deletes nothing, or copies nothing, reads.
func TestRight_Maps(t *testing.T) {
	m, done := map[int]int{1: 1}, make(chan int)
	both(func() {
		keys := maps.Keys(m)
		<-done
		for range keys {
		}
	}, func() { m[2] = 2; close(done) })
	none := func() {
		maps.DeleteFunc(m, func(k, v int) bool { return false })
		maps.Copy(m, map[int]int{})
		for _, f := range []string{"Clone", "Keys", "All", "Equal", "CopyFrom"} {
			mapUses[f](m)
		}
	}
	both(none, none)
}

var sliceUses = map[string]func([]int){
	"Sort":        func(s []int) { slices.Sort(s) },
	"SortFunc":    func(s []int) { slices.SortFunc(s, func(a, b int) int { return a - b }) },
	"Contains":    func(s []int) { panicIf(slices.Contains(s, 7)) },
	"Clone":       func(s []int) { slices.Clone(s) },
	"Delete":      func(s []int) { _ = slices.Delete(s, 0, 1) },
	"Reverse":     func(s []int) { slices.Reverse(s) },
	"Max":         func(s []int) { panicIf(slices.Max(s) == 7) },
	"Values":      func(s []int) { slices.Collect(slices.Values(s)) },
	"Insert":      func(s []int) { _ = slices.Insert(s[:1], 0, 5) },
	"Ints":        func(s []int) { sort.Ints(s) },
	"Slice":       func(s []int) { sort.Slice(s, func(i, j int) bool { return s[i] < s[j] }) },
	"SliceStable": func(s []int) { sort.SliceStable(s, func(i, j int) bool { return i > j }) },
	"Interface":   func(s []int) { sort.Sort(sort.Reverse(sort.IntSlice(s))) },
	"Search":      func(s []int) { sort.SearchInts(s, 1) },
}

func sliceRace(name string, f func([]int)) {
	s := []int{3, 1, 2}
	both(func() { sliceUses[name](s) }, func() { f(s) })
}

func setAt1(s []int) { s[1] = 5 }
func getAt1(s []int) { panicIf(s[1] == 7) }

func TestRace_SlicesSort(t *testing.T)     { sliceRace("Sort", getAt1) }
func TestRace_SlicesSortFunc(t *testing.T) { sliceRace("SortFunc", getAt1) }
func TestRace_SlicesContains(t *testing.T) { sliceRace("Contains", setAt1) }
func TestRace_SlicesClone(t *testing.T)    { sliceRace("Clone", setAt1) }
func TestRace_SlicesDelete(t *testing.T)   { sliceRace("Delete", getAt1) }
func TestRace_SlicesReverse(t *testing.T)  { sliceRace("Reverse", func(s []int) { panicIf(s[2] == 7) }) }
func TestRace_SlicesMax(t *testing.T)      { sliceRace("Max", setAt1) }
func TestRace_SlicesValues(t *testing.T)   { sliceRace("Values", setAt1) }
func TestRace_SlicesInsert(t *testing.T)   { sliceRace("Insert", getAt1) }
func TestRace_SortInts(t *testing.T)       { sliceRace("Ints", getAt1) }
func TestRace_SortSlice(t *testing.T)      { sliceRace("Slice", getAt1) }
func TestRace_SortStable(t *testing.T)     { sliceRace("SliceStable", getAt1) }
func TestRace_SortInterface(t *testing.T)  { sliceRace("Interface", getAt1) }
func TestRace_SortSearch(t *testing.T)     { sliceRace("Search", setAt1) }

// A search ends where it finds.
func TestRight_SlicesFound(t *testing.T) {
	s := []int{1, 2, 3}
	both(func() { panicIf(!slices.Contains(s, 1)); sort.Ints(s[:2]) }, func() { s[2] = 4 })
}

// An order that is there already is not changed.
func TestRight_SlicesSorted(t *testing.T) {
	s := []int{1, 2, 3}
	both(func() { slices.Sort(s) }, func() { sort.Slice(s, func(i, j int) bool { return s[i] < s[j] }) })
}

// An iterator reads when it is ranged over.
func TestRight_SlicesLater(t *testing.T) {
	s, done := []int{1, 2, 3}, make(chan int)
	both(func() {
		all := slices.Values(s)
		<-done
		for v := range all {
			panicIf(v == 7)
		}
	}, func() { s[1] = 3; close(done) })
}

func TestRight_SlicesReverse(t *testing.T) {
	s := []int{1, 2, 3}
	both(func() { slices.Reverse(s) }, func() { panicIf(s[1] == 7) })
}

func TestRight_SlicesLocked(t *testing.T) {
	s := []int{3, 1, 2}
	var mu sync.Mutex
	all := func() {
		mu.Lock()
		for _, use := range sliceUses {
			use(s)
		}
		mu.Unlock()
	}
	both(all, all)
}

func TestRace_Rand(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	both(func() { r.Intn(3) }, func() { r.Intn(3) })
}

func TestRace_Rand2(t *testing.T) {
	r := v2.New(v2.NewPCG(1, 2))
	both(func() { r.IntN(3) }, func() { r.IntN(3) })
}

func TestRace_Source2(t *testing.T) {
	r := v2.NewPCG(1, 2)
	both(func() { r.Uint64() }, func() { r.Uint64() })
}

// locked is a source that goroutines may use at the same time.
type locked struct {
	mu sync.Mutex
	rand.Source
}

func (l *locked) Int63() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Source.Int63()
}

func TestRight_RandOfALockedSource(t *testing.T) {
	r := rand.New(&locked{Source: rand.NewSource(1)})
	both(func() { r.Intn(3) }, func() { r.Intn(3) })
}

func TestRace_Big(t *testing.T) {
	n := big.NewInt(1)
	both(func() { n.Add(n, n) }, func() { n.Sign() })
}

func TestRight_Big(t *testing.T) {
	n := big.NewInt(1)
	both(func() { n.Int64() }, func() { n.Sign() })
}

func TestRace_Ring(t *testing.T) {
	r := ring.New(2)
	both(func() { r.Unlink(1) }, func() { r.Len() })
}

func TestRace_Fprintf(t *testing.T) {
	var b strings.Builder
	both(func() { fmt.Fprintf(&b, "%d", 1) }, func() { _ = b.String() })
}

func TestRace_Writer(t *testing.T) {
	var b bytes.Buffer
	var w io.Writer = &b
	both(func() { w.Write([]byte("a")) }, func() { io.WriteString(&b, "b") })
}

func TestRace_Copy(t *testing.T) {
	b, r := bufio.NewWriter(io.Discard), strings.NewReader("abc")
	both(func() { io.Copy(b, r) }, func() { b.Flush() })
}

func TestRace_Hash(t *testing.T) {
	h := sha256.New()
	both(func() { h.Write([]byte("a")) }, func() { io.WriteString(h, "b") })
}

func TestRace_Template(t *testing.T) {
	var b strings.Builder
	page := template.Must(template.New("page").Parse("x"))
	both(func() { page.Execute(&b, nil) }, func() { _ = b.Len() })
}

// What goroutines may use at the same time, and what each has for itself.
func TestRight_Streams(t *testing.T) {
	r, w := io.Pipe()
	both(func() { io.WriteString(w, "a"); w.Close() }, func() { io.ReadAll(r) })
	each := func() {
		var b strings.Builder
		fmt.Fprint(&b, "a")
		fmt.Fprint(io.Discard, b.String())
	}
	both(each, each)
	pair := func() (io.Writer, string) { return io.Discard, "a" }
	both(func() { fmt.Fprint(pair()) }, func() { fmt.Fprint(pair()) })
}

func TestRace_VariableOfTheLibrary(t *testing.T) {
	usage := flag.Usage
	defer func() { flag.Usage = usage }()
	both(func() { flag.Usage = nil }, func() { panicIf(flag.Usage == nil && flag.NArg() > 99) })
}

func TestRight_VariablesOfTheLibrary(t *testing.T) {
	both(func() { panicIf(os.Stdout == nil) }, func() { panicIf(os.Stdout == nil) })
}

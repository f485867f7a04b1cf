package hopscotch_test

import (
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// heap makes a table that only this process sees; the table of several processes is made of a region
// in a file, and works the same way.
func heap() (*hopscotch.Table, *hopscotch.Handle) {
	r, err := hopscotch.Heap(hopscotch.Layout{CellsPerHalf: 1 << 10, Window: 32, Descriptors: 8})
	if err != nil {
		log.Fatal(err)
	}
	t, err := hopscotch.New(r)
	if err != nil {
		log.Fatal(err)
	}
	h, err := t.NewHandle(1)
	if err != nil {
		log.Fatal(err)
	}
	return t, h
}

func Example() {
	table, h := heap()
	defer h.Close()
	result, err := h.Add(7, 70)
	fmt.Println(result, err)
	value, ok := table.Get(7)
	fmt.Println(value, ok)
	old, ok, err := h.Update(7, 71)
	fmt.Println(old, ok, err)
	ok, err = h.Delete(7)
	fmt.Println(ok, err)
	_, ok = table.Get(7)
	fmt.Println(ok)
	// Output:
	// added <nil>
	// 70 true
	// 70 true <nil>
	// true <nil>
	// false
}

// Any number of processes run the same program: one of them creates the region, the others open it.
func Example_twoProcesses() {
	r, created, err := hopscotch.OpenOrCreate("cache.region",
		hopscotch.Layout{CellsPerHalf: 1 << 16, Window: 32, Descriptors: 64})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	table, err := hopscotch.New(r)
	if err != nil {
		log.Fatal(err)
	}
	h, err := table.NewHandle(uint64(os.Getpid()))
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	if created {
		if _, err := h.Add(7, 70); err != nil {
			log.Fatal(err)
		}
	}
	value, ok := table.Get(7) // 70, true in all of them once it was added in one
	fmt.Println(value, ok)
}

// Several adds are prepared, so that their cache lines are on their way, and then done.
func ExampleTable_PrepareAdd() {
	table, h := heap()
	var batch []hopscotch.PreparedAdd
	for key := uint32(1); key <= 3; key++ {
		p, err := table.PrepareAdd(key, key*10)
		if err != nil {
			log.Fatal(err)
		}
		batch = append(batch, p)
	}
	for _, p := range batch {
		result, err := h.AddPrepared(p)
		fmt.Println(p.Key(), result, err)
	}
	_, err := table.PrepareAdd(0, 1)
	fmt.Println(err)
	// Output:
	// 1 added <nil>
	// 2 added <nil>
	// 3 added <nil>
	// prepare key NONE: key is reserved: use 1..0xFFFFFFFE
}

// A prepared key is used again and again, without hashing.
func ExampleTable_Prepare() {
	table, h := heap()
	p, err := table.Prepare(7)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.UpdatePrepared(p, 71))
	fmt.Println(h.Add(7, 70))
	fmt.Println(table.GetPrepared(p))
	fmt.Println(h.DeletePrepared(p))
	// Output:
	// 0 false <nil>
	// added <nil>
	// 70 true <nil>
	// true <nil>
}

func ExampleTable_GetBatch() {
	table, h := heap()
	for key := uint32(1); key <= 3; key++ {
		if _, err := h.Add(key, key*10); err != nil {
			log.Fatal(err)
		}
	}
	keys := []uint32{3, 4, 1}
	values, found := make([]uint32, len(keys)), make([]bool, len(keys))
	n, err := table.GetBatch(keys, values, found)
	fmt.Println(n, err, values, found)
	// Output: 2 <nil> [30 0 10] [true false true]
}

// A key that comes twice is added once.
func ExampleHandle_AddBatch() {
	table, h := heap()
	keys, values := []uint32{3, 4, 3}, []uint32{30, 40, 31}
	results := make([]hopscotch.Result, len(keys))
	n, err := h.AddBatch(keys, values, results)
	fmt.Println(n, err, results)
	fmt.Println(table.Get(3))
	// Output:
	// 2 <nil> [added added exists]
	// 30 true
}

// The loop may change the table.
func ExampleTable_All() {
	table, h := heap()
	for key := uint32(1); key <= 5; key++ {
		if _, err := h.Add(key, key*10); err != nil {
			log.Fatal(err)
		}
	}
	var odd []uint32
	for key := range table.All() {
		if key%2 == 0 {
			if _, err := h.Delete(key); err != nil {
				log.Fatal(err)
			}
			continue
		}
		odd = append(odd, key)
	}
	slices.Sort(odd)
	fmt.Println(odd, hopscotch.Measure(table).Elements)
	// Output: [1 3 5] 3
}

func ExampleHandle_Clear() {
	table, h := heap()
	for key := uint32(1); key <= 5; key++ {
		if _, err := h.Add(key, key*10); err != nil {
			log.Fatal(err)
		}
	}
	sum := uint32(0)
	n, err := h.Clear(func(l hopscotch.Leaving) { sum += l.Value })
	fmt.Println(n, err, sum)
	fmt.Println(hopscotch.Measure(table).Elements)
	// Output:
	// 5 <nil> 150
	// 0
}

// Whatever becomes the caller's goes to one place, where its record is freed.
func ExampleHandle_HandOver() {
	_, h := heap()
	h.HandOver(func(l hopscotch.Leaving) { fmt.Println("free", l.Value, l.Reason) })
	h.Add(7, 70)
	h.Update(7, 71)
	h.Delete(7)
	h.Crop(7)
	fmt.Printf("%+v\n", h.Tally())
	// Output:
	// free 70 updated
	// free 71 deleted
	// {Added:1 Updated:1 Deleted:1 Evicted:0 Replaced:0 Reclaimed:1}
}

// Without a service, every 10th call crops 64 buckets: what is deleted is reclaimed soon.
func ExampleHandle_Assist() {
	table, h := heap()
	h.Assist(10, 64)
	for key := uint32(1); key <= 1000; key++ {
		h.Add(key, 1)
		h.Delete(key)
	}
	fmt.Println(hopscotch.Measure(table).Lost < 330)
	// Output: true
}

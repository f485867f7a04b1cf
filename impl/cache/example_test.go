package cache_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// onHeap is a cache of this process alone; with a path it would be one of all processes.
func onHeap(o cache.Options) *cache.Cache {
	c, err := cache.Open("", o)
	if err != nil {
		log.Fatal(err)
	}
	return c
}

func Example() {
	c := onHeap(cache.Options{Bytes: 16 << 20})
	defer c.Close()
	if err := c.Set([]byte("colour"), []byte("green")); err != nil {
		log.Fatal(err)
	}
	buffer := make([]byte, 0, 1024) // used again and again
	value, ok, err := c.Get([]byte("colour"), buffer)
	fmt.Printf("%s %v %v\n", value, ok, err)
	deleted, err := c.Delete([]byte("colour"))
	fmt.Println(deleted, err)
	_, ok, err = c.Get([]byte("colour"), buffer)
	fmt.Println(ok, err)
	// Output:
	// green true <nil>
	// true <nil>
	// false <nil>
}

// What is in a file is there for all processes that open it, now and later.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "cache")
	for day := range 2 {
		c, err := cache.Open(path, cache.Options{Bytes: 4 << 20})
		if err != nil {
			log.Fatal(err)
		}
		value, ok, err := c.Get([]byte("started"), nil)
		fmt.Printf("%q %v %v\n", value, ok, err)
		if err := c.Set([]byte("started"), fmt.Appendf(nil, "day %d", day)); err != nil {
			log.Fatal(err)
		}
		if err := c.Close(); err != nil {
			log.Fatal(err)
		}
	}
	// A wrong option is an error that says what to do.
	_, err = cache.Open(path, cache.Options{TTL: -time.Second})
	fmt.Println(err)
	// Output:
	// "" false <nil>
	// "day 0" true <nil>
	// cache: option TTL is -1s, want 0 or more: choose 0 for the time that the cache has
}

// Numbers and strings need no codec.
func ExampleTyped() {
	c := onHeap(cache.Options{Bytes: 4 << 20})
	defer c.Close()
	ages, err := cache.NewTyped[string, int](c, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := ages.Set("Ada", 36); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ages.Get("Ada"))
	fmt.Println(ages.Compute("Ada", func(old int, ok bool) (int, cache.Op) { return old + 1, cache.Write }))
	// Output:
	// 36 true <nil>
	// 37 true <nil>
}

// Counters of several processes are one counter.
func ExampleCache_Add() {
	c := onHeap(cache.Options{Bytes: 4 << 20})
	defer c.Close()
	fmt.Println(c.Add([]byte("visits"), 1))
	fmt.Println(c.Add([]byte("visits"), 41))
	// Output:
	// 1 <nil>
	// 42 <nil>
}

// The function is called again if somebody else was faster.
func ExampleCache_Compute() {
	c := onHeap(cache.Options{Bytes: 4 << 20})
	defer c.Close()
	add := func(item string) {
		_, _, err := c.Compute([]byte("list"), func(old []byte, ok bool) ([]byte, cache.Op) {
			return append(old, item...), cache.Write
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	add("a")
	add("b")
	value, _, _ := c.Get([]byte("list"), nil)
	fmt.Printf("%s\n", value)
	// Output: ab
}

// Events tell what has left, and why.
func ExampleOptions() {
	c := onHeap(cache.Options{
		Bytes: 4 << 20,
		OnEvent: func(e cache.Event) {
			fmt.Printf("%s: %s was %s\n", e.Key, e.Value, e.Reason)
		},
	})
	defer c.Close()
	c.Set([]byte("k"), []byte("1"))
	c.Set([]byte("k"), []byte("2"))
	c.Delete([]byte("k"))
	// Output:
	// k: 1 was replaced
	// k: 2 was deleted
}

func ExampleCache_GetBatch() {
	c := onHeap(cache.Options{Bytes: 4 << 20})
	defer c.Close()
	c.Set([]byte("a"), []byte("1"))
	c.Set([]byte("c"), []byte("3"))
	keys := [][]byte{[]byte("a"), []byte("b"), []byte("c")}
	values := make([][]byte, len(keys))
	_, found, err := c.GetBatch(keys, values, nil)
	fmt.Printf("%d %v %s %v %s\n", found, err, values[0], values[1] == nil, values[2])
	// Output: 2 <nil> 1 true 3
}

func ExampleCache_All() {
	c := onHeap(cache.Options{Bytes: 4 << 20})
	defer c.Close()
	c.SetTTL([]byte("k"), []byte("v"), time.Minute)
	for key, value := range c.All() {
		fmt.Printf("%s %s\n", key, value)
	}
	// Output: k v
}

// A client that asks too often is told to wait, and the others are served.
func ExampleCache_Ask() {
	c := onHeap(cache.Options{Bytes: 16 << 20, Quota: cache.Quota{Client: 1, Burst: 3 * time.Minute}})
	defer c.Close()
	if err := c.Set([]byte("page"), []byte("text")); err != nil {
		log.Fatal(err)
	}
	served := 0
	for range 5000 {
		_, answer, err := c.Ask(7, []byte("page"), nil)
		if answer.State == cache.Hit && err == nil {
			served++
		}
	}
	fmt.Println("one client is served five thousand times:", served == 5000)
	_, answer, err := c.Ask(8, []byte("page"), nil)
	fmt.Println("another client:", answer.State, err)
	// Output:
	// one client is served five thousand times: false
	// another client: hit <nil>
}

package remote_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
)

func Example() {
	dir, err := os.MkdirTemp("", "slots-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "alice.slots")

	// The service: a process that may map the cache.
	c, err := cache.Open(filepath.Join(dir, "a.cache"), cache.Options{Bytes: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	s, err := remote.Create(path, remote.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	go func() { _ = s.Serve(context.Background(), c) }()

	// The client: another process, which may map alice.slots and nothing else.
	client, err := remote.Dial(path, remote.DialOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	fmt.Println(client.Set(ctx, []byte("alice"), []byte("token 1")))
	value, ok, err := client.Get(ctx, []byte("alice"), nil)
	fmt.Printf("%s %v %v\n", value, ok, err)

	// Several requests under way, each with several operations.
	var calls []*remote.Call
	for n := range 3 {
		var b remote.Batch
		b.Set(fmt.Append(nil, n), fmt.Append(nil, n*n))
		b.Get(fmt.Append(nil, n))
		call, err := client.Start(ctx, &b)
		if err != nil {
			log.Fatal(err)
		}
		calls = append(calls, call)
	}
	for _, call := range calls {
		results, err := call.Wait(ctx)
		fmt.Printf("%s %v\n", results[1].Value, err)
	}
	// Output:
	// <nil>
	// token 1 true <nil>
	// 0 <nil>
	// 1 <nil>
	// 4 <nil>
}

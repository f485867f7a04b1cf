package service_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/service"
)

func ExampleStart() {
	r, err := hopscotch.Heap(hopscotch.Layout{CellsPerHalf: 1 << 10, Window: 32, Descriptors: 8})
	if err != nil {
		log.Fatal(err)
	}
	table, err := hopscotch.New(r)
	if err != nil {
		log.Fatal(err)
	}
	client, err := table.NewHandle(1)
	if err != nil {
		log.Fatal(err)
	}
	own, err := table.NewHandle(2) // a service has a handle of its own
	if err != nil {
		log.Fatal(err)
	}
	freed := make(chan hopscotch.Leaving)
	s, err := service.Start(context.Background(), own, service.Options{
		Buckets: 128, Pause: 100 * time.Microsecond,
		Left: func(l hopscotch.Leaving) { freed <- l },
	})
	if err != nil {
		log.Fatal(err)
	}
	client.Add(7, 70)
	client.Delete(7)
	l := <-freed
	fmt.Println(l.Value, l.Reason)
	fmt.Println(s.Stop())
	// Output:
	// 70 deleted
	// <nil>
}

package remote_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// TestBatch_WhatDoesNotFit: of a batch whose values together do not fit into the response area, each
// operation has a result of its own all the same. A value that fits beside those ahead of it, and beside the
// results of all operations, is there whole; of another one the length is told.
func TestBatch_WhatDoesNotFit(t *testing.T) {
	own, ctx := newCache(t), t.Context()
	_, path := serving(t, own, remote.Options{File: slots.Options{ResponseBytes: 1024}})
	c := dial(t, path, remote.DialOptions{})
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		var b remote.Batch
		var values [][]byte
		for i := range 1 + random.IntN(60) {
			key, value := fmt.Appendf(nil, "%d", i), bytes.Repeat([]byte{byte(i)}, random.IntN(300))
			if err := own.Set(key, value); err != nil {
				t.Fatal(err)
			}
			b.Get(key)
			values = append(values, value)
		}
		last := fmt.Appendf(nil, "last of round %d", round)
		b.Set(last, nil)
		all, err := c.Do(ctx, &b)
		if err != nil || len(all) != b.Len() {
			t.Fatalf("round %d, %d operations: %d results, %v", round, b.Len(), len(all), err)
		}
		if _, ok, err := own.Get(last, nil); !all[len(values)].OK || !ok || err != nil {
			t.Errorf("round %d: the set behind them: %+v; it was done: %v %v", round, all[len(values)], ok,
				err)
		}
		room := c.ValueMax() - 8*(b.Len()-1)
		for i, value := range values {
			r, takes := all[i], (len(value)+7)/8*8
			if takes <= room {
				room -= takes
				if !r.OK || r.Err != nil || !bytes.Equal(r.Value, value) {
					t.Errorf("round %d, value %d of %d bytes fits: %+v", round, i, len(value), r)
				}
			} else if r.OK || len(r.Value) > 0 || !errors.Is(r.Err, remote.ErrTooLarge) ||
				!strings.Contains(r.Err.Error(), fmt.Sprintf("has %d bytes", len(value))) {
				t.Errorf("round %d, value %d of %d bytes does not fit: %+v", round, i, len(value), r)
			}
		}
	}
}

// TestGet_WhatNeverFits: who asks for a value that no response area has room for is not told to ask for it
// alone, whether it was alone or not.
func TestGet_WhatNeverFits(t *testing.T) {
	own, ctx := newCache(t), t.Context()
	_, path := serving(t, own, remote.Options{File: slots.Options{ResponseBytes: 1024}})
	c := dial(t, path, remote.DialOptions{})
	key, value := []byte("large"), make([]byte, c.ValueMax()+1)
	if err := own.Set(key, value); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("the value has %d bytes, and a response area has room for a value of at most %d: "+
		"create the file with larger response areas", len(value), c.ValueMax())
	_, _, err := c.Get(ctx, key, nil)
	var b remote.Batch
	b.Get(key)
	b.Get([]byte("none"))
	all, failed := c.Do(ctx, &b)
	if failed != nil {
		t.Fatal(failed)
	}
	for how, err := range map[string]error{"alone": err, "in a batch": all[0].Err} {
		if !errors.Is(err, remote.ErrTooLarge) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", how, err, want)
		}
	}
}

// TestCreate_OnACache: who names the file of a cache as that of slots by mistake is not told to unlink it.
func TestCreate_OnACache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	own, err := cache.Open(path, cache.Options{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	s, err := remote.Create(path, remote.Options{})
	if err == nil {
		t.Fatal(s.Close())
	}
	if text := err.Error(); strings.Contains(text, "unlink") ||
		!strings.Contains(text, "such as a cache or a text: choose another path") {
		t.Errorf("%v", err)
	}
}

// TestBatch_TooManyOperations: a batch of more operations than the response area has room for results is
// refused ahead of all of them, with how many there may be; one operation less is done.
func TestBatch_TooManyOperations(t *testing.T) {
	own, ctx := newCache(t), t.Context()
	s, path := serving(t, own, remote.Options{File: slots.Options{ResponseBytes: 128}})
	c := dial(t, path, remote.DialOptions{})
	var b remote.Batch
	for i := range c.OpsMax() {
		b.Set(fmt.Appendf(nil, "%d", i), nil)
	}
	fits := b
	b.Set([]byte("one more"), nil)
	if all, err := c.Do(ctx, &b); !errors.Is(err, remote.ErrTooLarge) || all != nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("at most %d", fits.Len())) {
		t.Errorf("%d operations: %v, %v", b.Len(), all, err)
	}
	if n, err := own.Stats(); err != nil || n.Entries != 0 {
		t.Errorf("%d operations of a batch that is too large were done (%v)", n.Entries, err)
	}
	all, err := c.Do(ctx, &fits)
	if err != nil || len(all) != fits.Len() {
		t.Fatalf("%d operations: %v, %v", fits.Len(), all, err)
	}
	for i, r := range all {
		if !r.OK || r.Err != nil {
			t.Errorf("operation %d: %+v", i, r)
		}
	}
	if err := s.Close(); err != nil { // so all is counted
		t.Fatal(err)
	}
	if n := s.Counts(); n.Requests != 1 || n.Malformed != 0 {
		t.Errorf("counts: %+v, want the second batch alone", n)
	}
}

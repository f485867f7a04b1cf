package basket_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// A chain has each key of its hash once, with its last value, behind what was in the buffer before.
func TestChain_AllKeysOfOneHash(t *testing.T) {
	s := newStore(t, basket.Layout{Baskets: 4, BasketBytes: 4096, Writers: 2}, 64)
	w := newWriter(t, s, onTable(t, s, 1), basket.WriterOptions{})
	for round := range 3 {
		for i := range 5 {
			set(t, w, 7, fmt.Append(nil, "key ", i), fmt.Append(nil, "value ", round), basket.RecordOptions{})
		}
	}
	remove(t, w, 7, []byte("key 3"))
	set(t, w, 8, []byte("other"), nil, basket.RecordOptions{Expires: 5})
	all, links, err := w.Chain(7, []byte("before"), make([]basket.Link, 1))
	if err != nil || len(links) != 5 || string(all[:6]) != "before" {
		t.Fatalf("%d links, %v", len(links), err)
	}
	seen := map[string]string{}
	for _, x := range links[1:] {
		seen[string(all[x.From:x.Key])] = string(all[x.Key:x.End])
		if x.Meta.Bytes != x.End-x.Key {
			t.Errorf("%+v", x)
		}
	}
	if got := fmt.Sprint(seen); got != "map[key 0:value 2 key 1:value 2 key 2:value 2 key 4:value 2]" {
		t.Error(got)
	}
	if _, links, err = w.Chain(8, nil, nil); err != nil || len(links) != 1 || links[0].Meta.Expires != 5 {
		t.Errorf("%+v, %v", links, err)
	}
	if all, links, err = w.Chain(9, []byte("x"), nil); err != nil || links != nil || string(all) != "x" {
		t.Errorf("of a hash that has nothing: %q, %+v, %v", all, links, err)
	}
	var none basket.Reader
	if _, _, err := none.Chain(9, nil, nil); !errors.Is(err, basket.ErrZero) {
		t.Error(err)
	}
}

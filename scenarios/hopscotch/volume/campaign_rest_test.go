package volume

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/stress"
)

// TestCampaign_Stranger: who has a descriptor and is none of the clients is found at the next rest.
func TestCampaign_Stranger(t *testing.T) {
	stranger := func(r *region.Region, round uint64) {
		table, err := hopscotch.New(r)
		if err == nil && round == 1 {
			_, err = table.NewHandle(99_999)
		}
		if err != nil {
			t.Error(err)
		}
	}
	s := testCampaign(t, &subject{meddle: stranger}, stress.Options{Threads: 2}, "S02").States[0]
	if all := strings.Join(s.Faults, "\n"); !strings.Contains(all, "descriptors: owner 99999 has 1") {
		t.Errorf("faults: %s", all)
	}
}

// TestCampaign_Drain: at the end every element is taken out by the operations themselves, and what the ledger
// knows to be there must come.
func TestCampaign_Drain(t *testing.T) {
	state, _ := register.StateByID("S02")
	w, err := newWorkload(state, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := hopscotch.Heap(w.layout(3))
	if err != nil {
		t.Fatal(err)
	}
	made, err := newWorld(&subject{}, w, r)
	if err != nil {
		t.Fatal(err)
	}
	key := w.Keys[0]
	for name, c := range map[string]struct {
		known map[uint32]uint32 // what the run believes to be there
		put   map[uint32]uint32 // what its ledger has
		says  string
	}{
		"as it is":            {map[uint32]uint32{key: 7}, map[uint32]uint32{7: key}, ""},
		"a key too many":      {nil, map[uint32]uint32{7: key}, "drain: delete of key"},
		"a value from nobody": {map[uint32]uint32{key: 7}, nil, "never put in"},
	} {
		if _, err := made.keeper.Add(key, 7); err != nil {
			t.Fatal(err)
		}
		made.ledger, made.contents = newLedger(w), c.known
		for v, k := range c.put {
			made.ledger.put[v] = k
		}
		var f stress.Faults
		made.Drain(&f)
		all := strings.Join(f, "\n")
		if (all == "") != (c.says == "") || !strings.Contains(all, c.says) {
			t.Errorf("%s: %q, want %q", name, all, c.says)
		}
	}
}

// TestCampaign_DrainsEachRun: no run ends with elements in its table.
func TestCampaign_DrainsEachRun(t *testing.T) {
	var last *hopscotch.Table
	held := 0
	look := func(r *region.Region, _ uint64) {
		table, err := hopscotch.New(r)
		if err != nil {
			t.Error(err)
			return
		}
		last, held = table, hopscotch.Measure(table).Elements
	}
	testCampaign(t, &subject{meddle: look}, stress.Options{Threads: 2}, "S02")
	if n := hopscotch.Measure(last); held == 0 || n.Elements != 0 {
		t.Errorf("%d elements at the last rest, %d at the end", held, n.Elements)
	}
}

package linearizability

import (
	"errors"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// walked is what the walk alone says of all keys.
func walked(h mapmodel.History, initial map[uint32]uint32) Outcome {
	for _, part := range byKey(operations(h, history.Forever)) {
		o, _ := walkThrough(part, DefaultLimits(), time.Now().Add(enough), initially(initial, keyOf(part)))
		if o != Ok {
			return o
		}
	}
	return Ok
}

// busy is what clients observe of a map that all work at the same time, as if each had a processor of its
// own: at any moment most of them are within an operation. One in so many operations is killed, which is of a
// client that begins anew as another one.
func busy(rng *rand.Rand, clients, ops, lethal int, kinds []mapmodel.Kind) mapmodel.History {
	type client struct {
		op           mapmodel.Op
		name, serial int
		step         int // of the operation: called, performed, returned
	}
	contents := map[uint32]uint32{}
	all := make([]client, clients)
	names := 0
	for i := range all {
		names, all[i].name = names+1, names
	}
	var h mapmodel.History
	for now, flying := int64(1), 0; len(h) < ops || flying > 0; now++ {
		c := &all[rng.Intn(clients)]
		switch {
		case c.step > 0 && lethal > 0 && rng.Intn(3*lethal) == 0:
			h, flying = append(h, killed(c.op)), flying-1
			names, *c = names+1, client{name: names}
		case c.step == 0 && len(h) < ops:
			c.step, c.serial, flying = 1, c.serial+1, flying+1
			c.op = mapmodel.Op{ID: uint64(c.name)<<32 | uint64(c.serial), Client: c.name, Call: now,
				Request: mapmodel.Request{Kind: kinds[rng.Intn(len(kinds))], Key: uint32(1 + rng.Intn(2))}}
			if c.op.Request.Kind.HasValue() {
				c.op.Request.Value = uint32(c.name+1)<<16 | uint32(c.serial)
			}
		case c.step == 1:
			c.step, c.op.Result = 2, perform(c.op, contents)
		case c.step == 2:
			c.step, c.op.Return = 0, now
			h, flying = append(h, c.op), flying-1
		}
	}
	return h
}

// spoil changes one answer to that of another operation of its kind.
func spoil(rng *rand.Rand, h mapmodel.History) {
	for range 100 {
		a, b := &h[rng.Intn(len(h))], h[rng.Intn(len(h))]
		if a.Request.Kind == b.Request.Kind && a.Result != b.Result && !a.Pending && !b.Pending {
			a.Result = b.Result
			return
		}
	}
}

var busyKinds = [][]mapmodel.Kind{
	{mapmodel.Add, mapmodel.Update, mapmodel.Update, mapmodel.Update},
	{mapmodel.Add, mapmodel.Delete},
	{mapmodel.Add, mapmodel.Get, mapmodel.Delete},
	{mapmodel.Add, mapmodel.Get, mapmodel.Update, mapmodel.Delete},
}

// TestWalk_AgreesWithPorcupine: on histories of up to six clients and sixty operations, with kills, honest
// and spoiled.
func TestWalk_AgreesWithPorcupine(t *testing.T) {
	const seed, runs = 5, 3000
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	count := map[Outcome]int{}
	for i := range runs {
		h := busy(rng, 2+rng.Intn(5), 10+rng.Intn(50), 10, busyKinds[i%len(busyKinds)])
		if i%2 == 1 {
			spoil(rng, h)
		}
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
		want := Ok
		for _, part := range byKey(operations(h, history.Forever)) {
			if o := ask(part, DefaultLimits().Words, enough, nil); o != Ok {
				want = o
			}
		}
		if got := walked(h, nil); got != want || want == Unknown {
			t.Fatalf("run %d: porcupine says %s, the walk %s: %v", i, want, got, h)
		}
		count[want]++
	}
	if t.Logf("%v", count); count[Illegal] < runs/10 || count[Ok] < runs/2 {
		t.Errorf("the sample is lopsided: %v", count)
	}
}

// TestWalk_ManyClients: what as many clients as a stress run has observe on two keys is decided, whatever
// porcupine can hold, and one wrong answer in it is found.
func TestWalk_ManyClients(t *testing.T) {
	const seed, ops = 6, 20000
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	limits := DefaultLimits()
	limits.OpsPerKey, limits.Words = ops, 1<<22
	beyond := 0
	for _, kinds := range busyKinds {
		h := busy(rng, 16, ops, ops/8, kinds)
		for _, part := range byKey(operations(h, history.Forever)) {
			if ask(part, limits.Words, enough, nil) == Unknown {
				beyond++
			}
		}
		if v := CheckWithin(h, limits, nil); v.Outcome != Ok {
			t.Errorf("%v: %s", kinds, v.Detail())
		}
		bad := nobodyWrote(h)
		if v := CheckWithin(h, limits, nil); v.Outcome != Illegal || v.Key != bad.Request.Key {
			t.Errorf("%v, with a value that nobody wrote: %s", kinds, v.Err())
		}
	}
	if beyond == 0 {
		t.Error("porcupine decides all of these alone: they show nothing")
	}
}

// nobodyWrote puts a get of a value that nobody wrote in the middle of the history.
func nobodyWrote(h mapmodel.History) mapmodel.Op {
	op := &h[len(h)/2]
	op.Pending, op.Return = false, op.Call+1
	op.Request = mapmodel.Request{Kind: mapmodel.Get, Key: op.Request.Key}
	op.Result = mapmodel.Result{Outcome: mapmodel.Found, Value: 1 << 31}
	return *op
}

// TestShorten_Blocks: the evidence of a long history ends with what is wrong, and holds no other operation
// that has no effect.
func TestShorten_Blocks(t *testing.T) {
	const seed, ops = 7, 1000
	t.Logf("seed %d", seed)
	h := busy(rand.New(rand.NewSource(seed)), 8, ops, 100, []mapmodel.Kind{mapmodel.Add, mapmodel.Get,
		mapmodel.Get, mapmodel.Get, mapmodel.Delete})
	bad := nobodyWrote(h)
	v := CheckWithin(h, DefaultLimits(), nil)
	found := slices.ContainsFunc(v.Evidence, func(op mapmodel.Op) bool { return op.ID == bad.ID })
	idle, later := 0, 0
	for _, op := range v.Evidence {
		if !mayHaveEffect(op) {
			idle++
		}
		if op.Call > bad.Return {
			later++
		}
	}
	if v.Outcome != Illegal || !found || idle != 1 || later != 0 || len(v.Evidence) < 10 {
		t.Errorf("%s: %d operations, %d of them without effect, %d after the wrong one, which is there: %t",
			v.Outcome, len(v.Evidence), idle, later, found)
	}
}

// TestWalk_Bounds: the walk ends in time, within its memory, and decides when it may take enough; porcupine
// leaves it half of the time.
func TestWalk_Bounds(t *testing.T) {
	walk := func(n int, words int64, time time.Time) error {
		limits := DefaultLimits()
		limits.Words = words
		_, err := walkThrough(operations(hard(n, false), history.Forever), limits, time, initially(nil, 1))
		return err
	}
	soon := time.Now().Add(20 * time.Millisecond)
	if err := walk(60, 1<<40, soon); !errors.Is(err, ErrTimeout) {
		t.Errorf("with 20 ms: %v", err)
	}
	late := time.Now().Add(time.Minute)
	if err := walk(10, 100*configurationWords, late); !errors.Is(err, ErrMemory) {
		t.Errorf("with too few words: %v", err)
	}
	if err := walk(10, 10_000*configurationWords, late); err != nil {
		t.Errorf("with enough: %v", err)
	}
	limits := DefaultLimits()
	limits.Timeout, limits.Words = 400*time.Millisecond, 1<<40
	if v := CheckWithin(hard(30, true), limits, nil); v.Outcome != Illegal {
		t.Errorf("what porcupine has not the time for: %v", v.Err())
	}
}

// TestWalk_Dead: of what the dead may have done one configuration for each contents is kept.
func TestWalk_Dead(t *testing.T) {
	h := hard(flightMost-2, true)
	for i := range h[:len(h)-1] {
		if i%2 == 1 {
			h[i].Request = mapmodel.Request{Kind: mapmodel.Delete, Key: 1}
		}
	}
	limits := DefaultLimits()
	limits.Words = 1000 * configurationWords
	if v := CheckWithin(h, limits, nil); v.Outcome != Illegal {
		t.Errorf("%s", v.Err())
	}
}

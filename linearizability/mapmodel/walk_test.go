package mapmodel

import (
	"errors"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/samecycle/samecycle/linearizability"
)

// walked is what the walk alone says of all keys.
func walked(h History, initial map[uint32]uint32) linearizability.Outcome {
	o, _ := linearizability.CheckByWalk(Model(initial), h, plenty())
	return o
}

// asked is what porcupine alone says of all keys.
func asked(h History, limits linearizability.Limits) linearizability.Outcome {
	o, _ := linearizability.CheckByPorcupine(Model(nil), h, limits)
	return o
}

// plenty are limits with enough time.
func plenty() linearizability.Limits {
	limits := linearizability.DefaultLimits()
	limits.Timeout = enough
	return limits
}

// busy is what clients observe of a map that all work at the same time, as if each had a processor of its
// own: at any moment most of them are within an operation. One in so many operations is killed, which is of a
// client that begins anew as another one.
func busy(rng *rand.Rand, clients, ops, lethal int, kinds []Kind) History {
	type client struct {
		op           Op
		name, serial int
		step         int // of the operation: called, performed, returned
	}
	contents := map[uint32]uint32{}
	all := make([]client, clients)
	names := 0
	for i := range all {
		names, all[i].name = names+1, names
	}
	var h History
	for now, flying := int64(1), 0; len(h) < ops || flying > 0; now++ {
		c := &all[rng.Intn(clients)]
		switch {
		case c.step > 0 && lethal > 0 && rng.Intn(3*lethal) == 0:
			h, flying = append(h, killed(c.op)), flying-1
			names, *c = names+1, client{name: names}
		case c.step == 0 && len(h) < ops:
			c.step, c.serial, flying = 1, c.serial+1, flying+1
			c.op = Op{ID: uint64(c.name)<<32 | uint64(c.serial), Client: c.name, Call: now,
				Request: Request{Kind: kinds[rng.Intn(len(kinds))], Key: uint32(1 + rng.Intn(2))}}
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
func spoil(rng *rand.Rand, h History) {
	for range 100 {
		a, b := &h[rng.Intn(len(h))], h[rng.Intn(len(h))]
		if a.Request.Kind == b.Request.Kind && a.Result != b.Result && !a.Pending && !b.Pending {
			a.Result = b.Result
			return
		}
	}
}

var busyKinds = [][]Kind{
	{Add, Update, Update, Update},
	{Add, Delete},
	{Add, Get, Delete},
	{Add, Get, Update, Delete},
}

// TestWalk_AgreesWithPorcupine: on histories of up to six clients and sixty operations, with kills, honest
// and spoiled.
func TestWalk_AgreesWithPorcupine(t *testing.T) {
	const seed, runs = 5, 3000
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	count := map[linearizability.Outcome]int{}
	for i := range runs {
		h := busy(rng, 2+rng.Intn(5), 10+rng.Intn(50), 10, busyKinds[i%len(busyKinds)])
		if i%2 == 1 {
			spoil(rng, h)
		}
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
		want := asked(h, plenty())
		if got := walked(h, nil); got != want || want == linearizability.Unknown {
			t.Fatalf("run %d: porcupine says %s, the walk %s: %v", i, want, got, h)
		}
		count[want]++
	}
	if t.Logf("%v", count); count[linearizability.Illegal] < runs/10 || count[linearizability.Ok] < runs/2 {
		t.Errorf("the sample is lopsided: %v", count)
	}
}

// TestWalk_ManyClients: what as many clients as a stress run has observe on two keys is decided, whatever
// porcupine can hold, and one wrong answer in it is found.
func TestWalk_ManyClients(t *testing.T) {
	const seed, ops = 6, 20000
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	limits := linearizability.DefaultLimits()
	limits.OpsPerKey, limits.Words = ops, 1<<22
	beyond := 0
	for _, kinds := range busyKinds {
		h := busy(rng, 16, ops, ops/8, kinds)
		if asked(h, limits) == linearizability.Unknown {
			beyond++
		}
		if v := CheckWithin(h, limits, nil); v.Outcome != linearizability.Ok {
			t.Errorf("%v: %s", kinds, v.Detail())
		}
		bad := nobodyWrote(h)
		v := CheckWithin(h, limits, nil)
		if v.Outcome != linearizability.Illegal || v.Key != bad.Request.Key {
			t.Errorf("%v, with a value that nobody wrote: %s", kinds, v.Err())
		}
	}
	if beyond == 0 {
		t.Error("porcupine decides all of these alone: they show nothing")
	}
}

// nobodyWrote puts a get of a value that nobody wrote in the middle of the history.
func nobodyWrote(h History) Op {
	op := &h[len(h)/2]
	op.Pending, op.Return = false, op.Call+1
	op.Request = Request{Kind: Get, Key: op.Request.Key}
	op.Result = Result{Outcome: Found, Value: 1 << 31}
	return *op
}

// configurationWords is what the walk counts for a configuration.
const configurationWords = 16

// resultOf is what came back; nil for a pending operation.
func resultOf(op Op) *Result {
	if op.Pending {
		return nil
	}
	return &op.Result
}

// TestShorten_Blocks: the evidence of a long history ends with what is wrong, and holds no other operation
// that has no effect.
func TestShorten_Blocks(t *testing.T) {
	const seed, ops = 7, 1000
	t.Logf("seed %d", seed)
	h := busy(rand.New(rand.NewSource(seed)), 8, ops, 100, []Kind{Add, Get,
		Get, Get, Delete})
	bad := nobodyWrote(h)
	v := CheckWithin(h, linearizability.DefaultLimits(), nil)
	found := slices.ContainsFunc(v.Evidence, func(op Op) bool { return op.ID == bad.ID })
	idle, later := 0, 0
	for _, op := range v.Evidence {
		if readOnly(op.Request, resultOf(op)) {
			idle++
		}
		if op.Call > bad.Return {
			later++
		}
	}
	if v.Outcome != linearizability.Illegal || !found || idle != 1 || later != 0 || len(v.Evidence) < 10 {
		t.Errorf("%s: %d operations, %d of them without effect, %d after the wrong one, which is there: %t",
			v.Outcome, len(v.Evidence), idle, later, found)
	}
}

// TestWalk_Bounds: the walk ends in time, within its memory, and decides when it may take enough; porcupine
// leaves it half of the time.
func TestWalk_Bounds(t *testing.T) {
	walk := func(n int, words int64, end time.Time) error {
		limits := linearizability.Limits{Timeout: time.Until(end), OpsPerKey: 100, Words: words}
		_, err := linearizability.CheckByWalk(Model(nil), hard(n, false), limits)
		return err
	}
	soon := time.Now().Add(20 * time.Millisecond)
	if err := walk(60, 1<<40, soon); !errors.Is(err, linearizability.ErrTimeout) {
		t.Errorf("with 20 ms: %v", err)
	}
	late := time.Now().Add(time.Minute)
	if err := walk(10, 100*configurationWords, late); !errors.Is(err, linearizability.ErrMemory) {
		t.Errorf("with too few words: %v", err)
	}
	if err := walk(10, 10_000*configurationWords, late); err != nil {
		t.Errorf("with enough: %v", err)
	}
	limits := linearizability.DefaultLimits()
	limits.Timeout, limits.Words = 400*time.Millisecond, 1<<40
	if v := CheckWithin(hard(30, true), limits, nil); v.Outcome != linearizability.Illegal {
		t.Errorf("what porcupine has not the time for: %v", v.Err())
	}
}

// TestWalk_Dead: of what the dead may have done one configuration for each contents is kept.
func TestWalk_Dead(t *testing.T) {
	h := hard(62, true)
	for i := range h[:len(h)-1] {
		if i%2 == 1 {
			h[i].Request = Request{Kind: Delete, Key: 1}
		}
	}
	limits := linearizability.DefaultLimits()
	limits.Words = 1000 * configurationWords
	if v := CheckWithin(h, limits, nil); v.Outcome != linearizability.Illegal {
		t.Errorf("%s", v.Err())
	}
}

package mapmodel

import (
	"errors"
	"maps"
	"math/rand"
	"testing"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// bruteForce decides linearizability by its definition, with nothing in common with the checker:
// the whole map at once, no partition, each pending operation either left out or put somewhere,
// every order that respects the intervals, the map as a Go map.
func bruteForce(h History, initial map[uint32]uint32) bool {
	contents := maps.Clone(initial)
	if contents == nil {
		contents = map[uint32]uint32{}
	}
	return someOrder(h, contents)
}

// someOrder tries each operation that nothing left precedes as the next one. It succeeds once only
// pending operations are left: these did not happen.
func someOrder(left History, contents map[uint32]uint32) bool {
	done := true
	for _, op := range left {
		done = done && op.Pending
	}
	if done {
		return true
	}
	for i, op := range left {
		first := true
		for _, other := range left {
			first = first && (other.Pending || other.Return >= op.Call)
		}
		if !first {
			continue
		}
		var rest History
		rest = append(append(rest, left[:i]...), left[i+1:]...)
		after := maps.Clone(contents)
		got := perform(op, after)
		if (op.Pending || got == op.Result) && someOrder(rest, after) {
			return true
		}
	}
	return false
}

// perform does the operation on the map and says what a map with room would answer. A Full answer
// is taken at its word: nothing was done. An eviction of what is not there has no value.
func perform(op Op, contents map[uint32]uint32) Result {
	value, there := contents[op.Request.Key]
	if op.Result.Outcome == Full {
		return op.Result
	}
	switch op.Request.Kind {
	case Add:
		if there {
			return Result{Outcome: Exists}
		}
		contents[op.Request.Key] = op.Request.Value
		return Result{Outcome: Added}
	case Crop, Restore:
		return Result{Outcome: Tended}
	case Evict:
		delete(contents, op.Request.Key)
		return Result{Outcome: Evicted, Value: value}
	}
	if !there {
		return Result{Outcome: Absent}
	}
	switch op.Request.Kind {
	case Get:
		return Result{Outcome: Found, Value: value}
	case Update:
		contents[op.Request.Key] = op.Request.Value
		return Result{Outcome: Updated, Value: value}
	}
	delete(contents, op.Request.Key)
	return Result{Outcome: Deleted}
}

// randomRun makes a valid history of up to three clients and six operations on two keys, with
// kills and with equal times. Half of the histories come from a real map that is run in a random
// order, one step per operation, and spoiled now and then; the other half answer at random.
func randomRun(rng *rand.Rand, initial map[uint32]uint32) History {
	contents := maps.Clone(initial)
	honest := rng.Intn(2) == 0
	clients := 1 + rng.Intn(3)
	flying := make([]*Op, clients)
	results := make([]Result, clients)
	performed, dead := make([]bool, clients), make([]bool, clients)
	var done History
	time, id := int64(1), uint64(0)
	for range 40 {
		time += int64(rng.Intn(2))
		c := rng.Intn(clients)
		op := flying[c]
		switch {
		case dead[c]:
		case op == nil:
			// A client that returned at this very time may not call yet.
			if last := lastReturn(done, c); int(id) < 6 && last < time {
				id++
				flying[c] = randomOp(rng, id, c, time)
				performed[c] = false
			}
		case !performed[c]:
			results[c], performed[c] = perform(*op, contents), true
		default:
			op.Return, op.Result = time, results[c]
			impossible := results[c] == Result{Outcome: Evicted}
			if !honest || impossible || rng.Intn(8) == 0 {
				op.Result = randomResult(rng, op.Request.Kind)
			}
			done, flying[c] = append(done, *op), nil
		}
		if op != nil && flying[c] != nil && rng.Intn(10) == 0 {
			done, flying[c], dead[c] = append(done, killed(*op)), nil, true
		}
	}
	for _, op := range flying {
		if op != nil {
			done = append(done, killed(*op))
		}
	}
	return done
}

func lastReturn(h History, client int) int64 {
	last := int64(0)
	for _, op := range h {
		if op.Client == client {
			last = max(last, op.Return)
		}
	}
	return last
}

func killed(op Op) Op {
	op.Pending, op.Return, op.Result = true, history.Forever, Result{}
	return op
}

func randomOp(rng *rand.Rand, id uint64, client int, time int64) *Op {
	op := &Op{ID: id, Client: client, Call: time}
	op.Request.Key = uint32(1 + rng.Intn(2))
	op.Request.Kind = []Kind{Add, Add, Get, Get, Update,
		Delete, Evict, Crop}[rng.Intn(8)]
	if op.Request.Kind.HasValue() {
		op.Request.Value = uint32(1 + rng.Intn(3))
	}
	return op
}

func randomResult(rng *rand.Rand, kind Kind) Result {
	outcomes := map[Kind][]Outcome{
		Add:    {Added, Exists, Full},
		Get:    {Found, Absent},
		Update: {Updated, Absent},
		Delete: {Deleted, Absent},
		Crop:   {Tended},
		Evict:  {Evicted},
	}[kind]
	r := Result{Outcome: outcomes[rng.Intn(len(outcomes))]}
	if r.Outcome.HasValue() {
		r.Value = uint32(1 + rng.Intn(3))
	}
	return r
}

func TestAgainstBruteForce(t *testing.T) {
	const seed, runs = 3, 20000
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	contents := []map[uint32]uint32{{}, {1: 1}}
	judges := []*Judge{NewJudge(enough, contents[0]), NewJudge(enough, contents[1])}
	var legal, illegal, pending int
	for range runs {
		which := rng.Intn(2)
		j, initial := judges[which], contents[which]
		h := randomRun(rng, initial)
		if err := h.Validate(); err != nil {
			t.Fatal(err)
		}
		want := bruteForce(h, initial)
		v := Check(h, enough, initial)
		if v.Outcome == linearizability.Unknown || (v.Outcome == linearizability.Ok) != want {
			t.Fatalf("brute force says linearizable %v, the checker %s: %v", want, v.Outcome, h)
		}
		err := j.Check(h)
		if (err == nil) != want || err != nil && !errors.Is(err, linearizability.ErrIllegal) {
			t.Fatalf("brute force says linearizable %v, the judge %v: %v", want, err, h)
		}
		if o := walked(h, initial); o == linearizability.Unknown || (o == linearizability.Ok) != want {
			t.Fatalf("brute force says linearizable %v, the walk %s: %v", want, o, h)
		}
		if !want {
			illegal++
			if bruteForce(v.Evidence, initial) {
				t.Fatalf("the evidence is linearizable: %v of %v", v.Evidence, h)
			}
		} else {
			legal++
		}
		for _, op := range h {
			if op.Pending {
				pending++
				break
			}
		}
	}
	t.Logf("%d legal, %d illegal, %d with killed operations", legal, illegal, pending)
	for _, n := range []int{legal, illegal, pending} {
		if n < runs/10 {
			t.Errorf("the sample is lopsided: %d legal, %d illegal, %d pending", legal, illegal, pending)
		}
	}
}

// TestBruteForceSeesTheCheckersMistakes is the canary of the comparison above: a checker with a
// wrong idea of killed operations, that they never happened or that they always did, disagrees.
func TestBruteForceSeesTheCheckersMistakes(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewSource(seed))
	var never, always, reversed int
	for range 3000 {
		h := randomRun(rng, map[uint32]uint32{})
		var without, with History
		end := int64(1000)
		for _, op := range h {
			if !op.Pending {
				without, with = append(without, op), append(with, op)
				continue
			}
			op.Pending, op.Return = false, end
			op.Result = Result{Outcome: Added}
			if op.Request.Kind == Add {
				with = append(with, op)
			}
		}
		want := bruteForce(h, nil)
		if (Check(without, enough, nil).Outcome == linearizability.Ok) != want {
			never++
		}
		if (Check(with, enough, nil).Outcome == linearizability.Ok) != want {
			always++
		}
		if (bruteForce(without, nil)) && !want {
			reversed++
		}
	}
	if never == 0 || always == 0 {
		t.Errorf("wrong ideas went unseen: never happened %d, always happened %d", never, always)
	}
	if reversed != 0 {
		t.Errorf("%d histories are legal only without their killed operations", reversed)
	}
}

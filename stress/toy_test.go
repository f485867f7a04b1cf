package stress

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// toy is an engine for the tests of the driver: some registers, each a word, which clients swap and read. Its
// state T01Swap sees its race in each swap, T02Never in nothing. fault names what is wrong with it.
type toy struct {
	fault string
	heap  bool // no deaths
}

func (t *toy) Name() string     { return "toy" }
func (t *toy) States() []string { return []string{"T01Swap", "T02Never"} }
func (t *toy) Deaths() bool     { return !t.heap }
func (t *toy) Counts() string   { return "swap" }

func (t *toy) Metamorphic(uint64, string) (int, error) {
	switch t.fault {
	case "differs":
		return 1, fmt.Errorf("%w: in a way", ErrDiffers)
	case "metamorphic":
		return 0, errToy
	}
	return 2, nil
}

var errToy = errors.New("the toy is broken")

const (
	toyRegisters = 3
	toyOwners    = 256 // a word for each owner: its operation is in progress
	toyWords     = toyRegisters + toyOwners
)

type toyWorld struct {
	toy    *toy
	setup  Setup
	words  shared
	file   string
	before map[uint32]uint32
	audits int
	closed bool
}

var lastToyWorld *toyWorld

func (t *toy) Open(o Setup) (World, error) {
	if t.fault == "open" {
		return nil, errToy
	}
	w := &toyWorld{toy: t, setup: o, before: map[uint32]uint32{}}
	lastToyWorld = w
	if o.Folder == "" {
		w.words = make(shared, toyWords)
	} else {
		w.file = filepath.Join(o.Folder, "toy")
		var err error
		if w.words, err = createShared(w.file, toyWords); err != nil {
			return nil, err
		}
	}
	for key := range uint32(toyRegisters) {
		w.words[key].Store(1)
		w.before[key] = 1
	}
	return w, nil
}

type toyHandout struct{ State, File, Fault string }

func (t *toy) Join(text []byte, owner uint32) (Client, error) {
	var h toyHandout
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAssignment, err)
	}
	words, err := openShared(h.File, toyWords)
	return &toyClient{fault: h.Fault, state: h.State, words: words, owner: owner}, err
}

func (w *toyWorld) Client(owner uint32) (Client, error) {
	return &toyClient{fault: w.toy.fault, state: w.setup.State, words: w.words, owner: owner}, nil
}

func (w *toyWorld) Handout() ([]byte, error) {
	return json.Marshal(toyHandout{w.setup.State, w.file, w.toy.fault})
}

func (w *toyWorld) InProgress(owner uint32) Progress {
	if w.words[toyRegisters+owner%toyOwners].Load() != 0 {
		return Wanted
	}
	return Idle
}

func (w *toyWorld) Audit(x *Window, f *Faults) Audit {
	w.audits++
	if w.toy.fault == "audit" {
		f.Add("the audit of round %d finds a fault", x.Round)
	}
	var a Audit
	h := toyHistory{initial: w.before}
	for i := range x.Events {
		e := &x.Events[i]
		op := mapmodel.Op{ID: e.ID, Client: int(e.Owner), Request: toyRequest(e.Request), Call: e.Call,
			Return: e.Return, Pending: e.Pending}
		if e.Pending {
			op.Return = history.Forever
		} else {
			op.Result = mapmodel.Result{Outcome: mapmodel.Outcome(e.Result[0]), Value: uint32(e.Result[1])}
		}
		h.ops = append(h.ops, op)
		a.Marks += e.Extra
	}
	w.before = map[uint32]uint32{}
	for key := range uint32(toyRegisters) {
		v := uint32(w.words[key].Load())
		w.before[key] = v
		h.ops = append(h.ops, mapmodel.Op{ID: uint64(key + 1), Client: 1,
			Request: mapmodel.Request{Kind: mapmodel.Get, Key: key}, Call: x.Ended + 2*int64(key),
			Return: x.Ended + 2*int64(key) + 1, Result: mapmodel.Result{Outcome: mapmodel.Found, Value: v}})
	}
	a.Lost, a.Returned, a.History = uint64(len(x.Living)), uint64(len(x.Dead)), h
	return a
}

func (w *toyWorld) Drain(f *Faults) {
	if w.toy.fault == "drain" {
		f.Add("something is left")
	}
}

func (w *toyWorld) Close() error {
	w.closed = true
	return nil
}

type toyHistory struct {
	ops     mapmodel.History
	initial map[uint32]uint32
}

func (h toyHistory) Operations() int { return len(h.ops) }

func (h toyHistory) Decide(within time.Duration, opsPerKey int) error {
	limits := linearizability.DefaultLimits()
	limits.Timeout, limits.OpsPerKey = within, opsPerKey
	return mapmodel.CheckWithin(h.ops, limits, h.initial).Err()
}

func (h toyHistory) Write(w io.Writer, note string) error {
	_, err := fmt.Fprintln(w, note)
	return err
}

type toyClient struct {
	fault, state string
	words        shared
	owner        uint32
	serial       uint32
	calls        int
	seen         uint64
}

func toyRequest(w Words) mapmodel.Request {
	return mapmodel.Request{Kind: mapmodel.Kind(w[0] >> 32), Key: uint32(w[0]), Value: uint32(w[1])}
}

func (c *toyClient) Begin(uint64) {}

func (c *toyClient) Next(rng *rand.Rand) Words {
	key := uint64(rng.IntN(toyRegisters))
	if rng.IntN(2) == 0 {
		return Words{uint64(mapmodel.Get)<<32 | key}
	}
	c.serial++
	return Words{uint64(mapmodel.Update)<<32 | key, uint64(c.owner<<20 | c.serial)}
}

func (c *toyClient) Before(Words) {}

func (c *toyClient) Call(req Words) (Words, []Words, error) {
	r, word := toyRequest(req), &c.words[uint32(req[0])]
	mine := &c.words[toyRegisters+c.owner%toyOwners]
	mine.Store(1)
	defer mine.Store(0)
	c.calls++
	switch {
	case c.fault == "break" && c.calls == 50:
		return Words{}, nil, errToy
	case c.fault == "notes" && c.calls == 50:
		return Words{}, make([]Words, NotesMost+1), nil
	case c.fault == "stall" && c.calls == 50:
		for first := threadClock(); threadClock()-first < 6*blockedAfter; {
		}
	}
	if r.Kind == mapmodel.Get {
		v := word.Load()
		if c.fault == "stale" && c.calls%50 == 0 {
			v = c.seen
		}
		c.seen = word.Load()
		return Words{uint64(mapmodel.Found), v}, nil, nil
	}
	return Words{uint64(mapmodel.Updated), word.Swap(uint64(r.Value))}, nil, nil
}

func (c *toyClient) After(req, _ Words, _ []Words) Seen {
	swap := toyRequest(req).Kind == mapmodel.Update
	if !swap {
		return Seen{}
	}
	if c.state == "T02Never" {
		return Seen{Count: 1}
	}
	return Seen{Extra: 1, Count: 1}
}

// workerVariable makes the test program a worker of a test's run.
const workerVariable = "SAMECYCLE_STRESS_WORKER"

func TestMain(m *testing.M) {
	if _, isWorker := os.LookupEnv(workerVariable); !isWorker {
		os.Exit(m.Run())
	}
	if err := Worker(os.Args[len(os.Args)-1], &toy{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

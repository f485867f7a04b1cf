package basket

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
	model "github.com/samecycle/samecycle/model/basket"
)

// ErrUnsound is what the judge of a store at rest complains of.
const ErrUnsound = harness.Complaint("the store is unsound though everybody has ended")

// world is one program's store, with its writers.
type world struct {
	harness.PlainWorld[call, answer]
	program
	memory
	store     *basket.Store
	double    *index
	image     []uint64 // the region before the program
	first     []uint64 // the index before the program
	writers   []*basket.Writer
	processes []*explore.Process
	spoil     func(s explore.Step)    // nil, or what a canary does behind a step
	lowers    bool                    // of a canary: what is promoted goes to the tier below
	silent    bool                    // of a canary: nobody hears what is told
	dead      func(a int) bool        // nil, or who counts as dead for a canary
	asks      [model.MaxActors]demand // by actor, in programs with tiers or parameters
	params    [model.MaxActors]params // by actor

	// Of the execution.
	x       *explore.Execution
	rec     *history.Recorder[call, answer]
	told    [model.MaxActors][]model.Told // by actor
	left    [model.MaxActors][]leaving    // by actor: what it has taken out of the index, and not told
	orphans []leaving                     // of the dead
	removed []history.Op[call, answer]    // what was told
	before  things                        // what the index led to behind its last change
}

// leaving is what has left the index, and when.
type leaving struct {
	model.Told
	at int64
}

// newWorld builds the store of a program.
func newWorld(p program) (*world, error) {
	w := &world{program: p}
	layout, err := p.layout()
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	r, err := region.Heap(region.Layout{layout.Part()})
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	if w.store, err = basket.New(r); err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	words := make([]seam.Uint64, p.pairAt()+1)
	w.double = &index{words: words[:firstHand], hands: words[firstHand:p.pairAt()],
		pair: words[p.pairAt():], full: p.full,
		own: make([]bool, len(p.Calls)), alive: w.alive}
	w.memory.index = region.Words(words).Plain()
	w.locate(r)
	if err := w.enter(); err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	w.put(p)
	w.image, w.first = slices.Clone(w.words), slices.Clone(w.memory.index)
	for i := range p.Calls {
		w.processes = append(w.processes, &explore.Process{Name: fmt.Sprint(i + 1), ReadsDie: true,
			Mappings: []explore.Mapping{{At: w.base(), Of: w.base(), Size: 8 * len(w.words)},
				{At: w.baseOfIndex(), Of: w.baseOfIndex(), Size: 8 * len(w.first)}}})
	}
	return w, nil
}

func (w *world) base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(w.words)) }

func (w *world) baseOfIndex() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(w.memory.index)) }

// enter gives each actor a writer, in the entry of its number. Who comes again has none yet.
func (w *world) enter() error {
	w.writers = w.writers[:0]
	for a := 1; a <= w.program.writers(); a++ {
		x, err := w.writer(a)
		if err != nil {
			return err
		}
		w.writers = append(w.writers, x)
	}
	for len(w.writers) < len(w.Calls) {
		w.writers = append(w.writers, nil)
	}
	return nil
}

// writer is one of the actor.
func (w *world) writer(actor int) (*basket.Writer, error) {
	o := basket.WriterOptions{Number: uint32(actor), NoTouch: true, Reserve: -1,
		Tell:  func(l basket.Leaving) { w.tell(actor, l) },
		Alive: func(o basket.Owner) bool { return w.alive(int(o.Number()) - 1) }}
	if w.serves(actor) {
		o.Reserve = len(w.Heads) - 1
	}
	asks, params := &w.asks[actor-1], &w.params[actor-1]
	if w.tiered() {
		o.Policy, o.Tuning = w.policy(asks, w.lowers), asks.tuning
	}
	if params.words = w.double.pair; w.tuned() {
		o.Tuning = func() basket.Tuning { return params.tuning(w.tiered(), asks.free) }
	}
	return w.store.NewWriter(actorsIndex{w.double, actor - 1}, o)
}

// alive reports whether an actor, from 0, can still make a step.
func (w *world) alive(a int) bool {
	if w.dead != nil {
		return !w.dead(a)
	}
	return !w.x.Killed(a)
}

// Start puts the store back, and names its words.
func (w *world) Start(x *explore.Execution, rec *history.Recorder[call, answer]) {
	w.x, w.rec = x, rec
	clear(w.words[w.common:])
	if err := w.enter(); err != nil {
		panic(err) // newWorld has done the same
	}
	copy(w.words, w.image)
	copy(w.memory.index, w.first)
	for _, x := range w.writers[:w.program.writers()] {
		x.Resume()
	}
	for i, h := range w.Heads {
		w.owners[i] = owner{h.Owner, h.Owner}
	}
	x.Region(w.base(), 8*len(w.words))
	x.Region(w.baseOfIndex(), 8*len(w.first))
	for a := range w.told {
		w.told[a], w.left[a] = w.told[a][:0], w.left[a][:0]
	}
	w.before = w.things()
	w.removed, w.orphans = w.removed[:0], w.orphans[:0]
	clear(w.double.own)
	for a := range w.Calls {
		w.asks[a], w.params[a].last = w.demandOf(a), model.Pair{}
	}
}

// Actor is a process of its own: it may die at any time, and others find out.
func (w *world) Actor(actor int) explore.Actor {
	if actor > len(w.processes) {
		return explore.Actor{}
	}
	return explore.Actor{Process: w.processes[actor-1]}
}

// Perform makes one operation of an actor.
func (w *world) Perform(_ *explore.Execution, actor int, _ uint64, c call) (answer, error) {
	if c.moved {
		w.double.move(uint32(w.Hashes[c.key-1]))
		return answer{gave: true}, nil
	}
	params := &w.params[actor-1]
	if c.kind == model.Tune {
		params.change(c.pair)
		return answer{gave: true}, nil
	}
	x := w.writers[actor-1]
	if x == nil {
		return w.comes(actor)
	}
	w.asks[actor-1].begin(c.kind)
	if !params.kept {
		params.last = model.Pair{}
	}
	if c.kind == model.Age {
		_, err := x.Age()
		return answer{gave: true}, err
	}
	if c.kind.Service() {
		most := 8
		if c.kind == model.Portion {
			most = 1
		}
		_, err := x.Tend(most)
		return answer{gave: true, pair: params.last}, err
	}
	hash, key := uint32(w.Hashes[c.key-1]), keys[c.key]
	switch c.kind {
	case model.Get:
		return get(x, hash, c)
	case model.Mark:
		return mark(x, hash, c)
	}
	for {
		f, _, err := x.Find(hash, key, nil)
		if err != nil {
			return answer{}, err
		}
		var ok bool
		switch {
		case c.kind == model.Set:
			ok, err = x.Replace(f, valueOf(c.key, c.value), basket.RecordOptions{})
		case !f.OK():
			return answer{gave: true}, nil
		default:
			ok, err = x.Remove(f, basket.ReasonDeleted)
		}
		switch {
		case err != nil:
			return answer{}, err
		case ok && c.kind == model.Delete:
			return answer{gave: true, n: 1}, nil
		case ok:
			return answer{gave: true}, nil
		}
	}
}

// get is a get of the key: its value, and whether that is marked.
func get(x *basket.Writer, hash uint32, c call) (answer, error) {
	var room [8 * unitsOfRecord]byte
	value, m, ok, err := x.Get(hash, keys[c.key], room[:0])
	if err != nil || !ok {
		return answer{gave: true}, err
	}
	a, err := whole(c.key, value)
	if m.Suspect {
		a.mark = 1
	}
	return a, err
}

// mark is one try, as an Ask makes it: what it has found has the mark, or somebody was faster.
func mark(x *basket.Writer, hash uint32, c call) (answer, error) {
	var room [8 * unitsOfRecord]byte
	f, value, err := x.Find(hash, keys[c.key], room[:0])
	if err != nil || !f.OK() {
		return answer{gave: true}, err
	}
	if ok, err := x.Mark(f, c.value == 1); err != nil || !ok {
		return answer{gave: true}, err
	}
	return whole(c.key, value)
}

// whole is the answer that a value was found.
func whole(key uint8, value []byte) (answer, error) {
	n, ok := numberOf(key, value)
	if !ok {
		return answer{gave: true, n: n}, fmt.Errorf("the value % x is torn", value)
	}
	return answer{gave: true, n: n}, nil
}

// comes makes the writer of an actor that comes when another one has died. If none has, there is nothing to
// look at.
func (w *world) comes(actor int) (answer, error) {
	x, err := w.writer(actor)
	if errors.Is(err, basket.ErrWriters) {
		w.x.Cut()
	}
	w.writers[actor-1] = x
	return answer{gave: true}, err
}

// tell is told what has left by the calls of an actor.
func (w *world) tell(actor int, l basket.Leaving) {
	if w.silent || l.Reason == basket.ReasonReplaced || l.Reason == basket.ReasonDeleted {
		return
	}
	k := keyNumber(l.Key)
	t := model.Told{Key: k, Value: -1}
	if k != 0 {
		t.Value, _ = numberOf(k, l.Value)
	}
	w.told[actor-1] = append(w.told[actor-1], t)
	from := &w.left[actor-1]
	if l.Reason == basket.ReasonDead {
		from = &w.orphans
	}
	is := leaving{t, w.now()} // what has not left is told: no order has that
	if i := slices.IndexFunc(*from, func(x leaving) bool { return x.Told == t }); i >= 0 {
		is = (*from)[i]
		*from = slices.Delete(*from, i, i+1)
	}
	op := w.removal(is)
	op.Return = w.now()
	w.removed = append(w.removed, op)
	w.mark(actor-1, t)
}

// mark makes what has left, or was told, a part of the state of the search.
func (w *world) mark(actor int, t model.Told) {
	if w.rec.Mark != nil {
		w.rec.Mark(uint64(actor)<<16 | uint64(t.Key)<<8 | uint64(uint8(t.Value)))
	}
}

// now is behind all calls and returns so far, and ahead of the next one; see History.
func (w *world) now() int64 { return 2*w.rec.Clock() + 1 }

// removal is an operation of a client of its own.
func (w *world) removal(l leaving) history.Op[call, answer] {
	return history.Op[call, answer]{Client: len(w.Calls) + 1 + len(w.removed), Call: l.at,
		Request: call{removed: true, key: l.Key, value: uint8(l.Value)}}
}

// things are what the index leads to.
func (w *world) things() (x things) {
	for k, h := range w.Hashes {
		ref := modelRef(w.memory.index[h] >> 32)
		for n := 0; ref != 0 && ref != 255 && n <= len(w.Hashes); n++ {
			r := w.record(ref)
			if int(r.Key) == k+1 && x[k] == 0 {
				x[k] = r.Low
			}
			ref = r.Next
		}
	}
	return x
}

// Observe notes what leaves the index by a step, and when; what a delete takes out is among it. A step that
// hands something over fills the hand, too.
func (w *world) Observe(s explore.Step) {
	if w.spoil != nil {
		w.spoil(s)
	}
	switch {
	case s.Kind == hook.Kill:
		w.orphans = append(w.orphans, w.left[s.Actor]...)
		w.left[s.Actor] = w.left[s.Actor][:0]
	case s.Object>>48 == 0 && s.OK && s.Kind == hook.CompareAndSwap:
		if x, ok := w.access(s); ok && x.Basket != 0 {
			if entry := uint8(basket.Head(s.New).Owner()); entry != 0 {
				w.owners[x.Basket-1] = owner{entry, uint8(s.Actor + 1)}
			} else {
				w.owners[x.Basket-1] = owner{}
			}
		}
	case s.Object>>48 == 1 && s.OK && s.Old != s.New && s.Kind.Access() && !w.ofPair(s):
		was := w.before
		w.before = w.things()
		for k, is := range w.before {
			if was[k] != 0 && is == 0 {
				w.left[s.Actor] = append(w.left[s.Actor],
					leaving{model.Told{Key: uint8(k + 1), Value: int8(was[k])}, w.now()})
				w.mark(s.Actor, w.left[s.Actor][len(w.left[s.Actor])-1].Told)
			}
		}
		if strings.HasSuffix(s.Func, ".indexPush") {
			w.memory.index[firstHand+s.Actor] = s.Old >> 32
		}
	}
}

// ofPair reports whether a step is about the parameters.
func (w *world) ofPair(s explore.Step) bool { return int(s.Object<<16>>16)/8 == w.pairAt() }

// History is that of the clients, with what was told. Times are doubled, so that there is room between them.
func (w *world) History(h history.History[call, answer]) history.History[call, answer] {
	all := make(history.History[call, answer], 0, len(h)+len(w.removed))
	for _, op := range h {
		if op.Call *= 2; !op.Pending {
			op.Return *= 2
		}
		all = append(all, op)
	}
	told := len(w.removed)
	for _, l := range w.orphans {
		op := w.removal(l)
		op.Pending, op.Return = true, history.Forever
		w.removed = append(w.removed, op)
	}
	for i, op := range w.removed {
		op.ID = uint64(len(h)+i) + 1
		all = append(all, op)
	}
	w.removed = w.removed[:told]
	slices.SortStableFunc(all, func(a, b history.Op[call, answer]) int { return int(a.Call - b.Call) })
	return all
}

// Finish wants the store sound.
func (w *world) Finish(*explore.Execution, int) error {
	var list []error
	for _, f := range w.store.Check(w.led(), nil).All {
		list = append(list, fmt.Errorf("%w: %v", ErrUnsound, f))
	}
	return errors.Join(list...)
}

// led are the hashes and the refs of the index.
func (w *world) led() iter.Seq2[uint32, uint32] {
	return func(yield func(hash, ref uint32) bool) {
		for h, word := range w.memory.index[:firstHand] {
			if word>>32 != 0 && !yield(uint32(h), uint32(word>>32)) {
				return
			}
		}
	}
}

// ObjectName names a word.
func (w *world) ObjectName(object uint64) string {
	at := int(object<<16>>16) / 8
	switch {
	case object>>48 == 1 && at == w.pairAt():
		return "parameters"
	case object>>48 == 1 && at >= firstHand:
		return fmt.Sprintf("hand of actor %d", at-firstHand+1)
	case object>>48 == 1:
		return fmt.Sprintf("index of hash %d", at)
	case object>>48 != 0:
	case at >= w.records:
		unit := at - w.records
		return fmt.Sprintf("unit %d of basket %d", unit%unitsOfBasket, unit/unitsOfBasket+1)
	case at >= w.heads && at < w.heads+2*len(w.Heads):
		return fmt.Sprintf("%s of basket %d", []string{"head", "hint"}[(at-w.heads)%2], (at-w.heads)/2+1)
	case at == w.common:
		return "number"
	}
	return fmt.Sprintf("word %d", at)
}

// Tell says what a step did to its word.
func (w *world) Tell(s explore.Step) string {
	name := w.ObjectName(s.Object)
	var text func(v uint64) string
	if name == "parameters" {
		text = func(v uint64) string { return fmt.Sprint(pairOf(v)) }
	}
	if strings.HasPrefix(name, "head") {
		text = func(v uint64) string { return basket.Head(v).String() }
	}
	return harness.Told(s, name, text)
}

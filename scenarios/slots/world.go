package slots

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	impl "github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
	model "github.com/samecycle/samecycle/model/slots"
)

// ErrLost is what the judge of the slots at rest complains of.
const ErrLost = harness.Complaint("a slot is lost though everybody has ended")

// Where the words are that the world has beside the slot file.
const (
	asleepWord  = iota // a bit for each actor that sleeps
	counterWord        // how many requests were performed
	lockWord           // what the locks are named by, one for each role
	ownWords    = lockWord + 2
)

// world is one program's slot file, with its clients and services.
type world struct {
	harness.PlainWorld[call, answer]
	program
	memory
	own       []uint64 // see asleepWord
	image     []uint64 // the slot file before the program
	processes []*explore.Process
	options   impl.Options
	deaf      bool                 // of a canary: nobody is woken
	spoil     func(s explore.Step) // nil, or what a canary does behind a step

	// Of the execution.
	x         *explore.Execution
	clients   [model.MaxActors]*impl.Client
	services  [model.MaxActors]*impl.Service
	lock      [2]uint8 // by role: the process that has the lock, 0 for none
	sleepsAt  [model.MaxActors]*seam.Uint64
	blocked   uint64 // a bit for each actor that sleeps until somebody clears it
	timedOut  [model.MaxActors]bool
	tidies    [model.MaxActors]bool // a client has died: a wait of the service times out
	now       [model.MaxActors]call
	calls     [model.MaxActors]int // how many have begun
	busy      [model.MaxActors]bool
	performed uint8 // the number of the request that is performed
	ended     uint64
	over      bool // all clients have ended
}

// newWorld builds the slot file of a program.
func newWorld(p program) (*world, error) {
	w := &world{program: p, own: make([]uint64, ownWords),
		options: impl.Options{Slots: int(p.Slots), RequestBytes: areaBytes, ResponseBytes: areaBytes}}
	w.memory = newMemory(int(p.Slots))
	if _, err := impl.Over(w.bytes(), w.options, system{w}); err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	w.image = append(w.image, w.words...)
	for i := range p.Calls {
		process := &explore.Process{Name: fmt.Sprint(p.Processes[i]), ReadsDie: true,
			Mappings: []explore.Mapping{{At: w.at(0), Of: w.at(0), Size: 8 * len(w.words)},
				{At: w.ownAt(0), Of: w.ownAt(0), Size: 8 * ownWords}}}
		if i > 0 && p.Processes[i] == p.Processes[i-1] {
			process = w.processes[i-1]
		}
		w.processes = append(w.processes, process)
	}
	return w, nil
}

func (w *world) ownAt(i int) unsafe.Pointer { return unsafe.Pointer(&w.own[i]) }

// Start puts the slot file back, and names its words.
func (w *world) Start(x *explore.Execution, _ *history.Recorder[call, answer]) {
	w.x = x
	copy(w.words, w.image)
	clear(w.own)
	clear(w.clients[:])
	clear(w.services[:])
	clear(w.sleepsAt[:])
	clear(w.timedOut[:])
	clear(w.tidies[:])
	clear(w.now[:])
	clear(w.calls[:])
	clear(w.busy[:])
	w.lock, w.blocked, w.performed, w.ended, w.over = [2]uint8{}, 0, 0, 0, false
	for a := len(w.Calls); a >= 1; a-- {
		if w.Calls[a-1][0] == model.Attach {
			continue
		}
		w.lock[w.role(a)] = w.Processes[a-1]
		if err := w.enter(a); err != nil {
			panic(err) // newWorld has done the same
		}
	}
	x.Region(w.at(0), 8*len(w.words))
	x.Region(w.ownAt(0), 8*ownWords)
}

func (w *world) role(actor int) impl.Role {
	if w.client(actor) {
		return impl.ClientRole
	}
	return impl.ServiceRole
}

// enter makes the client or the service of an actor, which has the lock. Threads of a process share one.
func (w *world) enter(actor int) (err error) {
	if !w.client(actor) {
		w.services[actor-1], err = impl.Over(w.bytes(), w.options, system{w})
		return err
	}
	for a := range w.Clients {
		if c := w.clients[a]; c != nil && w.Processes[a] == w.Processes[actor-1] {
			w.clients[actor-1] = c
			return nil
		}
	}
	w.clients[actor-1], err = impl.OverClient(w.bytes(), w.options, system{w})
	return err
}

// Actor belongs to a process that may die at any time, and others find out.
func (w *world) Actor(actor int) explore.Actor {
	return explore.Actor{Process: w.processes[actor-1]}
}

// Perform makes one call of an actor.
func (w *world) Perform(_ *explore.Execution, actor int, _ uint64, c call) (a answer, err error) {
	w.now[actor-1] = c
	w.calls[actor-1]++
	switch {
	case w.busy[actor-1]:
		a = answer{gave: true, result: model.Busy}
	case c.kind == model.Attach:
		a, err = w.attach(actor)
	case c.kind == model.Serve:
		err = w.serve(actor)
	default:
		a, err = w.request(actor)
	}
	if w.calls[actor-1] == len(w.Calls[actor-1]) {
		w.ends(actor)
	}
	return a, err
}

// ends notes that an actor has made its last call, or is dead. When no client is left, the services end in
// their next sleep.
func (w *world) ends(actor int) {
	w.ended |= 1 << actor
	for a := 1; a <= w.Clients; a++ {
		if w.ended&(1<<a) == 0 {
			return
		}
	}
	w.over, w.blocked = true, 0
}

func (w *world) attach(actor int) (answer, error) {
	ok, err := w.peerLock(w.role(actor), actor)
	if err != nil || !ok {
		w.busy[actor-1] = true
		return answer{gave: true, result: model.Busy}, err
	}
	return answer{gave: true, result: model.Attached}, w.enter(actor)
}

// serve makes the rounds of a service, until it sleeps and all clients have ended.
func (w *world) serve(actor int) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			if _, ends := cause.(endOfService); !ends {
				panic(cause)
			}
		}
	}()
	s := w.services[actor-1]
	for err == nil {
		w.timedOut[actor-1] = false
		if _, err = s.Turn(w.perform, seam.Second); err == nil && w.timedOut[actor-1] {
			w.tidies[actor-1] = false
			err = s.Tidy()
		}
	}
	return err
}

// perform is what the service does for a request: it adds 1 to a counter. The answer says for which request,
// and the sum.
func (w *world) perform(request, dst []byte) []byte {
	if len(request) != requestBytes {
		return dst
	}
	w.performed = request[0]
	return append(dst, request[0], w.slotPerform(), 0, 0, 0, 0, 0, 0)
}

func (w *world) slotPerform() uint8 { return uint8((*seam.Uint64)(w.ownAt(counterWord)).Add(1)) }

// request makes one request of a client.
func (w *world) request(actor int) (answer, error) {
	c := w.clients[actor-1]
	h, ok, err := c.Claim()
	if err != nil || !ok {
		return answer{gave: true, result: model.NotDone}, err
	}
	number := model.Number(actor, w.calls[actor-1])
	if err := c.Send(&h, append([]byte{number}, make([]byte, requestBytes-1)...)); err != nil {
		return answer{}, err
	}
	for {
		o, response, err := c.Poll(&h, nil)
		if err == nil && o == impl.Pending {
			if err = c.Sleep(&h, seam.Second); err == nil && w.timedOut[actor-1] {
				if w.now[actor-1].kind == model.Try {
					o, response, err = c.GiveUp(&h, nil)
				} else {
					o, response, err = c.Mourn(&h, nil)
				}
			}
		}
		if err != nil || o != impl.Pending {
			return answerOf(number, o, response), err
		}
	}
}

// answerOf is what a client makes of the outcome of its request.
func answerOf(number uint8, o impl.Outcome, response []byte) answer {
	a := answer{gave: true, result: model.Unknown}
	switch {
	case o == impl.NotDone:
		a.result = model.NotDone
	case o == impl.Answered && len(response) == requestBytes && response[0] == number:
		a.result, a.n = model.Performed, response[1]
	case o == impl.Answered:
		a.result = model.Wrong
	}
	return a
}

// Observe notes a death: the locks of the process are free, and waits of others time out.
func (w *world) Observe(s explore.Step) {
	if w.spoil != nil {
		w.spoil(s)
	}
	if s.Kind != hook.Kill {
		return
	}
	actor := s.Actor + 1
	for a, process := range w.Processes {
		if process == w.Processes[actor-1] {
			w.own[asleepWord] &^= 1 << (a + 1)
			w.blocked &^= 1 << (a + 1)
		}
	}
	if r := w.role(actor); w.lock[r] == w.Processes[actor-1] {
		w.lock[r] = 0
	}
	for a := range w.Calls {
		switch other := a + 1; {
		case w.client(actor) && !w.client(other):
			w.tidies[a] = true
			w.blocked &^= 1 << other
		case !w.client(actor) && w.client(other):
			w.blocked &^= 1 << other
		}
	}
	if w.client(actor) {
		w.ends(actor)
	}
}

// History makes pending what nobody knows the outcome of.
func (*world) History(h history.History[call, answer]) history.History[call, answer] {
	return withPending(h)
}

// Finish wants all slots free, unless somebody has died.
func (w *world) Finish(_ *explore.Execution, deaths int) error {
	for i := range int(w.Slots) {
		if word := w.state(i); deaths == 0 && word.State() != impl.Free {
			return fmt.Errorf("%w: slot %d is %v", ErrLost, i+1, word.State())
		}
	}
	return nil
}

// ObjectName names a word.
func (w *world) ObjectName(object uint64) string {
	at := int(object << 16 >> 16)
	if object>>48 == 1 && at/8 < ownWords {
		return [...]string{"sleepers", "counter", "lock of the service", "lock of the client"}[at/8]
	}
	if object>>48 == 0 {
		return w.placeName(at)
	}
	return fmt.Sprintf("object %#x", object)
}

// Tell says what a step did to its word.
func (w *world) Tell(s explore.Step) string {
	var text func(v uint64) string
	if _, part := w.part(int(s.Object << 16 >> 16)); s.Object>>48 == 0 && part == statePart {
		text = func(v uint64) string {
			return fmt.Sprintf("%v, serial %d", impl.Word(v).State(), impl.Word(v).Serial())
		}
	}
	return harness.Told(s, w.ObjectName(s.Object), text)
}

package processes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
)

// An order is what the enacting process tells one of its children. Actor 0 and no step is the order to
// join those that stand.
type order struct {
	Join    bool
	Actor   int
	Choices []int // what the actor chooses until its next access
}

// An event is one shared access of a child.
type event struct {
	Kind     hook.Kind
	Object   uint64
	Old, New uint64
	OK       bool
}

// An answer tells what came of an order.
type answer struct {
	Event event
	Ended bool   // the actor's body is over
	Error string // what went wrong in it
}

// outside names an object that is not in the region.
const outside = 1 << 63

// A Part is one process of an enacted program.
type Part struct {
	File   string
	Join   func() error   // comes to the region
	Bodies map[int]func() // by actor

	// Name, if not nil, stands for the name of the file where accesses are named.
	Name *seam.Uint64

	// Unnamed says that a file of the folder that has no name is the process's own. Its accesses begin at
	// ownObject.
	Unnamed bool
}

// nameObject is the object that stands for the name of the file, in a replay: its second region.
const nameObject = 1 << 48

// Serve is the life of a child process: it does what in says and answers on out, until in ends. Each
// order to an actor is for one shared access, and the local code after it.
func Serve(in io.Reader, out io.Writer, part Part) error {
	p := &player{file: part.File, unnamed: part.Unnamed, quiet: part.Name != region.FileName(),
		done: make(chan answer), threads: map[int]*thread{}}
	if at := part.Name; at != nil {
		p.maps = append(p.maps, span{uintptr(unsafe.Pointer(at)), unsafe.Sizeof(*at), nameObject})
	}
	orders, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var o order
		switch err := orders.Decode(&o); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("order of the enacting process: %w", err)
		}
		var a answer
		switch body := part.Bodies[o.Actor]; {
		case o.Join:
			if err := part.Join(); err != nil {
				a.Error = err.Error()
			}
		case body == nil:
			a.Error = fmt.Sprintf("actor %d is not in this process", o.Actor)
		default:
			a = p.step(o, body)
		}
		if err := answers.Encode(a); err != nil {
			return fmt.Errorf("answer to the enacting process: %w", err)
		}
	}
}

// A player is the scheduler of a child: its actors are goroutines, of which one runs at a time. All
// others stand ahead of an access.
type player struct {
	file    string
	unnamed bool // see Part
	quiet   bool // the name of the file is there, and looking for it is no step
	cur     *thread
	done    chan answer // the running actor stands ahead of its next access, or has ended
	threads map[int]*thread
	maps    []span
}

type thread struct {
	wake    chan struct{}
	granted bool // its next access is to be made at once
	choices []int
	event   event
	why     string
}

// span is where the region's file is mapped, or what else has a name.
type span struct {
	from, size uintptr
	object     uint64 // what is at its start
}

var _ hook.Scheduler = (*player)(nil)

// step lets an actor make one access and run up to the next.
func (p *player) step(o order, body func()) answer {
	t := p.threads[o.Actor]
	started := t != nil
	if !started {
		t = &thread{wake: make(chan struct{}), granted: true}
		p.threads[o.Actor] = t
	}
	p.cur, t.choices, t.event = t, o.Choices, event{}
	if hook.Active = p; started {
		t.wake <- struct{}{}
	} else {
		go p.run(t, body)
	}
	a := <-p.done
	if len(t.choices) > 0 && a.Error == "" {
		a.Error = fmt.Sprintf("%d choices were left over", len(t.choices))
	}
	return a
}

func (p *player) run(t *thread, body func()) {
	defer func() {
		if r := recover(); r != nil {
			t.why = fmt.Sprintf("panic: %v", r)
		}
		p.done <- answer{Event: t.event, Ended: true, Error: t.why}
	}()
	body()
}

// Before implements hook.Scheduler.
func (p *player) Before(_ hook.Kind, at unsafe.Pointer) {
	if p.silent(at) {
		return
	}
	t := p.cur
	if t.granted {
		t.granted = false
		return
	}
	p.done <- answer{Event: t.event, Error: t.why}
	<-t.wake
}

// Wait implements hook.Scheduler; the engine has no locks of that kind.
func (p *player) Wait(k hook.Kind, at unsafe.Pointer, _ hook.Condition) { p.Before(k, at) }

// After implements hook.Scheduler.
func (p *player) After(k hook.Kind, at unsafe.Pointer, old, new uint64, ok bool) {
	if !p.silent(at) {
		p.cur.event = event{k, p.object(uintptr(at)), old, new, ok}
	}
}

// silent tells of an access that is no step here.
func (p *player) silent(at unsafe.Pointer) bool {
	return p.quiet && at == unsafe.Pointer(region.FileName())
}

// AfterPointer implements hook.Scheduler; a region holds no pointers.
func (p *player) AfterPointer(k hook.Kind, at, old, new unsafe.Pointer, ok bool) {
	p.After(k, at, uint64(uintptr(old)), uint64(uintptr(new)), ok)
}

// Choose implements hook.Scheduler.
func (p *player) Choose(n int) int {
	t := p.cur
	if len(t.choices) == 0 || t.choices[0] >= n {
		t.why = fmt.Sprintf("asks for a choice among %d, which the replay has not: %v", n, t.choices)
		return 0
	}
	c := t.choices[0]
	t.choices = t.choices[1:]
	return c
}

// Yield implements hook.Scheduler.
func (p *player) Yield() {}

// found notes a mapping, ahead of those that were at its place.
func (p *player) found(m span) {
	if !slices.Contains(p.maps, m) {
		p.maps = append([]span{m}, p.maps...)
	}
}

// object names what is at an address: the offset in the region's file, wherever it is mapped. A mapping
// that has ended keeps its name, for a lock is given up after it.
func (p *player) object(at uintptr) uint64 {
	if p.unnamed {
		p.look() // another file may be where one was that has been given up
	}
	for range 2 {
		for _, m := range p.maps {
			if off := at - m.from; off < m.size {
				return m.object + uint64(off)
			}
		}
		p.look()
	}
	return outside
}

//go:build explore

package processes

import (
	"iter"
	"slices"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
)

// A census counts the classes of executions of a creation without the explorer: it schedules the processes
// itself, in all orders but those with a step that was searched at an earlier turn, and is the same after all
// that came since (the sleep sets of Godefroid). That is one order of each class, and others that it begins
// in vain and leaves where all that can come need not. A death is a step of its own, of a process with a
// number after those of all who come.
type census struct {
	hook.Scheduler
	f     *founding
	kills int

	path    []turn
	steps   []deed
	bodies  []body
	cur     int  // who runs
	asked   uint // of whom the step that goes on was told whether they live
	gone    uint
	classes uint64
}

// A turn is a decision of the search: the options, of which k is taken, which is the deed.
type turn struct {
	options []int
	k       int
	deed    deed
	sleep   []deed // those that need not come
}

// theEnd as an option ends the execution.
const theEnd = -1

// A deed is one step, or a death.
type deed struct {
	who    int
	of     int // of the process
	dies   bool
	cut    bool // it ended a process that could go on
	at     uintptr
	writes bool
	asked  uint
}

// depends reports whether two deeds come in another order in another class.
func (d deed) depends(on deed) bool {
	switch {
	case d.dies && on.dies:
		return false
	case d.dies || on.dies:
		return d.of == on.of || d.dies && on.asked>>d.of&1 == 1 || on.dies && d.asked>>on.of&1 == 1
	}
	return d.of == on.of || d.at == on.at && (d.writes || on.writes)
}

// A body is the code of one who comes, which stands ahead of its next access.
type body struct {
	on    func() bool
	stop  func()
	yield func(struct{}) bool
	live  bool
}

// fallen is what the code of a dead process is unwound with.
type fallen struct{}

func (c *census) Before(hook.Kind, unsafe.Pointer) {
	if !c.bodies[c.cur].yield(struct{}{}) {
		panic(fallen{})
	}
}

func (c *census) After(_ hook.Kind, at unsafe.Pointer, old, new uint64, ok bool) {
	address := uintptr(at)
	view := c.f.memory.View(c.cur + 1)
	if offset := address - uintptr(unsafe.Pointer(&view[0])); offset < uintptr(len(view)) {
		address = offset // each has the memory elsewhere
	}
	d := deed{who: c.cur, of: c.cur, at: address, writes: ok && old != new, asked: c.asked}
	c.steps, c.asked = append(c.steps, d), 0
}

// begin lets all come up to their first access.
func (c *census) begin() {
	f := c.f
	clear(f.memory.Words())
	f.locks, f.exists = Locks{}, false
	c.steps, c.bodies, c.gone = c.steps[:0], make([]body, len(f.processes)), 0
	for i := range c.bodies {
		comes := f.newComer(i)
		b := &c.bodies[i]
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			defer func() {
				if r := recover(); r != nil && r != any(fallen{}) {
					panic(r)
				}
			}()
			b.yield = yield
			comes.come()
		})
		b.on, b.stop = func() bool { _, live := next(); return live }, stop
		c.resume(i)
	}
}

// resume lets one go on up to its next access.
func (c *census) resume(i int) {
	c.cur, hook.Active = i, c
	c.bodies[i].live = c.bodies[i].on()
	hook.Active = nil
}

// turn is the next decision.
func (c *census) turn() (t turn) {
	if n := len(c.path) - 1; n >= 0 {
		for _, d := range c.path[n].sleep {
			if !d.depends(c.path[n].deed) {
				t.sleep = append(t.sleep, d)
			}
		}
	}
	t.options = slices.DeleteFunc(c.options(), func(option int) bool {
		return slices.ContainsFunc(t.sleep, func(d deed) bool { return d.who == option })
	})
	return t
}

// options are what can come next.
func (c *census) options() (options []int) {
	killed, n := 0, len(c.bodies)
	for i, b := range c.bodies {
		killed += int(c.gone >> i & 1)
		if b.live {
			options = append(options, i)
		}
	}
	if len(options) == 0 {
		options = append(options, theEnd)
	}
	for i := range c.bodies {
		if killed < c.kills && c.gone>>i&1 == 0 {
			options = append(options, n+i)
		}
	}
	return options
}

// do does what the option says.
func (c *census) do(option int) {
	if i := option - len(c.bodies); i >= 0 {
		c.steps = append(c.steps, deed{who: option, of: i, dies: true, cut: c.bodies[i].live})
		c.gone |= 1 << i
		c.bodies[i].live = false
		return
	}
	c.resume(option)
}

// counts reports whether in some order of the class somebody could go on at each death: then there is a step,
// or a death that prevents one, which need not come before any death but itself.
func (c *census) counts() bool {
	for i, d := range c.steps {
		if d.dies && !d.cut {
			continue
		}
		after := map[int]bool{i: true} // what has to come after d
		early := false
		for k := i + 1; k < len(c.steps) && !early; k++ {
			for m := range after {
				if c.steps[k].depends(c.steps[m]) {
					after[k] = true
					early = c.steps[k].dies
					break
				}
			}
		}
		if !early {
			return true
		}
	}
	return false
}

// run runs the execution of the path, and on to an end, or to where all that can come need not.
func (c *census) run() {
	c.begin()
	for n := 0; ; n++ {
		if n == len(c.path) {
			t := c.turn()
			if len(t.options) == 0 {
				break
			}
			c.path = append(c.path, t)
		}
		t := &c.path[n]
		option := t.options[t.k]
		if option == theEnd {
			c.classes += one(c.gone == 0 || c.counts())
			break
		}
		c.do(option)
		t.deed = c.steps[n]
	}
	for _, b := range c.bodies {
		b.stop()
	}
}

// take runs all.
func (c *census) take() {
	for c.run(); len(c.path) > 0; {
		last := &c.path[len(c.path)-1]
		if last.options[last.k] != theEnd {
			last.sleep = append(last.sleep, last.deed)
		}
		if last.k++; last.k < len(last.options) {
			c.run()
		} else {
			c.path = c.path[:len(c.path)-1]
		}
	}
}

// The reduced search has the classes that a census counts, each of them once. Deaths that are the same for
// everybody who lives are searched, too, for then a class is the orders of the same steps. Three who come, of
// whom one dies, are too many for a census.
func TestCreation_Census(t *testing.T) {
	for _, c := range []struct{ comers, kills int }{{2, 0}, {2, 1}, {2, 2}, {3, 0}} {
		f, p, err := Creation{Layout: small, Comers: c.comers}.prepare()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.processes {
			p.ReadsDie = false
		}
		rep, err := explore.Explore(p, all(c.kills))
		if err != nil || rep.Failure != nil || !rep.Exhaustive {
			t.Fatal(rep, err)
		}
		s := &census{f: f, kills: c.kills}
		f.system = func(y System) region.System {
			y.Gone = func(i int) bool {
				s.asked |= 1 << (i - 1)
				return s.gone>>(i-1)&1 == 1
			}
			return y
		}
		s.take()
		t.Logf("%+v: %d classes, reduced %d of %d executions", c, s.classes, rep.Classes, rep.Executions)
		if rep.Classes != s.classes || rep.Repeated != 0 {
			t.Errorf("%+v: %d classes, reduced %d, %d of them twice", c, s.classes, rep.Classes, rep.Repeated)
		}
	}
}

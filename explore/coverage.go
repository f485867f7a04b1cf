package explore

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Coverage collects, over any number of searches of one program, in which order conflicting accesses were
// seen: accesses of two actors to one object, at least one of which wrote. If a pair was seen in one order
// only, either the program orders it, or the other order was not tried. The zero value is ready; two searches
// must not use it at the same time.
//
// A search that cuts executions at states seen before misses no order: a state stands for everything that
// each actor has done, so the accesses before the cut were all seen before those that follow it.
type Coverage struct {
	ids      map[where]int
	at       []where
	names    []string // of actors
	orders   map[[2]int]uint8
	partners [][]int // by access: the accesses that form a pair with it

	// The running execution.
	epoch uint64
	made  []uint64 // by access: the last execution that made it
	now   map[unsafe.Pointer][]touch

	first map[operation]int // the access that an operation started with, last time
}

// where is one access in the code, as one actor makes it.
type where struct {
	actor int
	site
}

// operation is one operation of an actor, by number.
type operation struct{ actor, number int }

type touch struct {
	access int
	wrote  bool
}

// The orders of a pair, by the numbers of its accesses.
const (
	lowerFirst  = 1
	higherFirst = 2
)

// An Access is one place in the code where an actor accesses shared memory.
type Access struct {
	Actor string `json:"actor"`
	Func  string `json:"func"`
	File  string `json:"file"`
	Line  int    `json:"line"`
}

// String is the actor, the file and the line.
func (a Access) String() string {
	return fmt.Sprintf("%s at %s:%d", a.Actor, filepath.Base(a.File), a.Line)
}

// A Pair is two conflicting accesses that were seen in this order only.
type Pair struct {
	First Access `json:"first"`
	Then  Access `json:"then"`
}

// Pairs returns the number of pairs of conflicting accesses that were seen in both orders, and the pairs that
// were seen in one order only, sorted by place.
func (c *Coverage) Pairs() (both int, oneWay []Pair) {
	for pair, orders := range c.orders {
		switch orders {
		case lowerFirst:
			oneWay = append(oneWay, Pair{c.access(pair[0]), c.access(pair[1])})
		case higherFirst:
			oneWay = append(oneWay, Pair{c.access(pair[1]), c.access(pair[0])})
		default:
			both++
		}
	}
	slices.SortFunc(oneWay, func(p, q Pair) int {
		return cmp.Or(p.First.compare(q.First), p.Then.compare(q.Then))
	})
	return both, oneWay
}

func (a Access) compare(b Access) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Actor, b.Actor))
}

func (c *Coverage) access(id int) Access {
	w := c.at[id]
	return Access{c.names[w.actor], w.fn, w.file, w.line}
}

// begin starts an execution.
func (c *Coverage) begin(e *engine) {
	if c.ids == nil {
		c.ids, c.orders = map[where]int{}, map[[2]int]uint8{}
		c.now, c.first = map[unsafe.Pointer][]touch{}, map[operation]int{}
	}
	for i, a := range e.actors {
		if i == len(c.names) {
			c.names = append(c.names, a.name)
		}
	}
	clear(c.now)
	c.epoch++
}

// id returns the number of an access.
func (c *Coverage) id(w where) int {
	id, known := c.ids[w]
	if !known {
		id = len(c.at)
		c.ids[w] = id
		c.at = append(c.at, w)
		c.partners = append(c.partners, nil)
		c.made = append(c.made, 0)
	}
	return id
}

// saw notes an access of a and the orders that it makes.
func (c *Coverage) saw(a *actor, s access, at site) {
	wrote := s.ok && s.kind != hook.Load
	id := c.id(where{int(a.id), at})
	c.made[id] = c.epoch
	if a.begun && a.opened {
		a.opened = false
		c.first[operation{int(a.id), a.begins}] = id
	}
	all := c.now[s.p]
	known := false
	for _, t := range all {
		known = known || t == touch{id, wrote}
		if (wrote || t.wrote) && c.at[t.access].actor != int(a.id) {
			c.order(t.access, id)
		}
	}
	if !known {
		c.now[s.p] = append(all, touch{id, wrote})
	}
}

// order notes that x came before y.
func (c *Coverage) order(x, y int) {
	pair, bit := [2]int{x, y}, uint8(lowerFirst)
	if x > y {
		pair, bit = [2]int{y, x}, higherFirst
	}
	old, known := c.orders[pair]
	if !known {
		c.partners[x] = append(c.partners[x], y)
		c.partners[y] = append(c.partners[y], x)
	}
	if old&bit == 0 {
		c.orders[pair] = old | bit
	}
}

// seen reports whether x was seen before y.
func (c *Coverage) seen(x, y int) bool {
	if x < y {
		return c.orders[[2]int{x, y}]&lowerFirst != 0
	}
	return c.orders[[2]int{y, x}]&higherFirst != 0
}

// next returns the access that a makes when it is picked, -1 if it is not known.
func (c *Coverage) next(a *actor) int {
	if a.standsAt >= 0 {
		return a.standsAt
	}
	number := a.begins
	if a.begun {
		number++ // it is at the boundary of the next operation
	} else {
		number = 1
	}
	if id, known := c.first[operation{int(a.id), number}]; known {
		return id
	}
	return -1
}

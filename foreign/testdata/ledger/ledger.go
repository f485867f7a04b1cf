// Package ledger uses most of the language, so that a rewritten copy of it shows what the rewriting
// breaks. Its types come once guarded and once with a race.
package ledger

import (
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type entry struct {
	amount int
	tags   []string
	next   *entry
}

type totals struct {
	sum, count int
	byTag      map[string]int
	last       [3]int
}

func (t totals) mean() float64 { return float64(t.sum) / float64(t.count) }
func (t *totals) add(n int)    { t.sum += n; t.count++; t.last[t.count%len(t.last)] = n }

// Ledger is guarded by its lock.
type Ledger struct {
	mu sync.Mutex
	totals
	head   *entry
	err    error
	on     func(int) (int, error)
	closed uint32
}

var opened int

var errNegative = errors.New("negative")

// New returns an empty ledger.
func New() *Ledger {
	opened++
	l := &Ledger{totals: totals{byTag: map[string]int{}}}
	l.on = func(n int) (int, error) {
		if n < 0 {
			return 0, errNegative
		}
		return n, nil
	}
	return l
}

// Add books an amount.
func (l *Ledger) Add(n int, tags ...string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var amount int
	if amount, l.err = l.on(n); l.err != nil {
		return l.err
	}
	l.totals.add(amount)
	l.head = &entry{amount: amount, tags: append([]string(nil), tags...), next: l.head}
	for _, t := range tags {
		l.byTag[t] += amount
	}
	return nil
}

// Report lists what was booked, newest first.
func (l *Ledger) Report() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	seen := map[string]bool{}
walk:
	for e := l.head; e != nil; e = e.next {
		for i, t := range e.tags {
			if seen[t] {
				continue walk
			}
			seen[t] = true
			e.tags[i], t = strings.ToUpper(t), e.tags[i]
			fmt.Fprintf(&b, "%s=%d ", t, l.byTag[t])
		}
	}
	switch n := len(l.last); {
	case l.count > 0 && n == 3:
		fmt.Fprintf(&b, "mean %.1f last %v", l.mean(), l.last)
	}
	delete(l.byTag, "none")
	return b.String()
}

// Peek reads the sum without the lock.
func (l *Ledger) Peek() int { return l.sum }

// Close is atomic.
func (l *Ledger) Close() bool { return atomic.CompareAndSwapUint32(&l.closed, 0, 1) }

// Sum adds numbers in goroutines of its own.
func Sum(numbers []int) (total int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range numbers {
		wg.Add(1)
		go func(n *int, weight int) {
			defer wg.Done()
			runtime.Gosched()
			mu.Lock()
			total += *n * weight
			mu.Unlock()
		}(&numbers[i], 1)
	}
	wg.Wait()
	time.Sleep(time.Nanosecond)
	return total
}

// Careless is Sum without the lock.
func Careless(numbers []int) (total int) {
	var wg sync.WaitGroup
	for _, n := range numbers {
		n := n
		wg.Add(1)
		go func() { total += n; wg.Done() }()
	}
	wg.Wait()
	return total
}

// Draw draws a number below n.
func Draw(n int) int { return rand.Intn(n) }

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return s.side * s.side }

// Mixture goes through the rest.
func Mixture() string {
	var out []string
	say := func(x ...interface{}) { out = append(out, strings.TrimSpace(fmt.Sprintln(x...))) }
	p := &totals{byTag: map[string]int{"a": 1}}
	p.sum, p.count = 5, 2
	p.sum, p.count = p.count, p.sum
	v, ok := p.byTag["a"]
	p.last[v], ok = p.byTag["b"]
	say(p.sum, p.count, v, ok, p.last)
	for p.sum = 0; p.sum < 3; p.sum++ {
		p.last[p.sum] <<= uint(p.sum)
		p.last[p.sum] |= 1 << uint(p.sum)
	}
	say(*p, len(p.last), cap(p.last[:2]))
	var s shape = square{3}
	boxes := []struct{ s shape }{{s}, {nil}}
	boxes[1].s = &square{4}
	for _, b := range boxes {
		switch x := b.s.(type) {
		case square:
			say("square", x.area())
		case *square:
			x.side++
			say("pointer", x.area(), x.side == 5)
		}
	}
	grid := [2][2]int{{1, 2}, {3, 4}}
	q := &grid
	for i, row := range q {
		q[i][0] = row[1]
	}
	bytes := append([]byte("ab"), "cd"...)
	n := copy(bytes[1:], "xy")
	n += copy(bytes, bytes[2:])
	flag := new(bool)
	*flag = n > 3 && !*flag
	defer func(f func(...interface{})) { f("late") }(say)
	func() {
		defer func() { say(recover() != nil) }()
		var none *entry
		none.next.amount = 1
	}()
	say(grid, string(bytes), n, *flag)
	return strings.Join(out, "|")
}

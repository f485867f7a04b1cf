// Package messages uses channels in every way that the language has.
package messages

import (
	"fmt"
	"runtime"
	"sync"
)

type (
	numbers  chan int
	outgoing chan<- int
	incoming <-chan int
	whether  bool
	point    struct{ x, y int }
	box      struct {
		c    chan int
		list []int
		m    map[string]int
		v    any
		ok   bool
	}
)

// All returns what each function says; each of its goroutines ends.
func All() []string {
	var all []string
	for _, f := range []func() string{Kinds, Expressions, Ranges, Rendezvous, Selects, Labels, Targets, Shadowed,
		Generics, Panics, Lines, Deferred, Closures, Nested, Orders, Forms, Jumps, Methods, Empty, Timers} {
		all = append(all, f())
	}
	return all
}

// Kinds uses named and directed types and nil.
func Kinds() string {
	c := make(numbers, 3)
	var out outgoing = (chan int)(c)
	var in incoming = (chan int)(c)
	var some chan any = make(chan any, 2)
	out <- 1
	c <- 2
	(c) <- 'a'
	some <- "text"
	some <- nil
	a, b := <-in, <-(c)
	v, ok := (<-c)
	close(out)
	w, more := <-in
	var none chan int
	return fmt.Sprint(a, b, v, ok, w, more, <-some, <-some, len(c), cap(c), len(none), cap(in), len(out))
}

// Expressions has receives everywhere.
func Expressions() string {
	c := make(chan int, 16)
	for i := range 12 {
		c <- i
	}
	f := func(n ...int) int { return len(n) + n[0] }
	s := []int{<-c, 2 * <-c, -<-c}
	m := map[int]point{<-c: {<-c, <-c}}
	if x := <-c; x == 6 && <-c == 7 {
		s = append(s, f(<-c, <-c))
	}
	switch <-c {
	case 10:
		s[<-c-11] += <-next(5)
	}
	var v, ok = <-next(3)
	go func(n int) { c <- n }(<-next(4))
	for i := <-next(1); i < 3; c <- i {
		i++
	}
	total := 0
	for range 3 {
		total += <-c
	}
	return fmt.Sprint(s, m, v, ok, total, *pointer(<-next(9)))
}

func next(n int) <-chan int {
	c := make(chan int, 1)
	c <- n
	return c
}

func pointer(n int) *int { return &n }

// Ranges ranges over channels.
func Ranges() string {
	var b box
	var functions []func() int
	for v := range filled(3) {
		functions = append(functions, func() int { return v })
	}
	for b.v = range filled(2) {
		b.list = append(b.list, 1)
	}
	n := 0
	for range filled(4) {
		n++
	}
	for _ = range filled(2) {
		n++
	}
outer:
	for v := range filled(5) {
		for w := range filled(5) {
			switch {
			case w > v:
				continue outer
			case v == 3:
				break outer
			}
			n += w
		}
	}
	return fmt.Sprint(functions[0](), functions[2](), b.v, b.list, n)
}

func filled(n int) chan int {
	c := make(chan int, n)
	defer close(c)
	for i := range n {
		c <- i
	}
	return c
}

// Rendezvous passes values from hand to hand.
func Rendezvous() string {
	c, done := make(chan point), make(chan struct{})
	var got []point
	go func() {
		defer close(done)
		for p := range c {
			got = append(got, p)
		}
	}()
	for i := range 3 {
		c <- point{i, -i}
	}
	close(c)
	<-done
	return fmt.Sprint(got)
}

// Selects has selects of all forms.
func Selects() string {
	c, d, never := make(chan int, 1), make(chan string, 1), (chan int)(nil)
	s := ""
	for i := range 4 {
		select {
		case c <- i:
			s += "sent "
		case v := <-c:
			s += fmt.Sprint("got ", v, " ")
		}
	}
	select {
	default:
		s += "alone "
	}
	select {
	case <-never:
	case never <- 1:
	default:
		s += "default "
	}
	d <- "x"
	select {
	case _, ok := <-d:
		s += fmt.Sprint(ok, " ")
	case v, ok := <-never:
		s += fmt.Sprint(v, ok)
	}
	close(d)
	select {
	case v, _ := <-d:
		s += fmt.Sprintf("%q ", v)
	}
	return s + last(next(7))
}

// last ends with a select without a default case.
func last(c <-chan int) string {
	select {
	case v, ok := <-c:
		return fmt.Sprint(v, ok)
	case <-(chan int)(nil):
		panic("never")
	}
}

// forEver ends with one that has no cases.
func forEver() int {
	select {}
}

// Labels leaves selects and loops.
func Labels() string {
	c, n := make(chan int, 1), 0
loop:
	for {
	choice:
		select {
		case c <- 1:
			n++
			if n < 5 {
				break choice
			}
			break loop
		case <-c:
			n++
			if n%2 == 0 {
				continue loop
			}
			break
		}
		n += 10
		if n > 100 {
			goto end
		}
	}
end:
	return fmt.Sprint(n)
}

// Targets receives into all kinds of places.
func Targets() string {
	b := &box{list: make([]int, 3), m: map[string]int{}}
	i := 1
	at := func() int { i++; return i }
	for n := range 6 {
		select {
		case b.list[at()%3] = <-next(n):
		}
	}
	select {
	case b.m[fmt.Sprint(<-next(1))] = <-next(2):
	}
	select {
	case b.v, b.ok = <-next(4):
	}
	select {
	case _ = <-next(1):
	case _, _ = <-next(1):
	}
	b.list[0], b.m["a"] = <-next(8), <-next(9)
	var own whether
	var any1 any
	_, own = <-next(1)
	any1, b.ok = <-next(2)
	return fmt.Sprint(b.list, b.m, b.v, b.ok, i, own, any1)
}

// Shadowed has names that are not what they seem.
func Shadowed() string {
	close := func(c chan int) int { return len(c) }
	c := make(chan int, 1)
	c <- 1
	n := close(c)
	len := func(chan int) int { return 40 }
	return fmt.Sprint(n + len(c))
}

func drain[C ~chan E | ~<-chan E, E any](c C) (all []E) {
	for v := range c {
		all = append(all, v)
	}
	return all
}

func fill[E any, C ~chan E](c C, all ...E) C {
	for _, v := range all {
		select {
		case c <- v:
		default:
			all = nil
		}
	}
	_ = len(c)
	close(c)
	return c
}

// Generics has channels of type parameters.
func Generics() string {
	first := fill(make(numbers, 2), 1, 2, 3)
	return fmt.Sprint(drain[numbers, int](first), drain[chan string, string](fill(make(chan string, 1), "a")))
}

// Panics has operations that panic.
func Panics() string {
	try := func(f func()) (s string) {
		defer func() { s = fmt.Sprint(recover()) }()
		f()
		return ""
	}
	c := make(chan int)
	close(c)
	return try(func() { c <- 1 }) + try(func() { close(c) }) + try(func() { close((chan int)(nil)) }) +
		try(func() {
			select {
			case c <- 1:
			}
		})
}

// Lines tells the lines of what stands in a select of many lines.
func Lines() string {
	c := make(chan point, 1)
	lines := []int{line()}
	select {
	case c <- point{
		x: 1, // one
		y: line(),
	}:
		lines = append(lines, line())
	case <-func() chan int {
		lines = append(lines, line())
		return nil
	}():
	}
	lines = append(lines, line())
	return fmt.Sprint(lines, <-c)
}

func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

// Deferred defers and starts builtins.
func Deferred() string {
	c, d := make(chan int), make(chan int)
	func() {
		defer close(c)
		go close(d)
	}()
	_, ok := <-c
	_, more := <-d
	return fmt.Sprint(ok, more)
}

// Closures shares variables with goroutines.
func Closures() string {
	var wg sync.WaitGroup
	c := make(chan int, 8)
	sum := 0
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c <- i
		}()
	}
	wg.Wait()
	close(c)
	for v := range c {
		sum += v
	}
	return fmt.Sprint(sum)
}

// Nested has selects in selects.
func Nested() string {
	c := make(chan chan int, 1)
	c <- make(chan int, 1)
	select {
	case inner := <-c:
		select {
		case inner <- <-next(3):
			select {
			case v := <-inner:
				return fmt.Sprint(v)
			default:
			}
		}
	}
	return "lost"
}

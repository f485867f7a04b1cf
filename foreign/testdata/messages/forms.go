package messages

import (
	"fmt"
	"time"
)

// Orders tells in which order a select evaluates what its cases are about, once and of all of them, and when
// it evaluates the places that it receives into.
func Orders() string {
	var said []string
	c, never := make(chan int, 1), (chan int)(nil)
	say := func(s string, c chan int) chan int { said = append(said, s); return c }
	value := func(s string, v int) int { said = append(said, s); return v }
	list := make([]int, 2)
	d := never
	other := func() chan int { d = c; return never }
	select {
	case <-say("first", never):
	case say("second", c) <- value("value", 7):
	case say("third", never) <- value("unused", 8):
	case list[value("place", 1)] = <-say("fourth", never):
	}
	select {
	case list[value("place", 0)] = <-say("again", c):
	case <-d:
	case <-other():
	}
	say("to", d) <- value("it", 9)
	return fmt.Sprint(said, list, <-d)
}

// Forms has receives and sends in the other places that the language has for them.
func Forms() string {
	var a, b any = <-next(1)
	s := fmt.Sprint(a, b)
	a, b = <-next(2)
	s += fmt.Sprint(a, b)
	if v, ok := <-next(3); ok {
		s += fmt.Sprint(v)
	}
	switch v, ok := <-next(4); {
	case ok:
		s += fmt.Sprint(v)
	}
	points := make(chan *point, 1)
	points <- &point{5, 6}
	s += fmt.Sprint((<-points).y)
	floats, n := make(chan float64, 2), 3
	floats <- 1 / 2.0
	floats <- 1 << 3
	functions := make(chan func(int) int, 1)
	functions <- func(x int) int { return x + n }
	s += fmt.Sprint(<-floats, <-floats, (<-functions)(4))
	truths := make(chan bool, 1)
	truths <- n == cap(floats)+1 && len(floats) == 0
	if <-truths && !<-filledTruth() {
		s += "true"
	}
	func() {
		defer func(n int) { s += fmt.Sprint(n) }(<-next(8))
		s += " deferred "
	}()
	pair := [...]any{<-next(1), struct{ v int }{<-next(2)}, []int{9, 8, 7}[<-next(2)]}
	return s + fmt.Sprint(pair) + one(func() int { return <-next(3) })
}

func filledTruth() <-chan bool {
	c := make(chan bool, 1)
	select {
	case c <- false:
	}
	return c
}

func one(f func() int) string { return fmt.Sprint(f()) }

// Jumps leaves loops over channels in every way, and keeps their variables.
func Jumps() string {
	var functions []func() int
	c := filled(6)
	for v := range c {
		functions = append(functions, func() int { v++; return v })
		if v == 1 {
			break
		}
	}
	last := -1
again:
	for last = range c {
		if last == 3 {
			goto again
		}
		if last == 4 {
			break again
		}
	}
	for range c {
	}
	for v, i := range []chan int{filled(2), nil} {
		for range i {
			if v == 0 {
				return fmt.Sprint(functions[0](), functions[0](), functions[1](), last)
			}
		}
	}
	return "lost"
}

func (n numbers) put(v int) numbers { n <- v; return n }

type constraint interface{ ~chan int }

func through[C constraint](c C) (int, int, int) {
	c <- 1
	v, ok := <-c
	select {
	case c <- 2:
	default:
	}
	if !ok {
		return -1, -1, -1
	}
	return v, len(c), cap(c)
}

// Methods has methods of channels, conversions, and channels of channels.
func Methods() string {
	c := make(numbers, 3)
	put, pass := c.put, numbers.put
	put(1)
	pass(c, 2).put(3)
	lots := make(chan (<-chan int), 1)
	lots <- c
	in := <-lots
	back := make(chan chan<- int, 1)
	back <- outgoing((chan int)(c))
	s := fmt.Sprint(<-in, <-incoming((chan int)(c)), <-(<-chan int)(c))
	out := <-back
	out <- 4
	a, b, n := through(c)
	asked, replies := make(chan chan<- string), make(chan string)
	go func() { (<-asked) <- "reply" }()
	asked <- replies
	return s + fmt.Sprint(<-in, len(in), a, b, n, <-replies)
}

// Empty has elements without a size, and nil channels.
func Empty() string {
	c, d := make(chan struct{}, 2), make(chan [0]int)
	go close(d)
	c <- struct{}{}
	_, closed := <-d
	var never chan struct{}
	n := 0
	for range 4 {
		select {
		case <-never:
			n += 100
		case never <- struct{}{}:
			n += 100
		case c <- struct{}{}:
			n++
		default:
			n += 10
		}
	}
	close(c)
	for range c {
		n += 1000
	}
	_, ok := <-c
	return fmt.Sprint(n, closed, ok, len(never), cap(never))
}

// Timers has channels of timers, which come at any time, but not after a stop.
func Timers() string {
	c, n := make(chan int, 1), 0
	go func() {
		defer close(c)
		c <- 1
	}()
	for open := true; open && n < 2; {
		select {
		case _, open = <-c:
		case <-time.After(time.Hour):
			n++
		}
	}
	t := time.NewTimer(0)
	t.Reset(time.Hour)
	t.Stop()
	select {
	case <-t.C:
		return "after a stop"
	default:
		return fmt.Sprint(len(t.C), cap(t.C))
	}
}

package reflected

import "testing"

// TestAny: what others send and receive by statements comes and goes.
func TestAny(t *testing.T) {
	a, b, done := make(chan int), make(chan int, 1), make(chan int)
	go func() { a <- 1; close(a) }()
	go func() { b <- 2; close(b) }()
	sum := 0
	for range 2 {
		_, v := Any(a, b)
		sum += v
	}
	if which, _ := Any(a, b); sum != 3 || which != -1 {
		t.Errorf("%d, then %d", sum, which)
	}
	go func() { done <- <-a + Give(3, nil) }()
	if got := <-done; got != -1 {
		t.Errorf("got %d", got)
	}
}

// TestForward: in the order in which it came.
func TestForward(t *testing.T) {
	in, out := make(chan string), make(chan string)
	go Forward(out, in)
	go func() { in <- "a"; in <- "b"; close(in) }()
	text := ""
	for s := range out {
		text += s
	}
	if text != "ab" {
		t.Error(text)
	}
}

// TestTry: without a wait.
func TestTry(t *testing.T) {
	c := make(chan int, 1)
	if n, ok := Take(c); n != 0 || ok {
		t.Error(n, ok)
	}
	if !Put(c, 1) || Put(c, 2) {
		t.Error("there is room for one")
	}
	if v, ok := Take(c); v != 1 || !ok {
		t.Error(v, ok)
	}
}

// TestFirst is wrong: either may come first.
func TestFirst(t *testing.T) {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() { a <- 1 }()
	go func() { b <- 2 }()
	if which, v := Any(a, b); which != 0 {
		t.Errorf("%d from %d", v, which)
	}
}

// TestEmpty waits for ever.
func TestEmpty(t *testing.T) {
	c := make(chan int)
	go func() { Any(nil, c) }()
	Any(nil)
}

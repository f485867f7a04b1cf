package accesses

import (
	"errors"
	"testing"
)

var errLate = errors.New("late")

func two() (int, error) { return 1, nil }

func TestRace_ResultConstant(t *testing.T) {
	done := make(chan int)
	f := func() (err error) {
		go func() { err = errLate; close(done) }()
		return nil
	}
	f()
	<-done
}

// The value depends on the order.
func TestRace_ResultAheadOfDefer(t *testing.T) {
	done := make(chan int)
	f := func() (n int) {
		defer func() { <-done }()
		go func() { n = 7; close(done) }()
		return 3
	}
	f()
}

func TestRace_ResultsOfCall(t *testing.T) {
	done := make(chan int)
	f := func() (n int, err error) {
		defer func() { <-done }()
		go func() { _ = err; close(done) }()
		return two()
	}
	f()
}

func TestRace_ResultsInTurn(t *testing.T) {
	done := make(chan int)
	f := func() (n, m int) {
		defer func() { <-done }()
		go func() { _ = m; close(done) }()
		return m, n
	}
	f()
}

// The variable that is called err at the return statement is another one.
func TestRace_ResultHidden(t *testing.T) {
	done := make(chan int)
	f := func() (err error) {
		defer func() { <-done }()
		go func() { err = errLate; close(done) }()
		if _, err := two(); err == nil {
			return err
		}
		return errLate
	}
	f()
}

func TestRace_ResultRead(t *testing.T) {
	done := make(chan int)
	f := func() (n int) {
		go func() { n = 7; close(done) }()
		return
	}
	f()
	<-done
}

func TestRace_ResultItself(t *testing.T) {
	done := make(chan int)
	f := func() (n int) {
		go func() { n = 7; close(done) }()
		return n
	}
	f()
	<-done
}

// What is returned as it is, is read behind the deferred calls, and not written. A result of which nobody
// knows is not shared.
func TestRight_Result(t *testing.T) {
	done := make(chan int)
	wait := func() { <-done }
	as := func() (n int, err error) {
		defer wait()
		go func() { n = 7; done <- 0 }()
		return n, errLate
	}
	bare := func() (n int) {
		defer wait()
		go func() { n = 7; done <- 0 }()
		return
	}
	late := func() (n int) {
		go func() { n = 7; done <- 0 }()
		return func() int { wait(); return 5 }()
	}
	other := func() (n, m int, yes bool, any any) {
		use := func() { n++ }
		use()
		if n := 3; n > 2 {
			return 1<<m - 1, n, !(n == m), m == n
		}
		return
	}
	for range 2 {
		if n, _ := as(); n != 7 {
			t.Error(n)
		}
		if n := bare() + late(); n != 12 {
			t.Error(n)
		}
	}
	if n, m, yes, same := other(); n != 0 || m != 3 || !yes || same != false {
		t.Error(n, m, yes, same)
	}
}

package leaks

import (
	"testing"

	"go.uber.org/goleak"
)

func TestNone(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	c := make(chan int)
	go close(c)
	<-c
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("nowhere"))
	panic("it returns")
}

package apart_test

import "testing"

func TestApart(t *testing.T) {
	c := make(chan int)
	go close(c)
	<-c
}

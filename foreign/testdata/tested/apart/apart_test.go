package apart_test

import (
	"os"
	"testing"
)

var ready chan int

func TestApart(t *testing.T) {
	c := make(chan int)
	go close(c)
	<-c
	<-ready
}

func TestMain(m *testing.M) {
	ready = make(chan int)
	go func() { ready <- 1 }()
	switch os.Getenv("SAMECYCLE_TESTED_MAIN") {
	case "no run":
		os.Exit(0)
	case "fails ahead":
		os.Exit(1)
	case "fails":
		m.Run()
		os.Exit(3)
	}
	os.Exit(m.Run())
	panic("os.Exit has returned")
}

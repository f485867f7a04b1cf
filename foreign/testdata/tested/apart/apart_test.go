package apart_test

import (
	"flag"
	"os"
	"testing"
)

var ready chan int

// These flags have names that the driver has for its own.
var (
	seed   = flag.Int("seed", 1, "")
	report = flag.String("report", "", "")
)

var count int

func TestApart(t *testing.T) {
	c := make(chan int)
	go close(c)
	<-c
	<-ready
	if *seed != 1 || *report != "" || count != 5 || !flag.Parsed() || flag.NFlag() > 0 || len(os.Args) != 1 {
		t.Error(*seed, *report, count, flag.Parsed(), flag.NFlag(), os.Args)
	}
	flag.Set("seed", "2")
	flag.Set("count", "6")
	os.Args = append(os.Args, "more")
}

func TestMain(m *testing.M) {
	if flag.Lookup("test.v") == nil || flag.Lookup("test.run") == nil || flag.Parsed() {
		panic("the flags of testing are missing, or they were parsed before")
	}
	flag.IntVar(&count, "count", 5, "")
	flag.Parse()
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

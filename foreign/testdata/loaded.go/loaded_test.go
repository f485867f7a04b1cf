package loaded

import "testing"

func TestAsks(t *testing.T) {
	if Ask() != 1 {
		t.Error("no answer")
	}
}

func TestOwn(t *testing.T) {
	d := new(Door)
	done := make(chan bool)
	go func() { done <- d.Open() }()
	if d.Open() == <-done {
		t.Error("both or none")
	}
}

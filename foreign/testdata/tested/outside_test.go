package tested_test

import (
	"os"
	"testing"

	"example.com/tested"
)

func TestOutside(t *testing.T) {
	if _, err := os.ReadFile("testdata/file"); err != nil {
		t.Fatal(err)
	}
	q := tested.New()
	go q.Put(1)
	if v := q.Get(); v != 1 {
		t.Error(v)
	}
}

func TestMain(m *testing.M) { os.Exit(m.Run()) }

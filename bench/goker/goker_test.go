package goker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// kernels are a clone with two of them: one whose goroutine waits for ever in some orders, and one that is
// right.
func kernels(t *testing.T) string {
	clone := t.TempDir()
	for name, text := range map[string]string{"blocking/a/1/a1_test.go": `/* Flaky: 3/100 */
package a1

import "testing"

func TestA1(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
	default:
	}
}
`, "nonblocking/b/2/b2_test.go": `package b2

import "testing"

func TestB2(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
}
`} {
		path := filepath.Join(clone, "gobench", "goker", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return clone
}

// TestRun: a fault is found, and what has none is clean; both are on the page.
func TestRun(t *testing.T) {
	o := Options{Root: "../..", Clone: kernels(t), Time: 10 * time.Second, Seed: 1, Commit: "c", Kernels: "k",
		Say: t.Logf}
	all, err := Run(t.Context(), o)
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	a, b := all[0], all[1]
	if a.Name != "blocking/a/1" || a.Flaky != "3/100" || a.Status != driver.Found || a.Kind != "deadlock" ||
		a.Races || a.Executions == 0 {
		t.Errorf("%+v", a)
	}
	if b.Name != "nonblocking/b/2" || b.Status != driver.Clean || !b.Races {
		t.Errorf("%+v", b)
	}
	folder := t.TempDir()
	if err := Write(folder, o, all); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "goker.md"))
	for _, want := range []string{"| that block | 1 | 1 |", "| that do not block | 1 | 0 | 0 | 1 | 0 |",
		"| blocking/a/1 | 3/100 | found | deadlock |", "| nonblocking/b/2 | clean | no execution within"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v: %q is missing in\n%s", err, want, text)
		}
	}
	if _, err := Run(t.Context(), Options{Clone: t.TempDir()}); !errors.Is(err, ErrClone) {
		t.Errorf("an empty folder: %v", err)
	}
}

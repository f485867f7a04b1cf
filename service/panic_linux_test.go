package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// panickingVariable has, for the test binary that runs itself, the file in which its service is told of what
// leaves, behind how many elements it is told of before it panics.
const panickingVariable = "SERVICE_TEST_PANICKING"

const (
	panickingKeys = 14 // of 16 cells: several in a bucket
	panickingText = "the receiver cannot go on"
)

func TestMain(m *testing.M) {
	if job := os.Getenv(panickingVariable); job != "" {
		fmt.Println(panicking(job))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// panicking deletes what is in the table, beside a service whose receiver panics. It returns for an error
// only.
func panicking(job string) error {
	many, path, _ := strings.Cut(job, " ")
	n, err := strconv.Atoi(many)
	if err != nil {
		return err
	}
	r, err := region.Open(path, nil)
	if err != nil {
		return err
	}
	table, err := hopscotch.New(r)
	if err != nil {
		return err
	}
	own, err := table.NewHandle(uint64(os.Getpid()))
	if err != nil {
		return err
	}
	for key := uint32(1); key <= panickingKeys; key++ {
		if ok, err := own.Delete(key); !ok || err != nil {
			return fmt.Errorf("delete of %d: %t, %w", key, ok, err)
		}
	}
	s, err := Start(context.Background(), own, Options{Left: func(l hopscotch.Leaving) {
		if fmt.Println("told of", l.Value); n == 0 {
			panic(panickingText)
		}
		n--
	}})
	if err != nil {
		return err
	}
	time.Sleep(time.Minute)
	return errors.Join(errors.New("no panic within a minute"), s.Stop())
}

// TestService_PanicOfItsReceiver: it ends the program, wherever in a pass, and the others lose nothing by
// it: the descriptor is taken back, and what the receiver was not told of leaves once, by somebody else.
func TestService_PanicOfItsReceiver(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for n := range panickingKeys {
		path := filepath.Join(t.TempDir(), "table")
		table, h := tableOfKeys(t, path)
		child := exec.CommandContext(t.Context(), self)
		child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", panickingVariable, n, path))
		out, err := child.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 ||
			!strings.Contains(string(out), "panic: "+panickingText) {
			t.Fatalf("the program ends with %v:\n%s", err, out)
		}
		left, last := map[uint32]int{}, uint32(0)
		for line := range strings.Lines(string(out)) {
			if _, err := fmt.Sscanf(line, "told of %d", &last); err == nil {
				left[last]++
			}
		}
		dead, err := h.Reclaim()
		if err != nil || len(dead) != 1 || !dead[0].Leaves || dead[0].Certain || dead[0].Left.Value != last {
			t.Fatalf("told of %d, and taken back is %v, %v; want that value, not certain", last, dead, err)
		}
		if err := h.CropAll(func(l hopscotch.Leaving) { left[l.Value]++ }); err != nil {
			t.Fatal(err)
		}
		for key := uint32(1); key <= panickingKeys; key++ {
			if times := left[key+100]; times != 1 {
				t.Errorf("panic %d: %d has left %d times", n, key+100, times)
			}
		}
		if m := hopscotch.Measure(table); m.Elements != 0 || m.Lost != 0 {
			t.Errorf("panic %d: %+v in a table that should be empty", n, m)
		}
		if f := hopscotch.Check(table, hopscotch.CheckOptions{}); len(f) != 0 {
			t.Error(f)
		}
	}
}

// tableOfKeys is a table in a new file, with panickingKeys elements.
func tableOfKeys(t *testing.T, path string) (*hopscotch.Table, *hopscotch.Handle) {
	t.Helper()
	r, err := hopscotch.Create(path, hopscotch.Layout{CellsPerHalf: 8, Window: 8, Descriptors: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	table, err := hopscotch.New(r)
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		t.Fatal(err)
	}
	for key := uint32(1); key <= panickingKeys; key++ {
		if added, err := h.Add(key, key+100); added != hopscotch.Added || err != nil {
			t.Fatal(added, err)
		}
	}
	return table, h
}

package hopscotch

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/region"
)

// The test binary runs itself as a second process, which works on the table of a file until it is
// killed. childVariable names the file.
const (
	childVariable = "HOPSCOTCH_TEST_CHILD"
	childKeys     = 60
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		fmt.Println(childWork(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// childWork never ends by itself but for an error.
func childWork(path string) error {
	r, err := region.Open(path, nil)
	if err != nil {
		return err
	}
	t, err := New(r)
	if err != nil {
		return err
	}
	h, err := t.NewHandle(uint64(os.Getpid()))
	if err != nil {
		return err
	}
	fmt.Println("works in", uint32(r.Process()))
	for random := rand.New(rand.NewPCG(uint64(os.Getpid()), 1)); ; {
		key := 1 + random.Uint32N(childKeys)
		switch random.Uint32N(4) {
		case 0, 1:
			_, err = h.Add(key, 1+random.Uint32N(1000))
		case 2:
			_, err = h.Delete(key)
		case 3:
			err = h.Crop(key)
		}
		if err != nil {
			return err
		}
	}
}

// startChild is a second process at work, and the attachment by which it is known.
func startChild(t *testing.T, path string) (*exec.Cmd, region.Process) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), childVariable+"="+path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(c) })
	var number uint64
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, bad := fmt.Sscanf(line, "works in %d", &number); err != nil || bad != nil {
		t.Fatalf("the child says %s, %v", strconv.Quote(line), err)
	}
	return c, region.Process(number)
}

func kill(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// TestReclaim_KilledProcesses: two processes work, one after the other is killed in the middle of
// it. What it leaves is reclaimed while the other one goes on; nothing is left at the end.
func TestReclaim_KilledProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	r, err := Create(path, Layout{CellsPerHalf: 32, Window: 8, Descriptors: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	h := newHandle(t, table, 1)
	random := rand.New(rand.NewPCG(5, 6))
	other, _ := startChild(t, path)
	finished, left := 0, 0
	for range 24 {
		victim, p := startChild(t, path)
		time.Sleep(time.Duration(random.Uint32N(4)) * time.Millisecond)
		kill(victim)
		got, err := h.Reclaim()
		if err != nil || len(got) != 1 || got[0].Owner != MakeOwner(uint32(victim.Process.Pid), p) {
			t.Fatalf("reclaimed %v, %v, want the descriptor of process %v", got, err, p)
		}
		finished += boolInt(got[0].Finished)
		left += boolInt(got[0].Leaves)
	}
	t.Logf("%d operations finished, %d values handed over", finished, left)
	kill(other)
	if n, err := table.Orphans(); len(n) != 1 || err != nil {
		t.Errorf("orphans %v, %v, want that of the other one", n, err)
	}
	next := newHandle(t, table, 2) // free descriptors come first
	if _, ok := next.Inherited(); ok {
		t.Error("a free descriptor was passed over")
	}
	if got, err := h.Reclaim(); err != nil || len(got) != 1 {
		t.Errorf("of the other one: %v, %v", got, err)
	}
	clean(t, table)
	if n := len(Snapshot(table, DumpOptions{}).Descriptors); n != 2 {
		t.Errorf("%d descriptors are taken", n)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestNewHandle_AnObserverHasNone: who looks only cannot change the table.
func TestNewHandle_AnObserverHasNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	r, err := Create(path, Layout{CellsPerHalf: 32, Window: 8, Descriptors: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o, err := region.Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	table, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.NewHandle(1)
	if !errors.Is(err, region.ErrReadOnly) || !strings.HasPrefix(err.Error(), "handle for owner 1: ") {
		t.Errorf("%v", err)
	}
	if _, found, err := table.Lookup(1); found || err != nil {
		t.Errorf("lookup by an observer: %v, %v", found, err)
	}
}

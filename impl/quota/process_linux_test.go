package quota_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// The test binary runs itself as another process of a region. childVariable has the number of the child, and
// the file.
const childVariable = "QUOTA_TEST_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		fmt.Println("failed:", childRun(job))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const (
	processes = 4
	windows   = 25
	attempts  = 100 // times the limit, in each window
	k2Width   = 64
	k2Key     = uint64(0x0123_4567_89AB_CDEF)
)

// k2Limits are 50 in each window. A window is a second of the clock that the parent advances.
var k2Limits = quota.Limits{Rate: 50, Burst: 50, Retry: second}

// shared is what the processes share: the sketch, and words of the test.
type shared struct {
	region   *region.Region
	sketch   *quota.Sketch
	window   *seam.Uint64  // the clock
	tried    *seam.Uint64  // calls of this window
	admitted []seam.Uint64 // calls that were admitted, by window
}

func k2Layout() region.Layout {
	return region.Layout{{Engine: "quota", Version: 1, Sections: []region.Section{
		{Name: "sketch", Bytes: uint64(quota.Layout{Width: k2Width}.Words()) * region.WordBytes},
		{Name: "test", Bytes: (windows + 3) * region.WordBytes}}}}
}

// attach opens the shared file, and creates it if it does not exist.
func attach(path string) (*shared, error) {
	r, _, err := region.OpenOrCreate(path, k2Layout())
	if err != nil {
		return nil, err
	}
	x := &shared{region: r}
	words, err := r.Section("quota", "sketch")
	if err != nil {
		return nil, err
	}
	if x.sketch, err = quota.New(words, quota.Layout{Width: k2Width}); err != nil {
		return nil, err
	}
	test, err := r.Section("quota", "test")
	if err != nil {
		return nil, err
	}
	x.window, x.tried, x.admitted = &test[0], &test[1], test[2:]
	return x, nil
}

// take makes one call, at an instant of the window that the clock shows.
func (x *shared) take() {
	w := x.window.Load()
	if x.sketch.Take(k2Key, start+w*second, 1, k2Limits).Verdict == quota.OK {
		x.admitted[w].Add(1)
	}
	x.tried.Add(1)
}

// childRun takes until the process is killed.
func childRun(path string) error {
	x, err := attach(path)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for x.window.Load() < windows {
		x.take()
	}
	for {
		time.Sleep(time.Hour) // until it is killed
	}
}

// startChild starts another process that takes.
func startChild(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), childVariable+"="+path)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(c) })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return c
}

// end kills a process, whatever it is doing.
func end(c *exec.Cmd) {
	if c.ProcessState == nil {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

// TestK2_ProcessesThatAreKilled: some processes ask for one key a hundred times as often as the limit
// allows, over many windows, and one of them is killed in each window. No window admits more than the limit
// and one call for each process. If a window admits too many, the bucket admits fewer in the next one. So
// the sum is that of the limits, except for one call of each process, and of each process that was killed
// after a charge. No key is denied after that.
func TestK2_ProcessesThatAreKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quota")
	x, err := attach(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := x.region.Close(); err != nil {
			t.Error(err)
		}
	}()
	limit := k2Limits.Rate
	var all [processes]*exec.Cmd
	for i := range all {
		all[i] = startChild(t, path)
	}
	kills := uint64(0)
	for w := range uint64(windows) {
		victim, killed := int(w)%processes, false
		for x.tried.Load() < attempts*limit {
			x.take()
			if !killed && x.tried.Load() > attempts*limit/100*(w%40) { // somewhere in the window
				end(all[victim])
				killed = true
				kills++
			}
		}
		if killed {
			all[victim] = startChild(t, path)
		}
		x.tried.Store(0)
		x.window.Store(w + 1)
	}
	for _, c := range all {
		end(c)
	}
	sum := uint64(0)
	for w := range uint64(windows) {
		n := x.admitted[w].Load()
		sum += n
		if n > limit+processes || n+2*(processes+1) < limit {
			t.Errorf("window %d: %d admitted, want %d", w, n, limit)
		}
	}
	if sum > windows*limit+processes+1 || sum+kills+processes+1 < windows*limit {
		t.Errorf("%d admitted in %d windows with %d kills, want %d a window", sum, windows, kills, limit)
	}
	t.Logf("%d admitted in %d windows of %d, %d kills", sum, windows, limit, kills)
	later := start + (windows+1)*second
	for n := range limit {
		if r := x.sketch.Take(k2Key, later, 1, k2Limits); r.Verdict != quota.OK {
			t.Errorf("call %d afterwards: %+v", n, r)
		}
	}
}

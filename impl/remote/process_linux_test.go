package remote_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// jobVariable has the job of a test binary that runs itself: its name and the files that it needs.
const jobVariable = "REMOTE_TEST_JOB"

func TestMain(m *testing.M) {
	if job := strings.Fields(os.Getenv(jobVariable)); len(job) > 0 {
		fmt.Fprintln(os.Stderr, jobs[job[0]](job[1:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// The jobs return for an error only: they are killed.
var jobs = map[string]func(files []string) error{
	// serve FILE SLOTFILE...: the service of a cache.
	"serve": func(files []string) error {
		return serveIn(files,
			func(c *cache.Cache) remote.Cache { return c })
	},
	// dawdle FILE SLOTFILE...: the same, and each call takes longer, so that deaths meet more of them.
	"dawdle": func(files []string) error {
		return serveIn(files, func(c *cache.Cache) remote.Cache { return dawdler{c} })
	},
	// stranger SLOTFILE OWNER FILE: a client that must not be able to open the cache in FILE.
	"stranger": func(files []string) error {
		owner, err := strconv.Atoi(files[1])
		if err != nil {
			return err
		}
		if _, err := os.Open(files[2]); !errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("the file of the cache can be opened: %w", err)
		}
		if _, err := remote.Dial(files[0], remote.DialOptions{}); !errors.Is(err, slots.ErrFile) {
			return fmt.Errorf("a slot file of somebody else is taken: %w", err)
		}
		c, err := remote.Dial(files[0], remote.DialOptions{Owner: &owner})
		if err != nil {
			return err
		}
		if err := c.Set(context.Background(), []byte("from"), []byte("a stranger")); err != nil {
			return err
		}
		fmt.Println("ready")
		select {}
	},
	// hammer SLOTFILE: a client that calls all the time from several goroutines, whatever it is told.
	"hammer": func(files []string) error {
		c, err := remote.Dial(files[0], remote.DialOptions{})
		if err != nil {
			return err
		}
		failed := make(chan error)
		for g := range 4 {
			go func() {
				for n := 0; ; n++ {
					var held *remote.Held
					err := c.Set(context.Background(), fmt.Append(nil, g, n%1000), make([]byte, 100))
					if err != nil && !errors.As(err, &held) {
						failed <- err
					}
				}
			}()
		}
		fmt.Println("ready")
		return <-failed
	},
	// call SLOTFILE: a client that calls all the time.
	"call": func(files []string) error {
		c, err := remote.Dial(files[0], remote.DialOptions{})
		if err != nil {
			return err
		}
		for n := 0; ; n++ {
			key := fmt.Appendf(nil, "%s %d", filepath.Base(files[0]), n%10)
			if err := c.Set(context.Background(), key, key); err != nil {
				return err
			}
			if n == 10 {
				fmt.Println("ready")
			}
		}
	},
}

// serveIn is a service of a cache, which view may change.
func serveIn(files []string, view func(*cache.Cache) remote.Cache) error {
	c, err := cache.Open(files[0], cache.Options{Bytes: 1 << 20})
	if err != nil {
		return err
	}
	failed := make(chan error)
	for _, path := range files[1:] {
		s, err := remote.Create(path, remote.Options{File: fewSlots})
		if err != nil {
			return err
		}
		go func() { failed <- s.Serve(context.Background(), view(c)) }()
	}
	fmt.Println("ready")
	return <-failed
}

// dawdler is a cache whose calls take longer, ahead of the effect and behind it.
type dawdler struct{ *cache.Cache }

func dawdle() {
	for end := time.Now().Add(50 * time.Microsecond); time.Now().Before(end); {
	}
}

func (d dawdler) Set(key, value []byte) error {
	defer dawdle()
	dawdle()
	return d.Cache.Set(key, value)
}

func (d dawdler) Delete(key []byte) (bool, error) {
	defer dawdle()
	dawdle()
	return d.Cache.Delete(key)
}

var fewSlots = slots.Options{Slots: 4, RequestBytes: 512, ResponseBytes: 512}

// start runs a job in a process of its own, and returns when it is ready.
func start(t *testing.T, job ...string) *os.Process {
	t.Helper()
	return startAs(t, exec.Command(os.Args[0]), job...)
}

func startAs(t *testing.T, cmd *exec.Cmd, job ...string) *os.Process {
	t.Helper()
	cmd.Env = append(os.Environ(), jobVariable+"="+strings.Join(job, " "))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd.Process) })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%s says %q, %v", job, line, err)
	}
	return cmd.Process
}

// kill ends a process, which may have ended, and returns when it has.
func kill(p *os.Process) {
	_ = p.Kill()
	_, _ = p.Wait()
}

// stop stops a process, and returns when it stands still.
func stop(t *testing.T, p *os.Process) {
	t.Helper()
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
		if err != nil || time.Now().After(end) {
			t.Fatalf("the process does not stop: %s (%v)", text, err)
		}
		if strings.Contains(string(text), ") T ") {
			return
		}
	}
}

// TestService_Killed at random points, again and again: what was answered is in the cache, what was said not
// to be done never is, and the client goes on with the next service.
func TestService_Killed(t *testing.T) {
	dir := t.TempDir()
	file, path := filepath.Join(dir, "a.cache"), filepath.Join(dir, "a.slots")
	service := start(t, "dawdle", file, path)
	c := dial(t, path, remote.DialOptions{Look: 5 * time.Millisecond})
	var books []*book // of as many goroutines as there are slots, so that the service is busy when it dies
	for n := range fewSlots.Slots {
		books = append(books, &book{owner: n, may: map[string][]string{}})
	}
	outcomes := map[string]int{}
	for range 25 {
		met := make(chan error)
		for _, x := range books {
			go func() { met <- x.untilDeath(c) }()
		}
		time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
		kill(service)
		for range books {
			outcomes[sentinel(t, <-met)]++
		}
		if _, err := books[0].next(c); !errors.Is(err, remote.ErrNoService) {
			t.Fatalf("without a service: %v", err)
		}
		service = start(t, "dawdle", file, path)
	}
	for n := range 20 * len(books) { // no slot is lost
		if wrong, err := books[n%len(books)].next(c); wrong != "" || err != nil {
			t.Fatal(wrong, err)
		}
	}
	t.Logf("%d calls of the first goroutine; of those that met a death: %v", books[0].n, outcomes)
}

// sentinel names the error of a call that met a death.
func sentinel(t *testing.T, err error) string {
	t.Helper()
	for name, known := range map[string]error{"unknown": remote.ErrUnknown,
		"no service": remote.ErrNoService} {
		if errors.Is(err, known) {
			return name
		}
	}
	t.Fatalf("a call that met a death: %v", err)
	return ""
}

// book is what each key may have, as far as the client was told. "" is that it is absent.
type book struct {
	owner, n int
	may      map[string][]string
}

// untilDeath makes calls until one is an error, which it returns, or an answer is wrong.
func (x *book) untilDeath(c *remote.Client) error {
	for {
		if wrong, err := x.next(c); wrong != "" || err != nil {
			if wrong != "" {
				return errors.New(wrong)
			}
			return err
		}
	}
}

// next sets, deletes or gets a key, and says what is wrong with the answer.
func (x *book) next(c *remote.Client) (wrong string, err error) {
	ctx := context.Background()
	x.n++
	key, value := fmt.Sprintf("key %d of %d", x.n%5, x.owner), fmt.Sprintf("value %d", x.n)
	if x.may[key] == nil {
		x.may[key] = []string{""}
	}
	switch x.n % 7 {
	case 0:
		value = ""
		_, err = c.Delete(ctx, []byte(key))
	case 1, 2, 3:
		err = c.Set(ctx, []byte(key), []byte(value))
	default:
		got, _, err := c.Get(ctx, []byte(key), nil)
		if err == nil && !slices.Contains(x.may[key], string(got)) {
			wrong = fmt.Sprintf("%s has %q, and may have %q", key, got, x.may[key])
		}
		return wrong, err
	}
	switch {
	case err == nil:
		x.may[key] = []string{value}
	case errors.Is(err, remote.ErrUnknown):
		x.may[key] = append(x.may[key], value)
	}
	return "", err
}

// TestBook_Canary: the judge of TestService_Killed refuses a value that was said not to be set, and one that
// was replaced.
func TestBook_Canary(t *testing.T) {
	own := newCache(t)
	_, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{})
	for _, wrong := range []string{"value 1", "never set"} {
		x := &book{n: 3, may: map[string][]string{"key 4 of 0": {"value 8",
			""}}} // the next call is a get of key 4
		if err := own.Set([]byte("key 4 of 0"), []byte(wrong)); err != nil {
			t.Fatal(err)
		}
		if found, err := x.next(c); err != nil || found == "" {
			t.Errorf("the judge accepts %q (%v)", wrong, err)
		}
	}
}

// TestClient_NotHeldUp: of three clients one is killed and one stopped; the service does not wait for them,
// and the third one has each call answered within its bound (G4). The stopped one goes on.
func TestClient_NotHeldUp(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"live", "killed", "stopped"} {
		paths = append(paths, filepath.Join(dir, name+".slots"))
	}
	start(t, append([]string{"serve", filepath.Join(dir, "a.cache")}, paths...)...)
	killed, stopped := start(t, "call", paths[1]), start(t, "call", paths[2])
	stop(t, stopped)
	kill(killed)
	c := dial(t, paths[0], remote.DialOptions{})
	for n := range 100 * fewSlots.Slots {
		if err := c.Set(t.Context(), []byte("key"), fmt.Append(nil, n)); err != nil {
			t.Fatal(err)
		}
	}
	start(t, "call", paths[1]) // the slots of the dead one are free
	if err := stopped.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	key := []byte("stopped.slots 0")
	if _, err := c.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; {
		if _, ok, err := c.Get(t.Context(), key, nil); ok || err != nil {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal("the client that was stopped does not go on")
		}
	}
}

// TestService_Stopped: a service that stands still costs a call its time and no more, and when it goes on, it
// performs nothing that was said not to be done.
func TestService_Stopped(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.slots")
	service := start(t, "serve", filepath.Join(dir, "a.cache"), path)
	c := dial(t, path, remote.DialOptions{Look: 2 * time.Millisecond})
	stop(t, service)
	for n := range 3 * fewSlots.Slots {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		err := c.Set(ctx, fmt.Append(nil, "not done ", n), nil)
		if cancel(); !errors.Is(err, remote.ErrTimeout) {
			t.Fatalf("call %d of a service that is stopped: %v", n, err)
		}
	}
	if err := service.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for n := range 3 * fewSlots.Slots {
		if _, ok, err := c.Get(t.Context(), fmt.Append(nil, "not done ", n), nil); ok || err != nil {
			t.Fatalf("call %d was done: %v (%v)", n, ok, err)
		}
	}
}

// TestNoTimeOut: over many requests, of one goroutine and of several, no sleep of either process ends by its
// bound (G3). The service has the file mapped at another address than the client.
func TestNoTimeOut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.slots")
	start(t, "serve", filepath.Join(dir, "a.cache"), path)
	c := dial(t, path, remote.DialOptions{Look: time.Hour, Timeout: time.Hour})
	for _, goroutines := range []int{1, 8} {
		failed := make(chan error)
		for g := range goroutines {
			go func() {
				var err error
				for n := 0; n < 3000/goroutines && err == nil; n++ {
					err = c.Set(context.Background(), fmt.Append(nil, g), fmt.Append(nil, n))
				}
				failed <- err
			}()
		}
		for range goroutines {
			if err := <-failed; err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := c.TimedOut(); n != 0 {
		t.Errorf("%d sleeps ended by their bound, want none", n)
	}
}

// TestStranger: a client of another user, which cannot open the cache's file, uses the cache through a slot
// file that it shares with a group; and it takes a slot file only of the user that it names.
func TestStranger(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("NOT RUN: only root can start a process of another user: run the test as root")
	}
	const stranger = 12345 // a number of no user, and of no group
	dir, err := os.MkdirTemp("", "stranger-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.WriteFile(filepath.Join(dir, "program"), program, 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	file, path := filepath.Join(dir, "a.cache"), filepath.Join(dir, "a.slots")
	own, err := cache.Open(file, cache.Options{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	s, err := remote.Create(path, remote.Options{File: slots.Options{Shared: true, Group: stranger}})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, s, own)
	cmd := exec.Command(filepath.Join(dir, "program"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	startAs(t, cmd, "stranger", path, strconv.Itoa(os.Geteuid()), file)
	if v, ok, err := own.Get([]byte("from"), nil); string(v) != "a stranger" || !ok || err != nil {
		t.Errorf("the cache has %q, %v, %v", v, ok, err)
	}
}

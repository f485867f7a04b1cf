package driver

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// raced is a stack of a race, without the function in the middle.
const raced = `write of w.n by test.1 at o_test.go:12:
    example.com/app.(*lines).Write
        /x/copies-1/copy/o_test.go:12
    MIDDLE
        /usr/local/go/src/x/x.go:244
    github.com/samecycle/samecycle/explore/shim/sync.(*Once).Do
        /samecycle/explore/shim/sync/once.go:1
    example.com/app.TestRace.func1
        /x/copies-1/copy/o_test.go:31
`

// TestDoubtOutside_Race: a race below a function of a package that may hold a lock is unknown. One below a
// sort, or without a function between those of the copies, stays a race.
func TestDoubtOutside_Race(t *testing.T) {
	for middle, doubted := range map[string]bool{
		"log.(*Logger).output": true, "encoding/gob.(*Encoder).Encode": true, "golang.org/x/a.b/c.F": true,
		"sort.Slice": false, "slices.SortFunc[...]": false, "encoding/json.(*Encoder).Encode": false,
		"runtime.gopanic": false, "panic": false, "net/http.HandlerFunc.ServeHTTP": false,
		"net/http.(*Client).Do":                      false,
		"example.com/app.TestRace.StripPrefix.func1": false, "net/http.(*Server).Serve": true,
		"github.com/samecycle/samecycle/explore/shim/sync.(*Map).Range": false,
	} {
		f := &explore.Failure{Kind: explore.Race, Message: "a race",
			Stacks: []string{"", strings.Replace(raced, "MIDDLE", middle, 1)}}
		doubtOutside(f, "/x/copies-1")
		want := "since " + middle + " calls example.com/app.(*lines).Write, and may hold a lock then"
		if (f.Kind == explore.Unexplored) != doubted || doubted && !strings.Contains(f.Message, want) {
			t.Errorf("%s: %s, %s", middle, f.Kind, f.Message)
		}
	}
	f := &explore.Failure{Kind: explore.Race,
		Stacks: []string{strings.Replace(raced, "MIDDLE", "net/http.F", 1)}}
	if doubtOutside(f, "/x/copies-2"); f.Kind != explore.Race {
		t.Error("there is no function of a copy")
	}
}

// waiting is what the runtime says of a goroutine that waits for a lock.
const waiting = `goroutine 5 [sync.Mutex.Lock]:
internal/sync.runtime_SemacquireMutex(0x1f3bb1da2b88?, 0xc5?, 0x0?)
	/usr/local/go/src/runtime/sema.go:95 +0x25
internal/sync.(*Mutex).Lock(...)
	/usr/local/go/src/internal/sync/mutex.go:70
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
log.(*Logger).output(0x1f3bb1ddb0e0, 0x0, {0x2, 0x1f3bb1da2d98})
	/usr/local/go/src/log/log.go:242 +0x425
log.(*Logger).Print(...)
	/usr/local/go/src/log/log.go:259
example.com/app.TestHang.func1()
	/x/copies-1/copy/o_test.go:44 +0x98
`

// TestDoubtOutside_Hang: who waits for the lock of a package without a copy is named.
func TestDoubtOutside_Hang(t *testing.T) {
	says := func(stack string) string {
		f := &explore.Failure{Kind: explore.Hung, Message: "it hangs", Stacks: []string{stack}}
		doubtOutside(f, "/x/copies-1")
		return f.Message
	}
	if got := says(waiting); !strings.HasPrefix(got, "it hangs; log.(*Logger).output waits for a lock that "+
		"the explorer does not see, because package log is in no copy") {
		t.Error(got)
	}
	if got := says(strings.ReplaceAll(waiting, "Lock", "Wait")); strings.Contains(got, "a lock") {
		t.Error("it waits for no lock:", got)
	}
}

// TestStands: an actor that waits in code without a copy is told by the function that the copies have
// called, and one that waits in a shim, or computes in a copy, is not.
func TestStands(t *testing.T) {
	const pipe = `goroutine 7 [select]:
net.(*pipe).read(0x1, {0x2, 0x3, 0x4})
	/usr/local/go/src/net/pipe.go:161 +0x2d0
net.(*pipe).Read(0x1, {0x2, 0x3, 0x4})
	/usr/local/go/src/net/pipe.go:142 +0x30
INNER
	/x/copies-1/copy/o_test.go:44 +0x98
`
	const head = "goroutine 7 [select]:\n"
	inShim := head + ourProject + "explore/shim/flow.Receive(0x1)\n\t/s/flow.go:1 +0x1\n" + pipe
	inCopy := head + "example.com/app.F(0x1)\n\t/x/copies-1/copy/a.go:4 +0x1\n" + pipe
	for stack, want := range map[string]string{
		strings.Replace(pipe, "INNER", "example.com/app.TestPipe(0x1)", 1): "; an actor stands in " +
			"net.(*pipe).Read, called by example.com/app.TestPipe: ",
		inShim: "", inCopy: "",
	} {
		f := &explore.Failure{Kind: explore.Hung, Message: "hung", Stacks: []string{stack}}
		doubtOutside(f, "/x/copies-1")
		if !strings.HasPrefix(f.Message, "hung"+want) || want == "" && f.Message != "hung" {
			t.Errorf("%q, want %q", f.Message, want)
		}
	}
}

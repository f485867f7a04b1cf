package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// slotCalls are calls of a client of the service in TestCacheServe_AndCall.
var slotCalls = []struct {
	args      string
	code      int
	out, said string // "": nothing
}{
	{"FILE get old", exitOK, "entry", ""},
	{"FILE get new", exitRed, "", `no key "new"`},
	{"FILE set new value --ttl 1h", exitOK, "", ""},
	{"FILE get new --json", exitOK, `"value": "dmFsdWU="`, ""},
	{"FILE del new", exitOK, "\"new\": deleted\n", ""},
	{"FILE del new", exitRed, "\"new\": was not there\n", ""},
	{"FILE del new --json", exitRed, `"deleted": false`, ""},
	{"FILE set new " + strings.Repeat("x", 5000), exitRed, "",
		"too large: request is 5032 bytes, want at most 4088"},
	{"FILE", exitUsage, "", "use get, set or del"},
	{"FILE put a b", exitUsage, "", `no operation "put"`},
	{"FILE get", exitUsage, "", "KEY is missing"},
	{"FILE get a b", exitUsage, "", "too many arguments for get"},
	{"FILE get a --ttl 1s", exitUsage, "", "--ttl is for set"},
	{"FILE set a b --ttl -1s", exitUsage, "", "--ttl -1s"},
	{"FILE get a --timeout 0s", exitUsage, "", "--timeout 0s"},
	{"FILE get a --owner no-such-user", exitUsage, "", "no such user"},
	{"FILE get a --owner 77777", exitRed, "", "owner is"},
	{"FILE.none get a", exitRed, "", "start the service"},
	{"CACHE get a", exitRed, "", "slot file unusable"},
}

// appears waits for a file.
func appears(t *testing.T, path string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		_, err := os.Stat(path)
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestCacheServe_AndCall: a service with two clients, each call of a client a process of its own, up to the
// interrupt, with what the service says then.
func TestCacheServe_AndCall(t *testing.T) {
	dir := t.TempDir()
	path, slotFile := filepath.Join(dir, "a.cache"), filepath.Join(dir, "alice.slots")
	if code, out, errOut := call("cache", "set", path, "old", "entry", "--size", "1MiB"); code != exitOK {
		t.Fatal(out, errOut)
	}
	ctx, cancel := context.WithCancel(t.Context())
	type ending struct {
		code        int
		out, errOut string
	}
	ended := make(chan ending)
	go func() {
		code, out, errOut := callWith(ctx, "cache", "serve", path, "--slots", dir, "--client", "alice",
			"--client", "bob", "--request", "4KiB", "--response", "4KiB", "--json")
		ended <- ending{code, out, errOut}
	}()
	appears(t, slotFile)
	appears(t, filepath.Join(dir, "bob.slots"))
	fill := strings.NewReplacer("FILE", slotFile, "CACHE", path).Replace
	for _, x := range slotCalls {
		args := append([]string{"cache", "call"}, strings.Fields(fill(x.args))...)
		code, out, errOut := call(args...)
		if code != x.code || !strings.Contains(out, x.out) || !strings.Contains(errOut, x.said) ||
			x.out == "" && out != "" || x.said == "" && errOut != "" {
			t.Errorf("cache call %s: status %d, printed %q, said %q; want %d, %q, %q", x.args, code, out,
				errOut,
				x.code, x.out, x.said)
		}
	}
	if code, _, errOut := call("cache", "serve", path, "--slots", dir, "--client", "bob", "--request", "4KiB",
		"--response", "4KiB"); code != exitRed || !strings.Contains(errOut, "one service at a time") {
		t.Errorf("a second service: %d %s", code, errOut)
	}
	cancel()
	e := <-ended
	var all []slotClient
	if err := json.Unmarshal([]byte(e.out), &all); err != nil || e.code != exitOK || len(all) != 2 {
		t.Fatalf("status %d, printed %q, said %q (%v)", e.code, e.out, e.errOut, err)
	}
	if n := all[0].Counts; all[0].Name != "alice" || n.Operations != 7 || n.Damaged != 0 ||
		all[1].Counts.Requests != 0 {
		t.Errorf("counts: %+v", all)
	}
	if code, _, errOut := call("cache", "call", slotFile, "get", "old", "--timeout", "1s"); code != exitRed ||
		!strings.Contains(errOut, remote.ErrNoService.Error()) {
		t.Errorf("a call without a service: %d %s", code, errOut)
	}
}

// TestCacheCall_NoSlotFile: a file of another kind is told from a slot file that is damaged. What would be
// wrong with its numbers, if it were one, is not said.
func TestCacheCall_NoSlotFile(t *testing.T) {
	other, slot := filepath.Join(t.TempDir(), "other"), filepath.Join(t.TempDir(), "a.slots")
	if err := os.WriteFile(other, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	var damaged []byte
	for _, word := range []uint64{slots.Magic, slots.Version, 255} {
		damaged = binary.NativeEndian.AppendUint64(damaged, word)
	}
	if err := os.WriteFile(slot, append(damaged, make([]byte, 4096)...), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		aCache(t): "header is that of a cache, or of another region: name the slot file that the service " +
			"created for this client; for the cache itself use cache get, set or del\n",
		other: "header is not that of a slot file: name the file that the service created for this client\n",
		slot: "number of slots in the header is 255, want 1..64: the file is damaged, or of another " +
			"version: unlink it, and let the service create it anew\n",
	} {
		code, out, errOut := call("cache", "call", path, "get", "a")
		want = "samecycle: slots: " + path + ": slot file unusable: " + want
		if code != exitRed || out != "" || errOut != want {
			t.Errorf("status %d, printed %q, said\n%swant\n%s", code, out, errOut, want)
		}
	}
}

// TestRegionCommands_OfASlotFile: who names a slot file for that of a cache is told what it is, and what
// there is for it; also if its group may use it.
func TestRegionCommands_OfASlotFile(t *testing.T) {
	slot := filepath.Join(t.TempDir(), "a.slots")
	damaged := binary.NativeEndian.AppendUint64(nil, slots.Magic)
	if err := os.WriteFile(slot, append(damaged, make([]byte, 4096)...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o600, 0o660} {
		if err := os.Chmod(slot, mode); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"cache get FILE a", "cache set FILE a b", "cache keys FILE",
			"verify FILE", "watch FILE --count 1", "repair FILE", "dump FILE"} {
			code, out, said := call(strings.Fields(strings.ReplaceAll(command, "FILE", slot))...)
			if code != exitRed || out != "" || !strings.Contains(said, "magic is that of a slot file") ||
				!strings.Contains(said, "for a client with a slot file there is samecycle cache call") {
				t.Errorf("%s with mode %v: status %d, printed %q, said %s", command, mode, code, out, said)
			}
		}
	}
}

// TestCacheServe_Refused: what is wrong with a command line is named.
func TestCacheServe_Refused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.cache")
	if code, out, errOut := call("cache", "set", path, "old", "entry", "--size", "1MiB"); code != exitOK {
		t.Fatal(out, errOut)
	}
	for args, want := range map[string]string{
		"serve FILE --client a":                                "--slots is missing",
		"serve FILE --slots DIR":                               "--client is missing",
		"serve FILE --slots DIR --client a/b":                  "use a name without /",
		"serve FILE --slots DIR --client .a":                   "use a name without /",
		"serve FILE --slots DIR --client a:no-such-group":      `no group "no-such-group"`,
		"serve FILE --slots DIR --client a --count 65":         "--count 65: use 1 to 64",
		"serve FILE --slots DIR --client a --request 100":      "--request 100: use 128 to 64MiB",
		"serve FILE --slots DIR --client a --response 200":     "a multiple of 64, such as 192 or 256",
		"serve FILE --slots DIR --client a --response 1GiB":    "--response 1GiB: use 128 to 64MiB",
		"serve FILE --slots DIR --client a --size 10%":         "--size 10%",
		"serve FILE --slots DIR/none --client a":               "make its folder first",
		"serve FILE --slots DIR --client a --suspects ban":     "--suspects ban: use refuse, warn or expel",
		"serve DIR/none --slots DIR --client a":                "cache set DIR/none KEY VALUE",
		"serve FILE --slots DIR --client b --client b":         "--client b is there twice",
		"serve DIR/new --slots DIR --client c --client c:-1":   `no group "-1"`,
		"serve FILE --slots DIR --client a --count 8 --size 1": "--size 1: use 128KiB to 48GiB",
	} {
		fill := strings.NewReplacer("FILE", path, "DIR", dir).Replace
		code, out, errOut := call(append([]string{"cache"}, strings.Fields(fill(args))...)...)
		if want = fill(want); code == exitOK || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("cache %s: status %d, printed %q, said %q, want %q", args, code, out, errOut, want)
		}
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) != 1 {
		t.Errorf("what is refused has made files: %v, %v", made, err)
	}
	code, out, errOut := call("cache", "serve", path, "--slots", dir, "--client", "a", "--request", "64MiB",
		"--response", "64MiB")
	if code != exitUsage || out != "" || !strings.Contains(errOut, "choose at most 7 slots for areas") {
		t.Errorf("a slot file that is too large: status %d, printed %q, said %q", code, out, errOut)
	}
}

// TestNumbers_OfUsersAndGroups: they have 32 bits, of which the last number stands for nobody.
func TestNumbers_OfUsersAndGroups(t *testing.T) {
	for text, good := range map[string]bool{"0": true, "2147483647": true, "2147483648": true,
		"4294967294": true, "4294967295": false, "4294967296": false, "-1": false, "no-such-name": false} {
		owner, err := userOf(text)
		if good && (err != nil || uint32(*owner) != uint32(numeral(t, text))) || !good && err == nil {
			t.Errorf("user %s: %v, %v", text, owner, err)
		}
		group, err := groupOf(text)
		if good && (err != nil || uint32(group) != uint32(numeral(t, text))) || !good && err == nil {
			t.Errorf("group %s: %d, %v", text, group, err)
		}
	}
}

func numeral(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCacheServe_Suspects: the service does with a key that is asked for too often what --suspects says. The
// key is a suspect in each case, so a value that comes all the same is given on purpose.
func TestCacheServe_Suspects(t *testing.T) {
	const normal = "" // without the flag
	for action, told := range map[string]string{normal: "too often", "refuse": "too often", "warn": "value",
		"expel": `no key "key"`} {
		t.Run(action, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path, slotFile := filepath.Join(dir, "a.cache"), filepath.Join(dir, "a.slots")
			for _, args := range [][]string{{"set", path, "key", "value", "--size", "1MiB"},
				{"tune", path, "quota.object=50", "quota.retry=20"}} {
				if code, out, errOut := call(append([]string{"cache"}, args...)...); code != exitOK {
					t.Fatal(out, errOut)
				}
			}
			serve := []string{"cache", "serve", path, "--slots", dir, "--client", "a"}
			if action != normal {
				serve = append(serve, "--suspects", action)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan int)
			go func() {
				code, _, _ := callWith(ctx, serve...)
				ended <- code
			}()
			appears(t, slotFile)
			asks(t, slotFile, path, told)
			cancel()
			if code := <-ended; code != exitOK {
				t.Errorf("the service ended with status %d", code)
			}
		})
	}
}

// asks gets the key by the slot file until it is a suspect and what is told of it is this.
func asks(t *testing.T, slotFile, path, told string) {
	t.Helper()
	suspect := false
	for begun := time.Now(); time.Since(begun) < time.Minute; {
		_, out, errOut := call("cache", "call", slotFile, "get", "key")
		_, list, _ := call("cache", "suspects", path)
		suspect = suspect || strings.Contains(list, "key")
		_, _, gone := call("cache", "get", path, "key")
		if suspect && strings.Contains(out+errOut+gone, told) {
			return
		}
		if !suspect && !strings.Contains(out+errOut, "value") && !strings.Contains(errOut, "too often") {
			t.Fatalf("printed %q, said %q", out, errOut)
		}
	}
	t.Fatalf("within a minute it was suspect: %v, and was not told: %s", suspect, told)
}

// TestCacheServe_WithoutADamagedClient: a client that has damaged its file is left out, and the others are
// served.
func TestCacheServe_WithoutADamagedClient(t *testing.T) {
	dir := t.TempDir()
	path, bad := filepath.Join(dir, "a.cache"), filepath.Join(dir, "bad.slots")
	if code, out, errOut := call("cache", "set", path, "old", "entry", "--size", "1MiB"); code != exitOK {
		t.Fatal(out, errOut)
	}
	serve := []string{"cache", "serve", path, "--slots", dir, "--client", "bad"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, out, errOut := callWith(ctx, serve...); code != exitOK { // it makes the file, and ends
		t.Fatal(out, errOut)
	}
	if err := os.Truncate(bad, 100); err != nil {
		t.Fatal(err)
	}
	if code, out, errOut := call(serve...); code != exitRed || !strings.Contains(errOut, "size is 100") {
		t.Errorf("alone: status %d, printed %q, said %q", code, out, errOut)
	}
	code, out, errOut := callWith(ctx, append(serve, "--client", "good")...)
	if code != exitInterrupted || !strings.Contains(out, "client good: 0 requests") ||
		!strings.Contains(errOut, "client bad is not served: ") || !strings.Contains(errOut, "size is 100") {
		t.Errorf("status %d, printed %q, said %q", code, out, errOut)
	}
}

// TestCacheServe_GivesUpACutFile: the service of a client that has cut its file gives the file up at once. So
// the client learns that nobody serves it, and whoever has mended the file can serve it.
func TestCacheServe_GivesUpACutFile(t *testing.T) {
	dir := t.TempDir()
	path, bad := filepath.Join(dir, "a.cache"), filepath.Join(dir, "bad.slots")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said, errOut := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, &app{out: io.Discard, err: errOut}, []string{"cache", "serve", path, "--size",
			"1MiB", "--slots", dir, "--client", "bad", "--client", "good"})
		_ = errOut.Close()
	}()
	appears(t, filepath.Join(dir, "good.slots"))
	info, err := os.Stat(bad)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(bad, 4096); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(said)
	if line, err := lines.ReadString('\n'); !strings.HasPrefix(line, "client bad is served no more: ") {
		t.Fatalf("%q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	if err := os.Truncate(bad, info.Size()); err != nil {
		t.Fatal(err)
	}
	once, stop := context.WithCancel(t.Context())
	stop()
	code, _, next := callWith(once, "cache", "serve", path, "--slots", dir, "--client", "bad")
	if code != exitOK {
		t.Errorf("the next service of the file: status %d, said %q", code, next)
	}
	good := filepath.Join(dir, "good.slots")
	if code, _, errOut := call("cache", "call", good, "set", "key", "value"); code != exitOK {
		t.Errorf("the other client: status %d, said %q", code, errOut)
	}
	cancel()
	if code := <-ended; code != exitInterrupted {
		t.Errorf("status %d, want %d", code, exitInterrupted)
	}
}

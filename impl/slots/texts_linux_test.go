package slots

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// says holds an error against its whole text, in which FILE is the path, and against its reason.
func says(t *testing.T, err, reason error, path, want string) {
	t.Helper()
	want = strings.ReplaceAll(want, "FILE", path)
	if err == nil || !errors.Is(err, reason) || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

// TestTexts_OfFiles: what is refused of a file, with all that a reader needs to do about it.
func TestTexts_OfFiles(t *testing.T) {
	_, c, path := pair(t, small)
	busy := "slots: FILE: busy: %s is another process, or handle, want nobody: end that one first; a slot " +
		"file has one %[1]s at a time"
	_, err := Create(path, small)
	says(t, err, ErrBusy, path, fmt.Sprintf(busy, "service"))
	_, err = Dial(path, os.Geteuid())
	says(t, err, ErrBusy, path, fmt.Sprintf(busy, "client"))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	says(t, c.Close(), ErrClosed, path, "slots: FILE: closed: slot file is closed, want open: close it once")
	_, err = Dial(path, os.Geteuid()+1)
	says(t, err, ErrFile, path, fmt.Sprintf("slots: FILE: slot file unusable: owner is %d, want %d: name "+
		"the user of the service as the owner, or another file", os.Geteuid(), os.Geteuid()+1))
	anew := ": serve it with the options that it was made with, or unlink it if it has no client"
	_, err = Create(path, Options{Slots: 3, RequestBytes: 128, ResponseBytes: 192})
	says(t, err, ErrFile, path, "slots: FILE: slot file unusable: size is 1024, want 1408"+anew)
	other := Options{Slots: 2, RequestBytes: 192, ResponseBytes: 128}
	_, err = Create(path, other)
	says(t, err, ErrBusy, path, fmt.Sprintf(busy, "service")) // of the same size: it is asked for first
	_, err = Create(path, Options{Slots: 2, RequestBytes: 128, ResponseBytes: 192, Shared: true,
		Group: os.Getegid()})
	says(t, err, ErrFile, path, "slots: FILE: slot file unusable: mode is 0600, want 0660"+anew)
	good, _ := made(t)
	_, err = Create(good, other)
	says(t, err, ErrFile, good, "slots: FILE: slot file unusable: bytes of a request area is 0x80, want 0xc0"+
		anew)
	none := filepath.Join(t.TempDir(), "none")
	_, err = Dial(none, os.Geteuid())
	says(t, err, unix.ENOENT, none, "slots: FILE: open: system call failed: start the service, "+
		"which creates it, or check the path: no such file or directory")
	_, err = Dial("", os.Geteuid())
	const unnamed = `slots: "": find: system call failed: the path is empty: name a file: no such file or ` +
		"directory"
	says(t, err, ErrSystem, "", unnamed)
	_, err = Create("", small)
	says(t, err, ErrSystem, "", unnamed)
	deep := filepath.Join(path, "folder")
	_, err = Dial(deep, os.Geteuid())
	says(t, err, unix.ENOTDIR, deep, "slots: FILE: open: system call failed: check the path and its "+
		"folders: not a directory")
	_, err = Create(none, Options{Slots: 1, RequestBytes: 129})
	says(t, err, ErrOptions, none, "slots: options of a slot file unusable: option RequestBytes is 129, "+
		"want a "+
		"multiple of 64: choose 128 or 192")
	if _, err := os.Stat(none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file of bad options was made: %v", err)
	}
	deep = filepath.Join(none, "folder")
	_, err = Create(deep, small)
	says(t, err, ErrSystem, deep, "slots: FILE: create: system call failed: make its folder first, "+
		"on a local file system that has files without a name, such as a tmpfs: no such file or directory")
}

// TestTexts_OfOtherFiles: what is no slot file, or not one for this user alone.
func TestTexts_OfOtherFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, mode os.FileMode, size int) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, make([]byte, size), mode), os.Chmod(path,
			mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link, fifo := filepath.Join(dir, "link"), filepath.Join(dir, "fifo")
	if err := errors.Join(os.Symlink("none", link), unix.Mkfifo(fifo, 0o600)); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "socket")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		err = errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: socket}), unix.Close(fd))
	}
	if err != nil {
		t.Fatal(err)
	}
	const begin, named = "slots: FILE: slot file unusable: ", ": name the slot file itself"
	kind := func(is string) string { return begin + "type is " + is + ", want a regular file" + named + ": " }
	for path, want := range map[string]string{
		link:   kind("a link") + "too many levels of symbolic links",
		dir:    kind("a directory") + "is a directory",
		socket: kind("a socket or a device") + "no such device or address",
		fifo:   begin + "type is a FIFO, want a regular file" + named,
		file("others", 0o604, 1024): begin + "mode is 0604, want no bits for others: unlink it, and let " +
			"the " +
			"service create it anew",
		file("empty", 0o600, 0): begin + "size is 0, want at least 256 bytes: name the file that the " +
			"service created",
		file("short", 0o600, 255): begin + "size is 255, want at least 256 bytes: name the file that the " +
			"service created",
		file("zero", 0o600, 256): begin + "header is not that of a slot file: name the file that the " +
			"service created for this client",
	} {
		_, err := Dial(path, os.Geteuid())
		says(t, err, ErrFile, path, want)
	}
	const other = ": the file is something else, such as a cache or a text: choose another path"
	note := file("note", 0o644, 0)
	if err := os.WriteFile(note, []byte("my precious notes\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		note:                       "magic is 0x696365727020796d, want 0x3153544f4c534353" + other,
		file("seven", 0o600, 7):    "size is 7, want at least 256" + other,
		file("zeros", 0o600, 1024): "magic is 0x0, want 0x3153544f4c534353" + other,
	} {
		_, err := Create(path, small)
		says(t, err, ErrFile, path, begin+want)
	}
}

// TestTexts_OfRefusals: of what the system refuses, each advice is about that.
func TestTexts_OfRefusals(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("n", 300))
	for _, open := range []func() error{
		func() error { _, err := Create(long, small); return err },
		func() error { _, err := Dial(long, os.Geteuid()); return err },
	} {
		says(t, open(), unix.ENAMETOOLONG, long, "slots: FILE: open: system call failed: use a shorter "+
			"path: file name too long")
	}
	for cause, want := range map[unix.Errno]string{
		unix.EACCES: "rights", unix.EPERM: "rights", unix.ENOENT: "otherwise", unix.EIO: "otherwise",
		unix.EMFILE: "close files, or raise the limit of open files of this process",
		unix.ENFILE: "close files, or raise the limit of open files of the system",
		unix.ENOSPC: "make room on the file system", unix.EDQUOT: "make room on the file system",
		unix.EROFS: "choose a file system that can be written", unix.ENAMETOOLONG: "use a shorter path",
	} {
		if got := adviceOn(cause, "rights", "otherwise"); got != want {
			t.Errorf("%v: %q, want %q", cause, got, want)
		}
	}
}

// TestTexts_OfAnotherUser: the service of a file that another user has put there is told so; a client may
// name the user.
func TestTexts_OfAnotherUser(t *testing.T) {
	path, _ := made(t)
	if err := os.Chown(path, os.Geteuid()+1, -1); errors.Is(err, unix.EPERM) {
		t.Skip("NOT RUN: only root can give files away: run it as root")
	} else if err != nil {
		t.Fatal(err)
	}
	_, err := Create(path, small)
	says(t, err, ErrFile, path, fmt.Sprintf("slots: FILE: slot file unusable: owner is %d, want %d: another "+
		"user has put it there: unlink it if it has no client, or run as that user", os.Geteuid()+1,
		os.Geteuid()))
}

// TestTexts_OfShortFiles: a file that ends within its header is damaged for the service, and another one
// than the service has made for a client; one that cannot be read is told with the reason.
func TestTexts_OfShortFiles(t *testing.T) {
	_, image := made(t)
	path := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(path, image[:16], 0o600); err != nil {
		t.Fatal(err)
	}
	short := fmt.Sprintf("slots: FILE: slot file unusable: size is 16, want at least %d bytes: ", headerBytes)
	_, err := Create(path, small)
	says(t, err, ErrFile, path, short+doDamaged)
	_, err = Dial(path, os.Geteuid())
	says(t, err, ErrFile, path, short+"name the file that the service created")
	if err := isSlotFile(&descriptor{fd: -1}, &unix.Stat_t{}); !errors.Is(err, unix.EBADF) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	good, _ := made(t)
	if err := os.Chmod(good, 0o604); err != nil {
		t.Fatal(err)
	}
	_, err = Create(good, small)
	says(t, err, ErrFile, good, "slots: FILE: slot file unusable: mode is 0604, want no bits for others: "+
		"unlink it, and let the service create it anew")
}

// TestTexts_OfBounds: of a header with several faults the first one is told, and a file may have FileMax
// bytes.
func TestTexts_OfBounds(t *testing.T) {
	head := func(g geometry, version uint64) (b []byte) {
		words := g.header()
		words[offsetVersion/wordBytes] = version
		for _, w := range words {
			b = binary.NativeEndian.AppendUint64(b, w)
		}
		return b
	}
	most := geometry{slots: 12, request: 44_739_200, response: 44_739_200}
	more := geometry{slots: 12, request: 44_739_200, response: 44_739_264}
	if most.size() != FileMax {
		t.Fatalf("%d bytes", most.size())
	}
	if g, err := headerIn("f", head(most, Version), FileMax); err != nil || g != most {
		t.Errorf("%+v, %v", g, err)
	}
	const area = "size of a %s area in the header is %d, want %s"
	for text, x := range map[string]struct {
		g       geometry
		version uint64
	}{
		fmt.Sprintf("size is %d, want at most %d", more.size(), FileMax): {more, Version},
		"version is 0x2, want 0x1":                                       {geometry{0, 128, 128}, 2},
		fmt.Sprintf(area, "request", 65, "128..67108864"):                {geometry{1, 65, 128}, Version},
		fmt.Sprintf(area, "response", 129, "a multiple of 64"):           {geometry{1, 128, 129}, Version},
	} {
		_, err := headerIn("f", head(x.g, x.version), x.g.size())
		says(t, err, ErrFile, "f", "slots: FILE: slot file unusable: "+text+": "+doDamaged)
	}
}

// TestTexts_OfHeaders: each word of a header that is another one than it must be is refused, and named by the
// service. A client takes the geometry from there, within its bounds and those of the file.
func TestTexts_OfHeaders(t *testing.T) {
	good, image := made(t)
	const begin = "slots: FILE: slot file unusable: "
	const other = begin + "header is not that of a slot file: name the file that the service created for " +
		"this " +
		"client"
	const anew = ": the file is damaged, or of another version: unlink it, and let the service create it anew"
	numbers := func(field string, found any, want string) string {
		return begin + fmt.Sprintf("%s is %v, want %s", field, found, want) + anew
	}
	const slots, request = "number of slots in the header", "size of a request area in the header"
	const response = "size of a response area in the header"
	derived := func(field string, found, want int) (serve, dial string) {
		begin := begin + fmt.Sprintf("%s is %#x, want %#x", field, found, want)
		return begin + anew, begin + ": let the service create it anew"
	}
	stride, strideDial := derived("bytes of a slot", 0x40, 0x180)
	length, lengthDial := derived("bytes of the file", 0x401, 0x400)
	for _, x := range []struct {
		at          int
		value       uint64
		dial, serve string // "": the same
	}{
		{0, 1, other, begin + "magic is 0x1, want 0x3153544f4c534353: the file is something else, such as " +
			"a cache or a text: choose another path"},
		{offsetVersion, 2, numbers("version", "0x2", "0x1"), ""},
		{offsetSlots, 1, numbers("size", 1024, "640, as the header says"), ""},
		{offsetSlots, 64, numbers("size", 1024, "24832, as the header says"), ""},
		{offsetSlots, 0, numbers(slots, 0, "1..64"), ""},
		{offsetSlots, 65, numbers(slots, 65, "1..64"), ""},
		{offsetSlots, 255, numbers(slots, 255, "1..64"), ""},
		{offsetSlots, 1 << 63, numbers(slots, uint64(1<<63), "1..64"), ""},
		{offsetStride, 64, strideDial, stride},
		{offsetRequest, 192, numbers("size", 1024, "1152, as the header says"), ""},
		{offsetRequest, AreaMax, numbers("size", 1024, "134218496, as the header says"), ""},
		{offsetRequest, 64, numbers(request, 64, "128..67108864"), ""},
		{offsetRequest, 200, numbers(request, 200, "a multiple of 64"), ""},
		{offsetRequest, 1 << 62, numbers(request, uint64(1<<62), "128..67108864"), ""},
		{offsetResponse, 129, numbers(response, 129, "a multiple of 64"), ""},
		{offsetResponse, 1 << 62, numbers(response, uint64(1<<62), "128..67108864"), ""},
		{offsetSize, 1025, lengthDial, length},
	} {
		bad := append([]byte(nil), image...)
		binary.NativeEndian.PutUint64(bad[x.at:], x.value)
		refuses(t, bad, cmp.Or(x.serve, x.dial), x.dial)
		if s, err := Create(good, small); err != nil { // nothing has kept a role, or a descriptor of it
			t.Error(err)
		} else if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// refuses judges what is said of a file with that image to whoever serves it, and to whoever dials it. The
// file stays as it is.
func refuses(t *testing.T, image []byte, serve, dial string) {
	t.Helper()
	binary.NativeEndian.PutUint64(image[headerBytes:], 5<<8|uint64(Taken)) // which nobody ends
	path := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Create(path, small)
	says(t, err, ErrFile, path, serve)
	_, err = Dial(path, os.Geteuid())
	says(t, err, ErrFile, path, dial)
	if errors.Is(err, ErrOptions) {
		t.Errorf("%v: the one who dials has given no options", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(image) {
		t.Errorf("the file that was refused has changed (%v)", err)
	}
}

// made is a file that a service has made and closed, and what is in it.
func made(t *testing.T) (path string, image []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "good")
	s, err := Create(path, small)
	if err == nil {
		err = s.Close()
	}
	if err == nil {
		image, err = os.ReadFile(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, image
}

// TestTexts_OfRequests: what is wrong with a request, its answer or its slot.
func TestTexts_OfRequests(t *testing.T) {
	s, c, path := pair(t, small)
	h, _, err := c.Claim()
	if err != nil {
		t.Fatal(err)
	}
	says(t, c.Send(&h, make([]byte, 121)), ErrTooLarge, path, "slots: FILE: too large: request is 121 "+
		"bytes, "+
		"want at most 120: send less at once, or let the service create the file with larger request areas")
	const writer = ": find out who else writes to the file; only one client may"
	damaged := func(h *Held, w Word, want string) {
		t.Helper()
		c.slots[h.index].state.Store(uint64(w))
		before := []byte("before")
		o, dst, err := c.Poll(h, before)
		if o != Unknown || string(dst) != "before" {
			t.Errorf("of a damaged slot: %v %q", o, dst)
		}
		says(t, err, ErrCorrupt, path, "slots: FILE: damaged: slot 0 is "+want+writer)
		c.slots[h.index].state.Store(uint64(h.word))
	}
	x := sent(t, c, "x")
	later := ", want published with serial 3, or a later state"
	damaged(x, x.word.freed(), "free with serial 4"+later)
	damaged(x, x.word.in(Claimed), "claimed with serial 3"+later)
	damaged(x, x.word.in(Abandoned), "abandoned with serial 3"+later)
	damaged(x, x.word.in(9), "state9 with serial 3"+later)
	claimed, _, err := c.Claim()
	if err != nil {
		t.Fatal(err)
	}
	c.slots[1].state.Store(uint64(claimed.word.in(Failed)))
	says(t, c.Send(&claimed, nil), ErrCorrupt, path, "slots: FILE: damaged: slot 1 is failed with serial 1, "+
		"want claimed with serial 1, or a later state"+writer)
	turn(t, s, 1)
	c.slots[0].response[0].Store(185)
	o, dst, err := c.Poll(x, []byte("before"))
	if o != Unknown || string(dst) != "before" || states(&c.mailbox) != "free failed" {
		t.Errorf("of an answer that is too long: %v %q, the slots are %s", o, dst, states(&c.mailbox))
	}
	says(t, err, ErrCorrupt, path, "slots: FILE: damaged: length of the answer is 185, want at most 184: "+
		"the "+
		"request was performed, but its answer is damaged")
}

// TestTexts_OfPages: of a file that was truncated the page is named that is not there.
func TestTexts_OfPages(t *testing.T) {
	s, _, path := pair(t, Options{Slots: 2, RequestBytes: 4096, ResponseBytes: 4096})
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	want := "slots: FILE: damaged: page is not there at offset 8512, want mapped memory: the file was " +
		"truncated while in use: unlink it, and let the service create it anew"
	says(t, s.Tidy(), ErrCorrupt, path, want)
	if err := s.Ring(); err != nil {
		t.Errorf("the page of the doorbell is there: %v", err)
	}
	if bare := (&Error{Reason: ErrBusy}); bare.Error() != "slots: busy" || len(bare.Unwrap()) != 1 {
		t.Errorf("an error of nothing but a reason: %v", bare)
	}
	if x := (&Error{Reason: ErrBusy, Field: "x"}); x.Error() != "slots: busy: x is " {
		t.Errorf("an error of a field without a value: %v", x)
	}
}

// TestTexts_OfMemory: memory that cannot be a slot file.
func TestTexts_OfMemory(t *testing.T) {
	o := Options{Slots: 1, RequestBytes: 128, ResponseBytes: 128}
	good := memory(o)
	_, err := Over(good[:64], o, &scripted{})
	says(t, err, ErrFile, "", fmt.Sprintf("slots: slot file unusable: memory is 64 bytes at %p, want 576 "+
		"bytes "+
		"at a multiple of 64: map whole pages", &good[0]))
	good[0] = 1
	_, err = Over(good, o, &scripted{})
	says(t, err, ErrFile, "", "slots: slot file unusable: magic is 0x1, want 0x3153544f4c534353: clear the "+
		"memory when nobody uses it any more")
	_, err = OverClient(good, o, &scripted{})
	says(t, err, ErrFile, "", "slots: slot file unusable: magic is 0x1, want 0x3153544f4c534353: use the "+
		"options that the service has")
	_, err = OverClient(good[8:], o, &scripted{})
	if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "map whole pages") {
		t.Errorf("a client of other memory: %v", err)
	}
	_, err = OverClient(good, Options{Slots: 65}, &scripted{})
	says(t, err, ErrOptions, "", "slots: options of a slot file unusable: option Slots is 65, want 1..64: "+
		"choose how many requests are under way at once")
}

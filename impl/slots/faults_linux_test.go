package slots

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/samecycle/samecycle/internal/seam"
)

// TestFaults_Busy: a role that somebody has is busy, and nothing else. What the error says is in
// TestTexts_OfFiles.
func TestFaults_Busy(t *testing.T) {
	_, _, path := pair(t, small)
	if s, err := Create(path, small); s != nil || !errors.Is(err, ErrBusy) || errors.Is(err, ErrSystem) {
		t.Error("a second service is not told that the file is busy")
	}
	if c, err := Dial(path, os.Geteuid()); c != nil || !errors.Is(err, ErrBusy) || errors.Is(err, ErrSystem) {
		t.Error("a second client is not told that the file is busy")
	}
	service, client := lockOf(ServiceRole), lockOf(ClientRole)
	if service.Start != 192 || service.Len != 1 || client.Start != 200 || client.Len != 1 ||
		service.Type != unix.F_WRLCK || client.Type != unix.F_WRLCK {
		t.Errorf("the locks are %+v and %+v", service, client)
	}
}

// closedFile is a descriptor that the system does not know: each call with it is refused.
func closedFile() *descriptor { return &descriptor{fd: -1, path: "FILE"} }

// TestFaults_OfDescriptors: each call that the system refuses is an error that names it, and says what to do.
func TestFaults_OfDescriptors(t *testing.T) {
	const bad, locks = ": bad file descriptor", ": put the slot file on a local file system that has " +
		"locks of " +
		"open file descriptions: bad file descriptor"
	shared := small
	shared.Shared, shared.Group = true, 12345
	_, serves := closedFile().serve(small)
	_, dials := closedFile().dial()
	_, geometry := closedFile().geometry(77)
	lives, asks := closedFile().Lives(ClientRole)
	if lives {
		t.Error("of a file that is not there somebody lives")
	}
	maps := func(d *descriptor) error {
		_, err := d.mapFile(small.geometry())
		return err
	}
	for call, err := range map[string]error{
		"chown: choose a group that this user is in; 12345 is none" + bad: closedFile().fill(shared),
		"chmod: choose a file system with modes" + bad:                    closedFile().fill(small),
		"map: check memory limits and the file system" + bad:              serves,
		"map: check memory limits and the file system" + bad + " ":        maps(closedFile()),
		"stat: check the file system" + bad:                               dials,
		"close: check the file system" + bad:                              closedFile().close(),
		"lock" + locks:                                                    closedFile().peerLock(ServiceRole),
		"ask for a lock" + locks:                                          asks,
	} {
		what, do, _ := strings.Cut(strings.TrimSpace(call), ": ")
		says(t, err, ErrSystem, "FILE", "slots: FILE: "+what+": system call failed: "+do)
	}
	says(t, geometry, ErrFile, "FILE", "slots: FILE: slot file unusable: size is 77, want at least 256 "+
		"bytes: "+
		"name the file that the service created"+bad)
	m := mailbox{memory: memory(small)[:8], path: "FILE"}
	if err := m.unmap(); !errors.Is(err, ErrSystem) || !strings.Contains(err.Error(), "unmap: system "+
		"call failed: this is a defect of the program: the mapping is not ours: ") || m.memory != nil {
		t.Errorf("memory of somebody else: %v", err)
	}
}

// TestFaults_OfFill: a file that cannot be given its size, or its name.
func TestFaults_OfFill(t *testing.T) {
	sealed := func(seals int) *descriptor {
		fd, err := unix.MemfdCreate("slots", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
		if err == nil && seals != 0 {
			_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
		}
		if err != nil {
			t.Skip("NOT RUN: the system has no such memory files:", err)
		}
		t.Cleanup(func() { _ = unix.Close(fd) })
		return &descriptor{fd: fd, path: filepath.Join(t.TempDir(), "a.slots")}
	}
	d := sealed(unix.F_SEAL_GROW)
	says(t, d.fill(small), unix.EPERM, d.path, "slots: FILE: reserve space: system call failed: "+
		"make room "+
		"for 1024 bytes, or choose fewer or smaller slots: operation not permitted")
	d = sealed(0) // of another file system than that of the name
	err := d.fill(small)
	if !errors.Is(err, ErrSystem) || !strings.HasPrefix(err.Error(), "slots: "+d.path+": name: system "+
		"call failed: check its folder, and that /proc is mounted: ") {
		t.Errorf("of a file that cannot have that name: %v", err)
	}
	if g, err := d.geometry(1024); err != nil || g != small.geometry() {
		t.Errorf("it has its header before it has a name: %v %v", g, err)
	}
	var stat unix.Stat_t
	if err := unix.Fstat(d.fd, &stat); err != nil || stat.Size != 1024 || stat.Mode&0o777 != 0o600 ||
		stat.Gid != uint32(os.Getegid()) {
		t.Errorf("it has %d bytes, mode %o and group %d, %v", stat.Size, stat.Mode, stat.Gid, err)
	}
}

// TestCreate_ReservesSpace: all pages of a new file are there, so that nobody meets a full disk later; and no
// descriptor of a refused file stays open.
func TestCreate_ReservesSpace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slots")
	o := Options{Slots: 8, RequestBytes: 64 << 10, ResponseBytes: 64 << 10}
	s, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	var stat unix.Stat_t
	if err := unix.Stat(path, &stat); err != nil || stat.Blocks*512 < stat.Size ||
		stat.Size != int64(o.geometry().size()) {
		t.Errorf("of %d bytes there are %d, %v", stat.Size, stat.Blocks*512, err)
	}
	flags, err := unix.FcntlInt(uintptr(s.file.fd), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("a child would have the descriptor: %v", err)
	}
	c, err := Dial(path, os.Geteuid())
	if err != nil {
		t.Fatal(err)
	}
	if flags, err := unix.FcntlInt(uintptr(c.file.fd), unix.F_GETFD, 0); err != nil ||
		flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("a child would have the descriptor of the client: %v", err)
	}
	before := descriptors(t, filepath.Dir(path))
	for range 3 {
		_, err := Create(path, o)
		_, err2 := Create(path, small)
		_, err3 := Dial(path, os.Geteuid())
		_, err4 := Dial(path, os.Geteuid()+1)
		_, err5 := Create(filepath.Join(path, "none"), o)
		_, err6 := Create(path, Options{Slots: 65})
		for _, err := range []error{err, err2, err3, err4, err5, err6} {
			if err == nil {
				t.Error("it is not refused")
			}
		}
	}
	if after := descriptors(t, filepath.Dir(path)); after != before {
		t.Errorf("%d descriptors and mappings before, %d after refusals", before, after)
	}
	if err := errors.Join(s.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if after := descriptors(t, filepath.Dir(path)); before != 4 || after != 0 {
		t.Errorf("%d descriptors and mappings before, %d after the closes", before, after)
	}
	if m := (&mailbox{memory: memory(small)}); m.Close() != nil || !errors.Is(m.Close(), ErrClosed) {
		t.Error("memory of the caller is not closed once")
	}
}

// descriptors is how many files of a folder the process has open or mapped.
func descriptors(t *testing.T, dir string) (n int) {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		if to, err := os.Readlink(filepath.Join("/proc/self/fd", x.Name())); err == nil &&
			strings.Contains(to, dir) {
			n++
		}
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return n + strings.Count(string(maps), dir)
}

// TestCreate_ManyAtOnce: of many that create a file at the same moment one has it, and the others find it.
func TestCreate_ManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	for round := range 100 {
		path := filepath.Join(dir, fmt.Sprint(round))
		var served []*Service
		var mu sync.Mutex
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for range 8 {
			wg.Go(func() {
				<-begin
				s, err := Create(path, small)
				if (s == nil) == (err == nil) || err != nil && !errors.Is(err, ErrBusy) {
					t.Errorf("round %d: %v", round, err)
				}
				if s != nil {
					mu.Lock()
					served = append(served, s)
					mu.Unlock()
				}
			})
		}
		close(begin)
		wg.Wait()
		if len(served) != 1 {
			t.Fatalf("round %d: %d serve the file", round, len(served))
		}
		if err := served[0].Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestStat_EachField: what is judged of a file before it is opened, field by field.
func TestStat_EachField(t *testing.T) {
	shared := small
	shared.Shared, shared.Group = true, 8
	stat := func(mode uint32, user, group uint32, size int64) *unix.Stat_t {
		return &unix.Stat_t{Mode: mode, Uid: user, Gid: group, Size: size}
	}
	const file, begin = unix.S_IFREG, "slots: FILE: slot file unusable: "
	path, _ := made(t)
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	d := &descriptor{fd: fd, path: "FILE"}
	owned := ownerIs(7, "ask 7")
	const anew = ": serve it with the options that it was made with, or unlink it if it has no client"
	const damaged = ", as the header says: the file is damaged, or of another version: unlink it, and let " +
		"the service create it anew"
	for _, x := range []struct {
		got  error
		want string
	}{
		{owned(d, stat(file|0o600, 7, 8, 0)), ""}, {isPrivate(d, stat(file|0o770, 7, 8, 0)), ""},
		{owned(d, stat(file|0o600, 8, 7, 0)), "owner is 8, want 7: ask 7"},
		{owned(d, stat(unix.S_IFIFO|0o600, 7, 7, 0)), "type is a FIFO, want a regular file: " +
			"name the slot file itself"},
		{owned(d, stat(unix.S_IFCHR|0o600, 7, 7, 0)), "type is a device, want a regular file: " +
			"name the slot file itself"},
		{owned(d, stat(unix.S_IFDIR|0o600, 7, 7, 0)), "type is a directory, want a regular " +
			"file: name the slot file itself"},
		{isPrivate(d, stat(file|0o601, 7, 8, 0)), "mode is 0601, want no bits for others: unlink " +
			"it, and " +
			"let the service create it anew"},
		{small.checkStat(d, stat(file|0o600, 7, 9, 1024)), ""},
		{shared.checkStat(d, stat(file|0o660, 7, 8, 1024)), ""},
		{small.checkStat(d, stat(file|0o601, 7, 8, 1024)), "mode is 0601, want 0600" + anew},
		{shared.checkStat(d, stat(file|0o600, 7, 8, 1024)), "mode is 0600, want 0660" + anew},
		{shared.checkStat(d, stat(file|0o660, 7, 9, 1024)), "group is 9, want 8" + anew},
		{small.checkStat(d, stat(file|0o600, 7, 8, 1025)), "size is 1025, want 1024" + damaged},
		{small.checkStat(d, stat(file|0o600, 7, 8, 1024+1<<32)), "size is 4294968320, want 1024" + damaged},
	} {
		if x.want == "" {
			if x.got != nil {
				t.Error(x.got)
			}
			continue
		}
		says(t, x.got, ErrFile, "FILE", begin+x.want)
	}
}

// TestFill_GivesTheGroup to a file that is shared, and to no other.
func TestFill_GivesTheGroup(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("NOT RUN: only root may choose any group; run the tests as root")
	}
	for _, shared := range []bool{false, true} {
		fd, err := unix.MemfdCreate("slots", unix.MFD_CLOEXEC)
		if err == nil {
			err = unix.Fchown(fd, 7, 7)
		}
		if err != nil {
			t.Skip("NOT RUN: the system has no such memory files:", err)
		}
		o := small
		o.Shared, o.Group = shared, 12345
		d := &descriptor{fd: fd, path: filepath.Join(t.TempDir(), "a.slots")}
		_ = d.fill(o) // it cannot have its name
		var stat unix.Stat_t
		if err := unix.Fstat(fd, &stat); err != nil || (stat.Gid == 12345) != shared || stat.Uid != 7 ||
			stat.Mode&0o777 != o.mode() {
			t.Errorf("shared %v: the group is %d, the owner %d, the mode %o, %v", shared, stat.Gid, stat.Uid,
				stat.Mode, err)
		}
		if err := d.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFutexes_Sleep: as long as the word is what was seen, and no longer.
func TestFutexes_Sleep(t *testing.T) {
	var w seam.Uint64
	w.Store(5)
	slept := time.Duration(0)
	for try := 0; slept < 15*time.Millisecond && try < 100; try++ { // a signal may end it early
		begun := time.Now()
		if !(futexes{}).Sleep(&w, 5, 20*time.Millisecond) {
			t.Fatal("it cannot sleep")
		}
		slept = time.Since(begun)
	}
	if slept < 15*time.Millisecond {
		t.Errorf("it slept for %v", slept)
	}
	if !(futexes{}).Sleep(&w, 4, time.Hour) {
		t.Error("it cannot sleep")
	}
	woken := make(chan struct{})
	go func() {
		for w.Load() == 5 {
			futexes{}.Sleep(&w, 5, time.Hour)
		}
		close(woken)
	}()
	w.Store(6)
	for done := false; !done; {
		futexes{}.Wake(&w)
		select {
		case <-woken:
			done = true
		case <-time.After(time.Millisecond):
		}
	}
}

// TestFaults_OfMaps: a file that cannot be mapped, since its descriptor may only be written or only be read.
func TestFaults_OfMaps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slots")
	want := "slots: FILE: map: system call failed: check memory limits and the file system: " +
		"permission " +
		"denied"
	with := func(flags int) *descriptor {
		fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = unix.Close(fd) })
		return &descriptor{fd: fd, path: path}
	}
	says(t, with(unix.O_WRONLY|unix.O_CREAT).fill(small), unix.EACCES, path, want)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s, err := Create(path, small)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if c, err := with(unix.O_RDONLY).dial(); c != nil {
		t.Error("a client of a file that it cannot map")
	} else {
		says(t, err, unix.EACCES, path, want)
	}
	if s, err := with(unix.O_RDONLY).serve(small); s != nil {
		t.Error("a service of a file that it cannot map")
	} else {
		says(t, err, unix.EACCES, path, want)
	}
}

// TestFaults_FullDisk: a file for which there is no space is refused when it is made, and leaves nothing.
func TestFaults_FullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("NOT RUN: a file system of that size cannot be made; run the tests as root:", err)
	}
	defer func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	path := filepath.Join(dir, "a.slots")
	s, err := Create(path, Options{Slots: 4, RequestBytes: 64 << 10, ResponseBytes: 128})
	if s != nil {
		t.Fatal("a file has more space than its file system")
	}
	says(t, err, unix.ENOSPC, path, "slots: FILE: reserve space: system call failed: make room "+
		"for 263168 "+
		"bytes, or choose fewer or smaller slots: no space left on device")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("it has left %v, %v", all, err)
	}
	if s, err = Create(path, small); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestOpenFlags: each file is opened with all that keeps a file of somebody else harmless: no link is
// followed, nothing is waited for, no child has the descriptor, and no terminal is taken.
func TestOpenFlags(t *testing.T) {
	for name, flag := range map[string]int{"O_RDWR": unix.O_RDWR, "O_NOFOLLOW": unix.O_NOFOLLOW,
		"O_NONBLOCK": unix.O_NONBLOCK, "O_CLOEXEC": unix.O_CLOEXEC, "O_NOCTTY": unix.O_NOCTTY} {
		if openFlags&flag == 0 {
			t.Errorf("%s is missing", name)
		}
	}
}

package region

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// opened counts the descriptors that this process has of files in the folder of the path.
func opened(t *testing.T, path string) (n int) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range list { // one that is gone by now is none
		file, err := os.Readlink(filepath.Join("/proc/self/fd", fd.Name()))
		if err == nil && strings.HasPrefix(file, filepath.Dir(path)+"/") {
			n++
		}
	}
	return n
}

// TestDescriptors_AreGivenBack: what fails leaves no descriptor open, nor does what is closed.
func TestDescriptors_AreGivenBack(t *testing.T) {
	path, _ := mustCreate(t)
	text := path + "-text"
	if err := errors.Join(os.WriteFile(text, make([]byte, 300), 0o600), os.Chmod(text, 0o640)); err != nil {
		t.Fatal(err)
	}
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	before := opened(t, path)
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"create over it":        {failed(Create(path, small)), fs.ErrExist},
		"open what others read": {failed(Open(text, small)), ErrMode},
		"open another geometry": {failed(Open(path, asks("window", 9))), ErrLayout},
		"open a folder":         {failed(OpenFile(folder, small)), ErrNotRegular},
		"observe nothing":       {failed(Observe(path + "-none")), fs.ErrNotExist},
		"unlink":                {Unlink(text), ErrMode},
		"unlink an unfinished": {
			errors.Join(os.WriteFile(path+"-new", nil, 0o600), Unlink(path+"-new")), nil},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
	r, err := Open(path, small)
	if err == nil {
		err = r.Close()
	}
	if after := opened(t, path); err != nil || before != 1 || after != before {
		t.Errorf("%d descriptors, %d before, want the creator's: %v", after, before, err)
	}
}

// TestOpenOrCreate_AttachesOnce: one handle is one process, whether it opens or creates.
func TestOpenOrCreate_AttachesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for want := 1; want <= 3; want++ {
		r, created, err := OpenOrCreate(path, small)
		if err != nil || created != (want == 1) {
			t.Fatalf("created %v, %v", created, err)
		}
		defer r.Close()
		if list, err := r.Attachments(); len(list) != want || err != nil {
			t.Errorf("%d handles, %d processes, %v", want, len(list), err)
		}
	}
}

// TestLocks_AreOfOneEntry: the lock of an entry is the first byte of its line, and of no other one.
func TestLocks_AreOfOneEntry(t *testing.T) {
	path, first := mustCreate(t)
	second, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	for i := range uint32(Processes) {
		if got, want := first.entryOffset(i), int64(256+64*i); got != want {
			t.Errorf("the lock of entry %d is byte %d, want %d", i, got, want)
		}
		for name, r := range map[string]*Region{"first": first, "second": second} {
			held, err := r.fileLocked(i)
			if want := i <= 1 && r.Process().Index() != i; held != want || err != nil {
				t.Errorf("entry %d is locked for the %s: %v, %v", i, name, held, err)
			}
		}
	}
}

// TestLocks_AreOneByte: who locks the other bytes of an entry's line does not hold the entry, and keeps them
// when its lock is given up.
func TestLocks_AreOneByte(t *testing.T) {
	path, first := mustCreate(t)
	second, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	const index = 5
	rest := unix.Flock_t{Type: unix.F_WRLCK, Start: first.entryOffset(index) + 1, Len: ProcessBytes - 1}
	if err := second.control(unix.F_OFD_SETLK, &rest); err != nil {
		t.Fatal(err)
	}
	if held, err := first.fileLocked(index); held || err != nil {
		t.Errorf("held by who has the rest of the line: %v, %v", held, err)
	}
	if ok, err := first.lockFile(index); !ok || err != nil {
		t.Errorf("lock: %v, %v", ok, err)
	}
	if err := errors.Join(first.unlockFile(index), second.unlockFile(index)); err != nil {
		t.Error(err)
	}
	if err := first.control(unix.F_OFD_GETLK, &rest); err != nil || rest.Type != unix.F_WRLCK ||
		rest.Start != first.entryOffset(index)+1 || rest.Len != ProcessBytes-1 {
		t.Errorf("after the unlock the rest of the line is %+v, %v", rest, err)
	}
}

// TestLocks_OfSomebodyElse: a system says in one of two ways that a lock is held; beside an error nothing is.
func TestLocks_OfSomebodyElse(t *testing.T) {
	_, r := mustCreate(t)
	for why, want := range map[unix.Errno]bool{unix.EAGAIN: true, unix.EACCES: true, unix.ENOLCK: false} {
		set := refusal{call: callFcntl, why: why}.with(1, unix.F_OFD_SETLK)
		get := refusal{call: callFcntl, why: why}.with(1, unix.F_OFD_GETLK)
		var ok, held bool
		var err, unasked error
		refused(t, func() {
			ok, err = r.lockFile(5)
			held, unasked = r.fileLocked(5)
		}, set, get)
		if ok || (err == nil) != want || held || !errors.Is(unasked, ErrSystem) {
			t.Errorf("%v: locked %v, %v; held %v, %v", why, ok, err, held, unasked)
		}
	}
}

// TestLocks_OfAReader: a lock for reading is none of ours, but as long as somebody has it the entry's cannot
// be taken. So it is held: else whoever asks is told that its process is dead, and cannot clear it.
func TestLocks_OfAReader(t *testing.T) {
	path, r := mustCreate(t)
	reader, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	l := unix.Flock_t{Type: unix.F_RDLCK, Start: r.entryOffset(5), Len: 1}
	if err := reader.control(unix.F_OFD_SETLK, &l); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		held, unasked := r.fileLocked(5)
		ok, err := r.lockFile(5)
		if held != want || ok == want || unasked != nil || err != nil {
			t.Errorf("held: %v, %v, want %v; taken: %v, %v", held, unasked, want, ok, err)
		}
		if want {
			err = reader.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestClose_OnceWhateverComesOfIt: the system has closed the file when a signal interrupts the call. A second
// one would be of a file that another thread has opened in between.
func TestClose_OnceWhateverComesOfIt(t *testing.T) {
	for _, why := range []unix.Errno{unix.EINTR, unix.EIO} {
		_, r := mustCreate(t)
		fd, err := uint64(r.fd), error(nil)
		left := 3 // who repeats it comes to an end
		answer := func(c systemCall) unix.Errno {
			if c.arguments[0] != fd || left == 0 {
				return 0
			}
			left--
			return why
		}
		calls := supervised(t, func() { err = r.Close() }, answer, noClose)
		if !errors.Is(err, why) || !errors.Is(err, ErrSystem) || len(calls) != 1 {
			t.Errorf("%v after %+v, want %v after one close", err, calls, why)
		}
		if err := unix.Close(int(fd)); err != nil { // which was not made above
			t.Error(err)
		}
	}
}

// TestClose_ForgetsTheDescriptor: also when it fails. The system has given it to somebody else by then.
func TestClose_ForgetsTheDescriptor(t *testing.T) {
	_, r := mustCreate(t)
	f, err := r.Share()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other := &Region{fd: int(f.Fd())}
	refused(t, func() { err = other.closeFile() }, noClose)
	if !errors.Is(err, unix.EIO) || other.fd != noFile {
		t.Errorf("%v, the descriptor is %d", err, other.fd)
	}
}

// TestFile_IsMappedWhole: as many bytes as the region has, to be read and written, and by an observer to be
// read; so is large memory on the heap.
func TestFile_IsMappedWhole(t *testing.T) {
	path, r := mustCreate(t)
	all := map[string]*Region{"create": r}
	keep := func(name string, r *Region, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Cleanup(func() { _ = r.Close() })
		all[name] = r
	}
	r, err := Open(path, small)
	keep("open", r, err)
	r, err = Observe(path)
	keep("observe", r, err)
	r, err = Memory("test", small)
	keep("memory", r, err)
	r, err = Heap(toy(1<<17, 8, 2, near))
	keep("heap", r, err)
	for name, r := range all {
		access, size := "rw-s", small.Size()
		switch name {
		case "observe":
			access = "r--s"
		case "heap":
			access, size = "rw-p", r.Size()+HugePage
		}
		place, _, _ := strings.Cut(mappingOf(t, uintptr(unsafe.Pointer(&r.Words()[0]))), " 0")
		if !strings.HasSuffix(place, " "+access) || uint64(len(r.mapped)) != size {
			t.Errorf("%s: %d bytes are mapped at %q, want %d and %s", name, len(r.mapped), place, size,
				access)
		}
	}
}

package region

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// TestDescriptors_AreNotInherited: a child of this process does not keep the region's file, and with it the
// lock of an entry, when this process ends; however the region came to be.
func TestDescriptors_AreNotInherited(t *testing.T) {
	path, created := mustCreate(t)
	all := map[string]*Region{"created": created}
	keep := func(name string, r *Region, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = r
		t.Cleanup(func() { _ = r.Close() })
	}
	c, err := newCreation(path+"-in-place", small)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.createInPlace()
	keep("created in place", r, err)
	r, err = Open(path, small)
	keep("opened", r, err)
	r, err = Observe(path)
	keep("observed", r, err)
	r, err = Memory("test", small)
	keep("in memory", r, err)
	f, err := r.Share()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err = OpenFile(f, small)
	keep("handed over", r, err)
	for name, r := range all {
		endsWithThis(t, name, uintptr(r.fd))
	}
	endsWithThis(t, "shared", f.Fd())
}

func endsWithThis(t *testing.T, name string, fd uintptr) {
	t.Helper()
	if flags, err := unix.FcntlInt(fd, unix.F_GETFD, 0); err != nil || flags != unix.FD_CLOEXEC {
		t.Errorf("%s: the flags of its descriptor are %#x, %v", name, flags, err)
	}
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
		"open another geometry": {failed(Open(path, Layout{Window: 9})), ErrLayout},
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

package region

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

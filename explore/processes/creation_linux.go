package processes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/samecycle/samecycle/impl/region"
)

// folder is the site of a process of the operating system: a name in a file system.
type folder struct {
	path   string
	layout region.Layout
}

func (d folder) seen() bool {
	_, err := os.Lstat(d.path)
	return err == nil
}

// taken creates the file if there is none, and gives it its length: nobody makes a step in between.
func (d folder) taken() (bool, error) {
	f, err := os.OpenFile(d.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, errors.Join(f.Truncate(int64(d.layout.Size())), f.Close())
}

// memory is the file, mapped. It stays so, with its locks, as long as the process lives.
func (d folder) memory() ([]byte, region.System, error) {
	f, err := os.OpenFile(d.path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	kept = append(kept, f)
	l := d.layout
	view, err := syscall.Mmap(int(f.Fd()), 0, int(l.Size()), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w; check memory limits", d.path, err)
	}
	return view, fileLocks{f: f, l: l}, nil
}

// kept are the files that must not be closed when nobody speaks of them any more, for the sake of their
// locks.
var kept []*os.File

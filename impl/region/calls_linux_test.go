package region

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOpen_ClosesOnce: what is opened and then refused. A second close would be that of a file that another
// thread has opened in between.
func TestOpen_ClosesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o604)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		stat unix.Errno
		want error
	}{"not to be asked": {unix.EIO, ErrSystem}, "another mode": {0, ErrMode}} {
		answer := func(call systemCall) unix.Errno {
			if call.number == unix.SYS_FSTAT {
				return c.stat
			}
			return 0
		}
		var err error
		open := func() { err = failed(Open(path, small)) }
		calls := supervised(t, open, answer, unix.SYS_FSTAT, unix.SYS_CLOSE)
		if !errors.Is(err, c.want) || len(calls) != 2 || calls[0].number != unix.SYS_FSTAT ||
			calls[1].number != unix.SYS_CLOSE || calls[0].arguments[0] != calls[1].arguments[0] {
			t.Errorf("%s: %v after %+v, want one look and one close", name, err, calls)
		}
	}
}

// TestCreate_NobodyElseMayOpenIt: from its first moment on, ahead of the change of its mode, whatever the
// process masks.
func TestCreate_NobodyElseMayOpenIt(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	path := filepath.Join(t.TempDir(), "table")
	for name, create := range map[string]func(c *creation) error{
		"unseen": func(c *creation) error { return errors.Join(c.openUnseen(), c.mode(), c.abandon()) },
		"in place": func(c *creation) error {
			r, err := c.createInPlace()
			if err != nil {
				return err
			}
			return r.Close()
		},
	} {
		c, err := newCreation(path, small)
		if err != nil {
			t.Fatal(err)
		}
		looks := func(call systemCall) unix.Errno {
			info, err := os.Stat(descriptorPath(int(call.arguments[0])))
			if err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
			}
			return 0
		}
		calls := supervised(t, func() { err = create(c) }, looks, unix.SYS_FCHMOD)
		if err != nil || len(calls) != 1 {
			t.Errorf("%s: %v after %d changes of its mode", name, err, len(calls))
		}
	}
}

package processes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// look finds the mappings of the region's file that are new. The file is told by its inode: one that
// was made without a name is not listed by the name that it got later.
func (p *player) look() {
	text, err := os.ReadFile("/proc/self/maps")
	var stat syscall.Stat_t
	if err == nil {
		err = syscall.Stat(p.file, &stat)
	}
	if p.unnamed && errors.Is(err, fs.ErrNotExist) {
		err = nil // no file has the name yet
	}
	if err != nil {
		p.cur.why = fmt.Sprintf("where the region is mapped is not known: %v", err)
		return
	}
	for line := range strings.Lines(string(text)) {
		var from, to uintptr
		fields := strings.Fields(line) // addresses, rights, offset, device, inode, name
		if len(fields) < 5 {
			continue
		}
		object := uint64(0)
		switch {
		case p.unnamed && strings.Contains(line, " "+filepath.Dir(p.file)+"/#"):
			object = ownObject
		case stat.Ino == 0 || fields[4] != strconv.FormatUint(stat.Ino, 10):
			continue
		}
		if n, _ := fmt.Sscanf(fields[0], "%x-%x", &from, &to); n == 2 {
			p.found(span{from, to - from, object})
		}
	}
}

// stopping bounds the time in which a process that was sent SIGSTOP is to be stopped.
const stopping = 10 * time.Second

// stop stops the process, as by SIGSTOP, and waits until it is.
func (c *child) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for end := time.Now().Add(stopping); ; {
		stopped, err := c.stopped()
		if stopped || err != nil {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("process %d is not stopped after %v", c.cmd.Process.Pid, stopping)
		}
		runtime.Gosched()
	}
}

// stopped reports whether the process is stopped.
func (c *child) stopped() (bool, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	_, state, _ := strings.Cut(string(text), ") ") // the name may have anything in it, but not at its end
	return strings.HasPrefix(state, "T"), err
}

// wake lets a stopped process go on.
func (c *child) wake() error { return c.cmd.Process.Signal(syscall.SIGCONT) }

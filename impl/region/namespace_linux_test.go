package region

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// spaces lets a child run in namespaces of its own, with the user that the parent has.
func spaces(c *exec.Cmd, flags uintptr) {
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | flags,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}}
}

// needNamespaces skips the test if the system refuses the child its namespaces; other errors are failures.
func needNamespaces(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, refused := range []error{unix.EPERM, unix.EACCES, unix.ENOSPC, unix.ENOSYS, unix.EINVAL} {
		if errors.Is(err, refused) {
			t.Skipf("NOT RUN: user namespaces are missing (%v); allow them: sysctl -w "+
				"user.max_user_namespaces=1000 kernel.unprivileged_userns_clone=1, and in a container "+
				"its security profile", err)
		}
	}
	t.Fatal(err)
}

// notMounted begins what childFull says if it is not allowed a tmpfs.
const notMounted = "not mounted: "

// childFull creates a region on a tmpfs that is too small for it, and looks at one on it when it is full.
func childFull(folder string) {
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=64k,mode=700"); err != nil {
		os.Stdout.WriteString(notMounted + err.Error())
		os.Exit(0)
	}
	path := filepath.Join(folder, "table")
	_, err := Create(path, toy(1<<16, 32, 64, near))
	if !errors.Is(err, ErrSystem) || !errors.Is(err, unix.ENOSPC) {
		os.Stdout.WriteString("created: " + err.Error())
		os.Exit(1)
	}
	if _, gone := os.Lstat(path); !errors.Is(gone, fs.ErrNotExist) {
		os.Exit(2)
	}
	os.Stdout.WriteString(err.Error())
	if r, err := Create(path, small); err != nil || r.Close() != nil { // the room is free again
		os.Exit(3)
	}
	observeHole(filepath.Join(folder, "holes"))
	os.Exit(0)
}

// observeHole looks at a region with a hole on a file system that is full by now: what is wrong is the room,
// and the file is as long as it was.
func observeHole(path string) {
	l := toy(130, 32, 58, near) // of three pages
	const hole = 8192
	r, err := Create(path, l)
	if err != nil || l.Size() != hole+4096 {
		os.Exit(4)
	}
	err = unix.Fallocate(r.fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, hole, 4096)
	if err != nil || r.Close() != nil {
		os.Exit(5)
	}
	if os.WriteFile(path+"-rest", make([]byte, 1<<16), 0o600) == nil {
		os.Exit(6)
	}
	o, err := Observe(path)
	if err != nil {
		os.Exit(7)
	}
	err = o.Guard(func() { o.Words()[hole/WordBytes].Load() })
	if !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), "no room for a hole") ||
		strings.Contains(err.Error(), "truncated") {
		os.Stdout.WriteString("observed: " + fmt.Sprint(err))
		os.Exit(8)
	}
	if _, err := Open(path, Layout{}); !errors.Is(err, unix.ENOSPC) {
		os.Stdout.WriteString("opened: " + fmt.Sprint(err))
		os.Exit(9)
	}
	openHole(path)
}

// openHole opens it where each reservation fails: as long as there is no room, none is tried, since what one
// takes before it fails some systems keep. When there is, it is.
func openHole(path string) {
	runtime.LockOSThread()
	if err := refuse([]refusal{{call: unix.SYS_FALLOCATE, why: unix.EIO}}); err != nil {
		os.Stdout.WriteString(notMounted + "filters of system calls are missing, " + err.Error())
		os.Exit(0)
	}
	_, full := Open(path, Layout{})
	rest, err := os.Stat(path + "-rest")
	// After that a page is free, and no more.
	if err != nil || os.Truncate(path+"-rest", (rest.Size()-1)/4096*4096) != nil {
		os.Exit(10)
	}
	_, roomy := Open(path, Layout{})
	if !errors.Is(full, unix.ENOSPC) || !errors.Is(roomy, unix.EIO) {
		os.Stdout.WriteString("opened: " + fmt.Sprint(full, ", with room ", roomy))
		os.Exit(11)
	}
}

// TestCreate_FullTmpfsIsAnError at creation, which names the file and the size, and leaves nothing.
func TestCreate_FullTmpfsIsAnError(t *testing.T) {
	folder := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), childVariable+"=full "+folder)
	spaces(c, syscall.CLONE_NEWNS)
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		needNamespaces(t, err)
	}
	text := string(out)
	if why, refused := strings.CutPrefix(text, notMounted); refused {
		t.Skipf("NOT RUN: a tmpfs of the namespace is missing (%s); allow mounts in user namespaces, in a "+
			"container by its security profile", why)
	}
	want := "region " + folder + "/table: reserve space: system call failed: no space left on device; " +
		"make room for 2105664 bytes, or choose a smaller layout"
	if err != nil || text != want {
		t.Errorf("%v: %s, want %s", err, text, want)
	}
}

// TestProcesses_InAnotherPidNamespace: a process whose pid here is unknown there, and whose pid there
// is that of somebody else here, is alive until it is killed.
func TestProcesses_InAnotherPidNamespace(t *testing.T) {
	path, r := mustCreate(t)
	child, err := launch(t, nil, "hold", "0 "+path, func(c *exec.Cmd) { spaces(c, syscall.CLONE_NEWPID) })
	needNamespaces(t, err)
	_, p := child.answer(t)
	alive(t, r, p, true)
	list, err := r.Attachments()
	if err != nil || len(list) != 2 || list[1].Pid != 1 {
		t.Errorf("attachments %+v, %v, want one with the pid 1", list, err)
	}
	child.kill()
	alive(t, r, p, false)
}

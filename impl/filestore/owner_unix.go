//go:build unix

package filestore

import (
	"fmt"
	"os"
	"syscall"
)

// usable accepts the folder if it belongs to this user, nobody else can write to it, and it is not a
// symbolic link.
func usable(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if !info.IsDir() {
		return linked(folder)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return refuse(folder, fmt.Sprintf("of user %d", stat.Uid),
			fmt.Sprintf("one of user %d", os.Geteuid()), "run as its owner, or choose a folder of your own")
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return refuse(folder, fmt.Sprintf("of mode %#o", mode), "mode 0700", "chmod 0700 it")
	}
	return nil
}

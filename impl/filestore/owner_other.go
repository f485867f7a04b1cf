//go:build !unix

package filestore

import (
	"fmt"
	"os"
)

// usable judges the folder: no symbolic link. Who may write to it is the system's matter.
func usable(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if !info.IsDir() {
		return linked(folder)
	}
	return nil
}

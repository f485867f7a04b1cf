//go:build !unix

package filestore

import (
	"fmt"
	"os"
)

// usable accepts the folder unless it is a symbolic link. The system decides who may write to it.
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

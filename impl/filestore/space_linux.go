package filestore

import (
	"io/fs"
	"syscall"
)

// unit is in what Linux counts the space of files, whatever the file system has for blocks.
const unit = 512

// space is how many bytes of the disk a file takes: no less than its length, for a file system that tells
// late what it has written.
func space(info fs.FileInfo) uint64 {
	n := uint64(info.Size())
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return max(n, uint64(stat.Blocks)*unit)
	}
	return rounded(n)
}

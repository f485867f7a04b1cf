package filestore

import (
	"io/fs"
	"syscall"
)

// unit is the unit in which Linux counts the space of files, whatever the block size of the file system is.
const unit = 512

// space is how many bytes of the disk a file takes. It is at least the length of the file, because some file
// systems report late what they have written.
func space(info fs.FileInfo) uint64 {
	n := uint64(info.Size())
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return max(n, uint64(stat.Blocks)*unit)
	}
	return rounded(n)
}

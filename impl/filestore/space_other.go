//go:build !linux

package filestore

import "io/fs"

// space is how many bytes of the disk a file takes.
func space(info fs.FileInfo) uint64 { return rounded(uint64(info.Size())) }

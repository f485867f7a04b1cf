// Package seam is the one place through which the engine touches shared words.
//
// In the normal build Uint64 and Uint32 are aliases of the types of sync/atomic: the engine's
// machine code is that of direct use, and nothing of the explorer is linked in. With the build
// tag explore they are types of the same size, alignment and method set which report each
// access to [github.com/samecycle/samecycle/internal/hook.Active] when that is not nil. The
// engine's source is the same in both builds.
//
// The engine overlays these types on the bytes of a region:
//
//	word := (*seam.Uint64)(unsafe.Pointer(&mem[off]))
//
// which is valid in both builds because a word has no header and no padding.
package seam

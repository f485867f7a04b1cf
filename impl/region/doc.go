// Package region provides a region of bytes that holds all state that two actors share: a shared memory
// segment with named sections.
//
// A region is on the heap of one process (Heap), a file that any number of processes map (Create,
// Open, OpenOrCreate; Observe to look only), or a memory file without a path (Memory, Share,
// OpenFile). Up to 64 processes are attached to a file at once. A region holds 64-bit words that are
// reached through the seam's atomics only, and offsets instead of pointers, so its content means the
// same in every process.
//
// Engines decide what a region contains. Each engine describes its part of the Layout: a name, the version
// of its format, parameters that its processes must agree on, and sections, which it finds by their names.
// The region adds three sections of its own before those of the engines:
//
//	offset  section    size     what
//	0       header     256, ..  magic, version, and the layout: names, parameters, sizes, places
//	...     processes  64 x 64  one line per attached process
//	...     bell       64       wakes services that sleep because they have no work
//	...     the sections of the engines, in the order of the layout
//
// Every section begins at a multiple of 64, or of as much as its engine asks for. All bytes after the header
// are zero at creation; each engine defines its words so that zero means empty and idle.
//
// The space of a file is reserved at its creation, and when a copy with holes is opened. So a full disk is
// an error at that time and not a fault later. On a file system that copies on write (btrfs with snapshots,
// ZFS) the reservation guarantees nothing, and a store may still meet a full disk. Guard turns that into an
// error, too.
//
// A new file of HugePage bytes or more on a tmpfs lies on huge pages, if the system can provide them
// (Region.Huge).
//
// An attached process is alive as long as it holds a lock, which the system releases when the process ends
// (Alive). A pid is not used for this. So the answer is right across pid namespaces, and for pids that are
// used again.
//
// Only two calls wait for another process: OpenOrCreate if it meets a region that another process is still
// making, and SleepUntilRung, for a service without work. Each sleep has a bound that does not depend on
// the contents of the region, and Wake can end it earlier.
//
// The header never changes after creation, and a process works with the copy of the layout
// that it checked when it attached. A damaged, foreign or differing file is refused with an
// error; a length, offset or index from shared memory is never used unchecked. One fault remains
// possible: the owner of the file may truncate it while it is mapped. Guard turns the fault into
// an error for code that reads files of unknown origin.
//
// The race detector does not see memory outside the Go heap. Tests that run under it use Heap regions below
// HugePage bytes. In a build with it, each atomic access is C code, where a fault ends the process. So the
// word is touched in Go before each access, and there a page that is gone, or that may not be written to,
// is an error of Guard as in any other build. In two cases such a build still ends the process: if a page
// disappears between the touch and the access, and, on processors other than amd64, at a store to read-only
// memory, such as an observer's.
package region

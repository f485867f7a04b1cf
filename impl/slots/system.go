package slots

import (
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Role is one of the two sides of a slot file.
type Role uint8

// The roles.
const (
	ServiceRole Role = iota
	ClientRole
)

// String is the name in a sentence.
func (r Role) String() string {
	if r == ServiceRole {
		return "service"
	}
	return "client"
}

// System has what a slot file needs from the operating system: sleeps of processes that wait for one another,
// and whether the other side lives. An exploration has its own implementation.
type System interface {
	// Sleep sleeps while the low half of the word is seen, for at most so long; it may return earlier for no
	// reason. It reports whether it can sleep at all.
	Sleep(w *seam.Uint64, seen uint32, most seam.Duration) bool
	// Wake ends the sleeps on that word, in all processes. It is called after the word has changed.
	Wake(w *seam.Uint64)
	// Lives reports whether some process has that role now.
	Lives(r Role) (bool, error)
}

// futexes implements the sleeps of a System by futexes. The flag for private futexes is not set, so the
// system identifies a word by its place in the file, wherever a process has mapped it.
type futexes struct{ f region.Futex }

// Sleep implements System.
func (x futexes) Sleep(w *seam.Uint64, seen uint32, most seam.Duration) bool {
	return x.f.Sleep(seam.LowHalf(w), seen, most)
}

// Wake implements System.
func (x futexes) Wake(w *seam.Uint64) { x.f.Wake(seam.LowHalf(w)) }

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

// System is what a slot file asks of the operating system: sleeps of processes that wait for one another, and
// whether the other side lives. An exploration has one of its own.
type System interface {
	// Sleep sleeps while the low half of the word is seen, at most so long, or less for no reason. It reports
	// whether it can.
	Sleep(w *seam.Uint64, seen uint32, most seam.Duration) bool
	// Wake ends the sleeps on that word, of whatever process. It is called after the word has changed.
	Wake(w *seam.Uint64)
	// Lives reports whether some process has that role now.
	Lives(r Role) (bool, error)
}

// futexes are the sleeps of a System by the system's own call. Without the flag for one process alone the
// system knows a word by its place in the file, wherever a process has mapped it.
type futexes struct{ f region.Futex }

// Sleep implements System.
func (x futexes) Sleep(w *seam.Uint64, seen uint32, most seam.Duration) bool {
	return x.f.Sleep(seam.LowHalf(w), seen, most)
}

// Wake implements System.
func (x futexes) Wake(w *seam.Uint64) { x.f.Wake(seam.LowHalf(w)) }

package bench

import "errors"

// A store is what is compared: one of ours or of the peers. Each method is a loop over keys that calls
// the map directly, so that no dispatch is measured. All return how many results were wrong.
type store interface {
	// gets looks keys up that are all there, or all not.
	gets(keys []uint32, present bool) (wrong int)
	// adds inserts fresh keys; each has itself as value.
	adds(keys []uint32) (wrong int)
	// sets gives keys that are there their value, straight or flipped.
	sets(keys []uint32, flip uint32) (wrong int)
	// mixes gets or sets, as the pattern says. Two goroutines may do it at once, each with another number.
	mixes(who int, keys []uint32, reads []bool, flip uint32) (wrong int)
	// walks goes over all elements.
	walks() (seen, wrong int)
	// value is that of one key, for checks that are not timed.
	value(key uint32) (uint32, bool)
	// close gives back what the collector does not.
	close()
}

// peer makes stores of one kind. absent says why it cannot.
type peer struct {
	name   string
	make   func() (store, error) // sized for Keys elements
	absent error
	// garbage tells that a set of a key that is there allocates.
	garbage bool
	// alone tells that the store is not for two goroutines.
	alone bool
}

// peers are what the engine is compared with, xsync first.
func peers() []peer {
	return []peer{peerXsync(), peerSyncMap(), peerSharded(), peerOtter(), peerMap()}
}

var (
	errNoHuge = errors.New("huge pages are not granted")
	errAlone  = errors.New("not safe for two goroutines, one of which writes")
	errAbsent = errors.New("left out of this build, since it could not be built: " +
		"go -C bench build ./cmd/index tells why")
)

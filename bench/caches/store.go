package caches

import (
	"errors"
	"fmt"
	"slices"
)

// A store is a cache as the measurements use it. All of them are called through this interface, which costs
// each the same few nanoseconds. Several goroutines may call it at once.
type store interface {
	// get returns the value of the key: copied to dst by those that keep bytes, else the slice that was set,
	// as their users would take it.
	get(key, dst []byte) (value []byte, ok bool)
	// set keeps copies of both. It tells whether the cache took them: some refuse what they think is not
	// worth keeping.
	set(key, value []byte) (taken bool)
	remove(key []byte)
	// settle waits until the sets so far have had their effect.
	settle()
	// close gives everything back.
	close() error
}

// batcher is a store that gets many keys in one call. values[i] is that of keys[i], nil if it is absent.
type batcher interface {
	getBatch(keys, values [][]byte, dst []byte) (all []byte)
}

// resident is a store whose memory is another process's.
type resident interface {
	residentBytes() (uint64, error)
}

// remote is a store that another process calls, many keys at a time. ns is the processor time of the calls
// there.
type remote interface {
	lookupAll(ids []uint32) (hits, wrong int, ns uint64)
	assignAll(ids []uint32, flip uint64) (taken int, ns uint64)
}

// failing is a store whose calls can fail for other reasons than that the key is absent.
type failing interface{ failure() error }

// size has the bytes of keys and of values.
type size struct{ key, value int }

func (s size) String() string { return fmt.Sprintf("%d+%d", s.key, s.value) }

// room is how much a store shall hold before it evicts.
type room struct {
	size
	entries int
}

// overhead is what the limit of a cache that counts bytes has for each entry beside key and value.
const overhead = 40

// bytes is the room for caches that count bytes.
func (r room) bytes() int { return r.entries * (r.key + r.value + overhead) }

// kind makes stores.
type kind struct {
	name string
	// words in the paths of the modules that it links, for the versions.
	modules []string
	make    func(r room) (store, error)
	// unbounded tells that it does not evict.
	unbounded bool
	// fewer is how many times fewer entries it gets, and slower how many times fewer operations a pass has.
	fewer, slower int
	// solo tells that it takes part only in comparisons of one goroutine with small values.
	solo bool
	// served tells that another process does the work, so that its time is that on the wall.
	served bool
	// batched tells that it is remote: it takes part only where many keys are got or set.
	batched bool

	about string // what it is, for the page; may be empty
	// version is that of what is not a module; may be nil.
	version func() string
}

// The names of those that goals are about.
const (
	ours      = "samecycle"
	reference = "fastcache"
)

// names of all kinds in the order of the tables.
var names = []string{ours, reference, "freecache", "bigcache", "otter", "ristretto", "golang-lru", "theine",
	"sync.Map", "LMDB", "Chronicle Map", "memcached"}

// built are those of this build. Each registers itself in a file of its own, which a tag leaves out.
var built = map[string]kind{}

func register(k kind) struct{} {
	k.fewer, k.slower = max(k.fewer, 1), max(k.slower, 1)
	built[k.name] = k
	return struct{}{}
}

var (
	errAbsent = errors.New("left out of this build, since it could not be built: " +
		"go -C bench build ./cmd/cache tells why")
	errUnbounded = errors.New("does not evict")
	errSolo      = errors.New("measured with one goroutine and small values only")
	errBatched   = errors.New("called in another process, many keys at a time")
)

// kinds are all of them; one that is not in this build has no make.
func kinds() (all []kind) {
	for _, name := range names {
		k, ok := built[name]
		if !ok {
			k = kind{name: name, fewer: 1, slower: 1}
		}
		all = append(all, k)
	}
	return all
}

// kindOf finds one.
func kindOf(name string) (kind, error) {
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if i < 0 || all[i].make == nil {
		return kind{}, fmt.Errorf("%s: %w", name, errAbsent)
	}
	return all[i], nil
}

// arrays are keys of the caches that have keys of one type. An array of the size of the key costs no
// allocation, as a string would.
type arrays interface{ [8]byte | [16]byte | [32]byte }

var errKeySize = errors.New("keys have 8, 16 or 32 bytes")

// ofSize makes a store whose keys are arrays.
func ofSize(r room, of8, of16, of32 func(room) (store, error)) (store, error) {
	switch r.key {
	case 8:
		return of8(r)
	case 16:
		return of16(r)
	case 32:
		return of32(r)
	}
	return nil, fmt.Errorf("%w, not %d", errKeySize, r.key)
}

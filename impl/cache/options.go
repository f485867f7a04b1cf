package cache

import (
	"fmt"
	"math/bits"
	"runtime"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// Defaults of Options, and bounds.
const (
	DefaultBytes   = 256 << 20
	BytesMin       = 128 << 10
	BytesMax       = 48 << 30 // an index of as many entries as 32 GiB of records can have
	BasketBytesMin = 4 << 10
	BasketBytesMax = 64 << 20
	KeyMax         = 1<<16 - 1 // bytes of a key

	defaultEntryBytes = 128 // of the region an entry is expected to take, if Entries does not say
	defaultBasketsLog = 7   // baskets of a region, if BasketBytes does not say
	basketsMin        = 8   // with fewer one full basket would be a large part of the cache
	entriesMin        = 64
	entriesMax        = 1 << 31
	handlesMax        = 256     // readers, and writers, of one process
	wordsMost         = 1 << 60 // words that a policy may ask for: their bytes are counted in 64 bits
)

// HashKind chooses how a key becomes a place in the index. All processes of a cache use one.
type HashKind uint8

const (
	// HashXXH3 is fast, and keyed with a secret of the cache: who cannot see how the cache behaves finds no
	// keys that collide. It is the default.
	HashXXH3 HashKind = 1 + iota
	// HashSip is SipHash-2-4, which was made against those who choose keys and watch what becomes of them.
	// It costs some 15 ns more for a short key.
	HashSip
)

// String is the kind's name in lower case.
func (k HashKind) String() string {
	switch k {
	case HashXXH3:
		return "xxh3"
	case HashSip:
		return "siphash"
	}
	return fmt.Sprintf("hash%d", uint8(k))
}

// Policy decides which entries leave when room is needed. See [basket.Policy] for the rules that one of your
// own has to keep to.
type Policy = basket.Policy

// Ageing is the default policy: what was not used for longest leaves first, roughly.
type Ageing = basket.Ageing

// TinyLFU is a policy that resists scans and loops: an entry stays if it is asked for more often than others.
type TinyLFU = basket.TinyLFU

// Options say how large a cache is, and how a process uses it. The zero value suits most programs. Bytes,
// BasketBytes, Entries, Hash, Policy and Tiers belong to the cache: where one is zero, a cache that exists
// has what it was made with, and a new one the default. The other options belong to this process.
type Options struct {
	// Bytes is the size of the region with all that is in it, BytesMin to BytesMax; 256 MiB for a new one.
	// The cache never takes more, and a file has its space reserved when it is made.
	Bytes uint64
	// BasketBytes is the size of a basket, a power of two, BasketBytesMin to BasketBytesMax. A record, which
	// is key, value and some 16 to 31 bytes, fits into one basket. The default is a 128th of Bytes, as a
	// power of two, 4 KiB to 4 MiB: values of 1 MiB fit into a cache of 256 MiB, and of 8000 bytes into
	// one of 1 MiB. It is more if Entries says that entries are large, so that some of them fit into a
	// basket. A record of more than 7/8 of a basket leaves in the order in which it was set, used or not.
	BasketBytes uint32
	// Entries is how many entries the index is made for; each costs some 21 bytes. The default is one for 128
	// bytes of the region. When the index is full, entries leave though there is room for their records.
	Entries uint64
	// Hash is how keys are hashed; HashXXH3 for a new cache.
	Hash HashKind
	// Policy decides which entries leave when room is needed; Ageing for a new cache. TinyLFU has more hits
	// where programs scan or go in loops. A policy of your own is a type with the methods of Policy; every
	// process of the cache has to pass it. Its methods are called in the middle of calls, as Clock is: they
	// must not use the cache, and must not panic, which would lose a handle for ever.
	Policy Policy
	// Tiers is how many tiers entries pass as they become older, 1 to 8; 4 for a new cache with Ageing. The
	// policy may have a number of its own.
	Tiers int

	// TTL is how long an entry is found that this process sets without a time of its own. 0 is what the live
	// parameter ttl.default says, which is for ever unless somebody has tuned it. An entry leaves earlier
	// when its room is needed.
	TTL time.Duration
	// OnEvent, if it is not nil, is told of each entry that leaves, or whose value is replaced, by a call of
	// this process. See Event.
	OnEvent func(Event)
	// Quota are the thresholds of Ask, where they are to be others than the live parameters.
	Quota Quota
	// Overflow, if it is not nil, is given each entry that leaves by a call of this process for want of room:
	// those of the reasons Evicted and IndexFull. See Store.
	Overflow Store
	// Clock, if it is not nil, is the time by which entries expire. It is asked by each Set with an end, by
	// each Get of an entry with an end, and by whoever looks for entries that are over: the janitor, and now
	// and then a call that changes an entry. All processes of a cache must agree on it. A time before 1970,
	// such as the zero time.Time, counts as the begin of 1970: nothing ends before. It is called in the
	// middle of calls: so it must not use the cache, and must not panic, which would lose a handle for ever.
	// The default is a clock of the host which all processes share, and which does not jump when somebody
	// sets the time.
	Clock func() time.Time
	// Writers and Readers are how many goroutines of this process write, and read, at the same moment; others
	// wait for the few hundred nanoseconds that a call takes. The defaults follow GOMAXPROCS, but leave the
	// last handles of the file to other processes; a number of your own does not. A writer fills a basket of
	// its own, or two with TinyLFU, so all processes of the file together have as many as a quarter of the
	// baskets, or a sixth, and 256 at most.
	Writers, Readers int
	// NoJanitor leaves out the goroutine which keeps some baskets free ahead of those who set, and takes back
	// what dead processes had. Those who set then do all of that by themselves. The goroutine ends at Close.
	NoJanitor bool

	hashBits int              // tests cut the hash to so many bits, so that keys collide; 0 is all
	wall     func() time.Time // the calendar clock of a test; nil is that of the host
}

// check returns an *Error that names the first option out of bounds, or nil. Zero is no error.
func (o Options) check() error {
	bounds := []struct {
		name      string
		is        any // as it is printed
		n         uint64
		low, high uint64
		do        string
	}{
		{"Bytes", o.Bytes, o.Bytes, BytesMin, BytesMax, "choose the size of the whole cache in bytes, or 0"},
		{"BasketBytes", o.BasketBytes, uint64(o.BasketBytes), BasketBytesMin, BasketBytesMax,
			"choose a power of two, or 0 for one that fits Bytes"},
		{"Entries", o.Entries, o.Entries, entriesMin, entriesMax,
			"choose how many entries the cache will have, or 0 for one in 128 bytes"},
		{"Hash", uint8(o.Hash), uint64(o.Hash), uint64(HashXXH3), uint64(HashSip),
			"choose HashXXH3 or HashSip, or 0"},
		{"Writers", o.Writers, uint64(o.Writers), 1, handlesMax, // what is negative is too much as well
			"choose how many goroutines write at one moment, or 0 for GOMAXPROCS"},
		{"Readers", o.Readers, uint64(o.Readers), 1, handlesMax,
			"choose how many goroutines read at one moment, or 0 for twice GOMAXPROCS"},
		{"hashBits", o.hashBits, uint64(o.hashBits), 1, 32,
			"choose how many bits tests leave of a hash, or 0"},
	}
	for _, b := range bounds {
		if b.n != 0 && (b.n < b.low || b.n > b.high) {
			return &Error{b.name, fmt.Sprint(b.is), fmt.Sprintf("%d..%d", b.low, b.high), b.do}
		}
	}
	if n := o.BasketBytes; n&(n-1) != 0 {
		return &Error{"BasketBytes", fmt.Sprint(n), "a power of two",
			fmt.Sprintf("choose %d or %d, or 0 for one that fits Bytes", powerBelow(n), 2*powerBelow(n))}
	}
	if err := o.checkPolicy(); err != nil {
		return err
	}
	if o.TTL < 0 {
		return &Error{"TTL", o.TTL.String(), "0 or more", "choose 0 for the time that the cache has"}
	}
	return o.Quota.check()
}

// checkPolicy judges the policy and the number of tiers.
func (o Options) checkPolicy() error {
	if o.Tiers < 0 || o.Tiers > basket.TiersMax {
		return &Error{"Tiers", fmt.Sprint(o.Tiers), fmt.Sprintf("1..%d", basket.TiersMax),
			"choose how many tiers there are, or 0 for what the policy has"}
	}
	if o.Policy == nil {
		return nil
	}
	if err := basket.CheckPolicy(o.Policy, uint32(o.Tiers)); err != nil {
		return &Error{"Policy", fmt.Sprintf("%T", o.Policy), "a policy by the rules of Name and Shape",
			err.Error()}
	}
	if tiers, _ := o.Policy.Shape(uint32(o.Tiers)); o.Tiers != 0 && int(tiers) != o.Tiers {
		return &Error{"Tiers", fmt.Sprint(o.Tiers), fmt.Sprintf("%d, which policy %s has", tiers,
			o.Policy.Name()), "choose 0"}
	}
	entries := o.complete().Entries
	if words := o.Policy.Words(entries); words > wordsMost {
		return &Error{"Policy", fmt.Sprintf("%T, whose Words is %d for %d entries", o.Policy, words, entries),
			fmt.Sprintf("at most %d", uint64(wordsMost)),
			"let it ask for less memory, or choose fewer Entries"}
	}
	return nil
}

// powerBelow is the largest power of two that is not above n, which is not 0.
func powerBelow(n uint32) uint32 { return 1 << (bits.Len32(n) - 1) }

// complete is o, which check accepts, with what zero stands for in a new cache.
func (o Options) complete() Options {
	if o.Bytes == 0 {
		o.Bytes = DefaultBytes
	}
	if o.BasketBytes == 0 {
		o.BasketBytes = basketBytesFor(o.Bytes, o.Entries)
	}
	if o.Entries == 0 {
		o.Entries = max(entriesMin, o.Bytes/defaultEntryBytes)
	}
	if o.Hash == 0 {
		o.Hash = HashXXH3
	}
	if o.Policy == nil {
		o.Policy = Ageing{}
	}
	tiers, _ := o.Policy.Shape(uint32(o.Tiers))
	o.Tiers = int(tiers)
	return o
}

// basketBytesFor is the size of the baskets of a region of so many bytes, which is to have so many entries,
// or 0 for any. A basket or two are free ahead of those who set, so a cache of few baskets has fewer hits;
// with 100 of them that is a tenth of a point.
func basketBytesFor(bytes, entries uint64) uint32 {
	n := min(max(bytes>>defaultBasketsLog, BasketBytesMin), 4<<20)
	if entries != 0 { // some entries to a basket, as long as there are some baskets
		n = max(n, min(largeEntries*bytes/entries, bytes/fewBaskets, BasketBytesMax))
	}
	return powerBelow(uint32(n))
}

// A basket has room for some large entries, unless there would be fewer than a few baskets.
const (
	largeEntries = 4
	fewBaskets   = 24
)

// writers and readers are how many handles this process makes at most, of those that the region has.
func (o Options) writers(all int) int {
	if o.Writers > 0 {
		return min(o.Writers, all)
	}
	return max(1, min(runtime.GOMAXPROCS(0), all/2, handlesMax))
}

func (o Options) readers(all int) int {
	if o.Readers > 0 {
		return min(o.Readers, all)
	}
	return max(1, min(2*runtime.GOMAXPROCS(0), all/2, handlesMax))
}

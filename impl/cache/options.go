package cache

import (
	"fmt"
	"math/bits"
	"runtime"
	"strings"
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

	defaultEntryBytes = 128 // bytes of the region that an entry is expected to take, if Entries is 0
	defaultBasketsLog = 7   // logarithm of the number of baskets of a region, if BasketBytes is 0
	basketsMin        = 8   // with fewer one full basket would be a large part of the cache
	entriesMin        = 64
	entriesMax        = 1 << 31
	handlesMax        = 256     // most readers, and most writers, of one process
	wordsMost         = 1 << 60 // most words that a policy may ask for: their bytes must fit into 64 bits
)

// HashKind says how a key is hashed for its place in the index. All processes of a cache use the same kind.
type HashKind uint8

const (
	// HashXXH3 is fast, and keyed with a secret of the cache. Somebody who cannot observe the cache cannot
	// find keys that collide. It is the default.
	HashXXH3 HashKind = 1 + iota
	// HashSip is SipHash-2-4. It is designed to resist somebody who chooses keys and observes their effect.
	// It takes some 15 ns more for a short key.
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

// Policy decides which entries leave when room is needed. See [basket.Policy] for the rules that a policy of
// your own must follow.
type Policy = basket.Policy

// Ageing is the default policy: the least recently used entries leave first, approximately.
type Ageing = basket.Ageing

// TinyLFU is a policy that resists scans and loops: an entry stays if it is asked for more often than others.
type TinyLFU = basket.TinyLFU

// Options say how large a cache is, and how a process uses it. The zero value suits most programs. Bytes,
// BasketBytes, Entries, Hash, Policy and Tiers belong to the cache. If one of these is zero, an existing
// cache keeps the value with which it was made, and a new cache gets the default. The other options belong to
// this process.
type Options struct {
	// Bytes is the size of the whole region in bytes, BytesMin to BytesMax; the default for a new cache is
	// 256 MiB. The cache never takes more. The space of a file is reserved when the file is made.
	Bytes uint64
	// BasketBytes is the size of a basket in bytes, a power of two, BasketBytesMin to BasketBytesMax. A
	// record consists of key, value and some 16 to 31 bytes, and must fit into one basket. The default is a
	// 128th of Bytes as a power of two, 4 KiB to 4 MiB. So values of 1 MiB fit into a cache of 256 MiB, and
	// values of 8000 bytes into one of 1 MiB. The default is larger if Entries says that entries are large,
	// so that some of them fit into a basket. What is left behind the last record of a basket is lost, so a
	// basket should have room for ten usual records or more. A record of more than 7/8 of a basket leaves in
	// the order in which it was set, even if it was used.
	BasketBytes uint32
	// Entries is the number of entries for which the index is made; each costs some 21 bytes. The default is
	// one for 128 bytes of the region. When the index is full, entries leave although there is room for their
	// records.
	Entries uint64
	// Hash says how keys are hashed; the default for a new cache is HashXXH3.
	Hash HashKind
	// Policy decides which entries leave when room is needed; the default for a new cache is Ageing. TinyLFU
	// has more hits if programs scan or run in loops. A policy of your own is a type with the methods of
	// Policy, and with a name that neither of these two has. Every process of the cache must pass it. Its
	// methods are called in the middle of calls, as Clock is. So they must not use the cache, and they must
	// not panic: a panic would lose a handle for ever.
	Policy Policy
	// Tiers is the number of tiers that entries pass as they become older, 1 to 8; the default for a new
	// cache with Ageing is 4. A policy may fix the number itself.
	Tiers int

	// TTL is the time to live of an entry that this process sets without a time of its own. 0 stands for the
	// live parameter ttl.default, which means for ever unless somebody has tuned it. An entry leaves earlier
	// if its room is needed. A negative TTL is an error.
	TTL time.Duration
	// OnEvent, if it is not nil, is called for each entry that leaves, or whose value is replaced, by a call
	// of this process. See Event.
	OnEvent func(Event)
	// Quota has the thresholds of Ask for this process, if they differ from the live parameters.
	Quota Quota
	// Overflow, if it is not nil, receives each entry that leaves by a call of this process for want of room,
	// which is with reason Evicted or IndexFull. See Store.
	Overflow Store
	// Clock, if it is not nil, returns the time by which entries expire. It is called by each Set with a time
	// to live, by each Get of an entry that has one, and by each search for expired entries: those of the
	// janitor, and those that a call makes now and then when it changes an entry. All processes of a cache
	// must agree on the time. A time before 1970, such as the zero time.Time, counts as the beginning of
	// 1970. Clock is called in the middle of calls. So it must not use the cache, and it must not panic: a
	// panic would lose a handle for ever. The default is a clock of the host that all processes share, and
	// that does not jump when somebody sets the time.
	Clock func() time.Time
	// Writers and Readers are the numbers of goroutines of this process that can write, and read, at the same
	// moment, at most 256 each. Others wait for the few hundred nanoseconds that a call takes. Stats, Check,
	// Len and the beginning of a loop over the entries keep a reader while they read the whole index, which
	// takes some ten milliseconds by default; most gets need no reader. The defaults follow GOMAXPROCS, but
	// leave the last handles of the file to other processes. If you set a number, no handles are left to
	// others. A writer fills a basket of its own, or two with TinyLFU. So all processes of the file together
	// have at most as many writers as a quarter of the baskets, or a sixth with TinyLFU, and at most 256.
	Writers, Readers int
	// NoJanitor turns off the janitor, the goroutine that keeps some baskets free ahead of time and takes
	// back what dead processes had. Calls that set then do all of this themselves. The janitor ends at Close.
	NoJanitor bool

	hashBits int              // tests reduce the hash to so many bits, so that keys collide; 0 is all bits
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

// checkPolicy checks the policy and the number of tiers.
func (o Options) checkPolicy() error {
	if o.Tiers < 0 || o.Tiers > basket.TiersMax {
		return &Error{"Tiers", fmt.Sprint(o.Tiers), fmt.Sprintf("1..%d", basket.TiersMax),
			"choose how many tiers there are, or 0 for what the policy has"}
	}
	if o.Policy == nil {
		return nil
	}
	if err := checkName(o.Policy); err != nil {
		return err
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

// checkName refuses a policy of the user's own that has the name of one of package basket. The file knows the
// policy by its name alone. So a process that passes no policy, such as a command, would go by the one of
// package basket, in the memory that the other one has written.
func checkName(p Policy) error {
	switch p.(type) {
	case Ageing, *Ageing, TinyLFU, *TinyLFU:
		return nil
	}
	name := p.Name()
	own, taken := basket.PolicyNamed(name)
	if !taken {
		return nil
	}
	return &Error{"Policy", fmt.Sprintf("%T, whose Name is %q", p, name), "a name that no policy of this " +
		"package has", "let its Name return another one, or pass " +
		strings.Replace(fmt.Sprintf("%T{}", own), "basket.", "cache.", 1)}
}

// powerBelow is the largest power of two that is not above n, which is not 0.
func powerBelow(n uint32) uint32 { return 1 << (bits.Len32(n) - 1) }

// complete returns o, which check accepts, with the defaults of a new cache in place of zeros.
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

// basketBytesFor is the size of the baskets of a region of so many bytes for so many entries; 0 entries means
// any number. One or two baskets are kept free ahead of calls that set, so a cache with few baskets has fewer
// hits. With 100 baskets the loss is a tenth of a percentage point.
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

// writers and readers are the largest numbers of handles that this process makes, of those that the region
// has.
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

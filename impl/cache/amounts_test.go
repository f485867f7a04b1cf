package cache

import (
	"slices"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
)

// toldAmount is a number that is named in words elsewhere.
type toldAmount struct {
	name      string
	got, want uint64
}

// Amounts that Options and docs/cache.md name.
var amountsOfOptions = []toldAmount{
	{"DefaultBytes, 256 MiB", DefaultBytes, 268_435_456},
	{"BytesMin, 128 KiB", BytesMin, 131_072},
	{"BytesMax, 48 GiB", BytesMax, 51_539_607_552},
	{"BasketBytesMin, 4 KiB", BasketBytesMin, 4096},
	{"BasketBytesMax, 64 MiB", BasketBytesMax, 67_108_864},
	{"KeyMax, below 64 KiB", KeyMax, 65_535},
	{"bytes of the region for an entry", defaultEntryBytes, 128},
	{"baskets of a region, as a logarithm", defaultBasketsLog, 7},
	{"baskets at least", basketsMin, 8},
	{"entries at least", entriesMin, 64},
	{"entries at most, 2^31", entriesMax, 2_147_483_648},
	{"handles of a process", handlesMax, 256},
	{"large entries in a basket", largeEntries, 4},
	{"baskets for large entries at least", fewBaskets, 24},
}

// Amounts of the format: a change of one of these is another version.
var amountsOfTheFormat = []toldAmount{
	{"words of live parameters", paramsMost, 32},
	{"words of leases", janitorsMost, 8},
	{"words of a line of counts", countsLine, 24},
	{"counts of a line", counts, 12 + basket.TiersMax},
	{"counts of a line when a process came", begunCounts, 3},
	{"bytes of the clock, and of who asks for writers", clockBytes, region.LineBytes},
	{"bytes of live parameters", paramsBytes, 32 * 8},
	{"bytes of leases", janitorsBytes, 8 * 8},
	{"bytes of counts", countsBytes, 64 * 24 * 8},
	{"word of the clock", clockWord, 0},
	{"bits of the start of the host", startBits, 42},
	{"those bits, all of them", startMask, 4_398_046_511_103},
	{"word of who wants a writer", handoverWord, 1},
	{"cells that an entry may be away", window, 32},
	{"percent of the cells that are used", loadPercent, 75},
	{"descriptors at least", descriptorsMin, 64},
	{"descriptors at most", descriptorsMax, 512},
	{"bytes of records for a byte of recency", touchPart, 64},
	{"part by which bytes that are too few are raised", nearly, 512},
	{"bytes of the cache for a column", objectsPart, 16_384},
	{"columns of objects at least", objectsLeast, 32},
	{"columns of clients at least", clientsLeast, 64},
	{"columns of objects for one of clients", clientsPart, 4},
	{"bytes of a counter", counterBytes, 8},
}

// Bounds of live parameters, and what comments say of calls, of handles and of the janitor.
var amountsOfCalls = []toldAmount{
	{"longest time, 100 years in ms", ttlMost, uint64(100 * 365 * 24 * time.Hour / time.Millisecond)},
	{"longest pause of a janitor in ms, a minute", everyMost, 60_000},
	{"records of a turn at most, 2^20", recordsMost, 1_048_576},
	{"first wait of a suspect in ms, a second", retryNormal, 1000},
	{"longest wait of a suspect in ms, an hour", retryMost, 3_600_000},
	{"tries of a call, some 65,000", triesMost, 65_536},
	{"keys of a batch that are on their way", batchAhead, 16},
	{"bytes of a buffer that is kept, 2 MiB", keptMost, 2_097_152},
	{"bytes of a name that are shown", nameMost, 64},
	{"reasons, with none", reasons, 8},
	{"findings of a kind that are shown", findingsShown, 10},
	{"offences from which on a key is denied", denyFrom, 3},
	{"calls that a sample stands for", sampleMost, 16},
	{"times as many calls between two samples", gapMost, 16},
	{"samples of a burst", samplesBurst, 64},
	{"clients that a process knows to be over their limits", sampleHistory, 64},
	{"instant of a clock in ms, 146 years", instantMost, 4_611_686_018_427},
	{"ms that a process may stand still, an hour", tickBehind, 3_600_000},
	{"readings of two clocks", readTries, 100},
	{"descriptors that are kept, two for each process", keptDescriptors, 128},
	{"writers that are kept", keptWriters, 8},
	{"or the fourth part", keptPart, 4},
	{"times that a goroutine yields", waitYields, 64},
	{"records of a portion", tendRecords, 64},
	{"portions of a turn", tendMost, 64},
	{"looks for a writer that is not in use", shareLooks, 100},
	{"cells of a part of a sweep", sweepCells, 4096},
	{"entries of a part of a sweep", sweepEntries, 256},
	{"bytes of a part of a sweep, 1 MiB", sweepBytes, 1_048_576},
	{"parts of a sweep in one turn", sweepParts, 256},
	{"entries of which one that is over lets a sweep go on", sweepMany, 32},
	{"cells of the part of a call", callCells, 256},
	{"entries of the part of a call", callEntries, 16},
	{"calls between two parts of calls", callPause, 128},
	{"parts of calls that are told within one another", callTold, 64},
	{"words of a cell", cellWords, 2},
	{"turns that an owner of a lease may leave out", stillTurns, 10},
}

// timeOf is for how long something is done.
type timeOf struct {
	name      string
	got, want time.Duration
}

var times = []timeOf{
	{"the tick of the clock", tickEvery, 100_000_000},
	{"the reading of two clocks that is near enough", readNear, 20_000},
	{"a burst", burstNormal, 1_000_000_000},
	{"the longest burst", burstMost, 1_800_000_000_000},
	{"the longest sleep of a janitor", lookEvery, 500_000_000},
	{"the settling of what the dead have left", settleEvery, 1_000_000_000},
	{"an idle handle", idleEvery, 5_000_000_000},
	{"an owner of a lease that stands still", stillLeast, 1_000_000_000},
	{"the next look at kept writers", keptFor, 10_000_000},
	{"the wait for a handle", othersMost, 2_000_000_000},
	{"the only writer of a process", holdTime, 50_000_000},
	{"the rest from writers", restTime, 20_000_000},
	{"a writer that is wanted", wantTime, 10_000_000},
	{"the processor, left to others", waitShort, 100_000},
	{"the first sleep for a handle", waitFirst, 20_000},
	{"the longest sleep for a handle", waitMost, 1_000_000},
}

// The amounts that the cache works by are those that its documentation, its format and its comments name.
// Whoever changes one of them changes what is said of it, too.
func TestAmounts(t *testing.T) {
	for _, x := range slices.Concat(amountsOfOptions, amountsOfTheFormat, amountsOfCalls) {
		if x.got != x.want {
			t.Errorf("%s: %d, want %d", x.name, x.got, x.want)
		}
	}
	for _, x := range times {
		if x.got != x.want {
			t.Errorf("time for %s: %v, want %v", x.name, x.got, x.want)
		}
	}
	if FormatVersion != 5 {
		t.Errorf("the format has version %d: the amounts of it are those of version 5", FormatVersion)
	}
}

// The word of a slot has the mark and two counts beside each other, none of which reaches into another, and a
// count is carried when it is half full.
func TestAmounts_OfTheSlotWord(t *testing.T) {
	const first, second, full uint64 = 1<<32 - 1, (1<<31 - 1) << 32, 1<<30 | 1<<62
	if uint64(slotFirst) != 1 || uint64(slotSecond) != 1<<32 || uint64(slotTaken) != 1<<63 ||
		uint64(slotFull) != full || uint64(slotCounts) != first|second {
		t.Errorf("first %x, second %x, taken %x, full %x, counts %x", uint64(slotFirst),
			uint64(slotSecond), uint64(slotTaken), uint64(slotFull), uint64(slotCounts))
	}
}

// Half of the baskets may be kept free, and one of the fewest that there can be.
func TestMostReserve(t *testing.T) {
	for baskets, want := range map[uint32]uint64{0: 1, 1: 1, 2: 1, 3: 1, 4: 2, 9: 4, 100: 50} {
		if got := mostReserve(basket.Layout{Baskets: baskets}); got != want {
			t.Errorf("of %d baskets %d, want %d", baskets, got, want)
		}
	}
}

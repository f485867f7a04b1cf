package cache

// Leases. Making room and taking back what dead processes had are chores for all processes together, and one
// janitor is enough for them. So SectionJanitors has some words, of which as many as janitor.run says may be
// held, each by one process (package control). A janitor keeps its word from turn to turn. The cache stays
// correct however many janitors believe that they have a lease: leases only bound the work that is done at
// once, and any process may make each step of this work at any time.

// janitorsMost is the number of words of SectionJanitors, and the upper bound of janitor.run.
const janitorsMost = 8

// leaseClock is the clock of the leases: the time since the host was started, in milliseconds modulo 2^32.
func leaseClock() uint32 {
	since, _ := sinceStart()
	return uint32(since.Milliseconds())
}

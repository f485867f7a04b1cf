package cache

// Leases. The janitors of all processes want to make room and to take back what the dead had, and it is
// enough if one of them does. So SectionJanitors has some words, of which as many as janitor.run says may be
// held, each by one process (package control). Its janitor keeps the word from turn to turn. Nothing depends
// on how many janitors believe that they have a lease: it bounds the work that is done at once, and each step
// of this work may be made by anybody at any time.

// janitorsMost is how many words SectionJanitors has: the bound of janitor.run.
const janitorsMost = 8

// leaseClock is the clock by which leases age: the time since the host was started, in milliseconds modulo
// 2^32.
func leaseClock() uint32 {
	since, _ := sinceStart()
	return uint32(since.Milliseconds())
}

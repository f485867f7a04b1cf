// Package hostileslots is a client that writes what it likes into its slot file, beside an honest client of
// the same cache.
//
// # A run
//
// Two services perform the requests of two slot files on one cache, each in a goroutine of its own. The
// honest client sets, gets and deletes keys of its own all the time. The hostile one overwrites words of its
// file, which it has mapped once more: states, lengths, the header and the doorbell, requests and answers,
// with flipped bits, states of this and other lives, lengths around the capacity, zero, all ones, and
// anything. In between it sends requests, some of them mutated, rings without a reason, and now and then cuts
// or grows the file. Then its service ends, and the file is made anew.
//
// The choices follow from the seed. What they meet does not, since the goroutines run freely.
//
// # The judge
//
// No service panics or faults. That of the hostile client ends only if its file was cut, with ErrCorrupt;
// that of the honest one never. Each call of the honest client is answered, without an error and within
// callTime: with the value that it set last, or that the key is absent if it was deleted, or if the cache
// told that it left. The heap grows by less than heapMost, whatever lengths are in the file. At the end the
// hostile file is made anew, and a request there is answered.
package hostileslots

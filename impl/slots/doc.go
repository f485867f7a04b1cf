// Package slots is the protocol of a communication buffer: a client process writes requests into a file, and
// a service process performs them and writes the answers. The package does not interpret requests; package
// remote, which is built on it, sends operations of a cache.
//
// # Terms
//
//	slot file  the memory that one client and its service share
//	slot       a mailbox for one request and its answer (layout.go)
//	client     the process that writes requests; there is one at a time for a slot file (client.go)
//	service    the process that performs them; there is one at a time for a slot file (service.go)
//	doorbell   the word by which the client wakes the service
//	serial     the number of the life of a slot, from one free to the next
//
// # What is promised
//
// Each request is performed at most once, by one service. The client learns that the request was done, that
// it was not done and never will be, or that its outcome is unknown. An answer is read whole, and belongs to
// its request.
//
// Either side may be killed at any instruction. Neither side waits longer than a bound of its own, and no
// slot is lost: a slot of a dead process is freed by the next process that opens the file, or by the other
// side. A process is alive while it holds a lock, which the kernel releases when the process ends.
//
// # What a client can reach
//
// A client may write any bits to any word of its slot file at any time, and may truncate the file. It then
// loses answers of its own. It cannot make the service fault, loop, allocate without bound, or read behind
// the file. The service uses its own numbers for all sizes, loads each length once, checks its bound, and
// copies a request before it interprets anything in it. The service resets a slot whose state is impossible,
// and counts it.
package slots

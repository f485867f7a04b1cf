// Package slots is the protocol of a communication buffer: a client process writes requests into a file, and
// a service process performs them and writes the answers. It knows nothing of what is in a request; package
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
// Each request is performed at most once, by one service. The client is told that it was done, that it was
// not and never will be, or that the outcome is unknown. An answer is read whole, and is that of its request.
//
// Either side may be killed at any instruction. Nobody waits longer than a bound of the own side, and no slot
// is lost: what a dead process had is freed by the next one that opens the file, or by the other side.
// Whether a process lives is known from a lock that the kernel gives up when the process ends.
//
// # What a client can reach
//
// A client may write any bits to any word of its slot file at any time, and truncate the file. It then loses
// answers of its own. It cannot make the service fault, loop, allocate without bound, or read behind the
// file: the service uses its own numbers for all sizes, loads each length once, bounds it, and copies a
// request before anything in it is interpreted. A state that cannot be is reset, and counted.
package slots

// Package sync is the part of the standard package sync that locks, waits and pools, with each step reported
// to the explorer.
//
// To explore foreign code, a copy of it is built in which the import path sync is replaced by this one.
// Outside an exploration the types behave as the originals do. Inside, a blocked actor is not enabled until
// its condition holds, so the explorer can tell a deadlock from a wait.
//
// Inside an exploration there are these differences:
//   - a lock held by a killed actor stays locked for ever, as a lock in shared memory does;
//   - a lock taken outside (for example in a program's Start) must be released outside, and a lock taken
//     inside must be released inside;
//   - a Pool is a stack that forgets its items when an execution ends, whereas the original may
//     drop any item at any time;
//   - a WaitGroup's Go makes an actor;
//   - each key of a Map is an object, and which keys there are is one more; Range follows the order in which
//     they came.
package sync

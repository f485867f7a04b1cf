// Package stress lets an engine run natively, in goroutines and, if it lies in a region that processes
// share, in processes that are stopped and killed at whatever instruction they are, and audits what comes
// of it. It knows no engine: a [Subject] is what an engine implements, and what its operations mean is that
// one's own. No engine knows of the driver: there is no hook, and the build is the normal one.
//
// # A run
//
// A run is one world of an engine, made for one operation state, with a few clients. The subject's recipe
// makes the race of the state likely.
//
// Time is cut into rounds. In a round the clients work, and a parent does to the processes what a
// seeded plan says: it kills some and starts newcomers in their place, and stops others and lets
// them go on. Half of the deaths and the longest stop prefer a process that has an operation in
// progress: all are stopped at once, until there is one. The seed decides what is asked for, the
// system when it happens: a run cannot be replayed.
//
// Every fourth round nothing is done to the clients: that is the control.
//
// Each client writes what it calls, and what comes back, to a log in shared memory (record.go): words
// that only the subject can read. Nothing is lost with a process: an operation without a return was in
// flight when its client died, and may or may not have happened.
//
// An engine on the heap has goroutines only. Nobody is stopped or killed there; the report says so, and
// nobody expects it.
//
// # An engine
//
// An engine enters by a package scenarios/ENGINE/volume, which implements [Subject], [World] and [Client],
// and by its entry in the program that calls [Campaign] and [Worker]. What it draws, looks at and keeps is
// its own. What the driver asks of it is that it can be at rest: once all clients have ended a round,
// nothing moves. The smallest one is the toy of the tests (toy_test.go): three words that clients read and
// swap.
//
// # The judges
//
// At the end of a round all clients rest, and the world audits itself ([World.Audit]): it finishes what the
// dead have left, as any newcomer would, and says what it finds wrong. Then the history of the round is
// decided by linearizability, from the contents at its beginning to those at its end. No operation of a
// dead client can take effect after that, so the windows are independent. A window that is not decided is
// unknown.
//
// The world also counts the marks of the window: the operations of which it is seen that they took part in
// the race of the state. A state without any is red. At the end of a run the world is emptied
// ([World.Drain]).
//
// # Nobody waits for the dead
//
// An engine with deaths never sleeps: an operation that waits for somebody else burns processor time. A stop
// of 20 ms, or a death, in the middle of an operation would show as an operation of
// another process that is at work for as long. What counts is therefore the time of its own: no
// more than its thread ran. More than 10 ms is red. In a control round it is unknown, since then
// the machine does it. The clock of a thread also counts the time for which a virtual machine was
// taken away: in a round with such time, as far as the kernel tells, it excuses as much.
//
// The distributions of real time are reported beside those of the control, and not judged: on a busy
// machine they are the scheduler's. So is the largest number of steps in one call that the engine can count
// from outside. Goroutines are measured only where there are no processes, and are not judged by their
// time: they may wait for a lock whose holder is not running.
package stress

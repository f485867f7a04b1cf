// Package stress runs an engine at full speed and audits the results. The clients are goroutines and, if
// the engine lies in a region that processes share, processes that are stopped and killed at arbitrary
// instructions. The package imports no engine: an engine implements a [Subject], which gives its operations
// their meaning. No engine knows of the driver: it has no hook, and the build is the normal one.
//
// # A run
//
// A run is one world of an engine, made for one operation state, with a few clients. The subject's recipe
// makes the race of the state likely.
//
// Time is cut into rounds. In a round the clients work, and the parent process follows a plan that is drawn
// from a seed. It kills some processes and starts new ones in their place, and it stops others and lets
// them continue. Half of the deaths and the longest stop prefer a process that has an operation in
// progress: all processes are stopped at once, until one of them has. The seed decides what happens, but
// the system decides when. So a run cannot be replayed.
//
// In every fourth round nothing is done to the clients. This is the control.
//
// Each client writes its calls and their results to a log in shared memory (record.go), as words that only
// the subject can read. The log survives the process. An operation without a return was pending when its
// client died, and may or may not have taken effect.
//
// The clients of an engine on the heap are goroutines only. They are not stopped or killed; the report says
// so, and no verdict asks for it.
//
// # An engine
//
// To add an engine, write a package scenarios/ENGINE/volume that implements [Subject], [World] and
// [Client], and add it to the program that calls [Campaign] and [Worker]. The driver requires one thing:
// when all clients have ended a round, nothing changes any more. The smallest example is the toy of the
// tests (toy_test.go): three words that clients read and swap. What many engines need stands here: [Plain],
// [Memory], [ReadAssignment], [Draw] and [Ordered]; what their tests need is in package stresstest.
//
// # The judges
//
// At the end of a round all clients rest, and the world audits itself ([World.Audit]): it finishes what
// dead clients have left, as any new process would, and reports what is wrong. Then the history of the
// round is checked for linearizability, from the contents at its beginning to those at its end. No
// operation of a dead client can take effect after that, so the histories of the rounds (windows) are
// independent. A window that is not decided is unknown.
//
// The world also counts the marks of the window: the operations that are known to have taken part in the
// race of the state. A state without any mark is red. At the end of a run the world is emptied
// ([World.Drain]).
//
// # Nobody waits for the dead
//
// In an engine whose clients may die, no operation sleeps: an operation that waits for another actor uses
// processor time. If a process is stopped for 20 ms or dies within an operation, and another process waits
// for it, then an operation of that other process runs as long. Therefore the time that counts is the
// processor time of the operation's own thread. More than 10 ms is red. In a control round it is unknown,
// because then the machine is the cause. The clock of a thread also counts time that the host took from a
// virtual machine. If the kernel reports such time in a round, operations are excused for as long.
//
// The distributions of real time are reported beside those of the control rounds, and not judged, because
// on a busy machine the scheduler causes them. The largest number of steps in one call, if the engine can
// count it from outside, is also only reported. Goroutines are measured only if there are no processes.
// Their times are not judged, because they may wait for a lock whose holder is not running.
package stress

// Package processes explores the engine in several processes: they attach to a region, change its
// table, detach, die, and others take over their entries of the process table and what is in their
// descriptors; and it runs a token again in processes of the operating system.
//
// # A program
//
// A [Program] is a cast of processes. Each has its own mapping of the region at its own address, its
// own attachment, and a body for each of its threads, which has a [Client] to do everything with:
//
//	{Name: "newcomer", Bodies: []func(*Client){func(c *Client) {
//		c.Arrive() // attach, make a table, take a handle; each of its accesses is a step
//		c.Add(4, 40)
//		c.Leave() // close the handle, detach
//	}}}
//
// A member that Stands has arrived before the program begins. Keys are numbers from 1 whose elements
// all have one home. Values must be different: the judge finds each in one place, in a cell, with a
// client that was told of it, or with who reclaimed the descriptor of a dead one.
//
// # What is complete
//
// The tests search each program with a death of any process at any time, and run every thousandth execution
// twice. ProcessThreads and ProcessReturns with one death, ProcessRivals and ProcessClear with two,
// ProcessCreation, ProcessNaming and ProcessNamingOpen with the deaths of all three, and each two of the
// processes of ProcessDetach with one are searched with all preemptions, one execution of each class of
// those that differ in the order of independent steps only. ProcessInherit and all three of ProcessDetach,
// with one death, are searched with at most two preemptions in the tests (one with -short), and three by
// make processes; that searches them with all preemptions as well, without a death: 8,410,782 and 3,154,988
// classes.
//
// A pause is a schedule in which a process makes no step while others do. In ProcessReturns one sleeps in
// helping another process's operation until that process has detached, attached again in the same entry, and
// begun another operation in the same descriptor.
//
// A death after a step that has only read is left out, for it is the same to all who live
// (explore.Process.ReadsDie). The judge asks a dead client only for what it was told by a call.
//
// # Creation
//
// A region is made in two ways, and both are explored. In ProcessNaming and ProcessNamingOpen, as on nearly
// all file systems, each creator fills a file without a name, and one of these files gets the name. What is
// asked of the file system is a step: whether there is the name (by opening it, and before a file is made),
// a file, its space, the name for it. So a creator dies before and after each of them, and after each word
// that it writes. The judge wants one region, whole whenever the name can be seen; no name only where all
// creators have died; and nobody who lives to keep another file. In ProcessCreation, for file systems without
// unnamed files, the region is made under its name.
//
// # Locks
//
// Who lives is told by the locks of a [System], which the explorer's processes share and which a dead
// one does not hold. Taking, asking and giving up are steps, as they are in a region file.
//
// # Real processes
//
// [Real] takes the steps of a replayed execution to processes of the operating system: each has the
// region file mapped where the system puts it, stops ahead of each shared access, and goes on when it
// is told to; one that dies is killed by SIGKILL, and one that is not at its turn is stopped by SIGSTOP, so
// that liveness is told of processes that stand still. Kind, place and values of each step must be those
// of the replay, and at the end every word of the file. Those of ProcessCreation come to one name in a
// folder, where creating the file is a step. Those of ProcessNaming and ProcessNamingOpen call
// region.OpenOrCreate and region.Open themselves, so that the engine's own order of these steps is that which
// is explored here; the folder needs files without a name. Two words of an entry of the process
// table are not compared, the pid and the time: they are for people, and nothing depends on them.
package processes

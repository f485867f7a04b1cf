// Package processes has the programs in which several processes use one table: they attach to its region,
// change it, detach, die, and others take over their entries of the process table and what is in their
// descriptors. The machinery that explores such programs, and runs them in real processes, is
// explore/processes.
//
// # A program
//
// A [Program] is a cast of processes, with a body for each of their threads, which has a [Client] to do
// everything with:
//
//	{Name: "newcomer", Bodies: []func(*Client){func(c *Client) {
//		c.Arrive() // attach, make a table, take a handle; each of its accesses is a step
//		c.Add(4, 40)
//		c.Leave() // close the handle, detach
//	}}}
//
// A member that Stands has arrived before the program begins. Keys are numbers from 1 whose elements all
// have one home. Values must be different: the judge finds each in one place, in a cell, with a client
// that was told of it, or with who reclaimed the descriptor of a dead one.
//
// # What is complete
//
// [Checks] are what the link of the engine runs, and the tests, too: each program with the death of any
// process at any time, every thousandth execution twice. ProcessThreads and ProcessReturns with one death,
// ProcessRivals and ProcessClear with two, ProcessCreation, ProcessNaming and ProcessNamingOpen with the
// deaths of all three are searched with all preemptions, one execution of each class of those that differ
// in the order of independent steps only; in the tests each two of the processes of ProcessDetach as well,
// with one death. ProcessInherit and all three of ProcessDetach are searched with at most two preemptions
// and one death (tests with -short: one preemption). By make processes they are searched with three, and
// with all preemptions without a death: 8,410,782 and 3,154,988 classes.
//
// A pause is a schedule in which a process makes no step while others do. In ProcessReturns one sleeps in
// helping another process's operation until that process has detached, attached again in the same entry,
// and begun another operation in the same descriptor.
package processes

// Package processes has the programs in which several processes use one table. They attach to its region,
// change it, detach and die, and others take over their entries of the process table and what is in their
// descriptors. The code that explores such programs, and runs them in real processes, is explore/processes.
//
// # A program
//
// A [Program] is a list of processes, with a body for each of their threads. A body makes all its calls
// through a [Client]:
//
//	{Name: "newcomer", Bodies: []func(*Client){func(c *Client) {
//		c.Arrive() // attach, make a table, take a handle; each of its accesses is a step
//		c.Add(4, 40)
//		c.Leave() // close the handle, detach
//	}}}
//
// A process that Stands has arrived before the program begins. Keys are numbers from 1, and all their
// elements have one home. Values must be different: the judge finds each value in one place, which is a
// cell, a client that was told of it, or the process that reclaimed the descriptor of a dead one.
//
// # What is complete
//
// The engine link and the tests run [Checks]: each program with the death of any process at any time, and
// every thousandth execution twice. Some programs are searched with all preemptions, one execution of each
// class of those that differ only in the order of independent steps. These are ProcessThreads and
// ProcessReturns with one death; ProcessRivals and ProcessClear with two; ProcessCreation, ProcessNaming
// and ProcessNamingOpen with the deaths of all three processes; and in the tests each two of the processes
// of ProcessDetach, with one death.
//
// ProcessInherit and all three processes of ProcessDetach are searched with at most two preemptions and one
// death (tests with -short: one preemption). The target processes of the Makefile searches them with three
// preemptions, and without a death with all preemptions: 8,410,782 and 3,154,988 classes.
//
// A pause is a schedule in which a process makes no step while others do. In ProcessReturns a process
// pauses while it helps another process's operation, until that process has detached, attached again in the
// same entry, and begun another operation in the same descriptor.
package processes

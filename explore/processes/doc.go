// Package processes explores programs of several processes. They attach to a region (impl/region), use it,
// detach and die, and others take over their entries of the process table. The package also runs a token
// again in processes of the operating system. It knows no engine: what the processes keep in their region,
// and whether it is right, says an [Engine].
//
// # A program
//
// A [Program] has members, each of them a process with its own mapping of the region at its own address, and
// one thread or more. A member that stands has arrived before the program begins. A [Stage] is a program
// with its memory; its Program is what the explorer runs. scenarios/hopscotch/processes has the engine and
// the programs of the table.
//
//	stage, err := processes.NewStage(processes.Program{Name: "counter", Layout: layout, Engine: engine,
//		Members: []processes.Member{{Name: "first", Stands: true, Threads: 1}}}, processes.Options{})
//	report, err := explore.Explore(stage.Program(), explore.Options{Kills: 1, Reduce: true, ...})
//
// A death after a step that has only read is left out, for it is the same to all who live
// (explore.Process.ReadsDie). The engine's judge may ask a dead thread only for what it was told by a call.
//
// The stage judges what concerns every engine. No call of a living process fails. One more process, which
// attaches at the end, finds each living process alive and all others dead, and no two with the same
// attachment.
//
// # Creation
//
// A region is made in two ways, and both are explored. In [Naming], as on nearly all file systems, each
// creator fills a file without a name, and one of these files gets the name. What is asked of the file
// system is a step: whether there is the name (by opening it, and before a file is made), a file, its space,
// the name for it. So a creator dies before and after each of them, and after each word that it writes. The
// judge wants one region, whole whenever the name can be seen; no name only where all creators have died; and
// nobody who lives to keep another file. In [Creation], for file systems without unnamed files, the region is
// made under its name.
//
// # Locks
//
// Who lives is told by the locks of a [System], which the explorer's processes share and which a dead
// one does not hold. Taking, asking and giving up are steps, as they are in a region file.
//
// # Real processes
//
// [Stage.Real] repeats the steps of a replayed execution in processes of the operating system. Each has the
// region file mapped where the system puts it, stops before each shared access, and goes on when it is told
// to. A process that dies is killed by SIGKILL. A process whose turn it is not is stopped by SIGSTOP, so
// that others ask whether a process lives while it stands still. Kind, place and values of each step must
// be those of the replay, and at the end every word of the file. Those of a Creation come to one name in a
// folder, where creating the file is a step. Those of a Naming call region.OpenOrCreate and region.Open
// themselves, so that the order of these steps in impl/region is that which is explored here; the folder
// needs files without a name. Two words of an entry of the process table are not compared, the pid and the
// time: they are for people, and nothing depends on them.
package processes

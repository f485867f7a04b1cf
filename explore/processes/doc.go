// Package processes explores programs of several processes. They attach to a region (impl/region), use it,
// detach and die, and others take over their entries of the process table. The package also repeats a token
// in processes of the operating system. It depends on no engine: an [Engine] says what the processes keep in
// their region, and whether it is right.
//
// # A program
//
// A [Program] has members. Each member is a process with its own mapping of the region at its own address,
// and with one thread or more. A member with Stands has arrived before the program begins. A [Stage] is a
// program with its memory; its Program is what the explorer runs. scenarios/hopscotch/processes has the
// engine and the programs of the table.
//
//	stage, err := processes.NewStage(processes.Program{Name: "counter", Layout: layout, Engine: engine,
//		Members: []processes.Member{{Name: "first", Stands: true, Threads: 1}}}, processes.Options{})
//	report, err := explore.Explore(stage.Program(), explore.Options{Kills: 1, Reduce: true, ...})
//
// A death after a step that has only read is left out, because it is the same for all living processes
// (explore.Process.ReadsDie). The engine's judge may use only what a call has told a dead thread.
//
// The stage judges what concerns every engine. No call of a living process fails. One more process, which
// attaches at the end, finds each living process alive and all others dead, and no two with the same
// attachment.
//
// # Creation
//
// A region is made in two ways, and both are explored. In [Naming], as on nearly all file systems, each
// creator fills a file without a name, and one of these files gets the name. Each request to the file system
// is a step: whether the name exists (by opening it, and before a file is made), a file, its space, and the
// name for it. So a creator dies before and after each of them, and after each word that it writes. The
// judge requires one region, which is whole whenever the name can be seen. There may be no name only if all
// creators have died. No living process may keep another file. In [Creation], for file systems without
// unnamed files, the region is made under its name.
//
// # Locks
//
// The locks of a [System] tell which processes are alive. The explorer's processes share these locks, and a
// dead process does not hold one. Taking, asking and releasing are steps, as they are in a region file.
//
// # Real processes
//
// [Stage.Real] repeats the steps of a replayed execution in processes of the operating system. Each process
// has the region file mapped where the system puts it, stops before each shared access, and continues when
// it is told to. A process that dies is killed by SIGKILL. A process whose turn it is not is stopped by
// SIGSTOP, so others ask whether it is alive while it is stopped. Kind, place and values of each step must
// be those of the replay, and so must every word of the file at the end. The processes of a Creation come to
// one name in a folder, where creating the file is a step. Those of a Naming call region.OpenOrCreate and
// region.Open themselves, so the order of these steps in impl/region is the explored one; the folder needs
// files without a name. Two words of an entry of the process table are not compared, the pid and the time:
// they are for people, and nothing depends on them.
package processes

// Package shardmap is the Go model of the sharded map: spec/tla/shardmap, action for action and under the
// same names.
//
//	op.go          the operations that actors call                             Programs.tla
//	programs.go    what each actor calls in the runs of the operation states   Programs.tla
//	state.go       all variables as one flat value                             Shard.tla
//	tla.go         a state as TLA+ writes it
//	machine.go     the constants of a run, the next steps of an actor          ShardMap.tla
//	course.go      where an operation begins and goes on                       Shard.tla
//	lock.go        the accesses of a lock word                                 Lock.tla
//	contents.go    what is done inside a critical section                      Contents.tla
//	cleanup.go     who may clean, and which shard comes next                   Cleanup.tla
//	cache.go       the atomic map that the machine refines                     Cache.tla, Refinement.tla
//	properties.go  what must hold, what must come about                        MCShardMap.tla
//	witnesses.go   that the runs reach what they are about                     MCShardMap.tla
//	view.go        what the code of the engine can be compared with
//
// A load that spins (ReadWait, WriteWait, WriteDrain, CleanupWait) is a step here when its condition holds. A
// load that finds it false changes nothing and is no step: Machine.Spins tells that an actor stands before
// such a load, so that whoever compares an execution with the model lets it pass.
//
// ShardLook and ShardChange stand for all accesses of a critical section. A callback or predicate that
// calls the map does so after that step, with the lock held. So if the predicate of an erase under the
// exclusive lock calls the map, the entry disappears before the call in the model, and after it in the
// code. No other actor can see the difference, since the lock is held.
//
// Explore searches a program breadth first. Tests prove that TLC reaches the same set of states in each run,
// and that both come to the same verdict in all of them.
package shardmap

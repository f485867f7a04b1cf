// Package testing is the part of the standard package testing that a test function uses, for tests whose
// goroutines are explored.
//
// To explore a foreign test, a copy of it is built in which the import path testing is replaced by this one.
// T is a type of its own. The other types are those of the standard library, because explored code does not
// use them: benchmarks and fuzz targets are compiled and never run.
//
// These are the differences from the original:
//   - Run calls its function in the goroutine of the test and not in one of its own, unless the subtest is
//     known to call Parallel: see [Subtests]. Such a subtest runs beside the others, in all orders, after the
//     end of the function of its parent. At most [MostParallel] of them run at the same time; of more, the
//     next one goes on when one of these ends.
//   - FailNow, SkipNow and the methods that call them end the test by a panic. In copied code recover returns
//     nil then, as in the original. Code that is not copied, and a deferred function that recovers from a
//     panic of its own code, sees the difference. Called in another goroutine they are a failure of the test.
//     A call of runtime.Goexit in the goroutine of a test is a failure, too.
//   - M runs the one test that is explored, so TestMain is called in each execution. A call of os.Exit in it
//     lets deferred functions run. With another status than that of Run it is a failure.
//   - Nothing is printed. The messages of a test that fails are those of the execution that failed.
//   - There is no deadline, and Short and Verbose report false. The flags have their first values.
package testing

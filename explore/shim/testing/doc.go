// Package testing is the part of the standard package testing that a test function uses, for tests whose
// goroutines are explored.
//
// A test of somebody else's is explored by building a copy of it in which the import path testing is
// replaced by this one. T is a type of its own. The others are those of the standard library, since nothing
// explored uses them: benchmarks and fuzz targets are compiled and never run.
//
// What differs from the original:
//   - Run calls its function in the goroutine of the test and not in one of its own, and Parallel does
//     nothing. So subtests run one after the other.
//   - FailNow, SkipNow and what calls them end the test by a panic, which a recover of the test's can stop.
//     Called in another goroutine they are a failure of the test.
//   - Nothing is printed. The messages of a test that fails are those of the execution that failed.
//   - There is no deadline, and Short and Verbose report false.
package testing

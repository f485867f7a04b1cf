// Package plain has no tests.
package plain

// One is 1.
const One = 1

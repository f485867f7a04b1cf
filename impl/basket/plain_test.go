//go:build !race && !explore

package basket_test

// raced says that the build allocates where others do not.
const raced = false

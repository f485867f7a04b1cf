//go:build explore

package fuzz

// plainBuild tells whether the error says that this build has no explorer.
func plainBuild(error) bool { return false }

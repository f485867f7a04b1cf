// Package mapmodel is the sequential map from uint32 to uint32: what its clients ask and get, how these
// are written to files, which programs call it, and what it does, one key at a time.
package mapmodel

// Package driver has the parts of the driver program of a foreign map.
//
// A driver is a small program that package foreign builds next to a copy of the foreign source. It passes
// Main a constructor of the map, and the concurrent programs to run on it. Main explores the programs,
// judges what the clients saw by the sequential specification in this package, and writes a Report as JSON.
//
// The package is not internal, because the driver is a module of its own. It is not meant for other users.
package driver

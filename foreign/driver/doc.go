// Package driver is what a foreign map's driver program is made of.
//
// A driver is a small program that foreign builds next to a copy of somebody else's
// source. It hands Main a constructor of the map and the concurrent programs to run on it. Main
// explores them, judges what the clients saw against the sequential specification in this package,
// and writes a Report as JSON.
//
// The package is not internal, because the driver is a module of its own; it is no interface for
// anybody else.
package driver

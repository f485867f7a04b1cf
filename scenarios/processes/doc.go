// Package processes has what the explorer needs to run several processes of the engine in one: the
// memory of a region, mapped once for each of them, and the locks by which they see who lives.
package processes

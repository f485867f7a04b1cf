// Package order makes explored code range over maps in an order that is the same in each execution with the
// same schedule. The order of the runtime differs each time. In a copy of foreign code, package foreign
// changes the loops to calls of this package.
//
// Keys come in increasing order. Booleans, numbers and strings have an order of their own. Arrays and
// structures have that of their first elements that differ. Interfaces have the order of the names of their
// types, and then that of their values. Pointers and channels come in the order in which the code was first
// seen to use them as a key of a map, or as a part of one: see [Seen]. If a package that is not copied put
// them into the map, they were not seen; then they come last, in the order of their addresses, which may
// differ in each execution. The same holds for the order of several keys that are not equal to themselves,
// such as not-a-number; they come last.
//
// So one of the orders that the language allows is explored, and not the others.
package order

// Package order lets explored code range over maps in an order that is the same in each execution with the
// same schedule. The runtime's own is another one each time. A copy of foreign code has its loops changed to
// calls of this package by foreign.
//
// Keys come in increasing order. Booleans, numbers and strings have one, arrays and structures that of their
// first elements that differ, and interfaces that of the names of their types, then that of their values.
// Pointers and channels come in the order in which the code was first seen to make them the key of a map, or
// a part of one: see [Seen]. Those that nobody saw, because a package that is not copied put them into the
// map, come behind them by their address, which may be another one in each execution. So may the order of
// several keys that are not equal to themselves, such as not-a-number; they come last.
//
// So one of the orders that the language allows is explored, and not the others.
package order

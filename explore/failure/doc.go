// Package failure makes a failing execution easy to read: it takes away what the failure does not
// need ([Reduce]), and shows the rest as one page for a browser ([Page]).
//
// A page is one file of at most [MaxPage] bytes that loads nothing. All texts on it are data: names
// of foreign functions and messages are escaped, the picture of a history sits in a frame without
// access to the page.
package failure

// Package inner starts a goroutine for the first value of a variable.
package inner

// Answers gets an answer for each request.
var Answers = begin()

func begin() chan int {
	c := make(chan int)
	go func() {
		for {
			c <- 1
		}
	}()
	return c
}

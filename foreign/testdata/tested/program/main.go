// Command program does nothing.
package main

func main() {}

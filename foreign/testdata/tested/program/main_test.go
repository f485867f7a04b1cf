package main

import "testing"

func TestProgram(t *testing.T) { main() }

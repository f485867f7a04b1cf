package search

import (
	"fmt"
	"strings"
)

// Set is a set of numbers below 8: of actors, say.
type Set uint8

// One is the set of one number.
func One(i uint8) Set { return 1 << i }

// Has reports whether the number is in the set.
func (x Set) Has(i uint8) bool { return x&One(i) != 0 }

// TLA is the set as TLC writes it.
func (x Set) TLA() string {
	var items []string
	for i := range uint8(8) {
		if x.Has(i) {
			items = append(items, fmt.Sprint(i))
		}
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// Number is a constant of a machine, and its bounds.
type Number struct {
	Name               string
	Value, Least, Most int
}

// Members is a constant that is a set, as a list, and the bounds of its members.
type Members struct {
	Name        string
	List        []int
	To          *Set // what it becomes
	Least, Most int
}

// Constants checks the constants of a machine's program, and makes sets of the lists.
func Constants(machine, program string, numbers []Number, sets []Members) error {
	for _, x := range numbers {
		if x.Value < x.Least || x.Value > x.Most {
			return fmt.Errorf("%s: %s: %s is %d: choose %d to %d", machine, program, x.Name, x.Value, x.Least,
				x.Most)
		}
	}
	for _, x := range sets {
		for _, i := range x.List {
			if i < x.Least || i > x.Most {
				return fmt.Errorf("%s: %s: %s has %d: choose %d to %d", machine, program, x.Name, i, x.Least,
					x.Most)
			}
			*x.To |= One(uint8(i))
		}
	}
	return nil
}

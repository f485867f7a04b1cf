package cache

import (
	"math"
	"strings"
)

// nearest returns the names that the writer of an unknown name may have meant: those that differ in the
// fewest letters, if these are at most a third of the name; otherwise those that contain the name.
func nearest(name string, names []string) (near []string) {
	if name == "" {
		return nil
	}
	least := len(name)/3 + 1
	for _, n := range names {
		switch d := distance(name, n); {
		case d < least:
			least, near = d, []string{n}
		case d == least && d <= len(name)/3:
			near = append(near, n)
		}
	}
	if len(near) > 0 {
		return near
	}
	for _, n := range names {
		if strings.Contains(n, name) {
			near = append(near, n)
		}
	}
	return near
}

// nameMost is the length up to which names are compared letter by letter, and the number of bytes that an
// error shows of a name.
const nameMost = 64

// distance is the number of bytes that must be inserted, deleted or replaced to change b into a.
func distance(a, b string) int {
	if len(a) > nameMost || len(b) > nameMost {
		return math.MaxInt // no name is so long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}

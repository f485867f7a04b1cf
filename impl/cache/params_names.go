package cache

import (
	"math"
	"strings"
)

// nearest are the names that somebody may have meant who wrote that name: those that differ in the fewest
// letters, if these are no more than a third of it; else those of which it is a part.
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

// nameMost bounds the names that are compared letter by letter, and what an error shows of one.
const nameMost = 64

// distance is how many bytes have to be put in, left out or replaced to make a of b.
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

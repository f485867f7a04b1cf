// Package plural counts things in words: "1 program", "2 programs".
package plural

import "strconv"

// Integer is any type of whole numbers.
type Integer interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// Of is n of what, which is a noun in the singular whose plural is formed regularly; after s, x, ch and
// sh by es.
func Of[N Integer](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if n < 0 {
		return strconv.FormatInt(int64(n), 10) + " " + many(what)
	}
	return strconv.FormatUint(uint64(n), 10) + " " + many(what)
}

func many(what string) string {
	for _, end := range []string{"s", "x", "ch", "sh"} {
		if len(what) >= len(end) && what[len(what)-len(end):] == end {
			return what + "es"
		}
	}
	return what + "s"
}

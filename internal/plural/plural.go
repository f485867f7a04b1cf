// Package plural counts things in words: "1 program", "2 programs".
package plural

import (
	"strconv"
	"strings"
)

// Integer is any type of whole numbers.
type Integer interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// Of is n of what, which is a noun in the singular whose plural is formed regularly; after s, x, ch and
// sh by es.
func Of[N Integer](n N, what string) string { return string(Append(nil, n, what)) }

// Append adds what Of is to the text and returns it.
func Append[N Integer](text []byte, n N, what string) []byte {
	if n < 0 {
		text = strconv.AppendInt(text, int64(n), 10)
	} else {
		text = strconv.AppendUint(text, uint64(n), 10)
	}
	text = append(append(text, ' '), what...)
	if n == 1 {
		return text
	}
	for _, end := range []string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(what, end) {
			return append(text, "es"...)
		}
	}
	return append(text, 's')
}

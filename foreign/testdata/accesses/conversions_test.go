package accesses

import (
	"strings"
	"testing"
)

func text[T []byte | string](s T) string                  { return string(s) }
func named[T ~string](s []byte) T                         { return T(s) }
func copied[T []byte | string](s []byte, more T) int      { return copy(s, more) }
func appended[T []byte | string](s []byte, more T) []byte { return append(s, more...) }

// reads are reads of the bytes of a slice that has two.
var reads = map[string]func([]byte){
	"Text":       func(b []byte) { _ = len(string(b)) },
	"Comparison": func(b []byte) { _ = string(b) == "zz" || string(b) == "" },
	"Switch": func(b []byte) {
		switch string(b) {
		case "zz":
			panic(b)
		}
	},
	"Key":          func(b []byte) { _ = map[string]int{}[string(b)] },
	"Concatenated": func(b []byte) { _ = strings.ToUpper("a" + string(b)) },
	"Range": func(b []byte) {
		for range string(b) {
			break
		}
	},
	"Array":       func(b []byte) { a := [2]byte(b); panicIf(a[1] == 'z') },
	"OfParameter": func(b []byte) { text(b) },
	"ToParameter": func(b []byte) { named[string](b) },
	"CopyFrom":    func(b []byte) { copied(make([]byte, 2), b) },
	"AppendFrom":  func(b []byte) { appended(nil, b) },
}

func panicIf(yes bool) {
	if yes {
		panic("it is")
	}
}

// writes are writes of the second byte.
var writes = map[string]func([]byte){
	"Copy":   func(b []byte) { copy(b, "xy") },
	"Append": func(b []byte) { _ = append(b[:0], "xy"...) },
	"CopyTo": func(b []byte) { copied(b[1:], strings.Repeat("x", 4)) },
}

func race(f, g func([]byte)) {
	b := []byte("ab")
	both(func() { f(b) }, func() { g(b) })
}

func set1(b []byte) { b[1] = 'x' }
func get1(b []byte) { _ = b[1] == 'z' && b[0] == 'z' }

func TestRace_ConvertText(t *testing.T)         { race(reads["Text"], set1) }
func TestRace_ConvertComparison(t *testing.T)   { race(reads["Comparison"], set1) }
func TestRace_ConvertSwitch(t *testing.T)       { race(reads["Switch"], set1) }
func TestRace_ConvertKey(t *testing.T)          { race(reads["Key"], set1) }
func TestRace_ConvertConcatenated(t *testing.T) { race(reads["Concatenated"], set1) }
func TestRace_ConvertRange(t *testing.T)        { race(reads["Range"], set1) }
func TestRace_ConvertArray(t *testing.T)        { race(reads["Array"], set1) }
func TestRace_ConvertOfParameter(t *testing.T)  { race(reads["OfParameter"], set1) }
func TestRace_ConvertToParameter(t *testing.T)  { race(reads["ToParameter"], set1) }
func TestRace_ConvertCopyFrom(t *testing.T)     { race(reads["CopyFrom"], set1) }
func TestRace_ConvertAppendFrom(t *testing.T)   { race(reads["AppendFrom"], set1) }
func TestRace_ConvertCopy(t *testing.T)         { race(writes["Copy"], get1) }
func TestRace_ConvertAppend(t *testing.T)       { race(writes["Append"], get1) }
func TestRace_ConvertCopyTo(t *testing.T)       { race(writes["CopyTo"], get1) }

func TestRace_ConvertRunes(t *testing.T) {
	s := []rune("ab")
	both(func() { s[1] = 'x' }, func() { _ = strings.ToUpper(string(s)) })
}

// Reads do not race with one another, nor with an access to what they do not touch.
func TestRight_ConvertReads(t *testing.T) {
	b := []byte("ab")
	all := func() {
		for name, read := range reads {
			if name != "Range" {
				read(b)
			}
		}
	}
	both(all, all)
}

func TestRight_ConvertOthers(t *testing.T) {
	b := []byte("abc")
	both(func() { b[2] = 'x' }, func() {
		for _, read := range reads {
			read(b[:2])
		}
		_ = [2]byte(b)
		p := (*[3]byte)(b)
		_ = p[1]
	})
	both(func() { b[2] = 'y' }, func() { _ = [3]byte(b)[0] })
	both(func() { b[2] = 'z' }, func() { copy(b, "xy"); copied(b[:2], "xyz"); copied(b, b[:1]) })
	both(func() { b[2] = 'a' }, func() { _ = append(b[:0], "xy"...); appended(b[:1], "z") })
}

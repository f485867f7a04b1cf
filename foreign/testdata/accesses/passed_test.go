package accesses

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestRace_PassedEqual(t *testing.T) {
	race(func(b []byte) { panicIf(bytes.Equal(b, []byte("zz"))) }, set1)
}

func TestRace_PassedClone(t *testing.T)  { race(func(b []byte) { bytes.Clone(b) }, set1) }
func TestRace_PassedUpper(t *testing.T)  { race(func(b []byte) { bytes.ToUpper(b) }, set1) }
func TestRace_PassedSprint(t *testing.T) { race(func(b []byte) { _ = fmt.Sprint(b) }, set1) }
func TestRace_PassedFormat(t *testing.T) { race(func(b []byte) { _ = fmt.Sprintf("%x%%", b) }, set1) }
func TestRace_PassedJSON(t *testing.T)   { race(func(b []byte) { json.Marshal(b) }, set1) }

func TestRace_PassedSum(t *testing.T) { race(func(b []byte) { sha256.Sum256(b) }, set1) }
func TestRace_PassedHex(t *testing.T) { race(func(b []byte) { _ = hex.EncodeToString(b) }, set1) }
func TestRace_Cleared(t *testing.T)   { race(func(b []byte) { clear(b) }, get1) }
func TestRight_Cleared(t *testing.T) {
	race(func(b []byte) { clear(b[:1]) }, func(b []byte) { b[1] = 'x' })
}

func TestRace_PassedJoin(t *testing.T) {
	s := []string{"a", "b"}
	both(func() { strings.Join(s, ",") }, func() { s[1] = "c" })
}

func TestRace_PassedMap(t *testing.T) {
	m := map[string]any{}
	both(func() { json.Marshal(m) }, func() { m["a"] = 1 })
}

func TestRace_PassedMapPrinted(t *testing.T) {
	m := map[string]int{}
	both(func() { _ = fmt.Sprintf("%d: %v", 1, m) }, func() { m["a"] = 1 })
}

func TestRace_PassedBuffer(t *testing.T) {
	var b bytes.Buffer
	one := func() int { return 1 }
	both(func() { b.WriteString(fmt.Sprint(one())) }, func() { b.WriteString("b") })
}

// printer is printed by a method, which waits.
type printer chan int

func (p printer) String() string { <-p; return "" }

// Types and addresses of maps are no reads of them. Operands that wait come first.
func TestRight_Passed(t *testing.T) {
	m := map[string]int{}
	both(func() { _ = fmt.Sprintf("%T %p", m, m) }, func() { m["a"] = 1 })
	var b bytes.Buffer
	done := make(chan int)
	wait := func() string { <-done; return "a" }
	both(func() { b.WriteString(wait()) }, func() { b.WriteString("b"); done <- 1 })
	both(func() { b.WriteByte(byte(<-done)) }, func() { b.WriteString("b"); done <- 1 })
	both(func() { _ = fmt.Sprint(m, wait()) }, func() { m["a"] = 2; done <- 1 })
}

func TestRight_PassedPrinter(t *testing.T) {
	m, s, done := map[string]int{}, []string{"a"}, make(chan int)
	both(func() { _ = fmt.Sprint(printer(done), m) }, func() { m["a"] = 1; done <- 1 })
	both(func() { _, _ = fmt.Sprint(m, s), strings.Join(s, "") }, func() { _, _ = json.Marshal(m) })
}

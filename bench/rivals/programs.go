package rivals

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// A Program is a set of threads over cells.
type Program struct {
	Name    string          `json:"name"`
	Cells   []uint64        `json:"cells"` // their initial values
	Threads [][]Instruction `json:"threads"`

	// Traces is the number of classes of executions that differ only in the order of accesses
	// that commute; a compare-and-swap that fails is a read. It is 0 where loops make it endless.
	// Outcomes is the number of different outcomes. A test compares both with Truth.
	Traces   int `json:"traces"`
	Outcomes int `json:"outcomes"`

	// Waits says that a thread waits in a loop for another one, so that an unfair schedule
	// has no end.
	Waits bool `json:"waits"`
}

// JSON is the text of all programs as the rivals read it. A test compares it with Programs.
//
//go:embed programs.json
var JSON []byte

// Encode returns the text of programs.json.
func Encode(programs []Program) ([]byte, error) {
	text, err := json.Marshal(programs)
	if err != nil {
		return nil, err
	}
	return append([]byte(strings.ReplaceAll(string(text), `{"name"`, "\n"+`{"name"`)), '\n'), nil
}

// definition is a program as it is written down.
type definition struct {
	name     string
	cells    []uint64
	threads  []string
	traces   int
	outcomes int
	waits    bool
}

// times repeats text.
func times(n int, text string) string { return strings.Repeat(text+"\n", n) }

// same is n threads of one text.
func same(n int, text string) (t []string) {
	for range n {
		t = append(t, text)
	}
	return t
}

const (
	incA = "add r0 [0] 1"
	incB = "add r0 [1] 1"
	incC = "add r0 [2] 1"
	aba  = incA + "\n" + incB + "\n" + incA
	bab  = incB + "\n" + incA + "\n" + incB
)

// insert puts key k into the first of two slots that is empty: 1 inserted, 2 exists, 3 full.
// With atomic it claims the slot by compare-and-swap, otherwise it stores after a load: a race.
func insert(k int, atomic bool) string {
	var b strings.Builder
	for slot := range 2 {
		fmt.Fprintf(&b, "load r0 [%d]\njeq r0 %d exists%d\njne r0 0 next%d-%d\n", slot, k, k, k, slot)
		if atomic {
			fmt.Fprintf(&b, "cas r0 [%d] 0 %d\njeq r0 0 in%d\njeq r0 %d exists%d\n", slot, k, k, k, k)
		} else {
			fmt.Fprintf(&b, "store [%d] %d\njmp in%d\n", slot, k, k)
		}
		fmt.Fprintf(&b, "next%d-%d:\n", k, slot)
	}
	fmt.Fprintf(&b, "out 3\njmp end%[1]d\nin%[1]d:\nout 1\njmp end%[1]d\nexists%[1]d:\nout 2\nend%[1]d:\n", k)
	return b.String()
}

// find looks for key k in slot 0 and, unless it is there, in slot 1.
func find(k int) string {
	return fmt.Sprintf("load r0 [0]\njeq r0 %[1]d hit%[1]d\nload r0 [1]\njeq r0 %[1]d hit%[1]d\n"+
		"out 0\njmp found%[1]d\nhit%[1]d:\nout 1\nfound%[1]d:\n", k)
}

// push and pop are Treiber's stack: cell 0 is its head, node n's link is cell n.
func push(n int) string {
	return fmt.Sprintf("push%[1]d:\nload r0 [0]\nstore [%[1]d] r0\n"+
		"cas r1 [0] r0 %[1]d\njne r1 r0 push%[1]d\n", n)
}

const pop = `pop:
load r0 [0]
jeq r0 0 popped
load r1 [r0]
cas r2 [0] r0 r1
jne r2 r0 pop
popped:
out r0
`

// enqueue and dequeue are the queue of Michael and Scott: cell 0 its head, cell 1 its tail, node n's
// link is cell n, node 2 the first dummy.
func enqueue(n int) string {
	return fmt.Sprintf(`enq%[1]d:
load r0 [1]
load r1 [r0]
jeq r1 0 last%[1]d
cas r2 [1] r0 r1
jmp enq%[1]d
last%[1]d:
cas r2 [r0] 0 %[1]d
jne r2 0 enq%[1]d
cas r2 [1] r0 %[1]d
`, n)
}

const dequeue = `deq:
load r0 [0]
load r1 [1]
load r2 [r0]
jne r0 r1 some
jeq r2 0 none
cas r3 [1] r1 r2
jmp deq
some:
cas r3 [0] r0 r2
jne r3 r0 deq
out r2
jmp deqd
none:
out 0
deqd:
`

// ticket is a turn with a ticket lock: cell 0 the next ticket, cell 1 the one that is served, cell 2
// what it guards.
const ticket = `add r0 [0] 1
wait:
load r1 [1]
jeq r1 r0 mine
yield
jmp wait
mine:
load r2 [2]
store [2] r2+1
add r3 [1] 1
out r2
`

// The sequence lock: cell 0 its count, cells 1 and 2 what it guards; a reader tries once.
const (
	seqWrite = "store [0] 1\nstore [1] 1\nstore [2] 1\nstore [0] 2\n"
	seqRead  = `load r0 [0]
jeq r0 1 torn
load r1 [1]
load r2 [2]
load r3 [0]
jne r0 r3 torn
out r1
out r2
jmp read
torn:
out 9
read:
`
)

// The deque of Chase and Lev: cell 0 its top, cell 1 its bottom, the elements from cell 2.
const (
	bottomPush = "load r0 [1]\nstore [r0+2] r7\nstore [1] r0+1\n"
	steal      = `load r0 [0]
load r1 [1]
jlt r0 r1 more
out 0
jmp stolen
more:
load r2 [r0+2]
cas r3 [0] r0 r0+1
jne r3 r0 lost
out r2
jmp stolen
lost:
out 0
stolen:
`
)

// bottomTake is the n-th take of the owner.
func bottomTake(n int) string {
	return fmt.Sprintf(`load r0 [1]
sub r0 r0 1
store [1] r0
load r1 [0]
jlt r1 r0 safe%[1]d
jeq r1 r0 last%[1]d
store [1] r0+1
out 0
jmp taken%[1]d
safe%[1]d:
load r2 [r0+2]
out r2
jmp taken%[1]d
last%[1]d:
load r2 [r0+2]
cas r3 [0] r1 r1+1
store [1] r0+1
jeq r3 r1 won%[1]d
out 0
jmp taken%[1]d
won%[1]d:
out r2
taken%[1]d:
`, n)
}

// Programs are all programs of the comparison, the small ones first.
func Programs() ([]Program, error) {
	var all []Program
	for _, d := range definitions() {
		p := Program{Name: d.name, Cells: d.cells, Traces: d.traces, Outcomes: d.outcomes, Waits: d.waits}
		for i, text := range d.threads {
			code, err := Assemble(text, !d.waits)
			if err != nil {
				return nil, fmt.Errorf("%s: thread %d: %w", d.name, i, err)
			}
			p.Threads = append(p.Threads, code)
		}
		all = append(all, p)
	}
	return all, nil
}

func definitions() []definition {
	z := func(n int) []uint64 { return make([]uint64, n) }
	zig := func(from int) (s string) {
		for k := from; k < from+8; k += 2 {
			s += fmt.Sprintf("cas r0 [0] %d %d\n", k, k+1)
		}
		return s
	}
	stores := func(n int) (t []string) {
		for k := range n {
			t = append(t, fmt.Sprintf("store [0] %d", k+1))
		}
		return t
	}
	owner := "let r7 5\n" + bottomPush + "let r7 6\n" + bottomPush + bottomTake(1) + bottomTake(2)
	i, c := func(k int) string { return insert(k, false) }, func(k int) string { return insert(k, true) }
	return []definition{
		{"empty2", z(1), []string{"", ""}, 1, 1, false},
		{"sb", z(2), []string{"store [0] 1\nload r0 [1]", "store [1] 1\nload r0 [0]"}, 3, 3, false},
		{"mp", z(2), []string{"store [0] 1\nstore [1] 1", "load r0 [1]\nload r0 [0]"}, 3, 3, false},
		{"write3", z(1), stores(3), 6, 3, false},
		{"write5", z(1), stores(5), 120, 5, false},
		{"priv2x3", z(2), []string{times(3, incA), times(3, incB)}, 1, 1, false},
		{"ctr2x3", z(1), same(2, times(3, incA)), 20, 20, false},
		{"ctr3x2", z(1), same(3, times(2, incA)), 90, 90, false},
		{"ctr2x6", z(1), same(2, times(6, incA)), 924, 924, false},
		{"ctr3x3", z(1), same(3, times(3, incA)), 1680, 1680, false},
		{"alt2x3", z(2), same(2, aba), 10, 10, false},
		{"altopp2x3", z(2), []string{aba, bab}, 7, 7, false},
		{"alt3x3", z(2), same(3, aba), 342, 342, false},
		{"zig2x4", z(1), []string{zig(0), zig(1)}, 17, 17, false},
		{"hole", z(1), []string{"load r0 [0]\nstore [0] 1", "load r0 [0]\nstore [0] 2"}, 4, 4, false},
		{"race2x1", z(2), []string{i(1), i(2)}, 4, 4, false},
		{"race2x2", z(2), []string{i(1) + i(2), i(2) + i(1)}, 18, 16, false},
		{"late", z(3), []string{times(8, incC) + i(1), i(2)}, 4, 4, false},
		{"cas2x1", z(2), []string{c(1), c(2)}, 4, 4, false},
		{"cas2x2", z(2), []string{c(1) + c(2), c(2) + c(1)}, 16, 16, false},
		{"casfind2x2", z(2), []string{c(1) + find(2), c(2) + find(1)}, 8, 8, false},
		{"cas3x1", z(2), []string{c(1), c(2), c(3)}, 48, 48, false},
		{"treiber2", z(3), []string{push(1) + pop, push(2) + pop}, 46, 39, false},
		{"treiber3", z(3), []string{push(1), push(2), pop}, 22, 20, false},
		{"queue2", []uint64{2, 2, 0, 0, 0}, []string{enqueue(3) + dequeue, enqueue(4)}, 22, 22, false},
		{"seqlock", z(3), []string{seqWrite, seqRead}, 11, 11, false},
		{"ticket2", z(3), same(2, ticket), 0, 2, true},
		{"deque", z(4), []string{owner, steal}, 17, 11, false},
		{"cas3x2", z(2), []string{c(1) + c(2), c(2) + c(1), c(1) + c(2)}, 144, 144, false},
	}
}

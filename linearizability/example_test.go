package linearizability_test

import (
	"fmt"
	"strconv"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// ask is what a client of the queue asks for: push a letter, or pop if it is zero.
type ask struct{ push byte }

// answer is what it gets: a letter if a pop found one.
type answer struct{ letter byte }

// Append makes ask a history.Value.
func (a ask) Append(b []byte) []byte {
	if a.push == 0 {
		return append(b, "pop"...)
	}
	return strconv.AppendQuoteRune(append(b, "push "...), rune(a.push))
}

// Append makes answer a history.Value.
func (a answer) Append(b []byte) []byte {
	if a.letter == 0 {
		return append(b, "nothing"...)
	}
	return strconv.AppendQuoteRune(b, rune(a.letter))
}

// letters is what the queue holds, the oldest first: a string, since a slice cannot be compared.
type letters string

// String names the state in messages and pictures.
func (l letters) String() string {
	if l == "" {
		return "empty"
	}
	return string(l)
}

// queue is what a sequential queue of letters does.
var queue = linearizability.Spec[ask, answer, letters]{
	Init: func(ask) letters { return "" },
	Step: func(s letters, q ask, r answer) (letters, bool) {
		switch {
		case q.push != 0:
			return s + letters(q.push), r.letter == 0
		case s == "":
			return s, r.letter == 0
		}
		return s[1:], r.letter == s[0]
	},
	Pending: func(s letters, q ask) []letters { // a killed client may have done this
		switch {
		case q.push != 0:
			return []letters{s + letters(q.push)}
		case s == "":
			return nil
		}
		return []letters{s[1:]}
	},
	ReadOnly: func(q ask, r *answer) bool { return q.push == 0 && r != nil && r.letter == 0 },
	Bytes:    func(s letters) int { return len(s) },
}

// A queue that hands out letters in the wrong order is caught, and the verdict shows by which operations.
func Example_queue() {
	var r history.Recorder[ask, answer]
	call := func(client int, q ask, a answer) { r.Return(r.Call(client, q), a) }
	call(0, ask{}, answer{}) // has nothing to do with what is wrong
	call(0, ask{push: 'x'}, answer{})
	r.Call(2, ask{push: 'z'}) // client 2 is killed: z may be in the queue, or not
	r.Kill(2)
	call(1, ask{push: 'y'}, answer{})
	call(0, ask{}, answer{'y'}) // x was pushed first
	call(1, ask{}, answer{})
	h, err := r.History()
	if err != nil {
		panic(err)
	}
	v := linearizability.Check(queue.Model(), h, time.Second)
	fmt.Println(v.Outcome)
	fmt.Print(v.Detail())

	// Output:
	// illegal
	// history not linearizable: initially empty: no order explains these 4 of 6 operations
	//   time  client 0    client 1    client 2
	//   ----  ---         ---         ---
	//      3  push 'x'
	//      4  -> nothing
	//      5                          push 'z'
	//      6              push 'y'    |
	//      7              -> nothing  |
	//      8  pop                     |
	//      9  -> 'y'                  |
	//    end                          killed
}

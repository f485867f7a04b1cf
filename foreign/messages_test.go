package foreign

import (
	"strings"
	"testing"
)

// messagesMain prints what the functions of the module say outside an exploration and, with an argument,
// what each says inside one, which is the same in all executions.
const messagesMain = `package main

import (
	"fmt"
	"os"

	"example.com/messages"

	"github.com/samecycle/samecycle/explore"
)

func main() {
	names := []string{"Kinds", "Expressions", "Ranges", "Rendezvous", "Selects", "Labels", "Shadowed",
		"Generics", "Panics", "Deferred", "Closures", "Nested", "Orders", "Forms", "Jumps", "Methods",
		"Empty", "Timers"}
	functions := []func() string{messages.Kinds, messages.Expressions, messages.Ranges, messages.Rendezvous,
		messages.Selects, messages.Labels, messages.Shadowed, messages.Generics, messages.Panics,
		messages.Deferred, messages.Closures, messages.Nested, messages.Orders, messages.Forms,
		messages.Jumps, messages.Methods, messages.Empty, messages.Timers}
	for i, f := range functions {
		said := map[string]bool{f(): true}
		if len(os.Args) > 1 {
			p := explore.Program{Name: names[i], Start: func(*explore.Execution) []explore.Actor {
				return []explore.Actor{{Body: func() { said[f()] = true }}}
			}}
			r, err := explore.Explore(p, explore.Options{Preemptions: 1, MaxExecutions: 3000})
			if err != nil || r.Failure != nil {
				fmt.Println(names[i], err, r.Err())
			}
		}
		fmt.Println(names[i], said)
	}
	fmt.Println(messages.Lines(), messages.Targets())
}
`

// TestMessages: code with channels in every way that the language has compiles when it is changed, keeps its
// lines, and says what it said, outside and inside an exploration.
func TestMessages(t *testing.T) {
	for _, races := range []bool{false, true} {
		plain := moduleOutput(t, "messages", messagesMain, false, false)
		changed := moduleOutput(t, "messages", messagesMain, true, races, "explore")
		if len(plain) != 19 || strings.Join(plain, "\n") != strings.Join(changed, "\n") {
			t.Errorf("races %t: it says\n%s\nwant\n%s", races, strings.Join(changed, "\n"),
				strings.Join(plain, "\n"))
		}
	}
}

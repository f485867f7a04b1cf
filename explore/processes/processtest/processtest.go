// Package processtest is for tests of programs that run in real processes: the test program is its own child.
package processtest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// variable has the program, its region file and the number of the process, a line each.
const variable = "SAMECYCLE_PART"

// Main runs the tests or, in a child that [Command] has started, serve.
func Main(m *testing.M, serve func(program, file string, process int, in io.Reader, out io.Writer) error) {
	part := strings.Split(os.Getenv(variable), "\n")
	if len(part) != 3 {
		os.Exit(m.Run())
	}
	i, err := strconv.Atoi(part[2])
	if err == nil {
		err = serve(part[0], part[1], i, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Command makes the commands that start the processes of the program on the file.
func Command(t testing.TB, program, file string) func(process int) *exec.Cmd {
	return func(i int) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%s\n%d", variable, program, file, i))
		return cmd
	}
}

// EndsIn returns the ends of a program as text tells them, and its executions. All of them must pass.
func EndsIn(t testing.TB, p explore.Program, o explore.Options,
	text func(x *explore.Execution) string) (map[string]bool, uint64) {
	t.Helper()
	all, finish := map[string]bool{}, p.Finish
	p.Finish = func(x *explore.Execution) error {
		all[text(x)] = true
		return finish(x)
	}
	rep, err := explore.Explore(p, o)
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatalf("%v, %v, %s", err, rep.Failure, rep.Bound)
	}
	return all, rep.Executions
}

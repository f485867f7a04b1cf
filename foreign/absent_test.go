package foreign

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// accounts is a module with types that cannot be explored as they are named.
var accounts = map[string]string{
	"go.mod": "module example.com/own\n\ngo 1.24\n",
	"own.go": "package own\n\nimport \"sync/atomic\"\n\ntype Account struct{ n atomic.Int32 }\n\n" +
		"func NewAccount() *Account { return newAccount() }\n\n" +
		"func newAccount() *Account { return new(Account) }\n\n" +
		"func (a *Account) Add() int32 { return a.n.Add(1) }\n\n" +
		"func (a *Account) Transfer(to *Account, n int32) { a.n.Add(-n); to.n.Add(n) }\n\n" +
		"type Whole struct{ a *Account }\n\nfunc (w *Whole) Add() int32 { return w.a.Add() }\n",
	"tagged.go": "//go:build special\n\npackage own\n\ntype Tagged struct{ Account }\n",
	"cmdx/main.go": "package main\n\ntype Server struct{}\n\nfunc (Server) Serve() {}\n\n" +
		"func main() {}\n",
}

// TestAbsent: if a type, its package or its constructor cannot be used, the error says why, and what to do.
func TestAbsent(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, accounts)
	for _, c := range []struct {
		below string
		s     Subject
		want  string
	}{
		{"", Subject{Type: "Tagged"}, "type Tagged is in tagged.go, which is not built here, on "},
		{"cmdx", Subject{Type: "Server"}, filepath.Join("cmdx", "main.go") + " is of package main, "},
		{"", Subject{Type: "Server", Package: "cmdx"}, " is of package main, which nobody can import: move"},
		{"", Subject{Type: "Account", New: "newAccount"}, "newAccount is not exported, so programs cannot " +
			"call it: export it, or explore a test that calls it, by --test"},
		{"", Subject{Type: "Account", New: "None"}, "no function None that returns an Account, alone or "},
		{"", Subject{Type: "Whole"}, "name a function that makes a value by --new, or, if none is exported" +
			", explore a test that has one, by --test"},
	} {
		_, err := Explore(t.Context(), filepath.Join(folder, c.below), Options{Subject: c.s})
		if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %q is missing in: %v", c.s, c.want, err)
		}
	}
	t.Setenv("GOFLAGS", "-tags=special")
	_, r := typedIn(t, folder, Subject{Type: "Tagged"}, Options{Executions: 100})
	if want := "Transfer needs another value of the type"; !slices.Contains(r.Methods, "Add") ||
		slices.ContainsFunc(r.LeftOut, func(out string) bool { return strings.HasPrefix(out, want) }) {
		t.Errorf("with the tag: %q are called, left out are %q", r.Methods, r.LeftOut)
	}
	_, r = typedIn(t, folder, Subject{Type: "Account"}, Options{Executions: 100})
	if want := "Transfer needs another value of the type itself, and each program has one: explore a test " +
		"that calls it, by --test"; !slices.Contains(r.LeftOut, want) {
		t.Errorf("left out are %q", r.LeftOut)
	}
}

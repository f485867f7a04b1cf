//go:build explore

package scenarios

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// on is a call.
func on(k mapmodel.Kind, key, value uint32) mapmodel.Request {
	return mapmodel.Request{Kind: k, Key: key, Value: value}
}

// done is one operation that returned.
func done(client int, x mapmodel.Request, r mapmodel.Result, call, ret int64) mapmodel.Op {
	return mapmodel.Op{Client: client, Request: x, Result: r, Call: call, Return: ret}
}

func file(ops ...mapmodel.Op) mapmodel.File {
	for i := range ops {
		ops[i].ID = uint64(i + 1)
	}
	return mapmodel.File{Ops: ops, Initial: map[uint32]uint32{7: 70, 9: 90}}
}

func names(h Handover) []string {
	var all []string
	for _, p := range h.Programs {
		all = append(all, p.Name)
	}
	return all
}

// TestHandOver: of a long history the first calls become the contents, and calls on other keys come in
// when they overlapped the rest.
func TestHandOver(t *testing.T) {
	added, deleted := mapmodel.Result{Outcome: mapmodel.Added}, mapmodel.Result{Outcome: mapmodel.Deleted}
	absent := mapmodel.Result{Outcome: mapmodel.Absent}
	var ops []mapmodel.Op
	for i := range int64(4) { // the element goes and comes; in the end it is there
		ops = append(ops, done(0, on(mapmodel.Delete, 7, 0), deleted, 4*i+1, 4*i+2),
			done(1, on(mapmodel.Add, 7, 71), added, 4*i+3, 4*i+4))
	}
	h, err := HandOver(file(append(ops, // both deletes of the one element succeed
		done(3, on(mapmodel.Delete, 7, 0), deleted, 100, 120),
		done(4, on(mapmodel.Delete, 7, 0), deleted, 101, 119),
		done(5, on(mapmodel.Delete, 9, 0), deleted, 102, 103),
		done(5, on(mapmodel.Get, 7, 0), absent, 130, 131), // too late to matter
	)...))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"history:delete.1+add.1.11+delete.1+add.1.11+delete.1|delete.1;0.1.11.0",
		"history:delete.1+add.1.11+delete.1+add.1.11+delete.1|delete.1|delete.2;0.1.11.0+1.2.12.0",
		"history:delete.1+add.1.11+delete.1+add.1.11+delete.1|delete.1|delete.5;0.1.11.0+0.5.12.0",
	}
	if !reflect.DeepEqual(names(h), want) || h.Kills != 0 || h.Verdict.Key != uint32(7) {
		t.Errorf("programs %q", names(h))
	}
	for _, name := range want {
		if p, err := programNamed(name); err != nil || p.Name != name {
			t.Errorf("%s is not read back: %v", name, err)
		}
	}
}

// TestHandOver_Actors: what followed one another is the program of one actor, in this order.
func TestHandOver_Actors(t *testing.T) {
	h, err := HandOver(mapmodel.File{Ops: mapmodel.History{
		{ID: 1, Client: 2, Call: 1, Return: history.Forever, Pending: true,
			Request: mapmodel.Request{Kind: mapmodel.Add, Key: 1, Value: 5}},
		{ID: 2, Client: 0, Call: 2, Return: 3, Request: mapmodel.Request{Kind: mapmodel.Get, Key: 1},
			Result: mapmodel.Result{Outcome: mapmodel.Found, Value: 5}},
		{ID: 3, Client: 1, Call: 4, Return: 6, Request: mapmodel.Request{Kind: mapmodel.Get, Key: 1},
			Result: mapmodel.Result{Outcome: mapmodel.Absent}},
	}})
	if err != nil || h.Kills != 1 || names(h)[0] != "history:add.1.11|get.1+get.1;" {
		t.Errorf("%q with %d kills, %v", names(h), h.Kills, err)
	}
	if len(names(h)) != 2 || names(h)[1] != "history:add.1.11|get.1+get.1;0.3.1.0+1.4.2.0" {
		t.Errorf("no program with a collision: %q", names(h))
	}
}

// TestHandOver_Samples: each refused history of the judge's tests makes programs that can be explored,
// and each legal one is refused.
func TestHandOver_Samples(t *testing.T) {
	paths, err := filepath.Glob("../../linearizability/mapmodel/testdata/*.ndjson")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d samples, %v", len(paths), err)
	}
	for _, path := range paths {
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := mapmodel.Decode(in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		h, err := HandOver(f)
		if legal := strings.HasPrefix(filepath.Base(path), "legal-"); legal {
			if !errors.Is(err, ErrHistory) {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		if err != nil || len(h.Programs) == 0 {
			t.Errorf("%s: %v", path, err)
		}
		for _, p := range h.Programs {
			r, err := Explore(p, Options{Preemptions: 0, Kills: h.Kills, Executions: 50})
			if err != nil || r.Failure != nil || r.Complete == 0 {
				t.Errorf("%s: %v %v", p.Name, err, r.Failure)
			}
		}
	}
}

// TestHandOver_Found: a fault behind a history is found, with a token that replays by itself.
func TestHandOver_Found(t *testing.T) {
	absent := mapmodel.Result{Outcome: mapmodel.Absent}
	h, err := HandOver(file(done(0, on(mapmodel.Add, 8, 80), mapmodel.Result{Outcome: mapmodel.Added}, 1, 2),
		done(1, on(mapmodel.Get, 8, 0), absent, 3, 4)))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Preemptions: 1, Misplaced: misplacedClaim(func() bool { return true })}
	rep, err := Ascend(h.Programs[0], o)
	if err != nil || rep.Failure == nil {
		t.Fatal("no failure", err)
	}
	m := minimised(t, rep.Failure.Token, o)
	if m.Program != "history:add.1.11+get.1;-1.2" {
		t.Errorf("left is %s", m.Program)
	}
	if again, err := Replay(m.Failure.Token); err != nil || again.Program != m.Program {
		t.Errorf("the token does not stand alone: %v", err)
	}
}

func TestHandOver_TooLarge(t *testing.T) {
	var ops []mapmodel.Op
	for i := range maxWindow {
		ops = append(ops, done(i, on(mapmodel.Add, 1, uint32(i+1)), mapmodel.Result{Outcome: mapmodel.Added},
			1, 100))
	}
	deleted := mapmodel.Result{Outcome: mapmodel.Deleted}
	ops = append(ops, done(90, on(mapmodel.Delete, 1, 0), deleted, 50, 100))
	_, err := HandOver(file(ops...))
	if !errors.Is(err, ErrHistory) || !strings.Contains(err.Error(), "can be searched") {
		t.Errorf("%v", err)
	}
}

func TestProgramText_RefusesOthers(t *testing.T) {
	for _, name := range []string{"history:", "history:;", "history:add.1.11", "history:add;",
		"history:fly.1;", "history:add.1.256;", "history:add.01.1;", "history:get.1;0.1.1",
		"history:get.1+;", "get.1;",
		"history:" + strings.Repeat("get.1+", maxTextOps) + "get.1;"} {
		if p, ok := parseText(name); ok {
			t.Errorf("%s is read as %+v", name, p)
		}
	}
	p := model.Program{Ops: [][]model.Op{{{Op: model.OpAdd, K: 99, V: 1}}}}
	p.Name = programText(p)
	if _, err := Explore(p, Options{}); !errors.Is(err, model.ErrConfig) {
		t.Errorf("key 99: %v", err)
	}
	_, err := Replay(sealed("sx1~history%3Afly.1%3B~k0a0b0p0m1s4~a"))
	if !errors.Is(err, explore.ErrToken) || !strings.Contains(err.Error(), `a program "history:fly.1;"`) {
		t.Errorf("%v", err)
	}
}

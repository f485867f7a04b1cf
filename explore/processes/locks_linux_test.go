//go:build explore

package processes

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// Three handles that lock, unlock, ask and die in any order are told by Locks what the system tells those of
// one file: also of their own locks, which they may take again and which are nobody else's.
func TestLocks_AreThoseOfTheSystem(t *testing.T) {
	const handles, entries, moves = 3, 2, 400
	r, own := rand.New(rand.NewPCG(1, 1)), 0
	for range 40 {
		file, locks, gone := filepath.Join(t.TempDir(), "locks"), Locks{}, [handles + 1]bool{}
		var real [handles + 1]fileLocks
		for h := 1; h <= handles; h++ {
			f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			real[h] = fileLocks{f: f, l: small}
		}
		for range moves {
			h, index := 1+r.IntN(handles), uint32(r.IntN(entries))
			if gone[h] {
				continue
			}
			s := System{Locks: &locks, Self: h, Gone: func(i int) bool { return gone[i] }}
			var got, want bool
			var err, wrong error
			move := r.IntN(100)
			switch {
			case move < 1:
				gone[h], wrong = true, real[h].f.Close()
			case move < 40:
				own += int(one(locks.holder[index] == h))
				got, err = s.Lock(index)
				want, wrong = real[h].Lock(index)
			case move < 70:
				err = s.Unlock(index)
				wrong = real[h].Unlock(index)
			default:
				got, err = s.Locked(index)
				want, wrong = real[h].Locked(index)
			}
			if got != want || err != nil || wrong != nil {
				t.Fatalf("move %d of handle %d, lock %d: %v, the system says %v (%v, %v)", move, h, index,
					got, want, err, wrong)
			}
		}
	}
	if own == 0 {
		t.Error("nobody took a lock that it had")
	}
}

// putBack explores a program on its ground, and wants each execution to begin with the same locks, whatever
// the one before it has left: the lock of one that died is its own again, that of a newcomer is nobody's.
func putBack(t *testing.T, s *ground, p explore.Program) {
	t.Helper()
	var first Locks
	n, others, start, finish := 0, 0, p.Start, p.Finish
	p.Start = func(x *explore.Execution) []explore.Actor {
		actors := start(x)
		if n++; n == 1 {
			first = s.locks
		} else if s.locks != first {
			panic(fmt.Sprintf("execution %d begins with the locks %v, the first one with %v", n,
				s.locks.holder[:4], first.holder[:4]))
		}
		return actors
	}
	p.Finish = func(x *explore.Execution) error {
		others += int(one(s.locks != first && x.Gone(s.processes[0])))
		return finish(x)
	}
	rep, err := explore.Explore(p, explore.Options{Preemptions: 1, Kills: 1, Stateful: true, Audit: -1,
		MaxExecutions: 2000})
	if err != nil || rep.Failure != nil {
		t.Fatal(p.Name, err, rep.Failure)
	}
	if others == 0 {
		t.Errorf("%s: no execution with a death leaves other locks than it began with", p.Name)
	}
}

func TestCreation_PutsLocksBack(t *testing.T) {
	m, p, err := Creation{Layout: small}.prepare()
	if err != nil {
		t.Fatal(err)
	}
	putBack(t, m.ground, p)
}

package hopscotch

import (
	"errors"
	"runtime"
	"testing"
)

// TestTell_WhereLeftDoesNotReturn: by a panic that somebody recovers, or since its goroutine ends, what it
// was not told of is in the table still, and leaves by the next call.
func TestTell_WhereLeftDoesNotReturn(t *testing.T) {
	for name, leave := range map[string]func(){"panic": func() { panic("left") }, "exit": runtime.Goexit} {
		for what, run := range map[string]func(h *Handle, left func(Leaving)){
			"crop all":  func(h *Handle, left func(Leaving)) { _ = h.CropAll(left) },
			"crop next": func(h *Handle, left func(Leaving)) { _, _ = h.CropNext(16, left) },
			"clear":     func(h *Handle, left func(Leaving)) { _, _ = h.Clear(left) },
		} {
			table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 8, Descriptors: 2},
				Options{Tie: func() uint32 { return 0 }})
			given := map[uint32]int{}
			const n = 5
			var keys [n]uint32
			for i := range keys {
				keys[i] = uint32(planted{table, t}.key(0, 0, i))
				if r, err := h.Add(keys[i], uint32(i+1)); r != Added || err != nil {
					t.Fatal(r, err)
				}
			}
			for _, k := range keys {
				if ok, err := h.Delete(k); !ok || err != nil {
					t.Fatal(ok, err)
				}
				for _, l := range h.Left() {
					given[l.Value]++
				}
			}
			before := len(given)
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() { _ = recover() }()
				run(h, func(l Leaving) {
					if given[l.Value]++; len(given) == before+1 {
						leave()
					}
				})
			}()
			<-done
			if lost := Measure(table).Lost; len(h.Left()) != 0 || len(given) == n || lost != n-len(given) {
				t.Errorf("%s, %s: left did not end in the midst of a bucket, or %d are not handed out, "+
					"of %d in the table", what, name, n-len(given), lost)
			}
			run(h, func(l Leaving) { given[l.Value]++ })
			for v := uint32(1); v <= n; v++ {
				if given[v] != 1 {
					t.Errorf("%s, %s: value %d is handed out %d times", what, name, v, given[v])
				}
			}
		}
	}
}

// TestTell_LeftClosesTheHandle: then the call ends as one on a closed handle, and what has not left stays.
func TestTell_LeftClosesTheHandle(t *testing.T) {
	const n = 5
	for what, run := range map[string]func(h *Handle, left func(Leaving)) error{
		"crop all":  func(h *Handle, left func(Leaving)) error { return h.CropAll(left) },
		"crop next": func(h *Handle, left func(Leaving)) error { _, err := h.CropNext(16, left); return err },
		"clear": func(h *Handle, left func(Leaving)) error {
			deleted, err := h.Clear(left)
			m := Measure(h.table)
			if deleted < 2 || int(deleted) != n-m.Elements || m.Lost != int(deleted)-1 {
				t.Errorf("clear has deleted %d before its handle was closed, %+v are left", deleted, m)
			}
			return err
		},
	} {
		table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 8, Descriptors: 2},
			Options{Tie: func() uint32 { return 0 }})
		for i := range n {
			key := uint32(planted{table, t}.key(0, 0, i))
			if r, err := h.Add(key, uint32(i+1)); r != Added || err != nil {
				t.Fatal(r, err)
			}
			if what == "clear" {
				continue
			}
			if ok, err := h.Delete(key); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		lost, given := Measure(table).Lost, 0
		err := run(h, func(Leaving) {
			given++
			if err := h.Close(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
		now := Measure(table).Lost
		if !errors.Is(err, ErrClosed) || given != 1 || what != "clear" && (lost < 2 || now != lost-1) {
			t.Errorf("%s: %v, told of %d, %d lost of %d", what, err, given, now, lost)
		}
	}
}

// TestTell_NobodyWhoWantsToKnow: what nobody is told of is in no list afterwards.
func TestTell_NobodyWhoWantsToKnow(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 8, Descriptors: 2})
	p := planted{table, t}
	p.put(1, 7, BaseWord(KeyLost, 0), MakeWord1(7, 1))
	if err := h.CropAll(nil); err != nil || len(h.Left()) != 0 || Measure(table).Lost != 0 {
		t.Errorf("%v, %v have left, %+v", err, h.Left(), Measure(table))
	}
}

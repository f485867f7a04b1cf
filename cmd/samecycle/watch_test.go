package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// watching runs watch, which is told what to do after each of its looks.
func watching(path string, count string, do ...func() error) (code int, out, errOut string) {
	o, e := &onWrite{do: do}, &strings.Builder{}
	code = run(context.Background(), &app{out: o, err: e},
		[]string{"watch", path, "--count", count, "--interval", "10ms", "--json"})
	return code, o.String(), e.String()
}

// TestWatch_IsJudgedByItsLastLook: what is over by then was of the moment.
func TestWatch_IsJudgedByItsLastLook(t *testing.T) {
	path, r, _ := regionFile(t, 8)
	spare, err := r.Word(r.Layout().Offset(region.Own, region.OwnBell) + region.WordBytes)
	if err != nil {
		t.Fatal(err)
	}
	write := func(word uint64) func() error { return func() error { spare.Store(word); return nil } }
	spare.Store(5)
	if code, out, errOut := watching(path, "2", write(0)); code != exitOK ||
		!strings.Contains(out, "word 1 of the bell") {
		t.Errorf("damage that is over: %d\n%s%s", code, out, errOut)
	}
	code, out, errOut := watching(path, "3", write(0), write(5))
	if code != exitRed {
		t.Errorf("damage that has come: %d\n%s%s", code, out, errOut)
	}
	before := time.Time{}
	for line := range strings.Lines(out) {
		if at := asJSON[look](t, line).Time; !at.After(before) {
			t.Errorf("a look at %v after one at %v", at, before)
		} else {
			before = at
		}
	}
}

// TestWatch_FollowsALink: the name leads to the region as long as one at its place does.
func TestWatch_FollowsALink(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	moved := path + ".moved"
	code, out, errOut := watching(path, "3",
		func() error { return os.Rename(path, moved) },
		func() error { return os.Symlink(moved, path) })
	got := ""
	for line := range strings.Lines(out) {
		got += map[bool]string{true: "gone ", false: "there "}[asJSON[look](t, line).Unlinked]
	}
	if code != exitOK || got != "there gone there " {
		t.Errorf("%d %s\n%s", code, got, errOut)
	}
}

// TestWatch_CountsWhatIsBegun: since the look before, also where the generations of a descriptor have come
// round, and by an owner that was there before.
func TestWatch_CountsWhatIsBegun(t *testing.T) {
	_, r, table := regionFile(t, 8)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	descriptors, err := r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		t.Fatal(err)
	}
	own := descriptors[h.Descriptor()*hopscotch.DescriptorWords:]
	late := own[hopscotch.DescriptorWords:]
	begin := func(d region.Words, g hopscotch.Generation) {
		d[hopscotch.DescriptorHead].Store(uint64(hopscotch.MakeHead(g, hopscotch.KindNew, 0, 0)))
	}
	last := table.RefLayout().Generation(^hopscotch.Ref(0))
	w := watcher{region: r, table: table}
	for i, c := range []struct {
		do   func()
		want uint64
	}{
		{func() { begin(own, last-1) }, 0}, // the first look knows of nothing before it
		{func() { begin(own, 2) }, 4},
		{func() {}, 0},
		{func() {
			begin(late, 700)
			late[hopscotch.DescriptorOwner].Store(uint64(hopscotch.MakeOwner(5, r.Process())))
		}, 0},
		{func() { begin(late, 705); begin(own, 4) }, 7},
	} {
		c.do()
		if l, err := w.look(); err != nil || l.Begun != c.want {
			t.Errorf("look %d: begun %d, %v, want %d", i, l.Begun, err, c.want)
		}
	}
}

// TestWatch_EndsWithItsOutput: without a count it would go on for ever, for nobody.
func TestWatch_EndsWithItsOutput(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // so that nobody waits for ever
	defer cancel()
	for _, form := range []string{"--json", "--json=false"} {
		gone := &onWrite{do: []func() error{func() error { return errors.New("the pipe is gone") }}}
		var errOut strings.Builder
		code := run(ctx, &app{out: gone, err: &errOut}, []string{"watch", path, "--interval", "10ms", form})
		if code != exitRed || !strings.Contains(errOut.String(), "the pipe is gone") || ctx.Err() != nil {
			t.Errorf("%s: %d, %v\n%s", form, code, ctx.Err(), errOut.String())
		}
	}
}

// TestWatch_AllowsForWork: an add that stands still in the midst of it is one that flies, and no finding.
func TestWatch_AllowsForWork(t *testing.T) {
	path, r, table := regionFile(t, 4)
	h, err := table.NewHandle(4)
	if err != nil {
		t.Fatal(err)
	}
	beginAdd(t, r, table, h)
	code, out, errOut := watching(path, "1")
	if l := asJSON[look](t, out); code != exitOK || l.Flying != 1 || len(l.Findings) != 0 {
		t.Errorf("%d %+v\n%s", code, l, errOut)
	}
}

// TestOpenWatched_Replaced: what is watched is what had the name while it was opened.
func TestOpenWatched_Replaced(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	tries := 0
	replacing := func(times int) func(string) (*region.Region, *hopscotch.Table, error) {
		tries = 0
		return func(file string) (*region.Region, *hopscotch.Table, error) {
			r, table, err := openTable(file)
			if tries++; tries <= times && err == nil {
				other, _, _ := regionFile(t, 8)
				err = os.Rename(other, file)
			}
			return r, table, err
		}
	}
	w, err := openWatched(path, replacing(2))
	if err != nil || tries != 3 || w.unlinked(path) {
		t.Fatalf("after two others: %v in %d tries", err, tries)
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(w.info, now) {
		t.Errorf("another file is watched than the one of that name: %v", err)
	}
	if err := w.region.Close(); err != nil {
		t.Error(err)
	}
	if _, err := openWatched(path, replacing(1000)); err == nil || !strings.Contains(err.Error(), path) ||
		tries != openTries {
		t.Errorf("one that is replaced for ever: %v in %d tries", err, tries)
	}
	if _, err := openWatched(path+".none", replacing(0)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

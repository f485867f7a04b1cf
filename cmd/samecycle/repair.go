package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/spf13/cobra"
)

func repairCommand(a *app) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "repair FILE",
		Short: "Finish the operations of dead processes in a region file, and free what they held",
		Long: `repair finds the processes that died without closing the region; it recognizes them by
their locks. It finishes the operations that they left, frees their descriptors, and
prints the values that left the table by these operations. Nobody else receives these
values, so the owner of the records that they name should free them. A value "in doubt"
may have been used already by the dead process. In a cache such a value names a record,
and repair prints its key. Then repair removes the dead processes from the process table,
and verifies the region. Baskets of dead processes are taken back by whoever needs room.
An interrupt ends the last step; what was repaired is printed.

Other processes may use the region at the same time, and none of them waits. A word that
no process can have written is damage. repair reports damage and leaves it alone; the
exit status is then 1.`,
		Example: `  samecycle repair cache.region --dry-run     what there is to do
  samecycle repair cache.region
  samecycle repair cache.region --json`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dry {
				return untilInterrupt(func(*cobra.Command, []string) error {
					return a.deliver(surveyRegion(args[0]))
				})(cmd, args)
			}
			return a.deliver(repairRegion(cmd.Context(), args[0]))
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print what there is to do, and change nothing")
	return cmd
}

// doSave is what a person does about damage.
const doSave = "what is damaged cannot be repaired: end the processes that use the region, save the " +
	"elements (samecycle dump FILE --json), and create it anew"

// doTune is what a person does where live parameters alone are damaged.
const doTune = "repair changes no live parameter: tune those that are damaged"

// repaired is the result of repair --json.
type repaired struct {
	File        string          `json:"file"`
	DryRun      bool            `json:"dry_run"`
	Alive       int             `json:"alive"` // other processes
	Dead        []deadProcess   `json:"dead"`
	Descriptors []reclaimed     `json:"descriptors"`
	Live        bool            `json:"live"` // the check allowed for operations of others
	Findings    []string        `json:"findings"`
	More        bool            `json:"more"` // the check ended at so many findings; there may be more
	Problems    []string        `json:"problems"`
	Clean       bool            `json:"clean"`
	Count       hopscotch.Count `json:"count"`
	tunable     int             // of the findings, live parameters
	cut         bool            // an interrupt has ended the check
}

// deadProcess is an attachment whose process has died.
type deadProcess struct {
	Process string    `json:"process"` // index@epoch
	Pid     uint64    `json:"pid"`     // in its own namespace
	Since   time.Time `json:"since"`
	Damaged bool      `json:"damaged"`
	Cleared bool      `json:"cleared"`
	index   uint32    // the epoch of an entry that is damaged means nothing
}

// reclaimed is a descriptor of a dead owner.
type reclaimed struct {
	Descriptor uint32  `json:"descriptor"`
	Owner      string  `json:"owner"`
	Kind       string  `json:"kind"`
	Finished   bool    `json:"finished"`
	WrittenOff bool    `json:"written_off"` // its words made no sense: what left by it, if anything, is lost
	Left       *parted `json:"left,omitempty"`
}

// parted is an element that has left the table, and is handed to whoever reads this.
type parted struct {
	Key     uint32 `json:"key"` // 0 of one that had been deleted
	Value   uint32 `json:"value"`
	InDoubt bool   `json:"in_doubt"`         // the dead owner may have used it
	Record  string `json:"record,omitempty"` // of a cache: key of the record that the value names
}

// repairRegion does the work; it is one more process of the region, until it verifies what it has left.
func repairRegion(ctx context.Context, file string) (report, error) {
	x := newRepaired(file)
	dead, err := x.before(file)
	if err != nil {
		return report{}, err
	}
	r, t, err := attachTable(file)
	if err != nil {
		return report{}, err
	}
	err = x.repair(r, t, dead)
	if bad := r.Close(); err == nil {
		err = bad
	}
	if err != nil {
		return report{}, err
	}
	x.verifyUntil(ctx, verifyAnew)
	return x.report(), nil
}

func (x *repaired) repair(r *region.Region, t *hopscotch.Table, dead []region.Attachment) error {
	return r.Guard(func() {
		x.reclaim(t)
		x.problem(x.nameRecords(r))
		x.clear(r, dead)
	})
}

// verifyUntil verifies the region, which takes long if it is large, until the context ends: what was repaired
// is told all the same, since nobody else receives the values that have left.
func (x *repaired) verifyUntil(ctx context.Context, verify func(*repaired)) {
	y := *x
	y.Findings, y.Problems = slices.Clone(x.Findings), slices.Clone(x.Problems)
	done := make(chan struct{})
	go func() { verify(&y); close(done) }()
	select {
	case <-done:
		*x = y
	case <-ctx.Done():
		x.cut = true
		x.problem(fmt.Errorf("the region is not verified: %w", context.Cause(ctx)))
	}
}

// verifyAnew opens the region to look at it, and verifies it. A process of the region must not be left in the
// middle of that: it would look killed.
func verifyAnew(x *repaired) {
	r, t, err := openTable(x.File)
	if err != nil {
		x.problem(err)
		return
	}
	defer r.Close()
	x.problem(r.Guard(func() { x.verify(r, t, nil) }))
}

// before lists the processes before the own one is among them, and takes perhaps the entry of one
// that has died.
func (x *repaired) before(file string) (dead []region.Attachment, err error) {
	r, err := region.Observe(file)
	if err != nil {
		return nil, orNoRegion(file, err)
	}
	defer r.Close()
	return x.look(r)
}

func (x *repaired) look(r *region.Region) (dead []region.Attachment, err error) {
	err = r.Guard(func() { dead = x.survey(r) })
	return dead, err
}

// surveyRegion says what repairRegion would do.
func surveyRegion(file string) (report, error) {
	r, t, err := openTable(file)
	if err != nil {
		return report{}, err
	}
	defer r.Close()
	return newRepaired(file).rehearse(r, t)
}

func (x *repaired) rehearse(r *region.Region, t *hopscotch.Table) (report, error) {
	x.DryRun = true
	err := r.Guard(func() {
		x.survey(r)
		x.verify(r, t, x.orphans(t))
	})
	return x.report(), err
}

func newRepaired(file string) *repaired {
	return &repaired{File: file, Dead: []deadProcess{}, Descriptors: []reclaimed{},
		Findings: []string{}, Problems: []string{}}
}

func (x *repaired) report() report {
	x.Clean = len(x.Findings) == 0 && len(x.Problems) == 0 && !x.More
	return report{Red: !x.Clean, Data: x, Text: x.write}
}

func (x *repaired) problem(err error) {
	if err != nil {
		x.Problems = append(x.Problems, err.Error())
	}
}

// survey lists the processes.
func (x *repaired) survey(r *region.Region) []region.Attachment {
	all, err := r.Attachments()
	x.problem(err)
	var dead []region.Attachment
	for _, p := range all {
		if p.Alive {
			x.Alive++
			x.Findings = append(x.Findings, damagedEntries(x.File, []region.Attachment{p})...)
			continue
		}
		dead = append(dead, p)
		x.Dead = append(x.Dead, deadProcess{Process: p.Process.String(), Pid: p.Pid,
			Since: time.Unix(0, int64(p.Since)).UTC(), Damaged: p.Damaged,
			index: p.Process.Index()})
	}
	return dead
}

// orphans lists the descriptors that a repair would reclaim, and returns which.
func (x *repaired) orphans(t *hopscotch.Table) []uint32 {
	dead, err := t.Orphans()
	x.problem(err)
	for _, d := range hopscotch.Snapshot(t, hopscotch.DumpOptions{Limit: 1}).Descriptors {
		if slices.Contains(dead, d.Index) {
			x.Descriptors = append(x.Descriptors, reclaimed{Descriptor: d.Index, Kind: d.Kind,
				Owner: fmt.Sprintf("owner %d in process %s", d.Owner, d.Process)})
		}
	}
	return dead
}

// reclaim takes the descriptors of the dead back, and finishes what is installed anywhere.
func (x *repaired) reclaim(t *hopscotch.Table) {
	h, err := t.NewHandle(uint64(os.Getpid()))
	if err != nil {
		if orphans, _ := t.Orphans(); len(orphans) > 0 || !errors.Is(err, hopscotch.ErrHandles) {
			x.problem(err)
		}
		return // all descriptors are of the living: nothing to reclaim, and nobody to do it
	}
	var all []hopscotch.Reclaimed
	if first, ok := h.Inherited(); ok {
		all = append(all, first)
	}
	rest, err := h.Reclaim()
	x.problem(err)
	for _, d := range append(all, rest...) {
		out := reclaimed{Descriptor: d.Descriptor, Owner: d.Owner.String(), Kind: d.Kind.String(),
			Finished: d.Finished, WrittenOff: d.WrittenOff}
		if d.Leaves {
			out.Left = &parted{Key: d.Left.Key, Value: d.Left.Value, InDoubt: !d.Certain}
		}
		x.Descriptors = append(x.Descriptors, out)
	}
	x.problem(h.RestoreAll())
	x.problem(h.Close())
}

// nameRecords says which records of a cache have left. They lie there until somebody frees their baskets.
func (x *repaired) nameRecords(r *region.Region) error {
	store, err := storeOf(r)
	if store == nil || err != nil {
		return err
	}
	left := map[basket.Ref]*parted{}
	for _, d := range x.Descriptors {
		if d.Left != nil {
			left[basket.Ref(d.Left.Value)] = d.Left
		}
	}
	if len(left) == 0 {
		return nil
	}
	store.Records(func(record basket.Record) bool {
		if l := left[record.Ref]; l != nil {
			l.Record = keyText(record.Key)
		}
		return true
	})
	return nil
}

// clear takes the dead out of the process table.
func (x *repaired) clear(r *region.Region, dead []region.Attachment) {
	for i, p := range dead {
		done, err := r.Clear(p.Process)
		x.problem(err)
		x.Dead[i].Cleared = done || r.Process().Index() == p.Process.Index() // or taken
	}
}

// verify checks the region and the table as far as it holds still. What is going to be put right when a
// descriptor is reclaimed is no finding.
func (x *repaired) verify(r *region.Region, t *hopscotch.Table, reclaimed []uint32) {
	x.Findings = append(x.Findings, aroundTable(r)...)
	tuned, err := tunedWrong(r)
	x.problem(err)
	x.Findings, x.tunable = append(x.Findings, tuned...), len(tuned)
	x.Count = hopscotch.Measure(t)
	x.Live = x.Alive > 0 || x.DryRun
	var found hopscotch.Findings
	found, x.More = judged(t, x.Live)
	records, err := judgeRecords(r, t, x.Live)
	x.problem(err)
	if records != nil {
		x.Findings = append(x.Findings, records.Findings...)
	}
	for _, f := range found {
		if !mends(f, reclaimed) {
			x.Findings = append(x.Findings, f.String())
		}
	}
}

// mends reports whether reclaiming these descriptors does away with the finding.
func mends(f hopscotch.Finding, reclaimed []uint32) bool {
	return (f.Want == hopscotch.WantOwner || f.Want == hopscotch.WantLast) &&
		slices.Contains(reclaimed, uint32(f.Descriptor))
}

func (x *repaired) write(w io.Writer) error {
	var err error
	say := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format+"\n", args...)
		}
	}
	say("%s: processes: %d alive, %d dead", x.File, x.Alive, len(x.Dead))
	for _, p := range x.Dead {
		line := fmt.Sprintf("process %s died (pid %d, attached %s)", p.Process, p.Pid,
			p.Since.Format(time.DateTime))
		if p.Damaged {
			line = fmt.Sprintf("process %d of the table: its entry is damaged, and nobody's", p.index)
		}
		if p.Cleared {
			line += ": cleared"
		}
		say("%s", line)
	}
	for _, d := range x.Descriptors {
		say("%s", d.text(x.DryRun))
	}
	for _, p := range x.Problems {
		say("problem: %s", p)
	}
	for _, f := range x.Findings {
		say("finding: %s", f)
	}
	switch {
	case !x.Clean:
		more, do := "", doSave
		switch {
		case x.More:
			more = " or more"
		case x.cut && len(x.Findings) == 0 && len(x.Problems) == 1:
			do = "to verify it: samecycle verify " + shellWord(x.File)
		case x.tunable == len(x.Findings) && len(x.Problems) == 0:
			do = doTune
		}
		say("%s: problems: %d, findings: %d%s: %s", x.File, len(x.Problems), len(x.Findings), more, do)
	case x.DryRun:
		say("%s: nothing was changed; descriptors to reclaim: %d, processes to clear: %d", x.File,
			len(x.Descriptors), len(x.Dead))
	default:
		say("%s: clean, elements: %d; descriptors reclaimed: %d", x.File, x.Count.Elements,
			len(x.Descriptors))
	}
	return err
}

func (d reclaimed) text(dry bool) string {
	if dry {
		return fmt.Sprintf("descriptor %d of %s: to be reclaimed; its last operation: %s",
			d.Descriptor, d.Owner, d.Kind)
	}
	s := fmt.Sprintf("descriptor %d of %s: reclaimed", d.Descriptor, d.Owner)
	if d.Finished {
		s += fmt.Sprintf(", its %s finished", d.Kind)
	}
	if d.WrittenOff {
		s += fmt.Sprintf(", written off: the words of its %s make no sense, so a value that left by it "+
			"is lost", d.Kind)
	}
	if l := d.Left; l != nil && l.Record != "" {
		s += fmt.Sprintf("; the record of key %s has left the cache", l.Record)
		if l.InDoubt {
			s += ", and its owner may have told so"
		}
		return s
	}
	if l := d.Left; l != nil {
		s += fmt.Sprintf("; value %d left the table and is yours", l.Value)
		if l.Key != 0 {
			s += fmt.Sprintf(" (key %d)", l.Key)
		}
		if l.InDoubt {
			s += ", in doubt: its owner may have used it"
		}
	}
	return s
}

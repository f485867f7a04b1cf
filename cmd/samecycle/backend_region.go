package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/spf13/cobra"
)

// untilInterrupt is a command that only looks at a file, which takes long if the file is large: an interrupt
// ends it at once, whatever it is about. It must be no process of the region, which would look killed then.
func untilInterrupt(command func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		done := make(chan error, 1)
		go func() { done <- command(cmd, args) }()
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// openTable opens the table of a region file to look at it: the memory is read-only.
func openTable(file string) (*region.Region, *hopscotch.Table, error) {
	r, err := region.Observe(file)
	return tableOf(r, orNoRegion(file, err))
}

// attachTable opens it to work on it, as one more process.
func attachTable(file string) (*region.Region, *hopscotch.Table, error) {
	r, err := region.Open(file, nil)
	return tableOf(r, orNoRegion(file, err))
}

// orNoRegion is why a file was refused as a region. What it is comes before who may use it: advice about its
// mode or its owner is of use only for a region.
func orNoRegion(file string, err error) error {
	other := errors.Is(err, region.ErrMagic)
	if !other && !errors.Is(err, region.ErrMode) && !errors.Is(err, region.ErrOwner) {
		return err
	}
	found, ok := begins(file)
	if !ok || found == 0 || found == region.Magic || other && found != slots.Magic {
		return err
	}
	text, do := fmt.Sprintf("%#x", found), "the file is something else: choose another path"
	if found == slots.Magic {
		text = "that of a slot file"
		do = "name the file of the cache; for a client with a slot file there is samecycle cache call"
	}
	return &region.Error{Reason: region.ErrMagic, File: file, Field: "magic", Found: text,
		Want: fmt.Sprintf("%#x", region.Magic), Do: do}
}

// begins is the first word of a regular file, with zeros behind its end, and whether it can be read.
func begins(file string) (word uint64, ok bool) {
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	f, err := os.Open(file)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	var b [region.WordBytes]byte
	if _, err := io.ReadFull(f, b[:]); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, false
	}
	return binary.NativeEndian.Uint64(b[:]), true
}

func tableOf(r *region.Region, err error) (*region.Region, *hopscotch.Table, error) {
	if err != nil {
		return nil, nil, err
	}
	t, err := hopscotch.New(r)
	if err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return r, t, nil
}

// dumpRegion prints the table of a file, a cell at a time: it may be larger than memory.
func dumpRegion(out io.Writer, file string, asJSON bool) error {
	r, t, err := openTable(file)
	if err != nil {
		return err
	}
	defer r.Close()
	return dumpTable(out, r, t, asJSON)
}

func dumpTable(out io.Writer, r *region.Region, t *hopscotch.Table, asJSON bool) error {
	store, err := storeOf(r)
	if err != nil {
		return err
	}
	var notWritten error
	err = r.Guard(func() {
		switch {
		case asJSON && store != nil:
			notWritten = dumpRecordsJSON(out, r, t, store)
		case asJSON:
			notWritten = hopscotch.DumpJSON(out, t, hopscotch.DumpOptions{})
		default:
			notWritten = hopscotch.Dump(out, t, hopscotch.DumpOptions{})
			if notWritten == nil && store != nil {
				notWritten = dumpRecords(out, r, t, store)
			}
		}
	})
	return errors.Join(err, notWritten)
}

// verification is the result of verify --json.
type verification struct {
	File     string             `json:"file"`
	Clean    bool               `json:"clean"`
	Alive    int                `json:"alive"`   // processes that use it
	Dead     int                `json:"dead"`    // those that did, until they died
	Live     bool               `json:"live"`    // the check allowed for their operations
	Damaged  []string           `json:"damaged"` // entries of processes, what is around them, parameters
	Findings hopscotch.Findings `json:"findings"`
	More     bool               `json:"more"` // the check ended at so many findings; there may be more
	Count    hopscotch.Count    `json:"count"`
	Records  *recordsReport     `json:"records,omitempty"` // of a cache
	orphans  []uint32           // descriptors that a repair reclaims
}

func verifyRegion(file string) (report, error) {
	r, t, err := openTable(file)
	if err != nil {
		return report{}, err
	}
	defer r.Close()
	return verifyTable(file, r, t)
}

func verifyTable(file string, r *region.Region, t *hopscotch.Table) (report, error) {
	v := verification{File: file, Damaged: []string{}, Findings: hopscotch.Findings{}}
	var notRead error
	err := r.Guard(func() { notRead = v.check(r, t) })
	if err = errors.Join(err, notRead); err != nil {
		return report{}, err
	}
	return v.report(), nil
}

func (v verification) report() report {
	v.Clean = v.count() == 0 && !v.More
	return report{Red: !v.Clean, Data: v, Text: v.write}
}

// count is how many findings there are.
func (v verification) count() int {
	n := len(v.Findings) + len(v.Damaged)
	if v.Records != nil {
		n += len(v.Records.Findings)
	}
	return n
}

// damagedEntries says of each damaged entry of the process table of a file what to do about it.
func damagedEntries(file string, all []region.Attachment) (texts []string) {
	for _, p := range all {
		switch {
		case p.Damaged && p.Alive:
			texts = append(texts, fmt.Sprintf("process %d of the table: its entry is damaged, and it lives; "+
				"end it, then: samecycle repair %s", p.Process.Index(), shellWord(file)))
		case p.Damaged:
			texts = append(texts, fmt.Sprintf("process %d of the table: its entry is damaged, and nobody's; "+
				"to clear it: samecycle repair %s", p.Process.Index(), shellWord(file)))
		}
	}
	return texts
}

// aroundTable says what is damaged of a region, cells, descriptors and entries of processes apart.
func aroundTable(r *region.Region) (texts []string) {
	for _, err := range r.Check() {
		texts = append(texts, err.Error())
	}
	return texts
}

// tunedWrong says which live parameters of a cache are damaged, and what to do about it.
func tunedWrong(r *region.Region) (texts []string, err error) {
	all, err := cache.TunedWrong(r)
	for _, x := range all {
		texts = append(texts, fmt.Sprintf("live parameter %s is out of bounds, want %d..%d %s, and its "+
			"default is in force; to tune it anew: samecycle cache tune %s %s=default", x.Name, x.Least,
			x.Most, x.Unit, shellWord(r.File()), x.Name))
	}
	return texts, err
}

// check allows for what is in progress while processes are at work.
func (v *verification) check(r *region.Region, t *hopscotch.Table) error {
	all, err := r.Attachments()
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.Alive {
			v.Alive++
		} else if !p.Damaged {
			v.Dead++
		}
	}
	tuned, err := tunedWrong(r)
	if err != nil {
		return err
	}
	v.Damaged = append(v.Damaged, slices.Concat(aroundTable(r), damagedEntries(v.File, all), tuned)...)
	v.orphans, _ = t.Orphans() // for a word of advice only
	v.Live = v.Alive > 0
	found, more := judged(t, v.Live)
	v.Findings, v.More = append(v.Findings, found...), more
	v.Count = hopscotch.Measure(t)
	v.Records, err = judgeRecords(r, t, v.Live)
	return err
}

func (v verification) write(w io.Writer) error {
	if v.Live {
		_, err := fmt.Fprintf(w, "%s: %s at work: the check allows for operations in progress\n", v.File,
			plural.Of(v.Alive, "process"))
		if err != nil {
			return err
		}
	}
	if v.Dead > 0 {
		_, err := fmt.Fprintf(w, "%s: %s died without closing it; to take back what is left: "+
			"samecycle repair %s\n", v.File, plural.Of(v.Dead, "process"), shellWord(v.File))
		if err != nil {
			return err
		}
	}
	for _, p := range v.Damaged {
		if _, err := fmt.Fprintln(w, p); err != nil {
			return err
		}
	}
	for _, f := range v.Findings {
		text := f.String()
		if mends(f, v.orphans) {
			text += "; to reclaim it: samecycle repair " + shellWord(v.File)
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	if v.Records != nil {
		if err := v.Records.write(w, v.File); err != nil {
			return err
		}
	}
	if v.Clean {
		_, err := fmt.Fprintf(w, "%s: clean, %s in %d cells\n", v.File,
			plural.Of(v.Count.Elements, "element"),
			v.Count.Elements+v.Count.Lost+v.Count.Empty)
		return err
	}
	more := ""
	if v.More {
		more = ", where the check ended: there may be more"
	}
	_, err := fmt.Fprintf(w, "%s: %s%s\n", v.File, plural.Of(v.count(), "finding"), more)
	return err
}

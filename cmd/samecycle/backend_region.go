package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

func init() {
	dumpBackend = dumpRegion
	verifyBackend = verifyRegion
}

// openTable opens the table of a region file to look at it: the memory is read-only.
func openTable(file string) (*region.Region, *hopscotch.Table, error) {
	return tableOf(region.Observe(file))
}

// attachTable opens it to work on it, as one more process.
func attachTable(file string) (*region.Region, *hopscotch.Table, error) {
	return tableOf(region.Open(file, region.Layout{}))
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

func dumpRegion(_ context.Context, file string) (report, error) {
	r, t, err := openTable(file)
	if err != nil {
		return report{}, err
	}
	defer r.Close()
	var picture hopscotch.Picture
	if err := r.Guard(func() { picture = hopscotch.Snapshot(t, hopscotch.DumpOptions{}) }); err != nil {
		return report{}, err
	}
	return report{Data: picture, Text: picture.Write}, nil
}

// verification is the result of verify --json.
type verification struct {
	File     string             `json:"file"`
	Clean    bool               `json:"clean"`
	Findings hopscotch.Findings `json:"findings"`
	Count    hopscotch.Count    `json:"count"`
}

func verifyRegion(_ context.Context, file string) (report, error) {
	r, t, err := openTable(file)
	if err != nil {
		return report{}, err
	}
	defer r.Close()
	v := verification{File: file, Findings: hopscotch.Findings{}}
	err = r.Guard(func() {
		v.Findings = append(v.Findings, hopscotch.Check(t, hopscotch.CheckOptions{})...)
		v.Count = hopscotch.Measure(t)
	})
	if err != nil {
		return report{}, err
	}
	v.Clean = len(v.Findings) == 0
	return report{Red: !v.Clean, Data: v, Text: v.write}, nil
}

func (v verification) write(w io.Writer) error {
	for _, f := range v.Findings {
		if _, err := fmt.Fprintln(w, f); err != nil {
			return err
		}
	}
	if v.Clean {
		_, err := fmt.Fprintf(w, "%s: clean, %d elements in %d cells\n", v.File, v.Count.Elements,
			v.Count.Elements+v.Count.Lost+v.Count.Empty)
		return err
	}
	_, err := fmt.Fprintf(w, "%s: %d findings\n", v.File, len(v.Findings))
	return err
}

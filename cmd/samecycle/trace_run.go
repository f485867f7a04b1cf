package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/ours"
	"github.com/samecycle/samecycle/internal/trace/picture"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

// traceReport is the result of the command.
type traceReport struct {
	Traces     []tracePart `json:"traces"`
	Incomplete string      `json:"incomplete,omitempty"` // why not all was done
}

// tracePart is what became of one trace.
type tracePart struct {
	Name     string      `json:"name"`
	Format   string      `json:"format,omitempty"`
	Requests int         `json:"requests"`
	Objects  int         `json:"objects"`
	Bytes    uint64      `json:"bytes"`
	Object   uint32      `json:"object_bytes,omitempty"` // of a trace without sizes
	Cut      bool        `json:"cut"`
	Resized  uint64      `json:"resized_requests"`
	Empty    uint64      `json:"empty_requests"`
	Sizes    []traceSize `json:"sizes"`
}

type traceSize struct {
	Size   string     `json:"size"`
	Bytes  uint64     `json:"bytes"`
	Caches []traceRow `json:"caches"`
}

type traceRow struct {
	Cache        string      `json:"cache"`
	Requests     uint64      `json:"requests"`
	Hits         uint64      `json:"hits"`
	HitRatio     traceFigure `json:"hit_ratio"`
	ByteHitRatio traceFigure `json:"byte_hit_ratio"`
	Points       traceFigure `json:"points_above_lru"`
	Complete     bool        `json:"complete"`
	NotRun       string      `json:"not_run,omitempty"`
	Note         string      `json:"note,omitempty"`

	compared bool // LRU had the same requests
}

// traceFigure is a number that was measured; NaN, which is null in JSON, is none.
type traceFigure float64

func (f traceFigure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// notRun tells whether a row has no figures, because the cache cannot be so small.
func (r traceReport) notRun() bool {
	for _, part := range r.Traces {
		for _, s := range part.Sizes {
			if slices.ContainsFunc(s.Caches, func(row traceRow) bool { return row.NotRun != "" }) {
				return true
			}
		}
	}
	return false
}

// traceCaches are the caches of a table, in its order; basket is the size of a basket of ours. Tests have
// others.
var traceCaches = func(basket uint32) []replay.Cache {
	return append([]replay.Cache{ours.Model(basket, nil), ours.Model(basket, cache.TinyLFU{})},
		replay.Models()...)
}

// The rows that are more than one among others.
const (
	exactLRU = "LRU"
	optimum  = "Belady"
)

func (a *app) trace(ctx context.Context, f traceFlags) error {
	if err := f.holdPicture(); err != nil {
		return err
	}
	p := newProgress(a.err)
	defer p.close()
	report := traceReport{Traces: []tracePart{}}
	names := f.files
	if len(names) == 0 {
		names = []string{""}
	}
	for i, name := range names {
		part, err := f.one(ctx, name, func(what string, share float64) {
			p.update(what, (float64(i)+share)/float64(len(names)))
		})
		if part != nil {
			report.Traces = append(report.Traces, *part)
		}
		switch {
		case ctx.Err() != nil:
			report.Incomplete = context.Cause(ctx).Error()
		case err != nil && len(report.Traces) == 0:
			return failed(err)
		case err != nil: // the traces before it took their time, so their tables are printed
			report.Incomplete = err.Error()
		}
		if report.Incomplete != "" {
			break
		}
	}
	p.close()
	if err := f.draw(report); err != nil {
		report.Incomplete = strings.TrimPrefix(report.Incomplete+"; no picture: "+err.Error(), "; ")
	}
	return a.deliver(traceReportOf(report), nil)
}

// draw writes the picture, if one is wanted and there is a trace. Its error costs nobody the tables.
func (f traceFlags) draw(report traceReport) error {
	if f.svg == "" || len(report.Traces) == 0 {
		return nil
	}
	return drawTrace(f.svg, report.Traces[0])
}

func traceReportOf(r traceReport) report {
	return report{Red: r.Incomplete != "" || r.notRun(), Data: r,
		Text: func(w io.Writer) error { return writeTrace(w, r) }}
}

// readShare is how much of the progress is that of reading.
const readShare = 0.1

// one reads or makes a trace and replays it.
func (f traceFlags) one(ctx context.Context, name string, progress func(string, float64)) (*tracePart,
	error) {
	t, err := f.requestsOf(ctx, name, progress)
	if err != nil {
		return nil, err
	}
	sizes, err := f.sizesFor(t)
	if err != nil {
		return nil, err
	}
	caches := traceCaches(f.basketBytes)
	what := filepath.Base(t.Name)
	if name == "" {
		what = "the trace that was made"
	}
	progress("replaying "+what, readShare)
	results, err := replay.Run(ctx, t, sizes, caches, func(share float64) {
		progress("replaying "+what, readShare+(1-readShare)*share)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return f.part(t, sizes, results), nil
}

// sizesFor are the sizes in bytes for a trace.
func (f traceFlags) sizesFor(t *trace.Trace) (sizes []uint64, err error) {
	for _, s := range f.wanted {
		n := s.of(t)
		if n == 0 {
			return nil, fmt.Errorf("--size %s is less than the smallest object of %s, which has %s: use more",
				s.text, t.Name, plural.Of(slices.Min(t.Sizes), "byte"))
		}
		sizes = append(sizes, n)
	}
	if f.svg != "" && slices.Min(sizes) == slices.Max(sizes) {
		return nil, fmt.Errorf("--svg: %w: give --size twice, or leave it out", picture.ErrPoints)
	}
	return sizes, nil
}

// requestsOf reads the file of that name, or makes a trace.
func (f traceFlags) requestsOf(ctx context.Context, name string,
	progress func(string, float64)) (*trace.Trace, error) {
	o := trace.Options{Format: f.format, Object: f.bytes, Requests: f.requests}
	if name == "" {
		progress("making a trace", 0)
		o.Progress = func(int64) error { return context.Cause(ctx) }
		return trace.Make(f.drawn, f.scan, o)
	}
	var whole float64
	if info, err := os.Stat(name); err == nil {
		whole = float64(info.Size())
	}
	o.Progress = func(n int64) error {
		if ctx.Err() != nil { // maybe nobody waits for this trace any more
			return context.Cause(ctx)
		}
		progress("reading "+filepath.Base(name), readShare*float64(n)/max(whole, float64(n), 1))
		return nil
	}
	return readUntil(ctx, func() (*trace.Trace, error) {
		if name == standardInput {
			return trace.Read("standard input", f.in, o)
		}
		return trace.Open(name, o)
	})
}

// standardInput is the name of a file that stands for the standard input.
const standardInput = "-"

// readUntil reads a file, which an interrupt ends at once, whatever it is about: a pipe may have nobody who
// writes into it, and no end.
func readUntil[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		t   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		t, err := read()
		done <- result{t, err}
	}()
	select {
	case r := <-done:
		return r.t, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// part is the result of one trace.
func (f traceFlags) part(t *trace.Trace, sizes []uint64, results []replay.Result) *tracePart {
	part := &tracePart{Name: t.Name, Format: t.Format, Requests: len(t.Requests), Objects: t.Objects(),
		Bytes: t.Bytes, Cut: t.Cut, Resized: t.Resized, Empty: t.Empty}
	if !t.Sized {
		part.Object = f.bytes
	}
	each := len(results) / len(sizes)
	for i, n := range sizes {
		s := traceSize{Size: f.wanted[i].text, Bytes: n}
		rows := results[i*each : (i+1)*each]
		for _, r := range rows {
			s.Caches = append(s.Caches, rowOf(r, rows, t))
		}
		part.Sizes = append(part.Sizes, s)
	}
	return part
}

// rowOf is the row of a result among those of the same size.
func rowOf(r replay.Result, all []replay.Result, t *trace.Trace) traceRow {
	none := traceFigure(math.NaN())
	row := traceRow{Cache: r.Cache, Requests: r.Requests, Hits: r.Hits, HitRatio: none, ByteHitRatio: none,
		Points: none, Complete: r.Complete, NotRun: r.NotRun, Note: r.Note}
	if r.Requests > 0 {
		row.HitRatio, row.ByteHitRatio = traceFigure(r.HitRatio()), traceFigure(r.ByteHitRatio())
	}
	for _, lru := range all {
		if lru.Cache == exactLRU && lru.Requests == r.Requests && r.Requests > 0 {
			row.Points, row.compared = traceFigure(100*(r.HitRatio()-lru.HitRatio())), true
		}
	}
	switch {
	case r.Cache == optimum && slices.Min(t.Sizes) != slices.Max(t.Sizes):
		row.Note = "knows the future; no optimum, for objects differ in size"
	case r.Cache == optimum:
		row.Note = "knows the future: the optimum"
	}
	return row
}

// drawTrace writes the picture of a trace, as far as it is complete.
func drawTrace(path string, part tracePart) error {
	p := picture.Picture{Title: pictureTitle(part), Names: map[uint64]string{},
		Size: "size of the cache, of " + picture.Bytes(part.Bytes)}
	for _, s := range part.Sizes {
		p.Names[s.Bytes] = s.Size
	}
	for i, c := range part.Sizes[0].Caches {
		curve := picture.Curve{Name: c.Cache, Bound: c.Cache == optimum,
			Broad: strings.HasPrefix(c.Cache, ours.Name)}
		for _, s := range sortedSizes(part.Sizes) {
			if row := s.Caches[i]; row.Complete {
				point := picture.Point{Bytes: s.Bytes, Ratio: float64(row.HitRatio)}
				curve.Points = append(curve.Points, point)
			}
		}
		p.Curves = append(p.Curves, curve)
	}
	svg, err := p.SVG()
	if err != nil {
		return err
	}
	return evidence.WriteFile(path, svg)
}

// keepsOther is the error of a picture that would take the place of something else.
func keepsOther(path string) error {
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 && !bytes.Contains(text, []byte("<svg")) {
		return fmt.Errorf("%s is no picture, and would be lost: name another one", path)
	}
	return nil
}

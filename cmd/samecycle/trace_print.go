package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/trace/picture"
)

// thousands is a number with commas.
func thousands[N plural.Integer](n N) string {
	text := strconv.FormatUint(uint64(n), 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// counted is plural.Of with commas.
func counted[N plural.Integer](n N, what string) string {
	_, words, _ := strings.Cut(plural.Of(n, what), " ")
	return thousands(n) + " " + words
}

// writeTrace prints the tables for a person.
func writeTrace(w io.Writer, r traceReport) error {
	for i, part := range r.Traces {
		if i > 0 {
			fmt.Fprintln(w)
		}
		writeTracePart(w, part)
	}
	if r.Incomplete != "" {
		fmt.Fprintf(w, "\nINCOMPLETE: %s\n", r.Incomplete)
	}
	return nil
}

func writeTracePart(w io.Writer, part tracePart) {
	writeTraceHead(w, part)
	writeTraceRows(w, part)
}

// writeTraceHead prints what the trace is.
func writeTraceHead(w io.Writer, part tracePart) {
	fmt.Fprintln(w, plainLine(part.Name))
	what := "requests"
	if part.Cut {
		what = "requests (the first of more)"
	}
	fmt.Fprintf(w, "  %s %s for %s, %s together", thousands(part.Requests), what,
		counted(part.Objects, "object"), picture.Bytes(part.Bytes))
	if part.Object > 0 {
		fmt.Fprintf(w, ", each taken for %s (--object)", picture.Bytes(uint64(part.Object)))
	}
	if part.Format != "" {
		fmt.Fprintf(w, "; format %s", part.Format)
	}
	fmt.Fprintln(w)
	if part.Empty > 0 {
		fmt.Fprintf(w, "  %s for 0 bytes left out\n", counted(part.Empty, "request"))
	}
	if part.Resized > 0 {
		fmt.Fprintf(w, "  %s with another size than the first one for its object, which counts\n",
			counted(part.Resized, "request"))
	}
}

// writeTraceRows prints the table.
func writeTraceRows(w io.Writer, part tracePart) {
	widest := 10
	for _, s := range part.Sizes {
		for _, row := range s.Caches {
			widest = max(widest, len(row.Cache))
		}
	}
	line := func(size, cache, hits, bytes, points, note string) {
		text := fmt.Sprintf("%-22s %-*s %10s %10s %9s  %s", size, widest, cache, hits, bytes, points, note)
		fmt.Fprintln(w, strings.TrimRight(text, " "))
	}
	fmt.Fprintln(w)
	line("SIZE", "CACHE", "HITS", "BYTE HITS", "TO LRU", "")
	for _, s := range part.Sizes {
		size := s.Size
		switch {
		case part.Object > 0:
			size += ": " + counted(s.Bytes/uint64(part.Object), "object")
		case strings.HasSuffix(size, "%"):
			size += ": " + picture.Bytes(s.Bytes)
		}
		for _, row := range s.Caches {
			hits, bytes, points, note := row.words(part.Requests)
			line(size, row.Cache, hits, bytes, points, note)
			size = ""
		}
	}
}

// words are what a row says.
func (r traceRow) words(requests int) (hits, bytes, points, note string) {
	switch note = r.Note; {
	case r.NotRun != "":
		return "NOT RUN", "", "", r.NotRun
	case r.Requests == 0:
		return "-", "-", "", "INCOMPLETE: not begun"
	case !r.Complete:
		note = fmt.Sprintf("INCOMPLETE: the first %d %%", r.Requests*100/uint64(requests))
	}
	if r.compared && r.Cache != exactLRU {
		points = fmt.Sprintf("%+.2f", r.Points)
	}
	return percent(float64(r.HitRatio)), percent(float64(r.ByteHitRatio)), points, note
}

func percent(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) }

// sortedSizes are the sizes in ascending order, each one once.
func sortedSizes(all []traceSize) []traceSize {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b traceSize) int { return cmp.Compare(a.Bytes, b.Bytes) })
	return slices.CompactFunc(all, func(a, b traceSize) bool { return a.Bytes == b.Bytes })
}

// pictureTitle is what a picture is of.
func pictureTitle(part tracePart) string {
	name := part.Name
	if part.Format != "" {
		name = filepath.Base(name)
	}
	return shorten(plainLine(name), 110) + "\n" + counted(part.Requests, "request") + ", " +
		counted(part.Objects, "object") + ", " + picture.Bytes(part.Bytes)
}

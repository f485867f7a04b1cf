package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/trace/picture"
	"github.com/spf13/cobra"
)

func cacheKeysCommand(a *app) *cobra.Command {
	var prefix string
	var limit int
	cmd := &cobra.Command{
		Use:   "keys FILE",
		Short: "List the keys with the sizes of their values",
		Long: `keys lists the keys of a cache in no particular order, with the number of bytes of each value
and how long it is still kept. Others may change the cache at the same time: a key that stays
is listed once, and a key that is added or removed meanwhile may be listed or not. With
--json there is one object for each line.

A key that is not text in UTF-8, or has a NUL, cannot be printed as it is. After such a key
keys prints the flag with which get, set and del accept it; with --json, key_base64 has its
bytes.`,
		Example: `  samecycle cache keys sessions.cache
  samecycle cache keys sessions.cache --prefix user: --limit 20
  samecycle cache keys sessions.cache --json`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return fmt.Errorf("--limit %d: use 1 or more, or 0 for all", limit)
			}
			return withEntries(args[0], func(c *cache.Cache) error {
				return a.cacheKeys(cmd.Context(), c, prefix, limit)
			})
		},
	}
	cmd.Flags().StringVar(&prefix, "prefix", "", "only keys with this prefix")
	cmd.Flags().IntVar(&limit, "limit", 0, "end after so many keys (0: all)")
	return cmd
}

// listedKey is one line of cache keys.
type listedKey struct {
	jsonKey
	Bytes   int     `json:"bytes"`                        // of the value
	Seconds float64 `json:"expires_in_seconds,omitempty"` // absent: it does not expire
}

// keysBuffer is how many bytes of lines are written at once where no person watches.
const keysBuffer = 64 << 10

func (a *app) cacheKeys(ctx context.Context, c *cache.Cache, prefix string, limit int) error {
	n := 0
	out := bufio.NewWriterSize(a.out, keysBuffer)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	var notWritten error
	err := c.Walk(func(key, value []byte) bool {
		if notWritten = context.Cause(ctx); notWritten != nil {
			return false
		}
		if !strings.HasPrefix(string(key), prefix) {
			return true
		}
		left, there, err := c.TTL(key)
		if err == nil && !there {
			return true // it has just left
		}
		k := listedKey{jsonKey: jsonKeyOf(string(key)), Bytes: len(value), Seconds: left.Seconds()}
		if a.json {
			err = errors.Join(err, lines.Encode(k))
		} else {
			err = errors.Join(err, k.write(out))
		}
		if err == nil && a.width > 0 { // a person watches
			err = out.Flush()
		}
		notWritten = err
		n++
		return err == nil && n != limit
	})
	if bad := out.Flush(); notWritten == nil { // else that is why, or has kept it from being written, too
		notWritten = bad
	}
	return failed(errors.Join(err, notWritten))
}

func (k listedKey) write(w io.Writer) error {
	expires := ""
	if k.Seconds > 0 {
		left := time.Duration(k.Seconds * float64(time.Second))
		expires = fmt.Sprintf("  expires in %v", left.Round(time.Second))
	}
	named := ""
	if len(k.Exact) > 0 {
		named = "  --key-base64 " + base64.StdEncoding.EncodeToString(k.Exact)
	}
	_, err := fmt.Fprintf(w, "%10d  %q%s%s\n", k.Bytes, k.Key, expires, named)
	return err
}

func cacheStatsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stats FILE",
		Short: "Count the entries of a cache, and its bytes",
		Long: `stats prints how large a cache is, how many entries it has, and how its baskets are used.
The numbers of live and dead bytes are estimates; they are exact if nobody changes the cache.
The numbers of calls are those of all processes that have ever had the cache open, as of the
last turns of their janitors.`,
		Example: `  samecycle cache stats sessions.cache
  samecycle cache stats sessions.cache --json`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			return withEntries(args[0], func(c *cache.Cache) error {
				s, err := statsOf(c)
				if err != nil {
					return failed(err)
				}
				return a.deliver(report{Data: s, Text: s.write}, nil)
			})
		},
	}
}

// cacheStats is the result of cache stats --json.
type cacheStats struct {
	File        string            `json:"file"`
	Bytes       uint64            `json:"bytes"`
	BasketBytes uint32            `json:"basket_bytes"`
	Baskets     int               `json:"baskets"`
	Free        int               `json:"free_baskets"`
	EntriesMost uint64            `json:"entries_max"` // that the index is made for
	Entries     int               `json:"entries"`
	LiveBytes   uint64            `json:"live_bytes"`
	DeadBytes   uint64            `json:"dead_bytes"`
	FreeBytes   uint64            `json:"free_bytes"`
	ValueMax    int               `json:"value_bytes_max"` // with a key of 16 bytes
	Hash        string            `json:"hash"`
	Policy      string            `json:"policy"`
	Tiers       []cacheTier       `json:"tiers"` // from the top one down
	Calls       map[string]uint64 `json:"calls"` // of all processes
	calls       []countLine       // the same for a person
}

// cacheTier is a tier in it. A duration is 0 if the tier is empty.
type cacheTier struct {
	Baskets   int     `json:"baskets"`
	Entries   int     `json:"entries"`
	LiveBytes uint64  `json:"live_bytes"`
	Hits      uint64  `json:"hits"` // of all processes; 0 if there is only one tier
	Youngest  float64 `json:"youngest_seconds"`
	Oldest    float64 `json:"oldest_seconds"`
}

func statsOf(c *cache.Cache) (cacheStats, error) {
	s, err := c.Stats()
	o, calls := c.Options(), map[string]uint64{}
	for _, x := range countLines(s.All) {
		calls[strings.ReplaceAll(x.name, " ", "_")] = x.n
	}
	var tiers []cacheTier
	for _, t := range s.Tiers {
		tiers = append(tiers, cacheTier{t.Baskets, t.Entries, t.LiveBytes, t.Hits, t.Youngest.Seconds(),
			t.Oldest.Seconds()})
	}
	return cacheStats{File: c.File(), Policy: s.Policy, Tiers: tiers,
		Bytes: o.Bytes, BasketBytes: o.BasketBytes, Baskets: s.Baskets,
		Free: s.FreeBaskets, EntriesMost: o.Entries, Entries: s.Entries, LiveBytes: s.LiveBytes,
		DeadBytes: s.DeadBytes, FreeBytes: s.FreeBytes, ValueMax: c.ValueMax(16), Hash: o.Hash.String(),
		Calls: calls, calls: countLines(s.All)}, err
}

func (s cacheStats) write(w io.Writer) error {
	share := func(part, of uint64) string {
		return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(of, 1)))
	}
	records := s.LiveBytes + s.DeadBytes + s.FreeBytes
	type line struct {
		name string
		n    uint64
		text string
	}
	lines := []line{
		{"bytes", s.Bytes, "with the index"},
		{"entries", uint64(s.Entries), fmt.Sprintf("of %d that the index is made for", s.EntriesMost)},
		{"baskets", uint64(s.Baskets), fmt.Sprintf("of %d bytes, %d of them free; policy %s",
			s.BasketBytes, s.Free, s.Policy)},
		{"live bytes", s.LiveBytes, share(s.LiveBytes, records) + " of the records"},
		{"dead bytes", s.DeadBytes, share(s.DeadBytes, records)},
		{"free bytes", s.FreeBytes, share(s.FreeBytes, records)},
		{"largest value", uint64(s.ValueMax), "bytes, with a key of 16"},
	}
	for i, t := range s.Tiers {
		text := fmt.Sprintf("entries in %s", plural.Of(t.Baskets, "basket"))
		if t.Baskets > 0 {
			text += fmt.Sprintf(", %s of them live, the oldest one %s old", picture.Bytes(t.LiveBytes),
				time.Duration(t.Oldest*float64(time.Second)).Round(time.Second/10))
		}
		lines = append(lines, line{fmt.Sprintf("tier %d", i), uint64(t.Entries), text})
	}
	for _, x := range s.calls {
		lines = append(lines, line{x.name, x.n, "by all processes"})
	}
	for _, line := range lines {
		if _, err := fmt.Fprintf(w, "%-16s %14d  %s\n", line.name, line.n, line.text); err != nil {
			return err
		}
	}
	return nil
}

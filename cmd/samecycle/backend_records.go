package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/plural"
)

// What dump, verify, watch and repair know of the records of a cache, beside the table that leads to them.

// storeOf is the store of records in a region, nil if it has none.
func storeOf(r *region.Region) (*basket.Store, error) {
	if _, ok := r.Layout().Part(basket.Engine); !ok {
		return nil, nil
	}
	return basket.New(r)
}

// recordsReport is what verify says of the records.
type recordsReport struct {
	Judged    bool     `json:"judged"` // false while processes use the region: records may change at any time
	Records   int      `json:"records"`
	Baskets   int      `json:"baskets"`
	Free      int      `json:"free_baskets"`
	LiveBytes uint64   `json:"live_bytes"` // by what the index leads to if judged, else by the hints
	DeadBytes uint64   `json:"dead_bytes"`
	FreeBytes uint64   `json:"free_bytes"`
	Findings  []string `json:"findings"`
}

// judgeRecords holds the records against the index if nobody uses the region; nil for a region without any.
func judgeRecords(r *region.Region, t *hopscotch.Table, live bool) (*recordsReport, error) {
	store, err := storeOf(r)
	if store == nil || err != nil {
		return nil, err
	}
	s := store.Stats()
	x := &recordsReport{Judged: !live, Records: hopscotch.Measure(t).Elements, Baskets: s.Baskets,
		Free: s.Free, LiveBytes: s.LiveBytes, DeadBytes: s.DeadBytes, FreeBytes: s.FreeBytes,
		Findings: []string{}}
	if live {
		return x, nil
	}
	f := store.Check(t.All(), nil)
	x.Records, x.LiveBytes, x.DeadBytes = f.Records, f.LiveBytes, s.Bytes-s.FreeBytes-f.LiveBytes
	lost, err := cache.Unfindable(r, store, t.All())
	for _, finding := range append(f.All, lost...) {
		x.Findings = append(x.Findings, finding.String())
	}
	return x, err
}

// write says it, of a file.
func (x *recordsReport) write(w io.Writer, file string) error {
	for _, f := range x.Findings {
		if _, err := fmt.Fprintln(w, f); err != nil {
			return err
		}
	}
	text := plural.Of(x.Records, "record")
	if !x.Judged {
		text = fmt.Sprintf("about %s, which change too fast to be judged", plural.Of(x.Records, "record"))
	}
	_, err := fmt.Fprintf(w, "%s: %s; bytes: %d live, %d dead, %d free; baskets: %d, %d of them free\n", file,
		text, x.LiveBytes, x.DeadBytes, x.FreeBytes, x.Baskets, x.Free)
	return err
}

// basketPicture is a basket as dump shows it.
type basketPicture struct {
	Basket     uint32 `json:"basket"`
	State      string `json:"state"`
	Writer     *int   `json:"writer,omitempty"` // that owns it
	Generation uint32 `json:"generation"`
	Sequence   uint64 `json:"sequence"` // its age: less is older
	LiveBytes  uint64 `json:"live_bytes"`
}

// recordPicture is a record as dump shows it.
type recordPicture struct {
	Ref     uint32 `json:"ref"`
	Basket  uint32 `json:"basket"`
	Live    bool   `json:"live"` // the index leads to it
	Hash    uint32 `json:"hash"`
	Next    uint32 `json:"next,omitempty"` // ref of the next record of its chain
	Key     []byte `json:"key"`            // base64
	Bytes   int    `json:"bytes"`          // of the value
	Value   []byte `json:"value"`          // base64; null if it is dead
	Expires uint64 `json:"expires,omitempty"`
}

// picturesOf are the baskets that are not free.
func picturesOf(r *region.Region, s *basket.Store) (all []basketPicture, err error) {
	heads, err := r.Section(basket.Engine, basket.SectionHeads)
	if err != nil {
		return nil, err
	}
	for b := range s.Layout().Baskets {
		head, hint := basket.Head(heads[2*b].Load()), basket.Hint(heads[2*b+1].Load())
		if head.State() == basket.StateFree {
			continue
		}
		p := basketPicture{Basket: b, State: head.State().String(), Generation: head.Generation(),
			Sequence: head.Sequence()}
		if owner := int(head.Owner()); owner != 0 {
			owner--
			p.Writer = &owner
		}
		if hint.Generation() == head.Generation() {
			p.LiveBytes = uint64(hint.Live()) * basket.UnitBytes
		}
		all = append(all, p)
	}
	return all, nil
}

// eachRecord calls f with each record of the store until it fails.
func eachRecord(t *hopscotch.Table, s *basket.Store, f func(recordPicture) error) (err error) {
	live := cache.LiveRefs(s, t.All())
	s.Records(func(x basket.Record) bool {
		p := recordPicture{Ref: uint32(x.Ref), Basket: x.Basket, Live: live[x.Ref], Hash: x.Hash,
			Next: uint32(x.Next), Key: x.Key, Bytes: len(x.Value), Expires: x.Meta.Expires}
		if p.Live {
			p.Value = append([]byte{}, x.Value...) // one of no bytes is not null
		}
		err = f(p)
		return err == nil
	})
	return err
}

// dumpRecords prints the baskets and the records behind the table.
func dumpRecords(out io.Writer, r *region.Region, t *hopscotch.Table, s *basket.Store) error {
	baskets, err := picturesOf(r, s)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "\nbaskets: %d of %d bytes, %d in use\n", s.Layout().Baskets, s.Layout().BasketBytes,
		len(baskets))
	for _, b := range baskets {
		writer := ""
		if b.Writer != nil {
			writer = fmt.Sprintf(" writer %d", *b.Writer)
		}
		fmt.Fprintf(w, "%8d %-8s generation %d sequence %d live bytes %d%s\n", b.Basket, b.State,
			b.Generation, b.Sequence, b.LiveBytes, writer)
	}
	fmt.Fprintln(w, "records, with the index's hash; those marked dead are in no chain of the index any more")
	err = eachRecord(t, s, func(x recordPicture) error {
		state := "live"
		if !x.Live {
			state = "dead"
		}
		_, err := fmt.Fprintf(w, "%10d basket %d %s hash %08x key %s value of %d bytes%s\n", x.Ref, x.Basket,
			state, x.Hash, keyText(x.Key), x.Bytes, expiryText(x.Expires))
		return err
	})
	return errors.Join(err, w.Flush())
}

// keyText is a key for a person: in quotes, and cut if it is long.
func keyText(key []byte) string {
	const most = 40
	if len(key) <= most {
		return fmt.Sprintf("%q", key)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(key[cut]) {
		cut--
	}
	return fmt.Sprintf("%q... (%d bytes)", key[:cut], len(key))
}

func expiryText(at uint64) string {
	if at == 0 {
		return ""
	}
	return fmt.Sprintf(" expires at %d", at)
}

// dumpRecordsJSON prints the table, the baskets and the records as one object, a record a line.
func dumpRecordsJSON(out io.Writer, r *region.Region, t *hopscotch.Table, s *basket.Store) error {
	baskets, err := picturesOf(r, s)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, "{\"table\": "); err != nil {
		return err
	}
	if err := hopscotch.DumpJSON(out, t, hopscotch.DumpOptions{}); err != nil {
		return err
	}
	text, err := json.Marshal(listed(baskets))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, ", \"baskets\": %s, \"records\": [", text); err != nil {
		return err
	}
	between := "\n"
	err = eachRecord(t, s, func(x recordPicture) error {
		text, err := json.Marshal(x)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s%s", between, text)
			between = ",\n"
		}
		return err
	})
	if err == nil {
		_, err = io.WriteString(out, "\n]}\n")
	}
	return err
}

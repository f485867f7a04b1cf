package cache

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// lost holds what a check says of records that no call finds against what there is, and against what a
// program says that only looks at the region.
func lost(t *testing.T, c *Cache, want int) (told []basket.Finding) {
	t.Helper()
	f, err := c.Check()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range f.Records.All {
		if strings.Contains(x.Text, "no call finds") {
			told = append(told, x)
		}
	}
	seen, err := Unfindable(c.region, c.store, c.table.All())
	if err != nil || len(told) != want || !slices.Equal(seen, told) {
		t.Errorf("a check finds %v, want %d; who looks finds %v, %v", told, want, seen, err)
	}
	return told
}

// TestCheck_Unfindable: a record that no call finds, since its key or the secret of the hash is damaged, is a
// finding of a check, and of who only looks at the region. What the index does not lead to is none.
func TestCheck_Unfindable(t *testing.T) {
	for _, kind := range []HashKind{HashXXH3, HashSip} {
		c := open(t, filepath.Join(t.TempDir(), "a.cache"),
			Options{Bytes: 1 << 20, NoJanitor: true, Hash: kind})
		for i := range 30 {
			set(t, c, fmt.Sprintf("key %02d of all", i), "value")
		}
		if _, err := c.Delete([]byte("key 00 of all")); err != nil {
			t.Fatal(err)
		}
		lost(t, c, 0)
		records, err := c.region.Section(basket.Engine, basket.SectionRecords)
		if err != nil {
			t.Fatal(err)
		}
		damage := func(key string) {
			begin := binary.NativeEndian.Uint64([]byte(key))
			for i := range records {
				if records[i].CompareAndSwap(begin, begin^1<<56) {
					return
				}
			}
			t.Fatalf("no record has the key %s", key)
		}
		damage("key 00 o")
		lost(t, c, 0)
		damage("key 07 o")
		if told := lost(t, c, 1); len(told) == 1 &&
			!strings.Contains(told[0].Text, `the key "key 07 nf all"`) {
			t.Errorf("%v", told)
		}
		secret, err := c.region.Section(basket.Engine, basket.SectionShared)
		if err != nil {
			t.Fatal(err)
		}
		secret[secretWord].Store(0) // the next one to open it draws a new one
		again := open(t, c.File(), Options{NoJanitor: true})
		told := lost(t, again, findingsShown+1)
		if !strings.HasPrefix(told[findingsShown].Text, "no call finds 19 more records; if these are all, "+
			"the secret of the hash is damaged") {
			t.Errorf("%v", told[findingsShown])
		}
	}
}

// TestTunedWrong: of a region that somebody only looks at.
func TestTunedWrong(t *testing.T) {
	c := open(t, "", small())
	if found, err := TunedWrong(c.region); found != nil || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	c.params.words[parameterRows[liveTTL].field.Word].Store(^uint64(0))
	if found, err := TunedWrong(c.region); err != nil || len(found) != 1 || found[0].Name != "ttl.default" {
		t.Errorf("%v, %v", found, err)
	}
}

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/campaign"
)

func TestCampaigns_Text(t *testing.T) {
	fresh := campaign.Status{Campaign: campaign.Campaign{Name: "a", File: "results/a.json", Renew: "make a",
		Title: "does a"}, Commit: "0123456", Verdict: campaign.Current}
	old := fresh
	old.Name, old.Verdict = "b", campaign.Stale
	old.Changes = []string{"x.go has changed", "y.go is new", "z.go is gone"}
	lost := fresh
	lost.Name, lost.Verdict, lost.Why = "c", campaign.Unknown, "no such commit"
	list := []campaign.Status{fresh, old, lost}

	var out bytes.Buffer
	if err := writeCampaigns(&out, list, false); err != nil {
		t.Fatal(err)
	}
	want := []string{"a current 0123456 results/a.json make a does a", "b stale 0123456", "c unknown",
		"b, since commit 0123456:\n  x.go has changed\n  y.go is new\n" +
			"  and 1 change more (samecycle campaigns b)\n",
		"c: no such commit\n"}
	squeezed := out.String()
	for strings.Contains(squeezed, "   ") {
		squeezed = strings.ReplaceAll(squeezed, "   ", "  ")
	}
	for _, w := range want {
		if !strings.Contains(squeezed, w) && !strings.Contains(strings.ReplaceAll(squeezed, "  ", " "), w) {
			t.Errorf("the list lacks %q:\n%s", w, &out)
		}
	}
	if strings.Contains(out.String(), "a, since") || strings.Contains(out.String(), "z.go") {
		t.Errorf("the list has what is current, or all changes:\n%s", &out)
	}

	out.Reset()
	err := writeCampaigns(&out, list, true)
	if err != nil || !strings.Contains(out.String(), "z.go is gone") {
		t.Errorf("%v; of a campaign by name all changes are shown:\n%s", err, &out)
	}
}

func TestCampaigns_NoSuchName(t *testing.T) {
	err := campaignsCommand(&app{}).Args(nil, []string{"storm", "storms"})
	if err == nil || !strings.Contains(err.Error(), `"storms" is no campaign`) {
		t.Errorf("a name that there is not: %v", err)
	}
	if err := campaignsCommand(&app{}).Args(nil, []string{"storm"}); err != nil {
		t.Error(err)
	}
}

package basket

import (
	"fmt"
	"slices"
	"testing"
)

// agesOf is the order of the policy of age in a store of 64 baskets of 512 units, with four tiers.
func agesOf() *ageing {
	return Ageing{}.Order(nil, Layout{Baskets: 64, BasketBytes: 4096, Tiers: 4}).(*ageing)
}

// TestAgeing_Begins: what an order knows before it has judged a record, and what the policy says of itself.
func TestAgeing_Begins(t *testing.T) {
	o := agesOf()
	if o.last != 3 || o.all != 64*512 || o.budget != 0 || o.uses != 0 || o.alike != 0 || o.round != 64 ||
		o.idle != (share{0, 3}) || o.often != (share{3, 6}) {
		t.Errorf("%+v", o)
	}
	text := ""
	for _, asked := range []uint32{0, 1, 3, 8, 9} {
		tiers, lanes := Ageing{}.Shape(asked)
		text += fmt.Sprint(tiers, lanes, " ")
	}
	if text += fmt.Sprint(Ageing{}.Words(831), Ageing{}.Words(832), o.Enters(5, 6), o.Retires(nil)); text !=
		"4 1 1 1 3 1 8 1 8 1 32 40 0 3" {
		t.Errorf("shapes, words, and the tiers of those that enter and retire: %s", text)
	}
}

// TestAgeing_ForgetsTheFirstQuarter: uses count no more when a basket leaves the first quarter of the tiers,
// where often does not count, and only there.
func TestAgeing_ForgetsTheFirstQuarter(t *testing.T) {
	text := ""
	for tiers := uint32(1); tiers <= TiersMax; tiers++ {
		o := Ageing{}.Order(nil, Layout{Baskets: 64, BasketBytes: 4096, Tiers: tiers}).(*ageing)
		for tier := range tiers - 1 {
			if o.often = (share{1, 2}); o.Forgets(tier) {
				t.Errorf("of %d tiers tier %d forgets, where often counts", tiers, tier)
			}
			if o.often = (share{0, 2}); o.Forgets(tier) {
				text += fmt.Sprint(tiers, ":", tier, " ")
			}
		}
	}
	if want := "2:0 3:0 4:0 5:0 6:1 7:1 8:1 "; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestAgeing_WhichTierAges: one that has more than its share, or is too old, and has something to give.
func TestAgeing_WhichTierAges(t *testing.T) {
	tiers := func(all ...TierOf) (x [TiersMax]TierOf) { copy(x[:], all); return x }
	full := TierOf{64, 60}
	for _, x := range []struct {
		b    Balance
		want string
	}{
		{Balance{Tiers: tiers(TierOf{16, 16}, TierOf{16, 16}, TierOf{16, 16}, full)}, "0 false"},
		{Balance{Tiers: tiers(TierOf{16, 16}, TierOf{17, 1}, full, full)}, "1 true"},
		{Balance{Tiers: tiers(TierOf{17, 1}, TierOf{17, 1}, full, full)}, "0 true"},
		{Balance{Tiers: tiers(TierOf{17, 0}, TierOf{17, 0}, TierOf{17, 2}, full)}, "2 true"},
		{Balance{Tiers: tiers(TierOf{32, 1}, TierOf{6, 1}), Share: [TiersMax]uint32{50, 10}}, "0 false"},
		{Balance{Tiers: tiers(TierOf{33, 1}, TierOf{6, 1}), Share: [TiersMax]uint32{50, 10}}, "0 true"},
		{Balance{Tiers: tiers(TierOf{32, 1}, TierOf{7, 1}), Share: [TiersMax]uint32{50, 10}}, "1 true"},
		{Balance{Tiers: tiers(TierOf{2, 0}, TierOf{2, 1}), Aged: [TiersMax]bool{true, true, true, true}},
			"1 true"},
		{Balance{Tiers: tiers(TierOf{}, TierOf{}, TierOf{}, full), Aged: [TiersMax]bool{3: true}}, "0 false"},
	} {
		x.b.All = 64
		tier, ok := agesOf().Ages(&x.b)
		if text := fmt.Sprint(tier, ok); text != x.want {
			t.Errorf("%+v: %s, want %s", x.b, text, x.want)
		}
	}
}

// TestAgeing_BudgetOfAWalk: seven eighths of a basket may be moved, and two eighths where a quarter of the
// store has been used one as often as the other. A record that does not fit into the rest leaves.
func TestAgeing_BudgetOfAWalk(t *testing.T) {
	const usual, alike, quarter, hash = 448, 128, 64 * 512 / 4, 7 // of no sample
	for _, x := range []struct {
		about  string
		judged []Candidate
		want   uint32
	}{
		{"nothing", nil, usual},
		{"a quarter, all used once", []Candidate{{Uses: 1, Units: 3}, {Uses: 1, Units: quarter - 3}}, alike},
		{"a little less", []Candidate{{Uses: 1, Units: 3}, {Uses: 1, Units: quarter - 4}}, usual},
		{"a quarter, used once and twice", []Candidate{{Uses: 1, Units: 3}, {Uses: 2, Units: quarter - 1}},
			usual},
		{"a quarter, all used twice", []Candidate{{Uses: 1, Units: 3}, {Uses: 2, Units: quarter}}, alike},
		{"a quarter, not used", []Candidate{{Units: quarter}, {Units: quarter}}, usual},
		{"a quarter, and then one not used", []Candidate{{Uses: 1, Units: quarter}, {Units: 3}, {Uses: 1,
			Units: 3}}, usual},
	} {
		o := agesOf()
		for _, c := range x.judged {
			c.Hash = hash
			o.Judge(&c)
		}
		if o.Walks(0, 512); o.budget != x.want {
			t.Errorf("%s: %d units may be moved, want %d", x.about, o.budget, x.want)
		}
	}
	o, text := agesOf(), ""
	o.Walks(0, 512)
	for _, units := range []uint32{449, 400, 49, 48, 1, 0} {
		v := o.Judge(&Candidate{Hash: hash, Uses: 1, Units: units})
		text += fmt.Sprint(v.Stays, " ", o.budget, " ")
	}
	if text != "false 448 true 48 false 48 true 0 false 0 true 0 " {
		t.Errorf("records, and the rest: %s", text)
	}
}

// TestAgeing_VerdictOfEach: each kind of record that is no sample, where often counts and where not.
func TestAgeing_VerdictOfEach(t *testing.T) {
	yes, no := share{1, 2}, share{0, 1} // whether often counts
	for _, x := range []struct {
		uses, given int
		old         bool
		begin       share
		want        Verdict
	}{
		{3, 0, false, yes, Verdict{true, 0, 2}},
		{1, 1, false, yes, Verdict{true, 0, 0}},
		{0, 0, false, yes, Verdict{false, 0, 0}},
		{2, 0, true, yes, Verdict{true, 0, 1}},
		{0, 0, true, yes, Verdict{false, 0, 0}},
		{3, 0, false, no, Verdict{true, 0, 0}},
		{1, 0, false, no, Verdict{true, 0, 0}},
		{1, 1, false, no, Verdict{false, 0, 0}},
		{0, 0, false, no, Verdict{false, 0, 0}},
		{1, 0, true, no, Verdict{true, 0, 0}},
		{1, 1, true, no, Verdict{false, 0, 0}},
	} {
		o := agesOf()
		o.Walks(0, 512)
		o.often = x.begin
		c := Candidate{Hash: 7, Uses: x.uses, Given: x.given, Old: x.old, Units: 5}
		if o.drawn(c.Hash) {
			t.Fatal("the record is drawn as a sample")
		}
		if v := o.Judge(&c); v != x.want {
			t.Errorf("%+v: %+v", x, v)
		}
	}
}

// script is an order that says what a test has written down.
type script struct {
	ages    []uint32 // the tiers that age, one after the other
	forgets []uint32 // the tiers whose baskets lose their marks
	seen    []Balance
	walk    []uint32
}

func (s *script) Enters(_, _ uint32) uint32 { return 0 }

func (s *script) Ages(b *Balance) (tier uint32, ok bool) {
	s.seen = append(s.seen, *b)
	if len(s.ages) == 0 {
		return 0, false
	}
	tier, s.ages = s.ages[0], s.ages[1:]
	return tier, true
}

func (s *script) Forgets(tier uint32) bool { return slices.Contains(s.forgets, tier) }
func (s *script) Retires(*Balance) uint32  { return 0 }
func (s *script) Walks(tier, units uint32) { s.walk = append(s.walk, tier, units) }
func (s *script) Judge(*Candidate) Verdict { return Verdict{} }

// TestBalance_OfASight: what a policy is told.
func TestBalance_OfASight(t *testing.T) {
	w := chooser(t, WriterOptions{Reserve: 4})
	w.reserve, w.normal, w.share[1], w.ages[2] = 2, 5, 30, 100
	w.now = func() uint64 { return 1101 }
	w.store.times[7].Store(1000)
	w.store.times[8].Store(1001)
	seen := sight{}
	for t := range seen.oldest {
		seen.oldest[t].rank = rankNone
	}
	seen.tiers[1] = TierOf{3, 2}
	seen.oldest[2] = choice{7, MakeHead(StateSealed, 0, 0, 5).In(2), rankSealed}
	want := Balance{All: 10, Reserve: 2, Tiers: seen.tiers, Share: w.share, Aged: [TiersMax]bool{2: true}}
	if got := *w.balance(&seen); got != want {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	for _, x := range []struct {
		c    choice
		want bool
	}{{seen.oldest[2], true}, {choice{8, seen.oldest[2].head, rankSealed}, false},
		{choice{7, seen.oldest[2].head, rankLeftOpen}, false},
		{choice{7, seen.oldest[2].head.In(1), rankSealed}, false}} {
		if got := w.tooOld(x.c); got != x.want {
			t.Errorf("%v is too old: %v", x.c, got)
		}
	}
	if w.now = nil; w.tooOld(seen.oldest[2]) {
		t.Error("a writer without a clock knows what is too old")
	}
}

// TestAgeAll_AsThePolicySays: which baskets go down in one look, and what is known of the tiers then.
func TestAgeAll_AsThePolicySays(t *testing.T) {
	head := func(tier uint32, n uint64) Head { return MakeHead(StateSealed, 0, 3, n).In(tier) }
	for _, x := range []struct {
		about  string
		ages   []uint32
		middle bool // whether the middle tier has a sealed basket
		other  bool // somebody else has taken the basket of the top tier
		tiers  string
		heads  string
		oldest string
		asked  int
	}{
		{"none", nil, true, false, "[{4 2} {3 1} {2 0}]", "0 1", "1 2 -", 1},
		{"the top one", []uint32{0}, true, false, "[{3 1} {4 2} {2 0}]", "1 1", "- 2 -", 2},
		{"the middle one", []uint32{1}, true, false, "[{4 2} {2 0} {3 1}]", "0 2", "1 - 2", 2},
		{"both", []uint32{0, 1}, true, false, "[{3 1} {3 1} {3 1}]", "1 2", "- - 2", 3},
		{"the last one", []uint32{2}, true, false, "[{4 2} {3 1} {2 0}]", "0 1", "1 2 -", 1},
		{"one twice", []uint32{0, 0}, true, false, "[{3 1} {4 2} {2 0}]", "1 1", "- 2 -", 2},
		{"one all the way down", []uint32{0, 1, 2}, false, false, "[{3 1} {3 1} {3 1}]", "2 1", "- - 1", 3},
		{"one that is taken", []uint32{0}, true, true, "[{4 2} {3 1} {2 0}]", "0 1", "1 2 -", 1},
	} {
		w, s := chooser(t, WriterOptions{}), &script{ages: x.ages}
		w.order = s
		seen := sight{}
		for t := range seen.oldest {
			seen.oldest[t].rank = rankNone
		}
		seen.tiers = [TiersMax]TierOf{{4, 2}, {3, 1}, {2, 0}}
		seen.oldest[0] = choice{1, head(0, 5), rankSealed}
		if x.middle {
			seen.oldest[1] = choice{2, head(1, 4), rankSealed}
		}
		for b, h := range []Head{1: head(0, 5), 2: head(1, 4)} {
			w.store.baskets[b].head.Store(uint64(h))
		}
		if x.other {
			w.store.baskets[1].head.Store(uint64(head(0, 6)))
		}
		w.ageAll(&seen)
		heads := fmt.Sprint(w.store.baskets[1].roomLook().Tier(), w.store.baskets[2].roomLook().Tier())
		oldest := ""
		for i, c := range seen.oldest[:3] {
			switch {
			case c.rank != rankSealed:
				oldest += " -"
			default:
				oldest += fmt.Sprint(" ", c.basket)
				if c.head != w.store.baskets[c.basket].roomLook() && !x.other || c.head.Tier() != uint32(i) {
					t.Errorf("%s: the oldest one of tier %d is %v", x.about, i, c.head)
				}
			}
		}
		if tiers := fmt.Sprint(seen.tiers[:3]); tiers != x.tiers || heads != x.heads ||
			oldest[1:] != x.oldest || len(s.seen) != x.asked {
			t.Errorf("%s: %s, baskets in tiers %s, oldest%s, asked %d times", x.about, tiers, heads, oldest,
				len(s.seen))
		}
	}
}

// TestRenew_KeepsTheOldest: a basket that comes into a tier is its oldest one only if it is.
func TestRenew_KeepsTheOldest(t *testing.T) {
	w := chooser(t, WriterOptions{})
	seen := sight{}
	seen.oldest[1] = choice{2, MakeHead(StateSealed, 0, 0, 5), rankSealed}
	for _, x := range []struct {
		n    uint64
		want uint32
	}{{6, 2}, {5, 2}, {4, 9}} {
		w.renew(&seen, 1, choice{9, MakeHead(StateSealed, 0, 0, x.n), rankSealed})
		if seen.oldest[1].basket != x.want {
			t.Errorf("number %d: basket %d", x.n, seen.oldest[1].basket)
		}
	}
	if seen.tiers[1] != (TierOf{0, 3}) {
		t.Errorf("%+v", seen.tiers[1])
	}
}

// TestAge_TheOldestFirst: of all that are sealed above the last tier.
func TestAge_TheOldestFirst(t *testing.T) {
	w := chooser(t, WriterOptions{})
	for b, h := range map[uint32]Head{3: MakeHead(StateSealed, 0, 0, 9), 5: MakeHead(StateSealed, 0, 0,
		4).In(1),
		6: MakeHead(StateSealed, 0, 0, 1).In(2), 7: MakeHead(StateOpen, 3, 0, 2),
		8: MakeHead(StateRetiring, 3, 0, 3)} {
		w.store.baskets[b].head.Store(uint64(h))
	}
	tiers := func() (text string) {
		for b := range uint32(9) {
			text += fmt.Sprint(w.store.baskets[b].roomLook().Tier())
		}
		return text
	}
	for _, want := range []string{"000002200", "000102200", "000202200"} {
		if done, err := w.Age(); !done || err != nil || tiers() != want {
			t.Errorf("%v %v: the baskets are in the tiers %s, want %s", done, err, tiers(), want)
		}
	}
	if done, err := w.Age(); done || err != nil {
		t.Errorf("%v %v, and all are in the last tier", done, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if done, err := w.Age(); done || err == nil {
		t.Errorf("%v %v after the close", done, err)
	}
}

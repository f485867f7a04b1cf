package hopscotch

import (
	"testing"

	"github.com/samecycle/samecycle/internal/seam"
)

// How searches end, from wherever they go on: the tests of calls see only the ends of a first look.

// TestSearch_HasNoValueUnlessPresent: a search that starts again and then ends without the key has no
// value, whatever it has read, and says what it met.
func TestSearch_HasNoValueUnlessPresent(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		sound := newPlanted(t) // each case has its own, of the same keys and references
		k, r, beyond := sound.key(half, 5, 0), sound.ref(), sound.refs.Make(3, 1)
		for name, c := range map[string]struct {
			word0 Word0
			word1 Word1
			want  outcome
		}{
			"empty":        {EmptyWord(3), EmptyWord1(3), absent},
			"another base": {BaseWord(9, 0), MakeWord1(66, 1), absent},
			"lost base":    {BaseWord(KeyLost, 0), MakeWord1(66, 1), absent},
			"member":       {MemberWord(k, 1, 1), MakeWord1(66, 1), absent},
			"engaged":      {EngagedWord(k, r), MakeWord1(66, 1), absent},
			"claimed":      {ClaimedWord(beyond), 0, absent},
			"invalid form": {1 << 31, MakeWord1(66, 1), damaged},
			"invalid, a past reference": {1<<31 | Word0(sound.refs.Make(1, 7))<<payloadShift,
				MakeWord1(66, 1), damaged},
			"beyond":         {BaseWord(9, 1<<5), MakeWord1(66, 1), damaged},
			"spare bits":     {BaseWord(k, 0), 1<<30 | 66<<32, damaged},
			"never thawed":   {BaseWord(k, 0), MakeWord1(66, 1).Freeze(), busy},
			"no descriptor":  {OperatingWord(9, beyond), 0, damaged},
			"moved on":       {OperatingWord(9, sound.refs.Make(1, 7)), 0, busy},
			"operating":      {OperatingWord(9, r), MakeWord1(66, 1), absent},
			"operating, odd": {OperatingWord(k, r), 1<<30 | 66<<32, damaged},
			"present":        {BaseWord(k, 0), MakeWord1(66, 1), present},
		} {
			p := newPlanted(t)
			p.patience = 4
			d := &p.descriptors[1]
			d.head.Store(uint64(MakeHead(1, KindAdd, half, 5)))
			d.pair.Store(uint64(MakePair(p.key(half, 5, 1), 22)))
			d.plan.Store(uint64(MakePlan(9, 0)))
			d.expect.Store(uint64(MakeWord1(66, 1)))
			d.target.Store(uint64(MakeTarget(1)))
			p.put(half, 5, c.word0, c.word1)
			value := Value(0)
			if c.want == present {
				value = 66
			}
			for _, m := range []mode{modeGet, modeUpdate} {
				s := search{mode: m, key: k, place: place{half, 5}, outcome: restart}
				p.goOn(&s)
				if s.outcome != c.want || s.value != value {
					t.Errorf("%s, mode %d: outcome %d with value %d, want outcome %d with %d", name, m,
						s.outcome, s.value, c.want, value)
				}
			}
		}
	})
}

// TestSearch_BehindAMemberThatLeaves: the only member of a bucket is leaving, and the reader has read
// the base's version before the reference. If the version is not the same any more, the member may have
// been there all the time, in a bucket of another time: the reader begins again. It does so behind any
// other operation, too, whose words may be those of another time. It does not if the version stands.
func TestSearch_BehindAMemberThatLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		kind    Kind
		plan    Map
		version Version // of the base now; the reader saw 6, the operation began at 5
		want    outcome
	}{
		"drop, version stands": {KindDrop, 2, 6, absent},
		"drop, version is new": {KindDrop, 2, 7, restart},
		"add, version stands":  {KindAdd, 0, 6, absent},
		"add, version is new":  {KindAdd, 0, 7, restart},
	} {
		p := newPlanted(t)
		installations["drop"](p)
		p.ofKind(c.kind)
		d := &p.descriptors[1]
		d.plan.Store(uint64(MakePlan(p.key(0, 2, 0), c.plan)))
		d.target.Store(uint64(MakeTarget(1).Decide(StatusCommitted)))
		p.put(0, 2, p.word0(0, 2), MakeWord1(20, c.version))
		for _, m := range []mode{modeGet, modeUpdate, modeDelete} {
			s := search{mode: m, key: p.key(0, 2, 7), place: place{0, 2}, outcome: held,
				seen: view{p.word0(0, 2), MakeWord1(20, 6)}}
			p.searchHeld(&s)
			if s.outcome != c.want {
				t.Errorf("%s, mode %d: outcome %d, want %d", name, m, s.outcome, c.want)
			}
		}
	}
}

// TestSearch_MindsWhatIsAnnounced: an add, or a helper before it decides, has to know of an operation
// that is adding its key; a get has not. Others have nothing to do with it.
func TestSearch_MindsWhatIsAnnounced(t *testing.T) {
	for _, m := range []mode{modeAdd, modeLook, modeGet} {
		for status, counts := range map[Status]bool{StatusUndecided: true, StatusCommitted: true,
			StatusAborted: false, StatusFull: false} {
			for _, own := range []bool{true, false} {
				for _, claimed := range []bool{true, false} {
					p := newPlanted(t)
					kind, cell := "add", uint32(2)
					if claimed {
						kind, cell = "new", 5
					}
					installations[kind](p)
					d := &p.descriptors[1]
					d.target.Store(uint64(MakeTarget(1).Decide(status)))
					key := Pair(d.pair.Load()).Key()
					if !own {
						key = p.key(0, cell, 9)
					}
					c := p.halves[0].cell(cell)
					s := search{mode: m, key: key, place: place{0, cell}, outcome: held, seen: c.look()}
					p.searchHeld(&s)
					want := absent
					if own && counts && m != modeGet {
						want = pending
					}
					if s.outcome != want ||
						want == pending && (s.ref != p.ref() || s.target.Status() != status) {
						t.Errorf("mode %d, %v, own key %v, claimed %v: outcome %d, want %d", m, status, own,
							claimed, s.outcome, want)
					}
				}
			}
		}
	}
	// A hole that waits for an element: the same descriptor, another place.
	p := newPlanted(t)
	installations["add"](p)
	p.put(0, 4, ClaimedWord(p.ref()), 0)
	for at, want := range map[place]outcome{{0, 4}: absent, {1, 4}: absent} {
		s := search{mode: modeAdd, key: p.key(0, 2, 2), place: at, outcome: held,
			seen: view{ClaimedWord(p.ref()), 0}}
		p.searchHeld(&s)
		if s.outcome != want {
			t.Errorf("hole %v of the operation that adds the key: outcome %d, want %d", at, s.outcome, want)
		}
	}
}

// TestSearch_WordsOfOneOperation: the words behind a base that is not frozen count if the base and all of
// them are the same a second time. A base that was frozen stays in operation until its version moves.
func TestSearch_WordsOfOneOperation(t *testing.T) {
	add := func(word *seam.Uint64, n uint64) { word.Store(word.Load() + n) }
	for name, c := range map[string]struct {
		change func(p planted, d *descriptor)
		frozen bool
		want   bool
	}{
		"nothing":        {func(planted, *descriptor) {}, false, true},
		"frozen, a word": {func(_ planted, d *descriptor) { add(&d.plan, 2) }, true, true},
		"base": {func(p planted, _ *descriptor) {
			p.put(0, 2, BaseWord(9, 0), MakeWord1(20, 6))
		}, false, false},
		"head":   {func(_ planted, d *descriptor) { add(&d.head, 1<<headKindShift) }, false, false},
		"pair":   {func(_ planted, d *descriptor) { add(&d.pair, 1) }, false, false},
		"plan":   {func(_ planted, d *descriptor) { add(&d.plan, 2) }, false, false},
		"expect": {func(_ planted, d *descriptor) { add(&d.expect, 1) }, false, false},
		"source": {func(_ planted, d *descriptor) { add(&d.source, 1) }, false, false},
		"target": {func(_ planted, d *descriptor) {
			d.target.Store(uint64(MakeTarget(1).Decide(StatusCommitted)))
		}, false, false},
	} {
		p := newPlanted(t)
		installations["drop"](p)
		word1 := MakeWord1(20, 6)
		if c.frozen {
			word1 = word1.Freeze()
		}
		s := search{mode: modeGet, key: p.key(0, 2, 7), place: place{0, 2}, outcome: held,
			seen: view{p.word0(0, 2), word1}}
		var x recorded
		if !p.readHeld(&s, &x) {
			t.Fatalf("%s: the words cannot be read, outcome %d", name, s.outcome)
		}
		c.change(p, &p.descriptors[1])
		if got := p.oneOperation(&s, &x); got != c.want {
			t.Errorf("%s changed: of one operation %v, want %v", name, got, c.want)
		}
	}
}

// TestSearch_WordsOfGenerationZero: the generation of a descriptor comes round to 0, and its words are those
// of one operation as well.
func TestSearch_WordsOfGenerationZero(t *testing.T) {
	p := newPlanted(t)
	installations["drop"](p)
	d := &p.descriptors[1]
	d.head.Store(uint64(MakeHead(0, KindDrop, 0, 2)))
	d.target.Store(uint64(MakeTarget(0)))
	p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(1, 0)), MakeWord1(20, 5))
	s := search{mode: modeGet, key: p.key(0, 2, 7), place: place{0, 2}, outcome: held,
		seen: view{p.word0(0, 2), MakeWord1(20, 5)}}
	var x recorded
	if !p.readHeld(&s, &x) || !p.oneOperation(&s, &x) {
		t.Errorf("outcome %d, words %+v: not of one operation", s.outcome, x)
	}
}

// A walk minds it as well: when the base that it saw in operation is idle again with the same version, the
// words behind it are of another operation.
func TestWalk_WordsOfOneOperation(t *testing.T) {
	for want, change := range map[outcome]func(p planted){
		present: func(planted) {},
		restart: func(p planted) { p.put(0, 2, BaseWord(9, 0), MakeWord1(20, 6)) },
	} {
		p := newPlanted(t)
		installations["drop"](p)
		p.put(0, 2, p.word0(0, 2), MakeWord1(20, 6))
		s := search{mode: modeGet, place: place{0, 2}, seen: view{p.word0(0, 2), MakeWord1(20, 6)}}
		change(p)
		var b contents
		if got := p.gatherHeld(&b, &s); got != want {
			t.Errorf("outcome %d, want %d", got, want)
		}
	}
}

// TestUnmoved_ByTheWholeVersion: a base has moved when its version has, also if the part that a member
// keeps of a version has come round.
func TestUnmoved_ByTheWholeVersion(t *testing.T) {
	p := newPlanted(t)
	c := p.halves[0].cell(2)
	for bit := range versionBits {
		w := view{c.look().word0, MakeWord1(20, 5)}
		p.put(0, 2, w.word0, MakeWord1(20, 5^1<<bit))
		if c.unmoved(w) {
			t.Errorf("unmoved, where bit %d of the version differs", bit)
		}
		if _, o := p.halves[0].searchMembers(2, p.key(0, 2, 7), w, 0); o != restart {
			t.Errorf("bit %d: a search ends with %d", bit, o)
		}
	}
}

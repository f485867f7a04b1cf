package explore_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
)

// chooser fails for one combination of an order, a choice and a death.
func chooser() explore.Program {
	var w *[2]atomic.Uint64
	p := simple("choose ~ me/%", func() { w = new([2]atomic.Uint64) },
		func() {
			w[0].Store(uint64(1 + hook.Active.Choose(3)))
			w[1].Store(7)
		},
		func() { w[1].Add(w[0].Load()) })
	p.Finish = func(x *explore.Execution) error {
		if x.Killed(0) && w[1].Load() == 3 {
			return errors.New("found")
		}
		return nil
	}
	return p
}

// seal puts the right checksum to a token's body.
func seal(body string) string {
	return fmt.Sprintf("%s~%08x", body, crc32.ChecksumIEEE([]byte(body)))
}

func TestTokenRoundTrip(t *testing.T) {
	p := chooser()
	f := wantFailure(t, mustExplore(t, p, killing(1)), explore.Verdict)
	mustReplay(t, p, f)
	if name, err := explore.TokenProgram(f.Token); name != p.Name || err != nil {
		t.Errorf("TokenProgram: %q, %v", name, err)
	}
	if !strings.Contains(f.Token, "=2") || !strings.Contains(f.Token, "!a") {
		t.Errorf("token %s shows no choice of 2 or no death of a", f.Token)
	}
}

func TestTokenRefusals(t *testing.T) {
	p := chooser()
	f := wantFailure(t, mustExplore(t, p, killing(1)), explore.Verdict)
	body := f.Token[:strings.LastIndex(f.Token, "~")]
	parts := strings.Split(body, "~")
	with := func(i int, s string) string {
		q := append([]string(nil), parts...)
		q[i] = s
		return seal(strings.Join(q, "~"))
	}
	for i, c := range []struct{ name, token, want string }{
		{"empty", "", "starts with"},
		{"foreign", "hello world", "starts with"},
		{"version", with(0, "sx9"), "starts with"},
		{"truncated", f.Token[:len(f.Token)-3], "checksum"},
		{"too long", f.Token + "x", fmt.Sprintf("checksum is %q, should be %q", f.Token[len(body)+1:]+"x",
			f.Token[len(body)+1:])},
		{"cut field", body, "4 of the 5 fields"},
		{"changed", strings.Replace(f.Token, "!a", "!b", 1), "checksum"},
		{"program", with(1, "other"), `belongs to program "other"`},
		{"options", with(2, "k1"), "options"},
		{"letter", with(3, "a#"), "unknown '#'"},
		{"kill letter", with(3, "!9"), "no actor"},
		{"lone kill", with(3, "!"), "unknown '!'"},
		{"number", with(3, "a99999999999999999999"), "bad number"},
		{"huge", with(3, "a99999999"), "bad number"},
		{"choice", with(3, "="), "bad number"},
	} {
		_, err := explore.Replay(p, c.token, explore.Options{})
		if !errors.Is(err, explore.ErrToken) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want ErrToken with %q", c.name, err, c.want)
		}
		// What is not whole is told before anyone looks for the program that the token seems to name.
		name, err := explore.TokenProgram(c.token)
		if outer := i < 7; outer != errors.Is(err, explore.ErrToken) || outer == (name != "") ||
			outer && !strings.HasPrefix(err.Error(), fmt.Sprintf("%.60q: ", c.token)) {
			t.Errorf("%s: TokenProgram: %q, %v", c.name, name, err)
		}
	}
	for _, c := range []struct{ name, schedule, want string }{
		{"impossible actor", "c", "the token says actor 2"},
		{"impossible kill", "!a", "the token says the death of A"},
		{"choice for step", "=1", "the token says the choice of 1"},
		{"step for choice", "ab", "the program asks for a choice among 3"},
		{"large choice", "a=3", "the program asks for a choice among 3"},
		{"too short", "a=1.", "the token ends, the program goes on"},
		{"too long", "a=1ab2b", "the program has ended, the token goes on"},
	} {
		r, err := explore.Replay(p, with(3, c.schedule), explore.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f := wantFailure(t, r, explore.Diverged)
		if !strings.Contains(f.Message, c.want) {
			t.Errorf("%s: %s, want %q", c.name, f.Message, c.want)
		}
	}
	// A schedule without the final '.' may be a prefix.
	if r, err := explore.Replay(p, with(3, "a=1"), explore.Options{}); err != nil || r.Failure != nil {
		t.Errorf("prefix: %v, %v", err, r.Err())
	}
}

func FuzzToken(f *testing.F) {
	p := chooser()
	f.Add("a=1ab2.")
	f.Add("a=2!ab2")
	f.Add("a=1@b9.")
	f.Fuzz(func(t *testing.T, schedule string) {
		token := seal("sx1~choose+%7E+me%2F%25~k1a0b0p-1m100s50~" + schedule)
		r, err := explore.Replay(p, token, explore.Options{})
		if err != nil && !errors.Is(err, explore.ErrToken) {
			t.Errorf("%q: %v", schedule, err)
		}
		if fl := r.Failure; fl != nil && fl.Kind != explore.Diverged && fl.Kind != explore.Verdict &&
			fl.Kind != explore.Obstructed {
			t.Errorf("%q: %v", schedule, fl)
		}
	})
}

// TestNondeterminism_ChoiceOrStep: a program that makes a step where it chose a value before is found out,
// although both have two alternatives, whether the search decides the quick way or not.
func TestNondeterminism_ChoiceOrStep(t *testing.T) {
	for _, o := range []explore.Options{unbounded(), {Preemptions: 2}} {
		var w *atomic.Uint64
		runs := 0
		p := simple("choice or step", func() { w = new(atomic.Uint64); runs++ },
			func() {
				if w.Load(); runs == 1 {
					hook.Active.Choose(2)
					return
				}
				w.Load()
			},
			func() { w.Load() })
		wantFailure(t, mustExplore(t, p, withoutAudit(o)), explore.Nondeterminism)
	}
}

package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"net/url"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
	scenarios "github.com/samecycle/samecycle/scenarios/hopscotch"
)

// FuzzToken replays tokens: an error that wraps ErrToken or ErrOptions, or an execution. The
// checksum would keep nearly all texts out, so the first one is also taken for options and the
// second one for a schedule, under the right checksum.
func FuzzToken(f *testing.F) {
	for _, data := range tokenSeeds() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkToken(data, explore.Replay); err != nil {
			t.Fatal(err)
		}
	})
}

// tokenSeeds are options and a schedule, or a whole token.
func tokenSeeds() [][]byte {
	var seeds [][]byte
	for _, s := range []string{
		"k1a0b0p-1m100s50~a=1ab2.", "k1a1b1p2m100s50~/a=2!ab2", "k1a0b0p-1m100s50l20~a=1@b9.",
		"k0a0b0p-1m100s50rh~", "k0a0b0p-1m1s50r~b", "k-1a0b0p-2m0s0~a9999999",
		"k1a0b0p-1m9999999999s99999999999~ab", "k1a0b0p-1m100s50~!", "k1a0b0p-1m100s50~@",
		"k1a0b0p-1m100s50~=", "k1a0b0p-1m100s50~a=1@z99999999999999999999", "", "~~~~",
		"sx1~tiny~k0a0b0p-1m100s50~ab~00000000", "sx1~%zz~~~", "sx1~S01AddEmpty~~~d8ae0f01",
	} {
		seeds = append(seeds, []byte(s))
	}
	return seeds
}

// tiny is a program with a choice, a verdict that some deaths spoil, and few accesses.
func tiny() explore.Program {
	var w *[2]atomic.Uint64
	return explore.Program{
		Name: "tiny ~/%",
		Start: func(x *explore.Execution) []explore.Actor {
			w = new([2]atomic.Uint64)
			x.Region(unsafe.Pointer(w), 16)
			return []explore.Actor{
				{Name: "A", Body: func() { w[0].Store(uint64(1 + hook.Active.Choose(3))); w[1].Store(7) }},
				{Name: "B", Body: func() { x.Begin(); w[1].Add(w[0].Load()) }},
			}
		},
		Finish: func(x *explore.Execution) error {
			if x.Killed(0) && w[1].Load() == 3 {
				return errors.New("found")
			}
			return nil
		},
	}
}

// replayer is explore.Replay; a canary puts a fault in it.
type replayer func(explore.Program, string, explore.Options) (explore.Report, error)

func checkToken(data []byte, replay replayer) error {
	p := tiny()
	options, schedule, _ := bytes.Cut(data, []byte("~"))
	name := strings.ReplaceAll(url.QueryEscape(p.Name), "~", "%7E")
	for _, token := range []string{
		string(data),
		seal("sx1~" + name + "~" + string(options) + "~" + string(schedule)),
		seal("sx1~" + name + "~k1a0b0p-1m100s50~" + string(data)),
		seal("sx1~" + string(data) + "~k1a0b0p-1m100s50~ab"),
	} {
		rep, err := replay(p, token, explore.Options{})
		if err != nil && !errors.Is(err, explore.ErrToken) && !errors.Is(err, explore.ErrOptions) {
			return wrong("token %q: %w", token, err)
		}
		if x := rep.Failure; x != nil {
			switch x.Kind {
			case explore.Panicked, explore.Hung, explore.Nondeterminism, explore.Deadlock:
				return wrong("token %q: %w", token, x)
			}
		}
		if err != nil && rep.Executions > 0 {
			return wrong("token %q is refused and executed: %w", token, err)
		}
		if _, err := explore.TokenProgram(token); err != nil && !errors.Is(err, explore.ErrToken) {
			return wrong("program of token %q: %w", token, err)
		}
		_, err = scenarios.Replay(token)
		if err != nil && !errors.Is(err, explore.ErrToken) && !errors.Is(err, explore.ErrOptions) &&
			!plainBuild(err) {
			return wrong("token %q of a scenario: %w", token, err)
		}
	}
	return nil
}

// seal puts the right checksum to a token's body.
func seal(body string) string {
	return fmt.Sprintf("%s~%08x", body, crc32.ChecksumIEEE([]byte(body)))
}

func TestToken_Canaries(t *testing.T) {
	inputs := corpus(t, "FuzzToken", tokenSeeds())
	type report = explore.Report
	for name, fault := range map[string]replayer{
		"foreign error": func(p explore.Program, token string, o explore.Options) (report, error) {
			rep, err := explore.Replay(p, token, o)
			if err != nil {
				err = errors.New(err.Error())
			}
			return rep, err
		},
		"panic": func(p explore.Program, token string, o explore.Options) (report, error) {
			p.Finish = func(*explore.Execution) error { panic("mine") }
			return explore.Replay(p, token, o)
		},
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, inputs, func(data []byte) error { return checkToken(data, fault) })
		})
	}
}

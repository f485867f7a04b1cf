package explore

import (
	"fmt"
	"hash/crc32"
	"net/url"
	"strconv"
	"strings"
)

// A replay token is five fields joined by '~':
//
//	sx1 ~ program name ~ options ~ schedule ~ checksum
//
// The options are those that decide what an actor may do. Each is a letter and a number: k the most kills,
// a 1 for AnyKill, b 1 for SplitBegin, p Preemptions, m MaxSteps, s SpinLimit, l LockFree and f Starvation if
// they are not 0.
// At the end stand r for Reduce or rh for Reduce with Histories, then d for Races or dd for PlainSteps.
//
// The schedule is run-length encoded. A letter stands for an actor (a-z, then A-F), followed by the number
// of its turns if that is not 1. '!' and a letter are a kill. '=' and a number are a data choice. '@', a
// letter and a number are an actor that goes on alone, for at most so many accesses. A final '.' says that
// the execution ended there. A schedule that starts with '/' lists only the decisions that had
// alternatives. It is used for executions that were not recorded: one that passed, and one in which an
// actor hung. The checksum is the CRC-32 of everything before it.
const tokenVersion = "sx1"

const letters = "abcdefghijklmnopqrstuvwxyzABCDEF"

func makeToken(program string, o Options, items []int, ended bool) string {
	o.Preemptions, o.Delays = Unbounded, 0 // the schedule has all decisions
	return sealToken(program, o, encodeSchedule(items, ended))
}

// sparseToken returns the token of an execution of which only the planned decisions are known.
func sparseToken(program string, o Options, trail []node) string {
	var items []int
	for _, n := range trail {
		c := int(n.chosen)
		if n.data {
			c = ^c
		}
		items = append(items, c)
	}
	return sealToken(program, o, "/"+encodeSchedule(items, false))
}

func sealToken(program string, o Options, schedule string) string {
	body := strings.Join([]string{
		tokenVersion,
		strings.ReplaceAll(url.QueryEscape(program), "~", "%7E"),
		tokenOptions(o),
		schedule,
	}, "~")
	return body + "~" + checksum(body)
}

func tokenOptions(o Options) string {
	s := fmt.Sprintf("k%da%db%dp%dm%ds%d", o.Kills, btoi(o.AnyKill), btoi(o.SplitBegin),
		o.Preemptions, o.MaxSteps, o.SpinLimit)
	if o.LockFree > 0 {
		s += fmt.Sprintf("l%d", o.LockFree)
	}
	if o.Starvation > 0 {
		s += fmt.Sprintf("f%d", o.Starvation)
	}
	return s + reduction(o)
}

// soloBits is the shift of the limit in an item for an actor that runs alone. It is above all options.
const soloBits = 8

// soloItem returns the item of a schedule from which an actor runs alone.
func soloItem(actor, limit int) int { return limit<<soloBits | 2*MaxActors + actor }

// asSolo unpacks such an item.
func asSolo(item int) (actor, limit int, ok bool) {
	actor = item&(1<<soloBits-1) - 2*MaxActors
	return actor, item >> soloBits, item > 0 && actor >= 0 && actor < MaxActors
}

// reduction returns the end of the options of a token, for a reduced search and for a search for races.
func reduction(o Options) string {
	s := ""
	switch {
	case o.Histories:
		s = "rh"
	case o.Reduce:
		s = "r"
	}
	switch {
	case o.PlainSteps:
		s += "dd"
	case o.Races:
		s += "d"
	}
	return s
}

func checksum(s string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(s))) }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func encodeSchedule(items []int, ended bool) string {
	var b strings.Builder
	for i := 0; i < len(items); {
		c, n := items[i], 1
		for i++; c >= 0 && c < killBit && i < len(items) && items[i] == c; i++ {
			n++
		}
		solo, limit, alone := asSolo(c)
		switch {
		case c < 0:
			fmt.Fprintf(&b, "=%d", ^c)
		case alone:
			fmt.Fprintf(&b, "@%c%d", letters[solo], limit)
		case c >= killBit:
			b.WriteString("!" + letters[c-killBit:][:1])
		default:
			b.WriteByte(letters[c])
			if n > 1 {
				b.WriteString(strconv.Itoa(n))
			}
		}
	}
	if ended {
		b.WriteByte('.')
	}
	return b.String()
}

// parseToken returns the options and the schedule of a token for the program.
func parseToken(program, token string) (Options, *script, error) {
	var o Options
	f, err := openToken(token)
	if err != nil {
		return o, nil, err
	}
	name, err := url.QueryUnescape(f[1])
	if err != nil || name != program {
		return o, nil, fmt.Errorf("%w: belongs to program %q, this is %q", ErrToken, name, program)
	}
	if o, err = parseTokenOptions(f[2]); err != nil {
		return o, nil, err
	}
	s, err := parseSchedule(f[3])
	return o, s, err
}

// openToken checks a token and returns its fields.
func openToken(token string) ([]string, error) {
	f := strings.Split(token, "~")
	wrong := ""
	switch {
	case f[0] != tokenVersion:
		wrong = fmt.Sprintf("starts with %.10q, not with %q: it is no token, or one of another version; "+
			"copy it whole and in quotes", f[0], tokenVersion)
	case len(f) != 5:
		wrong = fmt.Sprintf("has %d of the 5 fields %s~program~options~schedule~checksum; copy it whole and "+
			"in quotes", len(f), tokenVersion)
	default:
		sum := checksum(strings.Join(f[:4], "~"))
		if sum == f[4] {
			return f, nil
		}
		wrong = fmt.Sprintf("checksum is %.20q, should be %q; copy it whole", f[4], sum)
	}
	return nil, fmt.Errorf("%.60q: %w: %s", token, ErrToken, wrong)
}

// TokenProgram returns the name of the program to which an intact token belongs. Replay checks its options
// and its schedule.
func TokenProgram(token string) (string, error) {
	f, err := openToken(token)
	if err != nil {
		return "", err
	}
	name, err := url.QueryUnescape(f[1])
	if err != nil {
		return "", fmt.Errorf("%w: program name %q: %v", ErrToken, f[1], err)
	}
	return name, nil
}

// TokenRaces reports whether a token comes from a search for races, whose program reports its plain accesses.
func TokenRaces(token string) bool {
	f := strings.Split(token, "~")
	return len(f) == 5 && strings.HasSuffix(f[2], "d")
}

// TokenClaims returns the progress claims that the search of an intact token checked: Options.Solo, which is
// part of the token only if this claim failed, and Options.LockFree.
func TokenClaims(token string) (solo, lockFree int, err error) {
	f, err := openToken(token)
	if err != nil {
		return 0, 0, err
	}
	o, err := parseTokenOptions(f[2])
	if err != nil {
		return 0, 0, err
	}
	s, err := parseSchedule(f[3])
	if err != nil {
		return 0, 0, err
	}
	for _, item := range s.items {
		if _, limit, alone := asSolo(item); alone {
			solo = limit
		}
	}
	return solo, o.LockFree, nil
}

func parseTokenOptions(s string) (Options, error) {
	var o Options
	var anyKill, split int
	s, o.PlainSteps = strings.CutSuffix(s, "dd")
	s, o.Races = strings.CutSuffix(s, "d")
	o.Races = o.Races || o.PlainSteps
	s, o.Histories = strings.CutSuffix(s, "rh")
	s, o.Reduce = strings.CutSuffix(s, "r")
	o.Reduce = o.Reduce || o.Histories
	s, starvation, limited := strings.Cut(s, "f")
	s, lockFree, claimed := strings.Cut(s, "l")
	if claimed {
		var err error
		if o.LockFree, err = strconv.Atoi(lockFree); err != nil {
			return o, fmt.Errorf("%w: options: LockFree %q: %v", ErrToken, lockFree, err)
		}
	}
	if limited {
		var err error
		if o.Starvation, err = strconv.Atoi(starvation); err != nil {
			return o, fmt.Errorf("%w: options: Starvation %q: %v", ErrToken, starvation, err)
		}
	}
	n, err := fmt.Sscanf(s, "k%da%db%dp%dm%ds%d", &o.Kills, &anyKill, &split, &o.Preemptions,
		&o.MaxSteps, &o.SpinLimit)
	if n != 6 || err != nil {
		return o, fmt.Errorf("%w: options %q: %v", ErrToken, s, err)
	}
	o.AnyKill, o.SplitBegin = anyKill == 1, split == 1
	return o, nil
}

// maxItems bounds the decisions of a token, because a count like a99999999999 would be too large.
const maxItems = 1 << 24

func parseSchedule(s string) (*script, error) {
	sc := &script{}
	s, sc.sparse = strings.CutPrefix(s, "/")
	s, sc.ended = strings.CutSuffix(s, ".")
	for i := 0; i < len(s); {
		c := s[i]
		i++
		j := i
		if c == '!' && i < len(s) {
			k := strings.IndexByte(letters, s[i])
			if k < 0 {
				return nil, fmt.Errorf("%w: schedule: no actor %q at %d", ErrToken, s[i], i)
			}
			sc.items = append(sc.items, killBit+k)
			i++
			continue
		}
		if c == '@' {
			item, next, err := parseSolo(s, i)
			if err != nil {
				return nil, err
			}
			sc.items = append(sc.items, item)
			i = next
			continue
		}
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		n, err := 1, error(nil)
		if j > i || c == '=' {
			n, err = strconv.Atoi(s[i:j])
		}
		k := strings.IndexByte(letters, c)
		switch {
		case err != nil || n > maxItems || len(sc.items)+n > maxItems:
			return nil, fmt.Errorf("%w: schedule: bad number %q at %d", ErrToken, s[i:j], i)
		case c == '=':
			sc.items = append(sc.items, ^n)
		case k < 0:
			return nil, fmt.Errorf("%w: schedule: unknown %q at %d", ErrToken, c, i-1)
		default:
			for ; n > 0; n-- {
				sc.items = append(sc.items, k)
			}
		}
		i = j
	}
	return sc, nil
}

// parseSolo reads the letter and the number after an '@'.
func parseSolo(s string, i int) (item, next int, err error) {
	if i == len(s) {
		return 0, 0, fmt.Errorf("%w: schedule: no actor behind '@' at %d", ErrToken, i)
	}
	actor := strings.IndexByte(letters, s[i])
	next = i + 1
	for next < len(s) && s[next] >= '0' && s[next] <= '9' {
		next++
	}
	limit, err := strconv.Atoi(s[i+1 : next])
	if actor < 0 || err != nil || limit < 1 || limit > maxClaim {
		return 0, 0, fmt.Errorf("%w: schedule: bad %q at %d", ErrToken, s[i:next], i)
	}
	return soloItem(actor, limit), next, nil
}

// A script replays the decisions of a token. After its end the first option is taken.
type script struct {
	items  []int
	at     int
	ended  bool // the execution is over after the last item
	sparse bool // only decisions with alternatives are listed
}

// pick returns the option for the decision at hand.
func (s *script) pick(e *engine, a *actor, opts uint64) (int, bool) {
	if s.at == len(s.items) && !s.ended || s.sparse && opts&(opts-1) == 0 {
		return first(a, opts), true
	}
	c, ok := s.next(e, "next step of "+e.optionNames(opts))
	if !ok {
		return 0, false
	}
	if c < 0 || opts>>uint(c)&1 == 0 {
		e.scriptDiverged(fmt.Sprintf("the token says %s, possible are %s",
			e.optionName(c), e.optionNames(opts)))
		return 0, false
	}
	return c, true
}

// kills reports whether the token has the death of a process here.
func (s *script) kills(e *engine) bool {
	if s == nil || s.at == len(s.items) {
		return false
	}
	i := s.items[s.at] - killBit
	return i >= 0 && i < len(e.actors) && e.actors[i].process != nobody
}

// soloNext makes an actor run alone if the token says so here.
func (s *script) soloNext(e *engine) {
	if s == nil || s.at == len(s.items) || e.soloDue() {
		return
	}
	if i, limit, alone := asSolo(s.items[s.at]); alone && e.live>>uint(i)&1 == 1 {
		e.solo = &solo{actor: i, limit: limit, at: e.decisions}
		s.at++
	}
}

// choose returns the value of the data choice at hand.
func (s *script) choose(e *engine, n int) (int, bool) {
	if s.at == len(s.items) && !s.ended || s.sparse && n == 1 {
		return 0, true
	}
	c, ok := s.next(e, fmt.Sprintf("choice among %d", n))
	if !ok {
		return 0, false
	}
	if c >= 0 || ^c >= n {
		e.scriptDiverged(fmt.Sprintf("the token says %s, the program asks for a choice among %d",
			e.optionName(c), n))
		return 0, false
	}
	return ^c, true
}

func (s *script) next(e *engine, what string) (int, bool) {
	if s.at == len(s.items) {
		e.scriptDiverged("the token ends, the program goes on: " + what)
		return 0, false
	}
	s.at++
	return s.items[s.at-1], true
}

func (e *engine) scriptDiverged(what string) {
	e.fail(&Failure{Kind: Diverged, Message: fmt.Sprintf(
		"at decision %d (step %d): %s; the program is not the one that the token was made with",
		e.script.at, e.index, what)})
}

package mutate

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ledger has the outcomes of a package's mutants.
type Ledger struct {
	Command  string            `json:"command"`
	Seed     uint64            `json:"seed"`   // seed of the sample; 0 if all were judged
	Commit   string            `json:"commit"` // of the judged files
	Inputs   string            `json:"inputs"` // hash of the judged files and of the judges
	Tools    map[string]string `json:"tools"`
	Packages []string          `json:"packages"`
	Scope    string            `json:"scope"`            // which mutants, in words
	Filter   string            `json:"filter,omitempty"` // on the names of the mutants; empty: all of them
	Invalid  int               `json:"invalid"`
	Repeated int               `json:"repeated"`
	Outcomes []Outcome         `json:"outcomes"`
}

// ReadLedger reads a ledger. The error wraps os.ErrNotExist if there is none.
func ReadLedger(path string) (Ledger, error) {
	var l Ledger
	text, err := os.ReadFile(path)
	if err != nil {
		return l, fmt.Errorf("%w: %w; name one that a run has made by --out", ErrLedger, err)
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return l, fmt.Errorf("%w: %s: %w; delete it to begin anew", ErrLedger, path, err)
	}
	if l.Command == "" && l.Outcomes == nil {
		return l, fmt.Errorf("%w: %s is JSON of something else; name another file", ErrLedger, path)
	}
	return l, nil
}

// Save writes the ledger, one outcome on each line, so that changes are easy to read. A reader sees the old
// file or the new one.
func (l Ledger) Save(path string) error {
	bare := l
	bare.Outcomes = nil
	var b bytes.Buffer
	text, err := json.MarshalIndent(bare, "", " ")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLedger, err)
	}
	head, _ := strings.CutSuffix(string(text), "null\n}")
	b.WriteString(head + "[")
	for i, o := range l.Outcomes {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  ")
		o.Token = "" // its program no longer exists
		o.Why = shortened(o.Why)
		line, err := json.Marshal(o)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrLedger, err)
		}
		b.Write(line)
	}
	b.WriteString("\n ]\n}\n")
	return writeFile(path, b.Bytes())
}

// shortened returns the beginning of a judge's complaint. The ledger has the name of the judge, and not its
// whole message.
func shortened(why string) string {
	const most = 100
	if r := []rune(why); len(r) > most {
		return string(r[:most]) + "…"
	}
	return why
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrLedger, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".record-")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLedger, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLedger, err)
	}
	return nil
}

// Sample returns n of the mutants, chosen by the seed, in their order; n = 0 returns all. The choice between
// two mutants depends only on the seed and their names, so a change of the engine or of the operators leaves
// most of a sample unchanged.
func Sample(mutants []*Mutant, n int, seed uint64) []*Mutant {
	if n <= 0 || n >= len(mutants) {
		return mutants
	}
	rank := map[*Mutant]uint64{}
	for _, m := range mutants {
		h := fnv.New64a()
		_, _ = fmt.Fprintf(h, "%d %s", seed, m.Name) // never fails
		rank[m] = bits.Reverse64(h.Sum64())
	}
	chosen := slices.Clone(mutants)
	slices.SortFunc(chosen, func(a, b *Mutant) int { return cmp.Compare(rank[a], rank[b]) })
	chosen = chosen[:n]
	slices.SortFunc(chosen, func(a, b *Mutant) int { return a.Number - b.Number })
	return chosen
}

// Entry is a mutant that no judge can refuse.
type Entry struct {
	Name   string // as enumerated
	Hash   string // of the function when the reason was written
	Reason string
}

// parseEquivalents reads a list of equivalent mutants. A line has the form HASH NAME: REASON. A line that
// begins with white space continues the reason, and a line that begins with # is a comment.
func parseEquivalents(file, text string) ([]Entry, error) {
	var all []Entry
	n := 0
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		n++
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
			continue
		case line[0] == ' ' && len(all) > 0:
			all[len(all)-1].Reason += " " + strings.TrimSpace(line)
			continue
		}
		hash, rest, ok := strings.Cut(line, " ")
		name, reason, more := strings.Cut(rest, ": ")
		if !ok || !more || len(hash) != 12 {
			return nil, fmt.Errorf("%w: %s:%d: want HASH NAME: REASON, got %q", ErrLedger, file, n, line)
		}
		all = append(all, Entry{name, hash, reason})
	}
	return all, nil
}

// Excuse turns a survivor that is listed with its function's hash into an equivalent mutant, and an
// equivalent mutant that is no longer listed into a survivor.
func Excuse(o Outcome, list []Entry) Outcome {
	if o.Verdict == Equivalent {
		o.Verdict, o.Reason = Survived, ""
	}
	if o.Verdict != Survived && o.Verdict != NotCovered {
		return o
	}
	for _, e := range list {
		if e.Name == o.Name && e.Hash == o.Hash {
			o.Verdict, o.Reason = Equivalent, e.Reason
		}
	}
	return o
}

// Unnoticed returns the outcomes of mutants that no judge has noticed, and that the list does not excuse;
// those without a verdict are among them.
func (l Ledger) Unnoticed(list []Entry) (all []Outcome) {
	for _, o := range l.Outcomes {
		if o = Excuse(o, list); !o.Verdict.Noticed() && o.Verdict != Equivalent {
			all = append(all, o)
		}
	}
	return all
}

// Resume returns an earlier outcome of the mutant, if it still holds. It does if the function is the same,
// and if the mutant was killed by a judge that is the same, or survived and is listed as equivalent.
func Resume(o Outcome, m *Mutant, k Killers, list []Entry) (Outcome, bool) {
	if o.Hash != m.Hash || o.Name != m.Name || k.Outlived(o) {
		return o, false
	}
	o = Excuse(o, list)
	return o, o.Verdict.Noticed() || o.Verdict == Equivalent && !o.Quick
}

// Pending returns an earlier outcome of a mutant that has not been judged again yet. It is the same outcome,
// but unknown if the function has changed, or the test or program that killed the mutant. Without it, the
// mutant would be missing in the ledger.
func Pending(o Outcome, m *Mutant, k Killers, list []Entry) Outcome {
	why := ""
	switch {
	case o.Hash != m.Hash:
		why = "not judged since its function changed"
	case k.Outlived(o):
		why = "not judged since what killed it changed: " + o.KilledBy()
	default:
		return Excuse(o, list)
	}
	return Outcome{Name: m.Name, Line: m.Line, Hash: m.Hash, Found: Found{Verdict: Unknown, Why: why}}
}

// Stale returns the complaints about entries of the list whose function has changed, whose mutant no longer
// exists, or whose mutant a judge has killed. hashes are the hashes of the functions of all mutants by name.
// Only mutants that were enumerated can be missing.
func Stale(list []Entry, hashes map[string]string, outcomes []Outcome) []string {
	var all []string
	verdict := map[string]Verdict{}
	for _, o := range outcomes {
		verdict[o.Name] = o.Verdict
	}
	seen := map[string]bool{}
	for _, e := range list {
		hash, there := hashes[e.Name]
		switch {
		case seen[e.Name]:
			all = append(all, e.Name+": listed twice")
		case !there:
			all = append(all, e.Name+": no such mutant any more; take the entry out")
		case hash != e.Hash:
			all = append(all, e.Name+": its function has changed to "+hash+"; think the reason over")
		case verdict[e.Name].Noticed():
			all = append(all, e.Name+": "+string(verdict[e.Name])+", so it is not equivalent; "+
				"take the entry out")
		}
		seen[e.Name] = true
	}
	return all
}

// SavePage writes a page for readers, as [Ledger.Save] does.
func SavePage(path, text string) error { return writeFile(path, []byte(text)) }

// RunAgain returns the command line that repeats a judgement, with the programs that a run has kept in the
// folder. For the scenarios it repeats exactly the same interleaving.
func RunAgain(o Outcome, m *Mutant, folder string) string {
	folder = filepath.Join(folderOf(folder, m.target), "all")
	env := fmt.Sprintf("%s=%d ", EnvMutant, m.Number)
	if m.Alone() {
		folder, env = filepath.Join(filepath.Dir(folder), m.folder()), ""
	}
	switch {
	case o.Token != "":
		return env + filepath.Join(folder, "judge") + " -token '" + o.Token + "'"
	case o.Search != nil:
		return env + filepath.Join(folder, "judge") + " " + strings.Join(o.Search.flags(m.target.engine), " ")
	}
	program := "tests"
	if folder, other := testsOf(o.Judge, ""); other {
		program = testProgram(folder)
	}
	return env + filepath.Join(folder, program) + " -test.run '^" + o.Test + "$'"
}

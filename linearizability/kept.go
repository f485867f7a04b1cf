package linearizability

// Kept is what a Judge knows, for a caller that goes on later with another Judge of the same
// model and limits.
type Kept struct {
	Stats    JudgeStats
	Accepted [][]byte // canonical forms of histories that are linearizable
}

// Keep returns what the judge knows. Histories that it refused are not among it: they are judged
// anew.
func (j *Judge[Q, R]) Keep() Kept {
	k := Kept{Stats: j.stats}
	for form, err := range j.kept {
		if err == nil {
			k.Accepted = append(k.Accepted, []byte(form))
		}
	}
	return k
}

// Resume replaces what the judge knows.
func (j *Judge[Q, R]) Resume(k Kept) {
	j.stats = k.Stats
	clear(j.kept)
	for _, form := range k.Accepted {
		j.kept[string(form)] = nil
	}
}

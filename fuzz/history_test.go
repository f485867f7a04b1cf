package fuzz

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// FuzzHistory reads history files: an error of the package, or a file that is written again as it
// was understood, and that the judge can take.
func FuzzHistory(f *testing.F) {
	for _, data := range historySeeds() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkHistory(data, mapmodel.Decode); err != nil {
			t.Fatal(err)
		}
	})
}

func historySeeds() [][]byte {
	whole := `{"event":"note","text":"two adds, a kill"}
{"event":"initial","key":7,"value":70}
{"event":"call","t":1,"id":1,"client":0,"kind":"add","key":1,"value":11}
{"event":"call","t":2,"id":2,"client":1,"kind":"get","key":1}
{"event":"return","t":3,"id":1,"client":0,"outcome":"added"}
{"event":"return","t":3,"id":2,"client":1,"outcome":"found","value":11}
{"event":"call","t":4,"id":3,"client":0,"kind":"update","key":7,"value":71}
{"event":"call","t":5,"id":4,"client":1,"kind":"delete","key":7}
{"event":"return","t":6,"id":3,"client":0,"outcome":"updated","value":70}
{"event":"killed","id":4,"client":1}
`
	seeds := [][]byte{[]byte(whole), nil, []byte("\n"), []byte("{}\n"), []byte(whole[:100]),
		bytes.Repeat([]byte("x"), history.MaxLineBytes+1)}
	for i, line := range bytes.SplitAfter([]byte(whole), []byte("\n")) {
		seeds = append(seeds, bytes.Replace([]byte(whole), line, nil, 1))
		seeds = append(seeds, bytes.Replace([]byte(whole), line, bytes.Repeat(line, 2), 1))
		if i > 1 {
			seeds = append(seeds, bytes.Replace([]byte(whole), []byte(`"id":1`), []byte(`"id":2`), i-1))
		}
	}
	return seeds
}

// historyErrors are all that a reader of a history may complain with.
var historyErrors = []error{history.ErrFormat, mapmodel.ErrUnknownKind, history.ErrBadClient,
	history.ErrBadTime, history.ErrDuplicateID, history.ErrNoReturn, history.ErrUnmatchedReturn,
	history.ErrReturnBeforeCall, history.ErrReversed, history.ErrOverlap, history.ErrPendingResult,
	mapmodel.ErrBadOutcome, mapmodel.ErrBadValue}

func wraps(err error, sentinels []error) bool {
	for _, s := range sentinels {
		if errors.Is(err, s) {
			return true
		}
	}
	return false
}

// decoder is mapmodel.Decode; a canary puts a fault in it.
type decoder func(r io.Reader) (mapmodel.File, error)

func checkHistory(data []byte, decode decoder) error {
	file, err := decode(bytes.NewReader(data))
	if err != nil {
		if !wraps(err, historyErrors) || len(file.Ops) > 0 {
			return wrong("%d operations: %w", len(file.Ops), err)
		}
		return nil
	}
	if err := file.Ops.Validate(); err != nil {
		return wrong("a history that was read is not valid: %w", err)
	}
	var text bytes.Buffer
	if err := mapmodel.Encode(&text, file); err != nil {
		return wrong("what was read cannot be written: %w", err)
	}
	written := text.String()
	lines := func(b []byte) int { return bytes.Count(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")) }
	if len(file.Ops) > 0 && lines(data) != lines(text.Bytes()) {
		return wrong("some lines are lost:\n%s\nbecomes\n%s", data, written)
	}
	again, err := mapmodel.Decode(&text)
	if err != nil || !reflect.DeepEqual(again, file) {
		return wrong("%v, %v is not %v:\n%s", again, err, file, written)
	}
	if len(file.Ops) <= 16 {
		v := mapmodel.Check(file.Ops, 10*time.Second, file.Initial)
		if v.Outcome == linearizability.Unknown {
			return wrong("it cannot be judged: %w", v.Reason)
		}
	}
	return nil
}

func TestHistory_Canaries(t *testing.T) {
	inputs := corpus(t, "FuzzHistory", historySeeds())
	for name, fault := range map[string]decoder{
		"result changed": func(r io.Reader) (mapmodel.File, error) {
			f, err := mapmodel.Decode(r)
			if len(f.Ops) > 0 {
				f.Ops[0].Return = f.Ops[0].Call - 1
			}
			return f, err
		},
		"operation lost": func(r io.Reader) (mapmodel.File, error) {
			f, err := mapmodel.Decode(r)
			if len(f.Ops) > 2 {
				f.Ops = f.Ops[:2]
			}
			return f, err
		},
		"foreign error": func(r io.Reader) (mapmodel.File, error) {
			f, err := mapmodel.Decode(r)
			if err != nil {
				err = errors.New(err.Error())
			}
			return f, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			findsFault(t, inputs, func(data []byte) error { return checkHistory(data, fault) })
		})
	}
}

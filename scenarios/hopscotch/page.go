package scenarios

import (
	"bytes"
	"errors"

	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/linearizability"
)

// Page is the page of the report's failure, with notes of what else a reader should know. The report
// must have one. A history that was refused is on it as a table and, if porcupine can draw it within
// its bounds, as a picture.
func (r Report) Page(notes []string) failure.Page {
	f := r.Failure
	p := failure.Page{Program: r.Program, Failure: f, Broken: Broken(f), Notes: notes}
	if f.Token != "" {
		p.Replay = "samecycle replay '" + f.Token + "'"
	}
	var refused *linearizability.Failure
	if errors.As(f.Err, &refused) {
		p.History = refused.Verdict.Detail()
		var picture bytes.Buffer
		if refused.Verdict.Outcome == linearizability.Illegal {
			if err := refused.Verdict.Draw(&picture); err != nil {
				p.Notes = append(p.Notes, err.Error())
			} else {
				p.Picture = picture.Bytes()
			}
		}
	}
	return p
}

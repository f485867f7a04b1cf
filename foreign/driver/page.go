package driver

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// show makes the page of the failure. If it cannot be made, the notes say so.
func (res *Result) show(f *explore.Failure) {
	name, err := explore.TokenProgram(f.Token)
	if err != nil {
		name = res.Program
	}
	p := failure.Page{Program: title(name), Failure: f, History: res.History, Notes: res.Notes}
	if res.Program != "" {
		p.Notes = append([]string{res.Program}, res.Notes...)
	}
	if f.Token != "" {
		p.Replay = "samecycle replay '" + f.Token + "'"
	}
	if t := told(nil); errors.As(f.Err, &t) {
		p.Broken = []string{ErrIllegal.Error()}
		_, p.Picture = t.told()
	}
	text, err := p.HTML()
	if err != nil {
		res.Notes = append(res.Notes, err.Error())
	}
	res.HTML = string(text)
}

// title returns the name of a program for people. They know a test by its function and its package.
func title(program string) string {
	f := strings.SplitN(program, fieldSeparator, 3) // a subtest may have the separator in its name
	if len(f) == 3 && IsTest(f[1]) {
		return f[2] + " of " + f[0]
	}
	return program
}

// picture is porcupine's page of the operations on a key, with the names of the actors; nil if it
// cannot be drawn.
func (n names) picture(ops []op, key uint32, initial map[uint32]cell) []byte {
	m := specification(initial).Porcupine()
	m.DescribeOperation = func(input, _ any) string {
		o := input.(*history.Op[Call, Answer])
		call, answer := n.texts(o.Request, o.Result)
		return call + " -> " + answer
	}
	part := historyOf(ops).Filter(func(o *history.Op[Call, Answer]) bool { return o.Request.Key == key })
	var actors []string
	for i := range part.Clients() {
		actors = append(actors, actorName(i))
	}
	_, info := porcupine.CheckOperationsVerbose(m, linearizability.Operations(part, history.Forever),
		judgeTime)
	var page bytes.Buffer
	if err := porcupine.Visualize(m, info, &page); err != nil {
		return nil
	}
	return linearizability.NameClients(page.Bytes(), actors)
}

// stores returns the calls that make the initial contents.
func (p Program) stores() []Call {
	var all []Call
	for _, k := range slices.Sorted(maps.Keys(p.Initial)) {
		all = append(all, With(Store, k, p.Initial[k]))
	}
	return all
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/tlc"
)

// configOutput is the configuration of a run in JSON.
type configOutput struct {
	Name          string `json:"name"`
	State         string `json:"state"`
	Module        string `json:"module"`
	Configuration string `json:"configuration"`
}

// specConfig prints the configuration of one run.
func (a *app) specConfig(names []string) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	m, err := tlc.LoadManifests(allSpecFolders(root)...)
	if err != nil {
		return failed(err)
	}
	e, err := oneRun(m, names)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(configOutput{e.Name, e.State, e.Module, e.Configuration()})
	}
	fmt.Fprint(a.out, e.Explained(root))
	return nil
}

// oneRun is the run that the names mean.
func oneRun(m *tlc.Manifest, names []string) (tlc.Entry, error) {
	if len(names) != 1 {
		return tlc.Entry{}, fmt.Errorf("--config wants the name of one run, not %d; list them: "+
			"samecycle spec --list", len(names))
	}
	e, unknown := m.Named(names[0])
	if unknown == nil {
		return e, nil
	}
	entries, err := m.Select(names)
	if err != nil {
		return tlc.Entry{}, unknown
	}
	var runs []string
	for _, e := range entries {
		runs = append(runs, e.Name)
	}
	slices.Sort(runs)
	return tlc.Entry{}, fmt.Errorf("%s is a state with several runs: name one of %s", names[0],
		strings.Join(runs, ", "))
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
)

// A run is a command that prints what go test -json prints.
type run struct {
	name    string
	command []string
}

// split takes the runs out of the arguments.
func split(args []string) (all []run, err error) {
	if args[0] != "--" {
		return nil, fmt.Errorf("the first argument is %q: write -- NAME COMMAND for each command", args[0])
	}
	for args = args[1:]; ; {
		end := slices.Index(args, "--")
		own := args
		if end >= 0 {
			own = args[:end]
		}
		if len(own) < 2 {
			return nil, errors.New("a -- has no command after it: write -- NAME COMMAND for each command")
		}
		all = append(all, run{own[0], own[1:]})
		if end < 0 {
			return all, nil
		}
		args = args[end+1:]
	}
}

// beside runs all at the same time and shows what they print: what belongs to one package in one piece, and
// the skipped tests of each run when it is over. It reports whether anything failed.
func beside(all []run, to, told io.Writer) (failed bool) {
	var lock sync.Mutex // of what follows, and of failed
	out, err := &pieces{lock: &lock, to: to}, &pieces{lock: &lock, to: told}
	var wait sync.WaitGroup
	for _, r := range all {
		wait.Go(func() {
			if r.show(out, err) {
				lock.Lock()
				defer lock.Unlock()
				failed = true
			}
		})
	}
	wait.Wait()
	return failed
}

// show runs one command and reports whether it failed.
func (r run) show(to, told *pieces) (failed bool) {
	cmd := exec.Command(r.command[0], r.command[1:]...)
	cmd.Stderr = told
	var piece bytes.Buffer
	log := newLog(&piece)
	log.name = r.name
	log.taken = func() {
		if piece.Len() == 0 {
			return
		}
		to.Write(piece.Bytes())
		piece.Reset()
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintf(told, "testlog: %s cannot be run: %v\n", r.name, err)
		return true
	}
	unread := log.read(out)
	if unread != nil {
		fmt.Fprintf(told, "testlog: the output of %s cannot be read to its end: %v\n", r.name, unread)
	}
	err = cmd.Wait()
	failed = log.end()
	log.taken()
	if err != nil && !failed { // else what was shown says why
		fmt.Fprintf(told, "testlog: %s ended with %v\n", r.name, err)
	}
	return failed || err != nil || unread != nil
}

// pieces are written one at a time.
type pieces struct {
	lock *sync.Mutex
	to   io.Writer
}

func (p *pieces) Write(text []byte) (int, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.to.Write(text)
}

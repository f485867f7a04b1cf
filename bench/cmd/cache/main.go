// Command cache writes results/cache: the cache beside fastcache, freecache, bigcache, otter, ristretto,
// golang-lru, theine, sync.Map, LMDB and memcached. Run it from the folder bench on a quiet machine; it takes
// some ten minutes.
//
//	go -C bench run ./cmd/cache                      everything
//	go -C bench run ./cmd/cache -quick               small caches and few rounds in less than two
//	                                                 minutes, into bin/bench-cache
//	go -C bench run ./cmd/cache -only get,set/new    the comparisons whose names begin so; the others stay
//	go -C bench run ./cmd/cache -subjects samecycle  some of the caches, beside the reference
//	go -C bench run ./cmd/cache -page                measures nothing; page and pictures anew
//
// Each comparison is written as soon as it is complete, so an interrupt loses the one that is running.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"github.com/samecycle/samecycle/bench/caches"
)

func main() {
	caches.Child()
	var o caches.Options
	flag.IntVar(&o.Rounds, "rounds", 7, "rounds of each comparison")
	flag.IntVar(&o.Entries, "entries", 1<<20, "entries of 8+64 bytes; of larger ones there are fewer")
	flag.IntVar(&o.Ops, "ops", 1<<18, "operations of a pass")
	only := flag.String("only", "", "comparisons, by beginnings of their names and comma; none: all")
	some := flag.String("subjects", "", "caches to measure beside the reference, by comma; none: all")
	list := flag.Bool("names", false, "print the names of the comparisons and end")
	quick := flag.Bool("quick", false, "small caches and few rounds, for a first look")
	page := flag.Bool("page", false, "measure nothing; write page and pictures of the figures that are there")
	flag.StringVar(&o.Root, "root", "..", "the repository")
	flag.StringVar(&o.Dir, "dir", "", "folder for the results; none: results/cache of the repository, or "+
		"bin/bench-cache if it is quick")
	profile := flag.String("profile", "", "write a processor profile of the run to this file")
	flag.Parse()
	if *list {
		fmt.Println(strings.Join(caches.Names(), "\n"))
		return
	}
	if o.Dir == "" {
		o.Dir = filepath.Join(o.Root, "results", "cache")
		if *quick {
			o.Dir = filepath.Join(o.Root, "bin", "bench-cache")
		}
	}
	if *quick {
		o.Quick()
	}
	o.Only, o.Subjects = words(*only), words(*some)
	o.Say = func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := func() error { return caches.Run(ctx, o) }
	if *page {
		run = func() error { return caches.Page(o.Dir) }
	}
	if err := profiled(*profile, run); err != nil {
		fmt.Fprintln(os.Stderr, "cache:", err)
		stop()
		os.Exit(1)
	}
}

// words are what commas separate.
func words(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func profiled(file string, f func() error) error {
	if file == "" {
		return f()
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
	"github.com/spf13/cobra"
)

type serveFlags struct {
	dir               string
	clients           []string
	count             int
	request, response string
	size              string
	suspects          string
	overflow          overflowFlags
	all               []*slotClient // those of clients
}

func cacheServeCommand(a *app) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve FILE --slots DIR --client NAME[:GROUP]...",
		Short: "Serve a cache to processes that may not map its file",
		Long: `serve performs requests on the cache in FILE for clients that map only a slot file of their
own, DIR/NAME.slots. It makes the slot files, or uses those that are there, until it is
interrupted. Then it prints what it did for each client. The files stay for the next service.

A client that runs as another user needs a GROUP (a name or a number) to which both users
belong: its slot file then has mode 0660, and 0600 otherwise. Give each client a group of
its own, because two clients in one group can open each other's slot files. docs/slots.md
says what a client can reach. The live parameters quota.client and quota.object (cache tune)
say how often a client may call, and how often one key may be asked for. A client that calls
more often, or asks for such a key, is told to wait. --suspects says what happens with a key
that is asked for too often: refuse does not return its value, warn returns it nevertheless,
and expel refuses and also removes the entry at the third offence. cache suspects lists such
keys.

Entries that leave for want of room are given to the folder --overflow, one file for each
entry; without the flag they are lost. The service never reads that folder. Each process that
sets needs the flag, for example cache set and other services.

A client whose slot file cannot be used is left out, and a client that truncates its file is
not served any more. In both cases the exit status is 130 after an interrupt, and 1 otherwise.`,
		Example: `  samecycle cache serve sessions.cache --slots slots --client alice
  samecycle cache serve sessions.cache --slots slots --client alice --client web:www-data
  samecycle cache serve new.cache --size 64MiB --slots slots --client alice --response 1MiB
  samecycle cache serve sessions.cache --slots slots --client alice --overflow old --overflow-bytes 10GiB`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return err
			}
			return a.cacheServe(cmd.Context(), args[0], f, o)
		},
	}
	cmd.Flags().StringVar(&f.dir, "slots", "", "folder of the slot files, which exists")
	cmd.Flags().StringArrayVar(&f.clients, "client", nil,
		"name of a client, with its group if it is another user")
	cmd.Flags().IntVar(&f.count, "count", slots.DefaultSlots, "requests that a client may have in flight")
	cmd.Flags().StringVar(&f.request, "request", "16KiB", "bytes of the largest request")
	cmd.Flags().StringVar(&f.response, "response", "16KiB", "bytes of the largest answer")
	cmd.Flags().StringVar(&f.size, "size", "", "bytes of a new cache, such as 64MiB (default: FILE exists)")
	cmd.Flags().StringVar(&f.suspects, "suspects", cache.ActionRefuse.String(),
		"what happens with a key that is asked for too often: refuse, warn or expel")
	f.overflow.addTo(cmd)
	return cmd
}

// action is what --suspects names.
func (f serveFlags) action() (cache.Action, error) {
	for a := cache.ActionRefuse; a <= cache.ActionExpel; a++ {
		if a.String() == f.suspects {
			return a, nil
		}
	}
	return 0, fmt.Errorf("--suspects %s: use %v, %v or %v", f.suspects, cache.ActionRefuse,
		cache.ActionWarn, cache.ActionExpel)
}

// areaStep is what the areas of a slot are a multiple of.
const areaStep = 64

// options judges the flags.
func (f serveFlags) options() (o remote.Options, err error) {
	switch {
	case f.dir == "":
		return o, errors.New("--slots is missing: name the folder of the slot files")
	case len(f.clients) == 0:
		return o, errors.New("--client is missing: name at least one client")
	case f.count < 1 || f.count > slots.SlotsMax:
		return o, fmt.Errorf("--count %d: use 1 to %d", f.count, slots.SlotsMax)
	}
	o.File.Slots = f.count
	for _, x := range []struct {
		flag, text string
		to         *int
	}{{"request", f.request, &o.File.RequestBytes}, {"response", f.response, &o.File.ResponseBytes}} {
		size, err := sizeOf(x.text)
		if err != nil || size.bytes < slots.AreaMin || size.bytes > slots.AreaMax {
			return o, fmt.Errorf("--%s %s: use %d to %dMiB, such as 16KiB", x.flag, x.text, slots.AreaMin,
				slots.AreaMax>>20)
		}
		if below := size.bytes / areaStep * areaStep; below != size.bytes {
			return o, fmt.Errorf("--%s %s: use a multiple of %d, such as %d or %d", x.flag, x.text, areaStep,
				below, below+areaStep)
		}
		*x.to = int(size.bytes)
	}
	return o, nil
}

// slotClient is a client of cache serve, with what was done for it.
type slotClient struct {
	Name   string        `json:"client"`
	File   string        `json:"file"`
	Counts remote.Counts `json:"counts"`
	Error  string        `json:"error,omitempty"` // why it was not served to the end

	shared  bool // with the group of this number
	group   int
	service *remote.Service
}

// named are the clients of the flags NAME[:GROUP], without their services.
func (f serveFlags) named() (all []*slotClient, err error) {
	for _, text := range f.clients {
		name, group, grouped := strings.Cut(text, ":")
		if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\x00") {
			return nil, lineError("--client %q: use a name without / that does not begin with a dot", text)
		}
		x := &slotClient{Name: name, File: filepath.Join(f.dir, name+".slots"), shared: grouped}
		if grouped {
			if x.group, err = groupOf(group); err != nil {
				return nil, lineError("--client %s: %w", text, err)
			}
		}
		if slices.ContainsFunc(all, func(y *slotClient) bool { return y.Name == name }) {
			return nil, lineError("--client %s is there twice: leave one out", text)
		}
		all = append(all, x)
	}
	return all, nil
}

// create makes the service. The first error that the cache has for it is told.
func (c *slotClient) create(o remote.Options, told io.Writer) (err error) {
	o.File.Shared, o.File.Group = c.shared, c.group
	var once sync.Once
	o.OnError = func(err error) {
		once.Do(func() {
			fmt.Fprintf(told, "client %s: an operation has failed (told once): %v\n", c.Name, err)
		})
	}
	s, err := remote.Create(c.File, o)
	if err == nil {
		c.service = s
	}
	return err
}

// createAll makes the services of all clients. One whose file cannot be used is told, and left out: its
// client, which others need not trust, may have damaged it. If there is none left, that is the error.
func (a *app) createAll(all []*slotClient, o remote.Options) (err error) {
	served := 0
	for _, x := range all {
		bad := x.create(o, a.err)
		if errors.Is(bad, slots.ErrOptions) {
			return lineError("%w", bad)
		}
		if bad == nil {
			served++
			continue
		}
		x.Error, err = bad.Error(), cmp.Or(err, bad)
	}
	if served == 0 {
		return err
	}
	for _, x := range all {
		if x.service == nil {
			fmt.Fprintf(a.err, "client %s is not served: %s\n", x.Name, x.Error)
		}
	}
	return nil
}

// groupOf is the number of a group, which has a name or is a number.
func groupOf(text string) (int, error) {
	if n, err := numberOf(text); err == nil {
		return n, nil
	}
	g, err := user.LookupGroup(text)
	if err != nil {
		return 0, fmt.Errorf("no group %q: use the name or the number of one", text)
	}
	return numberOf(g.Gid)
}

func (a *app) cacheServe(ctx context.Context, file string, f serveFlags, o remote.Options) error {
	action, err := f.action()
	if err != nil {
		return err
	}
	if f.all, err = f.named(); err != nil { // ahead of all that makes a file
		return err
	}
	options := cache.Options{Quota: cache.Quota{Action: action}}
	if f.size != "" {
		options.Bytes, err = bytesOf("--size", f.size, "64MiB", cache.BytesMin, cache.BytesMax)
		if err != nil {
			return err
		}
	}
	return f.overflow.with(a.err, func(store cache.Store) error {
		options.Overflow = store
		return a.serveWith(ctx, file, f, o, options)
	})
}

// serveWith serves the cache with options of its own. If that fails ahead of the service, a cache that was
// made is removed again.
func (a *app) serveWith(ctx context.Context, file string, f serveFlags, o remote.Options,
	options cache.Options) error {
	open := func(f func(*cache.Cache) error) error { return withCacheOf(file, options, f) }
	_, err := os.Lstat(file)
	made, begun := options.Bytes > 0 && errors.Is(err, fs.ErrNotExist), false
	if options.Bytes > 0 {
		open = func(f func(*cache.Cache) error) error {
			c, err := cache.Open(file, options)
			if err != nil {
				err, _ = ownPolicy(file, orNoRegion(file, err))
				return failed(err)
			}
			return errors.Join(f(c), failed(c.Close()))
		}
	}
	err = open(func(c *cache.Cache) error {
		defer closeAll(f.all)
		err := a.createAll(f.all, o)
		if err == nil {
			begun = true
			return a.serveClients(ctx, c, f)
		}
		if made {
			err = errors.Join(err, unmake(file, c))
		}
		return failed(err)
	})
	if err != nil && !begun {
		return unbegun{err}
	}
	return err
}

// unmake removes a cache that this process has just made, unless somebody else has found it meanwhile.
func unmake(file string, c *cache.Cache) error {
	all, err := c.Processes()
	if err != nil || len(all) != 1 {
		return err
	}
	s, err := c.Stats()
	if err != nil || s.Entries > 0 {
		return err
	}
	return os.Remove(file)
}

// closeAll closes the services that are there. After an orderly end they are closed already.
func closeAll(all []*slotClient) {
	for _, x := range all {
		if x.service != nil {
			_ = x.service.Close() // it is closed already, but after an error
		}
	}
}

// serveClients serves all clients until the context ends.
func (a *app) serveClients(ctx context.Context, c *cache.Cache, f serveFlags) error {
	all := f.all
	told := a.out
	if a.json {
		told = a.err
	}
	var each sync.WaitGroup
	for _, x := range all {
		if x.service == nil {
			continue
		}
		if _, err := fmt.Fprintf(told, "client %s: %s\n", x.Name, x.File); err != nil {
			return failed(err)
		}
		each.Go(func() {
			if err := x.service.Serve(ctx, c); err != nil {
				x.Error = err.Error()
				_ = x.service.Close() // so the client learns at once that nobody serves it
				fmt.Fprintf(a.err, "client %s is served no more: %v\n", x.Name, err)
			}
		})
	}
	begun := time.Now()
	each.Wait()
	damaged := false
	for _, x := range all {
		if damaged = damaged || x.Error != ""; x.service == nil {
			continue
		}
		x.Counts = x.service.Counts()
		if err := x.service.Close(); err != nil && x.Error == "" {
			return failed(err)
		}
	}
	if err := writeOverflow(told, c, f.overflow.folder); err != nil {
		return err
	}
	return a.deliver(report{Red: damaged, Data: all, Text: func(w io.Writer) error {
		return writeServed(w, all, time.Since(begun))
	}}, nil)
}

// writeOverflow tells how much was given to the folder.
func writeOverflow(w io.Writer, c *cache.Cache, folder string) error {
	if folder == "" {
		return nil
	}
	s, err := c.Stats()
	if err == nil {
		_, err = fmt.Fprintf(w, "overflow: %s given to %s, %s lost\n", thousands(s.Overflowed), folder,
			thousands(s.OverflowErrors))
	}
	return failed(err)
}

func writeServed(w io.Writer, all []*slotClient, took time.Duration) error {
	_, err := fmt.Fprintf(w, "served for %v\n", took.Round(time.Millisecond))
	for _, x := range all {
		if x.service == nil {
			continue // that was told at once
		}
		n := x.Counts
		_, bad := fmt.Fprintf(w, "client %s: %s, %s, %s refused (%s by quotas), %s malformed; %s dropped, "+
			"%s reclaimed, %s damaged\n",
			x.Name, counted(n.Requests, "request"), counted(n.Operations, "operation"),
			thousands(n.Refused), thousands(n.Held), thousands(n.Malformed),
			thousands(n.Dropped), thousands(n.Reclaimed), thousands(n.Damaged))
		err = errors.Join(err, bad)
	}
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/user"
	"strconv"
	"time"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
	"github.com/spf13/cobra"
)

type callFlags struct {
	timeout, ttl time.Duration
	ttlGiven     bool
	owner        string
}

func cacheCallCommand(a *app) *cobra.Command {
	f := callFlags{}
	cmd := &cobra.Command{
		Use:   "call SLOTFILE get|set|del KEY [VALUE]",
		Short: "Use a cache through a slot file, as a client of cache serve",
		Long: `call is the client of a service (cache serve): it maps the slot file, and not the cache. A
slot file has one client at a time. set without VALUE reads it from the standard input.

An error says whether the request was done: "not done" is certain. "outcome unknown" means
that the service had taken the request when the time was over, or when the service died.
The exit status is 1 after an error, or if the key of get or del was not there.`,
		Example: `  samecycle cache call slots/alice.slots set alice 'token 1' --ttl 1h
  samecycle cache call slots/alice.slots get alice
  samecycle cache call slots/alice.slots del alice --timeout 100ms`,
		Args: callArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.ttlGiven = cmd.Flags().Changed("ttl")
			switch {
			case f.timeout < remote.WaitMin || f.timeout > remote.WaitMax:
				return fmt.Errorf("--timeout %v: use %v to %v", f.timeout, remote.WaitMin, remote.WaitMax)
			case f.ttl < 0:
				return fmt.Errorf("--ttl %v: use a duration above 0, 0 for no end, or leave it out for "+
					"ttl.default", f.ttl)
			case f.ttlGiven && args[1] != "set":
				return fmt.Errorf("--ttl is for set, and not for %s: leave it out", args[1])
			case args[1] == "set" && len(args) == 3 && isTerminal(os.Stdin):
				return errNoValue
			}
			owner, err := userOf(f.owner)
			if err != nil {
				return err
			}
			var value []byte
			switch {
			case len(args) == 4:
				value = []byte(args[3])
			case args[1] == "set":
				value, err = inputOf(cmd.Context(), cmd.InOrStdin(), slots.AreaMax)
			}
			if errors.Is(err, errLarge) {
				err = fmt.Errorf("the value is too large: no slot file has room for more than %d bytes; "+
					"make it smaller, or store it in parts", slots.AreaMax)
			}
			if err != nil {
				return failed(err)
			}
			return a.cacheCall(cmd.Context(), args, value, f, owner)
		},
	}
	cmd.Flags().DurationVar(&f.timeout, "timeout", remote.DefaultTimeout, "how long to wait for the answer")
	cmd.Flags().DurationVar(&f.ttl, "ttl", 0, "how long the value is kept, such as 2h; 0: for ever "+
		"(left out: as long as ttl.default says)")
	cmd.Flags().StringVar(&f.owner, "owner", "", "user that the service runs as (default: the same as this)")
	return cmd
}

// callArguments wants a file, an operation, and what the operation needs.
func callArguments(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || args[0] == "":
		return errors.New("SLOTFILE is missing")
	case len(args) == 1:
		return errors.New("the operation is missing: use get, set or del")
	case args[1] != "get" && args[1] != "set" && args[1] != "del":
		return fmt.Errorf("no operation %q: use get, set or del", args[1])
	case len(args) == 2:
		return errors.New("KEY is missing")
	case len(args) > 4, len(args) == 4 && args[1] != "set":
		return fmt.Errorf("too many arguments for %s: quote a key or a value that has spaces", args[1])
	}
	return nil
}

// numberOf is the number of a user or group in a text. The largest one of 32 bits stands for none.
func numberOf(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err == nil && n == math.MaxUint32 {
		err = strconv.ErrRange
	}
	return int(n), err
}

// userOf is the number of a user, who has a name or is a number; nil for none.
func userOf(text string) (*int, error) {
	if text == "" {
		return nil, nil
	}
	n, err := numberOf(text)
	if err != nil {
		u, unknown := user.Lookup(text)
		if unknown != nil {
			return nil, fmt.Errorf("--owner %s: there is no such user: use the name or the number of one",
				text)
		}
		if n, err = numberOf(u.Uid); err != nil {
			return nil, fmt.Errorf("--owner %s: its number is %s: use a number", text, u.Uid)
		}
	}
	return &n, nil
}

func (a *app) cacheCall(ctx context.Context, args []string, value []byte, f callFlags, owner *int) error {
	c, err := remote.Dial(args[0], remote.DialOptions{Timeout: f.timeout, Owner: owner})
	if err != nil {
		return failed(noSlotFile(args[0], err))
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	err = a.callOne(ctx, c, args, value, f)
	return errors.Join(err, failed(c.Close()))
}

// noSlotFile is why a file was refused as a slot file. Of a cache it says that it is one.
func noSlotFile(file string, err error) error {
	var bad *slots.Error
	if !errors.As(err, &bad) || bad.Field != "header" {
		return err
	}
	if found, ok := begins(file); !ok || found != region.Magic {
		return err
	}
	return &slots.Error{Reason: bad.Reason, File: file, Field: "header",
		Found: "that of a cache, or of another region",
		Do: "name the slot file that the service created for this client; for the cache itself use " +
			"cache get, set or del"}
}

func (a *app) callOne(ctx context.Context, c *remote.Client, args []string, value []byte,
	f callFlags) (err error) {
	key, ok := []byte(args[2]), true
	switch args[1] {
	case "get":
		if value, ok, err = c.Get(ctx, key, nil); err != nil {
			return failed(err)
		}
		return a.callGot(args, value, ok)
	case "set":
		if f.ttlGiven {
			err = c.SetTTL(ctx, key, value, f.ttl)
		} else {
			err = c.Set(ctx, key, value)
		}
		if err != nil || !a.json {
			return failed(err)
		}
		return a.printJSON(struct {
			jsonKey
			Bytes int `json:"bytes"`
		}{jsonKeyOf(args[2]), len(value)})
	}
	if ok, err = c.Delete(ctx, key); err != nil {
		return failed(err)
	}
	return a.callDeleted(args[2], ok)
}

func (a *app) callGot(args []string, value []byte, ok bool) error {
	if a.json {
		err := a.printJSON(gottenOf(args[2], value, ok, 0))
		return errors.Join(err, redUnless(ok))
	}
	if !ok {
		return failed(fmt.Errorf("%s: no key %s", args[0], keyText([]byte(args[2]))))
	}
	return a.printValue(value)
}

func (a *app) callDeleted(key string, ok bool) (err error) {
	if a.json {
		err = a.printJSON(deletedKey{jsonKeyOf(key), ok})
	} else {
		err = deletedKey{jsonKeyOf(key), ok}.write(a.out)
	}
	return errors.Join(err, redUnless(ok))
}

func redUnless(ok bool) error {
	if ok {
		return nil
	}
	return errRed
}

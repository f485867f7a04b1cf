package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/spf13/cobra"
)

// The command cache: what a person at a terminal does with the entries of a cache in a region file.

func cacheCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Read and change the entries of a cache in a region file",
		Long: `cache works on the entries of a cache that processes share through a region file. Each
call is one more process of the cache: other processes may use it at the same time, and
none of them waits. Keys and values are bytes. After the word -- they may begin with a -, as
in cache set FILE -- KEY -5. dump, verify, watch and repair also work on such a file.
storm, hostile and hostile-slots make caches of their own, and test them.

The exit status is 1 if a requested key is not there.`,
		Example: `  samecycle cache set sessions.cache alice 'token 1'    makes the file if there is none
  samecycle cache get sessions.cache alice
  samecycle cache stats sessions.cache --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownIn(cmd, args[0])
			}
			return errors.New("a command is missing")
		},
	}
	cmd.AddCommand(cacheGetCommand(a), cacheSetCommand(a), cacheDeleteCommand(a), cacheKeysCommand(a),
		cacheStatsCommand(a), cacheSuspectsCommand(a), cacheTuneCommand(a), cacheTopCommand(a),
		cacheServeCommand(a), cacheCallCommand(a), cacheStormCommand(a), cacheHostileCommand(a),
		cacheHostileSlotsCommand(a))
	return cmd
}

// unknownIn is the error of a command that cmd does not have. If the program has it, the error says so.
func unknownIn(cmd *cobra.Command, name string) error {
	err := fmt.Errorf("unknown command %q for %q", name, cmd.CommandPath())
	for _, c := range cmd.Root().Commands() {
		if c.Name() == name {
			err = fmt.Errorf("%w: use %s", err, c.CommandPath())
		}
	}
	return err
}

// withCache runs f on the cache in a file, which must exist.
func withCache(file string, f func(*cache.Cache) error) error {
	return withCacheOf(file, cache.Options{NoJanitor: true}, f)
}

// withCacheOf is withCache with options of its own.
func withCacheOf(file string, o cache.Options, f func(*cache.Cache) error) error {
	c, err := cache.Attach(file, o)
	return withOpened(file, c, err, f)
}

// withOpened runs f on what Attach has returned for the file.
func withOpened(file string, c *cache.Cache, err error, f func(*cache.Cache) error) error {
	if err != nil {
		err, _ = ownPolicy(file, orNoRegion(file, err))
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: to make a cache there: samecycle cache set %s KEY VALUE", err,
				shellWord(file))
		}
		return failed(err)
	}
	err = f(c)
	return errors.Join(err, failed(c.Close()))
}

// keyArguments wants a file and at least one key.
func keyArguments(most int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 || args[0] == "":
			return errors.New("FILE is missing")
		case len(args) == 1:
			return errors.New("KEY is missing")
		case most > 0 && len(args) > most:
			return fmt.Errorf("%d arguments are enough, got %d: quote a key or a value that has spaces",
				most, len(args))
		}
		return nil
	}
}

// jsonKey is a key in a result. JSON has text alone, and a command line no NUL: of another key the bytes are
// there besides.
type jsonKey struct {
	Key   string `json:"key"`
	Exact []byte `json:"key_base64,omitempty"` // absent: the key is text, in UTF-8, without a NUL
}

func jsonKeyOf(key string) jsonKey {
	if utf8.ValidString(key) && !strings.Contains(key, "\x00") {
		return jsonKey{Key: key}
	}
	return jsonKey{key, []byte(key)}
}

// gotten is the result of cache get --json.
type gotten struct {
	jsonKey
	Found   bool    `json:"found"`
	Value   []byte  `json:"value"`                        // base64; null if it was not found
	Seconds float64 `json:"expires_in_seconds,omitempty"` // absent: it does not expire
}

func gottenOf(key string, value []byte, found bool, left time.Duration) gotten {
	if found && value == nil {
		value = []byte{} // nil would be null
	}
	return gotten{jsonKey: jsonKeyOf(key), Found: found, Value: value, Seconds: left.Seconds()}
}

// inBase64 adds the flag that says how keys are written.
func inBase64(cmd *cobra.Command, to *bool) *cobra.Command {
	cmd.Flags().BoolVar(to, "key-base64", false, "KEY is written in base64, as keys --json prints key_base64")
	return cmd
}

func cacheGetCommand(a *app) *cobra.Command {
	coded := false
	return inBase64(&cobra.Command{
		Use:   "get FILE KEY",
		Short: "Print the value of a key",
		Long: `get prints the bytes of the value as they are; it adds an end of line only on a terminal.
The exit status is 1 if the key is not there. With --json the value is in base64, together
with the number of seconds for which it is still kept, if it has an end. If a key is not
text in UTF-8, or has a NUL, key_base64 has its bytes. To name such a key on the command
line, write it in base64 and add --key-base64.`,
		Example: `  samecycle cache get sessions.cache alice
  samecycle cache get sessions.cache picture > picture.png
  samecycle cache get sessions.cache alice --json
  samecycle cache get orders.cache AAAAAAAAACo= --key-base64`,
		Args: keyArguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			keys, err := keysOf(args[1:], coded)
			if err != nil {
				return err
			}
			return withEntries(args[0], func(c *cache.Cache) error { return a.cacheGet(c, args[0], keys[0]) })
		},
	}, &coded)
}

func (a *app) cacheGet(c *cache.Cache, file, key string) error {
	value, ok, err := c.Get([]byte(key), nil)
	switch {
	case err != nil:
		return failed(err)
	case a.json:
		return a.cacheGetJSON(c, key, value, ok)
	case !ok:
		return failed(fmt.Errorf("%s: no key %s", file, keyText([]byte(key))))
	}
	return a.printValue(value)
}

// printValue prints the bytes as they are.
func (a *app) printValue(value []byte) (err error) {
	if a.width > 0 { // a terminal: screen shows control characters as escapes
		_, err = fmt.Fprintf(a.out, "%s\n", value)
	} else {
		_, err = beneath(a.out).Write(value)
	}
	return failed(err)
}

func (a *app) cacheGetJSON(c *cache.Cache, key string, value []byte, ok bool) error {
	left, _, err := c.TTL([]byte(key))
	if err != nil {
		return failed(err)
	}
	err = a.printJSON(gottenOf(key, value, ok, left))
	if err == nil && !ok {
		return errRed
	}
	return err
}

// setting is what cache set is asked for.
type setting struct {
	ttl      time.Duration
	ttlGiven bool
	ifAbsent bool
	coded    bool // the key is in base64
	size     string
	policy   string
	overflow overflowFlags
}

func cacheSetCommand(a *app) *cobra.Command {
	var x setting
	cmd := &cobra.Command{
		Use:   "set FILE KEY [VALUE]",
		Short: "Give a key a value; without VALUE it is read from the standard input",
		Long: `set stores a value. If there is no such file, it makes a cache of --size bytes; for a value
from the standard input only with --size, so that a FILE that was left out makes no cache.
A value that is too large for the cache is an error, and the old value stays.
If other entries have to leave to make room, they are lost, or given to the folder --overflow.`,
		Example: `  samecycle cache set sessions.cache alice 'token 1' --ttl 1h
  samecycle cache set sessions.cache lock me --if-absent
  samecycle cache set sessions.cache picture < picture.png
  samecycle cache set new.cache alice 'token 1' --size 64MiB --policy tinylfu`,
		Args: keyArguments(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			x.ttlGiven = cmd.Flags().Changed("ttl")
			o, err := x.options()
			if err != nil {
				return err
			}
			keys, err := keysOf(args[1:2], x.coded)
			if err != nil {
				return err
			}
			value, err := valueToSet(cmd.Context(), cmd.InOrStdin(), args[0], keys[0], args[2:], o)
			if err != nil {
				return err
			}
			return x.overflow.with(a.err, func(store cache.Store) error {
				o.Overflow = store
				return a.cacheSet(args[0], keys[0], value, x, o)
			})
		},
	}
	cmd.Flags().DurationVar(&x.ttl, "ttl", 0, "how long the value is kept, such as 2h; 0: for ever "+
		"(left out: as long as ttl.default says)")
	cmd.Flags().BoolVar(&x.ifAbsent, "if-absent", false, "change nothing if the key is there; exit status 1")
	cmd.Flags().StringVar(&x.size, "size", "", "bytes of a new cache, such as 64MiB (default 256MiB)")
	cmd.Flags().StringVar(&x.policy, "policy", "", "which entries of a new cache leave when room is needed: "+
		"ageing or tinylfu (default ageing)")
	x.overflow.addTo(cmd)
	return inBase64(cmd, &x.coded)
}

// options are those of the cache.
func (x setting) options() (cache.Options, error) {
	if x.ttl < 0 {
		return cache.Options{}, fmt.Errorf("--ttl %v: use a duration above 0, 0 for no end, or leave it "+
			"out for ttl.default", x.ttl)
	}
	o := cache.Options{NoJanitor: true}
	if x.size != "" {
		var err error
		if o.Bytes, err = bytesOf("--size", x.size, "64MiB", cache.BytesMin, cache.BytesMax); err != nil {
			return o, err
		}
	}
	if x.policy != "" {
		var known bool
		if o.Policy, known = basket.PolicyNamed(x.policy); !known {
			return o, fmt.Errorf("--policy %s: use ageing or tinylfu", x.policy)
		}
	}
	return o, nil
}

func (a *app) cacheSet(file, key string, value []byte, x setting, o cache.Options) error {
	c, err := cache.Open(file, o)
	if err != nil {
		err, _ = ownPolicy(file, orNoRegion(file, err))
		return unbegun{failed(err)}
	}
	set, err := x.write(c, []byte(key), value)
	if err = errors.Join(err, c.Close()); err != nil {
		return failed(err)
	}
	if a.json {
		err = a.printJSON(struct {
			jsonKey
			Set   bool `json:"set"`
			Bytes int  `json:"bytes"`
		}{jsonKeyOf(key), set, len(value)})
	} else if !set {
		_, err = fmt.Fprintf(a.out, "%s: key %s is there already, and was not changed\n", file,
			keyText([]byte(key)))
	}
	if err == nil && !set {
		return errRed
	}
	return failed(err)
}

func cacheDeleteCommand(a *app) *cobra.Command {
	coded := false
	return inBase64(&cobra.Command{
		Use:     "del FILE KEY...",
		Aliases: []string{"delete"},
		Short:   "Delete keys",
		Long:    `del deletes keys and says which of them were there. The exit status is 1 if one was not.`,
		Example: `  samecycle cache del sessions.cache alice bob`,
		Args:    keyArguments(0),
		RunE: func(_ *cobra.Command, args []string) error {
			keys, err := keysOf(args[1:], coded)
			if err != nil {
				return err
			}
			return withCache(args[0], func(c *cache.Cache) error { return a.cacheDelete(c, keys) })
		},
	}, &coded)
}

// deletedKey is a key that cache del was asked to delete.
type deletedKey struct {
	jsonKey
	Deleted bool `json:"deleted"`
}

func (a *app) cacheDelete(c *cache.Cache, keys []string) error {
	all, missed := []deletedKey{}, false
	var bad error // which does not keep back what was deleted ahead of it
	for _, key := range keys {
		deleted, err := c.Delete([]byte(key))
		if bad = err; bad != nil {
			break
		}
		all = append(all, deletedKey{jsonKeyOf(key), deleted})
		missed = missed || !deleted
	}
	if a.json {
		if err := a.printJSON(all); err != nil {
			return err
		}
	} else {
		for _, d := range all {
			if err := d.write(a.out); err != nil {
				return err
			}
		}
	}
	if bad == nil && missed {
		return errRed
	}
	return failed(bad)
}

// write prints it for a person.
func (d deletedKey) write(w io.Writer) error {
	text := "deleted"
	if !d.Deleted {
		text = "was not there"
	}
	_, err := fmt.Fprintf(w, "%q: %s\n", d.Key, text)
	return failed(err)
}

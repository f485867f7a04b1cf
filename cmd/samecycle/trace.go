package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type traceFlags struct {
	format, zipf, svg, object, basket string
	sizes                             []string
	scan, requests, processes         int
	killEvery, duration               time.Duration
	given                             func(flag string) bool

	files       []string
	in          io.Reader   // what standardInput stands for
	drawn       *trace.Zipf // of zipf
	bytes       uint32      // of object
	basketBytes uint32      // of basket; 0: the default
	policyName  string
	policy      cache.Policy // of policyName; nil: the default
	wanted      []size       // of sizes
}

// defaultSizes are those of a table, and those of a picture.
var (
	defaultSizes = []string{"1%", "10%"}
	pictureSizes = []string{"0.5%", "1%", "2%", "5%", "10%", "20%", "50%"}
)

func traceCommand(a *app) *cobra.Command {
	var f traceFlags
	cmd := &cobra.Command{
		Use:   "trace [FILE...]",
		Short: "Replay a trace of requests, and compare hit ratios",
		Long: `trace sends the requests of a trace through caches of several sizes, and prints for each
of them the hit ratio (hits by requests) and the byte hit ratio (the same, each request
counted by the bytes of its object), and how many points it has more than exact LRU.

The first two caches are the one of this project with its default options, and with the policy
tinylfu. They store the bytes of each object. Their baskets have room for as many bytes of
objects as the size says, so they never hold more than the other caches. Their figures differ
a little from run to run, since their hash has a secret.

The others are models of published policies: LRU, CLOCK with one bit, S3-FIFO, ARC, and
Belady's optimum, which knows the future. No cache can have more hits than the last one,
if all objects have the same size. If the sizes differ, it is no optimum, and the table says so.

The size of a cache counts its objects only, and not the other memory that it needs.
Percentages are of the bytes of all distinct objects in the trace. A size that is too small for
a cache is NOT RUN there: the row has no figures, and null for them in JSON. The exit status is
then 1.

Formats, which are recognised by the name and the beginning of a file, or named:
` + formatList() + `
Files may be compressed with gzip, zstd, xz or bzip2. If a trace has no sizes, all
objects have the same size. If the size of an object changes, the first one counts.

Without a file --zipf and --scan make a trace. The table names the parameters.

With --processes the trace is replayed by so many processes that share one cache in a file.
There may be 1 to 64, and fewer if --size is small, because the cache must have room for them.
One more process does the same, and is killed (SIGKILL) again and again at any point. The
trace is repeated for some seconds. At the end the structure of the cache is checked, and
every value in it is compared. trace prints the verdict, the hit ratio, and that of LRU for
the same requests. The exit status is 1 if something is wrong.

An interrupt ends the run. So does a file that cannot be read, if others came before it. trace
then prints the results so far, marked as incomplete. If the picture cannot be drawn, the
result is also incomplete. The exit status is then 130 after an interrupt, and 1 otherwise.`,
		Example: `  samecycle trace requests.gz
  samecycle trace monday.csv.zst tuesday.csv.zst --size 64MiB --size 1GiB
  tar -xOf traces.tar monday.csv | samecycle trace - --format csv
  samecycle trace blocks.lis --svg ratios.svg
  samecycle trace keys.bin --format u64be --object 512B --size 5%
  samecycle trace --zipf 100000,0.99,1
  samecycle trace requests.gz --processes 2 --kill-every 1s --size 10%
  samecycle trace --zipf 100000,0.9,7 --scan 20000 --requests 5000000 --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.files, f.in = args, cmd.InOrStdin()
			f.given = cmd.Flags().Changed
			if err := f.check(); err != nil {
				return err
			}
			if f.processes > 0 {
				return a.traceCrew(cmd.Context(), f)
			}
			return a.trace(cmd.Context(), f)
		},
	}
	bindTrace(cmd.Flags(), &f)
	return cmd
}

// bindTrace says which flag sets what.
func bindTrace(flags *pflag.FlagSet, f *traceFlags) {
	flags.StringVar(&f.format, "format", "",
		"format of the files: "+strings.Join(trace.FormatNames(), ", "))
	flags.StringSliceVar(&f.sizes, "size", nil, "size of the caches, as 64MiB or 5%; may be given "+
		"several times (default 1% and 10%, with --svg more)")
	flags.StringVar(&f.object, "object", "1000B", "size of each object of a trace without sizes")
	flags.StringVar(&f.basket, "basket", "", "size of a basket of the project's cache, a power of two "+
		"(default: the cache's own)")
	flags.StringVar(&f.policyName, "policy", "", "with --processes: policy of the project's cache, "+
		"ageing or tinylfu (default: ageing)")
	flags.IntVar(&f.requests, "requests", 0,
		"no more than the first of each file; of a trace that is made: how many (default: 1000000)")
	flags.StringVar(&f.zipf, "zipf", "", "make a trace: N,S,SEED for requests of N objects, of which the "+
		"one of rank r is asked for in proportion to 1/r^S")
	flags.IntVar(&f.scan, "scan", 0, "make a trace: so many objects one after the other, again and again; "+
		"with --zipf: after every so many requests")
	flags.IntVar(&f.processes, "processes", 0, "replay in so many processes on one cache in a file, "+
		"at most 64")
	flags.DurationVar(&f.killEvery, "kill-every", time.Second,
		"with --processes: kill one more process so often; 0: never")
	flags.DurationVar(&f.duration, "duration", 10*time.Second,
		"with --processes: repeat the trace for at least so long; 0: once")
	flags.StringVar(&f.svg, "svg", "", "file for a picture of the hit ratios against size; "+
		"the folder is made if there is none")
}

// formatList are the formats, a line each.
func formatList() string {
	var b strings.Builder
	for _, f := range trace.Formats() {
		fmt.Fprintf(&b, "  %-7s %s\n", f.Name, f.Text)
	}
	return b.String()
}

// madeRequests is the length of a trace that is made, unless another one is asked for.
const madeRequests = 1_000_000

// outside tells that a flag was given whose number is not one of 1 to most. One that was not given has 0.
func (f *traceFlags) outside(flag string, n, most int) bool {
	return f.given(flag) && (n < 1 || n > most)
}

// check refuses flags that do not go together, and reads those that are more than a word.
func (f *traceFlags) check() (err error) {
	making := f.zipf != "" || f.given("scan")
	switch {
	case slices.Contains(f.files, ""), len(f.files) == 0 && !making:
		return errors.New("FILE is missing; without a trace of your own make one: --zipf 100000,0.99,1")
	case len(f.files) > 0 && making:
		return fmt.Errorf("--zipf and --scan make a trace: leave them out, or %q", f.files[0])
	case slices.Contains(f.files[slices.Index(f.files, standardInput)+1:], standardInput):
		return errors.New("- is named twice: the standard input can be read once, so name it once")
	case f.format != "" && making:
		return errors.New("--format is for files: leave it out")
	case f.format != "" && !slices.Contains(trace.FormatNames(), f.format):
		return fmt.Errorf("--format %q: use one of %s", f.format, strings.Join(trace.FormatNames(), ", "))
	case f.outside("requests", f.requests, trace.MostRequests):
		return fmt.Errorf("--requests %d: use 1 to %d, or leave it out", f.requests, trace.MostRequests)
	case f.outside("scan", f.scan, trace.MostObjects):
		return fmt.Errorf("--scan %d: use 1 to %d objects", f.scan, trace.MostObjects)
	case f.svg != "" && len(f.files) > 1:
		return errors.New("--svg draws one trace: name one file")
	}
	if making && f.requests == 0 {
		f.requests = madeRequests
	}
	if f.zipf != "" {
		if f.drawn, err = zipfOf(f.zipf); err != nil {
			return err
		}
	}
	switch object, err := sizeOf(f.object); {
	case err != nil || object.share != 0 || object.bytes == 0 || object.bytes > 1<<30:
		return fmt.Errorf("--object %s: use a size from 1B to 1GiB", f.object)
	default:
		f.bytes = uint32(object.bytes)
	}
	if f.basket != "" {
		switch b, err := sizeOf(f.basket); {
		case err != nil || b.share != 0 || b.bytes < cache.BasketBytesMin || b.bytes > cache.BasketBytesMax ||
			b.bytes&(b.bytes-1) != 0:
			return fmt.Errorf("--basket %s: use a power of two from 4KiB to 64MiB", f.basket)
		default:
			f.basketBytes = uint32(b.bytes)
		}
	}
	if f.policyName != "" {
		var known bool
		if f.policy, known = basket.PolicyNamed(f.policyName); !known {
			return fmt.Errorf("--policy %s: use ageing or tinylfu", f.policyName)
		}
		if !f.given("processes") {
			return fmt.Errorf("--policy %s: it is for --processes; without, the table has both", f.policyName)
		}
	}
	if err := f.readSizes(); err != nil {
		return err
	}
	return f.checkCrew()
}

// readSizes reads the sizes, or takes those that nobody needs to name.
func (f *traceFlags) readSizes() error {
	sizes := f.sizes
	switch {
	case len(sizes) > 0:
	case f.svg != "":
		sizes = pictureSizes
	default:
		sizes = defaultSizes
	}
	for _, text := range sizes {
		s, err := sizeOf(text)
		if err != nil {
			return fmt.Errorf("--size %s: %w", text, err)
		}
		if s.share == 0 && s.bytes == 0 {
			return fmt.Errorf("--size %s: a cache of no size has no hits; use one as 64MiB or 5%%", text)
		}
		f.wanted = append(f.wanted, s)
	}
	return nil
}

// zipfOf reads what --zipf has.
func zipfOf(text string) (*trace.Zipf, error) {
	fields := strings.Split(text, ",")
	if len(fields) != 3 {
		return nil, fmt.Errorf("--zipf %s: use N,S,SEED: objects, skew and seed, as 100000,0.99,1", text)
	}
	n, errN := strconv.Atoi(fields[0])
	skew, errS := strconv.ParseFloat(fields[1], 64)
	seed, errSeed := strconv.ParseUint(fields[2], 10, 64)
	if err := errors.Join(errN, errS, errSeed); err != nil {
		return nil, fmt.Errorf("--zipf %s: use N,S,SEED: a whole number of objects, a skew and a seed, as "+
			"100000,0.99,1", text)
	}
	z := &trace.Zipf{Objects: n, Skew: skew, Seed: seed}
	if err := z.Check(); err != nil {
		return nil, fmt.Errorf("--zipf %s: %w", text, err)
	}
	return z, nil
}

// size is that of a cache: bytes, or a share of all objects of a trace.
type size struct {
	text  string
	bytes uint64
	share float64 // 0 to 1; 0: the bytes count
}

// units of sizes, in small letters.
var units = map[string]float64{"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1e3, "m": 1 << 20,
	"mib": 1 << 20, "mb": 1e6, "g": 1 << 30, "gib": 1 << 30, "gb": 1e9, "t": 1 << 40, "tib": 1 << 40,
	"tb": 1e12}

var errSize = errors.New("use a size as 64MiB, 1.5GB or 4096, or a percentage as 5%")

// sizeOf reads a size.
func sizeOf(text string) (size, error) {
	word := strings.ToLower(text)
	number := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz%")
	unit := word[len(number):]
	number = strings.TrimRight(number, " ")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x >= 0) || strings.HasPrefix(number, "+") {
		return size{}, errSize
	}
	if unit == "%" {
		if x > 100 {
			return size{}, errors.New("use at most 100%")
		}
		return size{text: number + " %", share: x / 100}, nil
	}
	factor, ok := units[unit]
	switch {
	case !ok:
		return size{}, errSize
	case x*factor > 1<<62:
		return size{}, errors.New("use at most 4194304TiB")
	}
	return size{text: text, bytes: uint64(x * factor)}, nil
}

// of is how many bytes the size is for a trace: of a share enough for the smallest object at least; 0 if not
// even that would fit into the bytes that were asked for.
func (s size) of(t *trace.Trace) uint64 {
	least := uint64(slices.Min(t.Sizes))
	switch {
	case s.share > 0:
		return max(least, uint64(s.share*float64(t.Bytes)+0.5))
	case s.bytes < least:
		return 0
	}
	return s.bytes
}

// holdPicture makes the path of --svg absolute, and refuses to overwrite what is no picture.
func (f *traceFlags) holdPicture() error {
	if f.svg == "" {
		return nil
	}
	path, err := filepath.Abs(f.svg)
	if err == nil {
		f.svg, err = path, evidence.Writable(path)
	}
	if err == nil {
		err = keepsOther(path)
	}
	if err != nil {
		return failed(fmt.Errorf("--svg: %w", err))
	}
	return nil
}

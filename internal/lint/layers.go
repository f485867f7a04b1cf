package lint

// layer says what the packages of one folder may import besides the standard library.
type layer struct {
	folder string   // "/..." at the end: with all folders below; the first row that fits counts
	ours   []string // folders of ours, same notation
	libs   []string // prefixes of import paths
	except []string // folders below it that it may not import, as others are not
	beside []string // names of folders beside the one that imports, as states beside volume

	// What the folder's tests may import beyond that, and why.
	testOurs, testLibs []string
	why                string
}

// layers is the table of ARCHITECTURE.md, in the reading order of the project. A package may
// always import the packages below its own folder.
var layers = []layer{
	{folder: "internal/catalog"},
	{folder: "internal/catalog/...", ours: []string{"internal/catalog"},
		testOurs: []string{"internal/catalogtest"},
		why:      "the tests of a register have the form of all"},
	{folder: "internal/catalogtest", ours: []string{"internal/catalog"}}, // tests use it
	{folder: "internal/hook"},
	{folder: "internal/hook/hooktest", ours: []string{"internal/hook"}}, // tests use it
	{folder: "internal/plural"},
	{folder: "internal/disk"},
	{folder: "internal/noquery"},
	{folder: "internal/seam", ours: []string{"internal/hook"}},
	{folder: "internal/history"},
	{folder: "internal/tlc", ours: []string{"internal/catalog", "internal/disk"}},
	{folder: "internal/evidence/closure", ours: []string{"internal/disk"}},
	{folder: "internal/evidence", ours: []string{"internal/catalog", "internal/disk"},
		testOurs: []string{"internal/catalog/..."},
		why:      "the tests take the names of an engine as examples"},
	{folder: "internal/lint", ours: []string{"internal/catalog/..."}},

	{folder: "model/hopscotch",
		ours:     []string{"internal/catalog/...", "internal/history", "model/search/tla"},
		libs:     []string{"github.com/zeebo/xxh3"}, // of states, in the set of those visited
		testOurs: []string{"internal/tlc", "internal/samestates"},
		why:      "the tests compare the model's states with those that TLC dumps"},
	{folder: "model/search", ours: []string{"model/search/tla"}},
	{folder: "model/search/tla"},
	{folder: "model/hopscotch/tasks",
		ours: []string{"internal/catalog/...", "internal/plural", "model/hopscotch/...", "model/search"}},
	{folder: "model/shardmap/tasks", ours: []string{"internal/plural", "model/shardmap", "model/search"}},
	{folder: "model/basket/tasks", ours: []string{"model/basket", "model/search"}},
	{folder: "model/slots/tasks", ours: []string{"model/slots", "model/search"}},
	{folder: "model/control/tasks", ours: []string{"model/control", "model/search"}},
	// The models of parts, and the model of an engine without a row of its own.
	{folder: "model/...", ours: []string{"model/search/..."},
		testOurs: []string{"internal/catalog/...", "internal/tlc", "internal/samestates"},
		why:      "the tests compare the model's states with those that TLC dumps"},
	{folder: "internal/samestates", ours: []string{"internal/tlc", "model/search/..."},
		libs: []string{"github.com/zeebo/xxh3"}}, // of states, in sets that are compared

	{folder: "impl/region", ours: []string{"internal/seam"}, libs: []string{"golang.org/x/sys"}},
	{folder: "impl/hopscotch",
		ours:     []string{"impl/region", "internal/seam", "internal/catalog/..."},
		libs:     hashLibraries,
		testOurs: []string{"internal/history", "linearizability", "linearizability/mapmodel"},
		testLibs: []string{"github.com/leanovate/gopter"},
		why:      "the property test over free-running goroutines judges what clients saw"},

	{folder: "impl/shardmap", ours: []string{"internal/seam"}, libs: hashLibraries},
	{folder: "impl/basket", ours: []string{"impl/region", "impl/hopscotch", "internal/seam"},
		testOurs: []string{"internal/hook/..."},
		why:      "a test kills a writer ahead of each of its accesses"},
	{folder: "impl/quota", ours: []string{"internal/seam"},
		testOurs: []string{"internal/hook/...", "explore", "impl/region"},
		why:      "tests run the sketch in every order, and in processes that share a region"},
	{folder: "impl/control", ours: []string{"impl/region", "internal/seam"},
		testOurs: []string{"internal/hook/...", "explore"},
		why:      "tests run leases in every order, and let another process come between two steps"},
	{folder: "impl/handover", ours: []string{"internal/seam"}},
	{folder: "impl/cache", ours: []string{"impl/region", "impl/hopscotch", "impl/basket", "impl/quota",
		"impl/control", "impl/handover", "internal/seam"},
		libs:     append([]string{"golang.org/x/sys"}, hashLibraries...), // the clock of the host
		testOurs: []string{"explore", "impl/filestore"},
		why:      "tests run changes of parameters in every order, and give a store what leaves"},
	{folder: "impl/filestore"},
	{folder: "impl/slots", ours: []string{"impl/region", "internal/seam"},
		libs:     []string{"golang.org/x/sys"}, // files, and their locks
		testOurs: []string{"internal/hook/..."},
		why:      "tests let the other side come between two steps"},
	{folder: "clients", testOurs: []string{"impl/slots", "impl/cache", "impl/remote"},
		why: "the package is tests only: they run clients in other languages beside a service in Go"},
	{folder: "impl/remote", ours: []string{"impl/slots", "impl/cache", "internal/seam"}},
	// An engine without a row of its own.
	{folder: "impl/...", ours: []string{"impl/region", "internal/seam"}, libs: hashLibraries},

	{folder: "service", ours: []string{"impl/..."}},

	{folder: "explore/shim/...",
		ours:     []string{"internal/hook", "explore/shim/..."},
		testOurs: []string{"explore/...", "internal/hook/hooktest"},
		why:      "a shim is tested by what the explorer finds through it"},
	{folder: "explore/classic", ours: []string{"explore", "explore/shim/..."},
		testOurs: []string{"internal/hook"},
		testLibs: []string{"github.com/leanovate/gopter"},
		why:      "the tests draw programs"},
	{folder: "explore",
		ours:     []string{"internal/hook", "internal/plural"},
		testOurs: []string{"internal/seam"},
		testLibs: []string{"github.com/leanovate/gopter"},
		why:      "the explorer is tested on programs that use the seam"},

	{folder: "foreign/shim/..."},
	{folder: "foreign/driver",
		ours: []string{"internal/history", "internal/hook", "internal/plural", "explore/...",
			"linearizability"},
		libs: []string{"github.com/anishathalye/porcupine"}},
	{folder: "foreign",
		ours: []string{"internal/disk", "internal/plural", "explore", "explore/failure"}},

	// harness takes any engine, and knows none.
	{folder: "harness",
		ours: []string{"internal/catalog", "internal/evidence/...", "internal/history", "internal/hook",
			"internal/plural", "internal/seam", "explore", "explore/failure", "linearizability",
			"model/search", "stress"}},
	// Tests of the scenarios use it.
	{folder: "harness/harnesstest", ours: []string{"explore", "harness", "internal/hook"}},

	{folder: "scenarios/hopscotch/volume",
		ours:     append([]string{"stress"}, everythingBelowScenarios...),
		beside:   []string{"states"},
		testOurs: []string{"stress/stresstest"},
		testLibs: []string{"golang.org/x/sys"},
		why:      "tests run campaigns; a fault of another one lasts for some time of its own thread"},
	{folder: "scenarios/hopscotch/hostile",
		ours: append([]string{"scenarios/hopscotch/processes"}, everythingBelowScenarios...)},
	{folder: "explore/hostile", ours: []string{"internal/hook", "explore"},
		testOurs: []string{"internal/seam"},
		why:      "the tests damage a subject of a few words"},
	{folder: "explore/processes/processtest", ours: []string{"explore"}}, // tests use it
	{folder: "explore/processes",
		ours:     []string{"internal/hook", "internal/plural", "internal/seam", "explore", "impl/region"},
		testOurs: []string{"explore/processes/processtest"},
		why:      "a test program is its own child, as in other packages"},
	{folder: "explore/failure", ours: []string{"internal/hook", "explore/..."}},

	{folder: "internal/mutate", ours: []string{"internal/catalog", "internal/disk"},
		libs:     []string{"github.com/bluekeyes/go-gitdiff/gitdiff"}, // of changes of one's own
		testOurs: []string{"internal/catalog/..."},
		why:      "the tests judge mutants of an engine as examples"},
	{folder: "internal/newengine"},
	{folder: "internal/campaign", ours: []string{"internal/evidence/closure"}},
	{folder: "internal/testlog"},
	{folder: "internal/trace/policy"},
	{folder: "internal/trace/picture", libs: []string{"gonum.org/v1/plot"}},
	{folder: "internal/trace/replay", ours: []string{"internal/trace/policy", "internal/trace"}},
	{folder: "internal/trace/ours", ours: []string{"impl/cache", "impl/hopscotch", "impl/region",
		"internal/plural", "internal/trace/policy", "internal/trace/replay", "internal/trace"}},
	{folder: "internal/trace", ours: []string{"internal/trace/policy"},
		libs: []string{"github.com/klauspost/compress/zstd", "github.com/ulikunitz/xz"}}, // of files
	{folder: "internal/cachestorm/...",
		ours: []string{"impl/cache", "impl/basket", "impl/hopscotch", "impl/region",
			"impl/slots", "impl/remote"},
		libs: []string{"golang.org/x/sys"}}, // clocks, and memory that processes share
	{folder: "internal/mutate/judge",
		ours: []string{"internal/mutate", "explore", "harness", "linearizability"}},
	{folder: "internal/mutate/judge/program", ours: []string{"internal/mutate/judge", "scenarios/engines"}},

	// Histories and their judge know no engine and no map; the map of the table has a model like any other.
	{folder: "linearizability/mapmodel", ours: []string{"internal/history", "linearizability"},
		libs:     []string{"github.com/leanovate/gopter"}, // of programs that call the map
		testLibs: []string{"github.com/anishathalye/porcupine"},
		why:      "a test shows what porcupine answers when nobody validates"},
	{folder: "linearizability", ours: []string{"internal/history"},
		except: []string{"linearizability/mapmodel"},
		libs:   []string{"github.com/anishathalye/porcupine"}},

	// stress drives any engine and knows none.
	{folder: "stress/stresstest", ours: []string{"stress"}}, // tests of the volumes use it
	{folder: "stress", ours: []string{"internal/disk", "internal/history", "linearizability"},
		libs:     []string{"golang.org/x/sys"}, // the clocks of a thread, and memory that processes share
		testOurs: []string{"linearizability/mapmodel"},
		why:      "the tests have a toy engine with a history of its own"},

	// The folder volume of each engine is what stress needs to know of it.
	{folder: "scenarios/engines", ours: []string{"internal/catalog", "harness", "scenarios/..."},
		testOurs: []string{"internal/tlc", "internal/samestates"},
		why:      "a test runs the specifications that no engine has registered yet"},
	{folder: "scenarios/...", ours: append([]string{"stress"}, everythingBelowScenarios...),
		beside:   []string{"states"},
		libs:     []string{"github.com/leanovate/gopter", "github.com/anishathalye/porcupine"},
		testOurs: []string{"internal/tlc", "stress/stresstest"},
		testLibs: []string{"golang.org/x/sys"},
		why: "a test holds the programs of the scenarios against those of the specification; " +
			"tests run campaigns; " +
			"a fault of another one lasts for some time of its own thread"},

	{folder: "fuzz",
		testOurs: append([]string{"scenarios/...", "internal/tlc"}, everythingBelowScenarios...),
		why:      "the package is tests only: odd input for whatever reads any"},

	{folder: "cmd/samecycle", ours: append([]string{"scenarios/...", "internal/tlc", "internal/mutate",
		"internal/newengine", "internal/campaign", "stress", "foreign", "foreign/driver",
		"internal/trace/...", "internal/cachestorm/...", "internal/noquery"}, everythingBelowScenarios...),
		testOurs: []string{"internal/samestates", "internal/lint"},
		why: "a test of the spec link runs TLC, and says NOT RUN as every test with TLC does; another one " +
			"holds an engine that it adds to a copy against the house rules",
		libs: []string{"github.com/spf13/cobra", "github.com/spf13/pflag",
			"github.com/schollz/progressbar/v3", "github.com/jedib0t/go-pretty/v6",
			"golang.org/x/term", "github.com/charmbracelet/bubbletea", "github.com/charmbracelet/lipgloss"}},
}

var everythingBelowScenarios = []string{
	"internal/catalog/...", "internal/history", "internal/hook", "internal/seam", "internal/evidence/...",
	"internal/plural", "internal/disk", "model/...", "impl/...", "harness/...",
	"linearizability", "linearizability/mapmodel",
	"explore/...", "explore/failure",
}

// hashLibraries are those that hash keys. The engine may use one of them, and only one.
var hashLibraries = []string{
	"github.com/zeebo/xxh3", "github.com/cespare/xxhash/v2", "github.com/dchest/siphash",
}

// peers are what benchmarks compare the engine with. They live in nested modules, so that they
// stay out of the dependencies of those who embed the engine.
var peers = []string{
	"github.com/puzpuzpuz/xsync", "github.com/maypok86/otter", "github.com/dgraph-io/ristretto",
	"github.com/alphadose/haxmap", "github.com/coocood/freecache", "github.com/allegro/bigcache",
	"github.com/VictoriaMetrics/fastcache", "github.com/Yiling-J/theine-go",
	"github.com/hashicorp/golang-lru", "github.com/orcaman/concurrent-map",
	"github.com/dolthub/swiss", "github.com/bmatsuo/lmdb-go", "github.com/bradfitz/gomemcache",
}

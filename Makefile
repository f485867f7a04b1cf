# samecycle: `make` alone prints the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

BIN := bin/samecycle
# TESTS chooses tests by name; TIMEOUT is how long those of a package may take, more than twice what they need on
# two busy cores; SEED goes into the records of check.
TESTS ?= .
TIMEOUT ?= 30m
SEED ?= 1
# FUZZTIME is how long each target is fuzzed, FUZZ chooses targets by name, FUZZFLAGS go to go test.
FUZZTIME ?= 30s
FUZZ ?= ^Fuzz
FUZZFLAGS ?=
# FUZZED are the packages that have such targets.
FUZZED := ./fuzz ./impl/basket ./impl/cache ./impl/hopscotch ./impl/region ./impl/remote ./linearizability/mapmodel \
	./cmd/samecycle ./explore ./internal/trace
# BENCH are the parts of the benchmarks to measure, by comma; none: all.
BENCH ?=
# PEERS are the caches that bench-cache needs modules for: name=package.
PEERS := fastcache=github.com/VictoriaMetrics/fastcache freecache=github.com/coocood/freecache \
	bigcache=github.com/allegro/bigcache/v3 otter=github.com/maypok86/otter/v2 \
	ristretto=github.com/dgraph-io/ristretto/v2 golang_lru=github.com/hashicorp/golang-lru/v2 \
	theine=github.com/Yiling-J/theine-go lmdb=github.com/bmatsuo/lmdb-go/lmdb \
	memcached=github.com/bradfitz/gomemcache/memcache
# LONG are named first, so that they begin first: alone at the end they would leave a processor idle.
# EXPLORED are the packages whose tests are others with the explorer's shims, or rest on them. Those of
# explore, which knows no seam, and of foreign, which copies what it explores, are the same
# in both builds. Files of tests that are the same in both, and take long, are built for one (!explore).
LONG := ./model/hopscotch ./foreign
EXPLORED := ./internal/seam/... ./impl/basket ./impl/cache ./impl/control ./impl/quota ./impl/shardmap ./impl/slots ./scenarios/basket ./scenarios/control ./scenarios/hopscotch ./scenarios/shardmap ./scenarios/slots \
	./explore/failure/... ./explore/hostile/... ./explore/processes/... ./scenarios/hopscotch/hostile/... \
	./scenarios/hopscotch/processes/... ./cmd/... ./fuzz/...

# QUICK and QUICKEXPLORED are the packages whose tests quick runs, in short form, in the plain build and on the
# explorer's shims; SLOW are those tests in them that take seconds each, and are left to test.
QUICK := ./internal/catalog/... ./internal/disk ./internal/evidence ./internal/history ./internal/lint \
	./internal/newengine ./internal/plural ./internal/seam ./internal/testlog ./internal/trace/... ./internal/cachestorm/... ./explore ./explore/classic ./explore/failure ./fuzz \
	./harness ./impl/... ./linearizability ./model/hopscotch ./model/hopscotch/owner ./model/hopscotch/bell \
	./service ./stress
QUICKEXPLORED := ./internal/seam ./explore/hostile ./explore/processes ./fuzz ./scenarios/hopscotch \
	./scenarios/hopscotch/hostile
SLOW := TestAdders_AreOneAdd TestAscend_TokenForEachOutcome TestCalls_AreOneProtocol TestCreation_Census \
	TestCreation_Holds TestCreation_Reduced TestDeaths_Random TestEnact_RealCreators TestHostile_TwoActors \
	TestLines$$ TestLongRing$$ TestNaming_Holds TestNaming_Reduced TestNaming_TheEngine TestReaders_AreOneGet \
	TestReaders_NeedNobody TestReclaim_AfterADeath TestReclaim_BesideTheOthers TestReductionsOn \
	TestSameCountsAsManifest TestScenario$$ TestScenario_OutcomesAreTheModels TestSpawnReduced_Random TestTalks \
	TestValidator_Rejects TestWatchdog TestWays_Beside
SKIP = -skip '$(subst $(eval ) ,|,$(strip $(SLOW)))'

# STATICCHECK names dead code and more, of both builds in one: what only the explored one uses is not dead. Its
# version is that of tools/go.mod, apart from go.mod, so that whoever embeds the library does not get what it needs.
# What it keeps belongs to one folder: a copy of the same files elsewhere would be judged by where they were.
STATICCHECK = printf 'plain:\nexplored: -tags=explore\n' | STATICCHECK_CACHE='$(CURDIR)/bin/staticcheck' \
	go tool -modfile=tools/go.mod staticcheck -matrix ./...

.PHONY: help quick build check mutants processes stress churn storm hostile-cache hostile-slots spec-large test fuzz bench bench-shardmap bench-slots bench-cache bench-ratio rivals goker racetests modules lint states diagrams fmt clean need-go need-java need-dot

help: ## print this help
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' \
		$(firstword $(MAKEFILE_LIST))
	@echo "variables: TESTS=regexp TIMEOUT=duration SEED=number FUZZTIME=duration FUZZ=regexp BENCH=parts TLA2TOOLS_JAR=file"

# Without -buildvcs=false a checkout that somebody else owns cannot be built.
build: need-go ## build bin/samecycle, with the explorer
	go build -buildvcs=false -tags explore -o $(BIN) ./cmd/samecycle

check: build need-java ## run all links of evidence of all engines, write the records, print the matrices
	$(BIN) check --all --seed $(SEED)

# RESUME=--resume goes on with a run that was interrupted. Of the cache a sample is judged.
CACHEMUTANTS ?= 400
mutants: build ## seed faults into each engine, see which judge finds each, into results/ENGINE/mutants.md (long)
	status=0; for engine in control slots shardmap basket hopscotch; do \
		$(BIN) mutants --engine $$engine --out results/$$engine/mutants.json $(RESUME) || status=$$?; \
	done; \
	$(BIN) mutants --engine cache --limit $(CACHEMUTANTS) --seed 35 --out results/cache/mutants.json \
		$(RESUME) || status=$$?; exit $$status

processes: build ## search the two large programs of processes whole without a death, and with one (long)
	for program in ProcessDetach ProcessInherit; do \
		$(BIN) explore $$program --reduce; \
		$(BIN) explore $$program --bound 3 --kills 1; \
	done

stress: build ## kill 10,000 processes that work on the engine, audit what is left (long), into results/hopscotch/stress.json
	$(BIN) stress --kills 10000 --deaths 16 --processes 8 --threads 0 --seed $(SEED) --out results/hopscotch/stress.json $(RESUME)

# An interrupt of either ends it with the figures so far.
storm: build ## kill 10,000 processes that work on one cache, judge what each was told (long), into results/cache/storm.json
	$(BIN) cache storm --kills 10000 --processes 8 --threads 1 --seed $(SEED) --out results/cache/storm.json $(RESUME)

hostile-cache: build ## overwrite 10,000,000 words of a cache, see that each call ends well (long), into results/cache/hostile.json
	$(BIN) cache hostile --words 10000000 --seed $(SEED) --out results/cache/hostile.json

hostile-slots: build ## overwrite 10,000,000 words of a client's slot file, see that nobody else notices, into results/cache/hostile-slots.json
	$(BIN) cache hostile-slots --words 10000000 --seed $(SEED) --out results/cache/hostile-slots.json

CHURN ?= 1000000000
churn: need-go ## CHURN (10^9) deletes and adds in a table of which 90 % are in use, into results/hopscotch/churn.json
	go test -count=1 -timeout 6h -run '^TestChurn_Full$$' -v ./impl/hopscotch -churn $(CHURN) \
		-churn-commit $$(git describe --always --dirty) -churn-out $(CURDIR)/results/hopscotch/churn.json

spec-large: build need-java ## run the large programs of the specification in TLC (long), into results/hopscotch/spec
	$(BIN) spec --large
	$(BIN) spec --schedules

# What it leaves to test is said at the end. It writes no record.
quick: build ## what to run ahead of each commit: under 2 minutes on 2 cores; says what it leaves out
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; fi
	go build ./...
	go vet ./...
	go vet -tags explore ./...
	$(STATICCHECK)
	@echo "short tests of $(words $(QUICK)) and, on the explorer's shims, $(words $(QUICKEXPLORED)) packages"
	@go run ./internal/testlog \
		-- plain go test -json -short -timeout 5m $(SKIP) $(QUICK) \
		-- explored go test -json -short -timeout 5m $(SKIP) -tags explore $(QUICKEXPLORED)
	$(BIN) explore S05 --kills 1
	@echo "quick covers the format, both builds, vet, the house rules, the short tests of the core packages, and the"; \
	echo "interleavings of one state on the engine. It leaves out: TLC, the model against TLC, native volume,"; \
	echo "mutants, foreign code, the command, long searches, records. make test and make check have these."

# The tests of both builds run beside one another: each for itself leaves processors idle while its longest
# package ends. testlog names each skipped test and its reason: it did not pass. go test vets nothing: all that it
# would look for, go vet has looked for in the same packages and builds. With GOGC heaps, which are small, grow to
# five times what lives in them. With fewer collections searches take up to a tenth less processor time, and
# builds, go vet and staticcheck a fifth.
#
# The longest comparisons of states of the hash map with TLC's take TLC minutes. The link model makes each of them, so the
# records are red, or stale, if one of them would fail.
COMPARED = ^TestSameStatesAsTLC$$/^S(03|09|1[0-2]|21|24|25|26|27)[A-Z]/^[01]$$

test: export GOGC = 400
test: need-go need-java ## vet, staticcheck, then the tests of the plain build beside those on the explorer's shims
	go vet ./...
	go vet -tags explore ./...
	GOOS=darwin go vet ./impl/... # whoever embeds the library may do so where there are no regions,
	GOARCH=386 go vet ./impl/... # or where a pointer has 4 bytes
	$(STATICCHECK)
	@echo "NOT RUN: TestSameStatesAsTLC of model/hopscotch, its programs with most states: they take TLC minutes, and the" \
		"link model compares them: bin/samecycle check --link model"
	go run ./internal/testlog \
		-- plain go test -json -vet=off -timeout $(TIMEOUT) -run '$(TESTS)' -skip '$(COMPARED)' $(LONG) ./... \
		-- explored go test -json -vet=off -timeout $(TIMEOUT) -run '$(TESTS)' -tags explore $(EXPLORED)
	go -C bench vet ./...
	go -C bench test -json -vet=off -timeout $(TIMEOUT) -run '$(TESTS)' ./... | go run ./internal/testlog

# The production build, but for schedules. What is found goes into testdata/fuzz of the package, and
# fails "make test" from then on. Inputs are made small for a while only: some run in seconds. When
# the time is up in the middle of an input, go test may say that its deadline is exceeded: no finding.
fuzz: need-go ## fuzz each target for FUZZTIME (30s), with progress; an interrupt ends it
	@log=$$(mktemp); trap 'rm -f $$log' EXIT; failed=; some=; \
	for package in $(FUZZED); do \
		list=$$(go test -tags explore -list '$(FUZZ)' $$package) || { failed="$$failed $$package"; continue; }; \
		for target in $$(grep '^Fuzz' <<<"$$list"); do \
			some=1; tags=; if [ $$target = FuzzSchedules ]; then tags=explore; fi; \
			echo "== $$package $$target, $(FUZZTIME)"; \
			go test -tags "$$tags" -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) \
				-fuzzminimizetime 100x $(FUZZFLAGS) $$package | tee $$log || \
				{ grep -qx ' *context deadline exceeded' $$log && \
				! grep -Eq 'Failing input|seed corpus entry' $$log; } || \
				failed="$$failed $$target"; \
		done; \
	done; \
	if [ -n "$$failed" ]; then echo "failed:$$failed" >&2; exit 1; fi; \
	if [ -z "$$some" ]; then echo "no target matches FUZZ=$(FUZZ); go test -list Fuzz ./... has them" >&2; exit 1; fi

# A peer that cannot be built is left out by its tag: its rows are NOT RUN. Each part is written when it
# is complete, so an interrupt keeps the parts before it; BENCH=get,gc measures some.
bench: need-go need-java ## benchmarks against peers in one run, with progress, into results/bench
	@rm -f bin/bench; for tags in "" no_otter no_xsync no_otter,no_xsync; do \
		go -C bench build -tags "$$tags" -o ../bin/bench ./cmd/index && break; done
	bin/bench -root . -only '$(BENCH)'

bench-shardmap: need-go ## the sharded map and its lock beside others, into results/shardmap/bench
	go -C bench run ./cmd/sharded

bench-slots: need-go ## calls by a slot file beside direct calls and memcached, into results/slots/bench
	go -C bench run ./cmd/slots

# A peer that cannot be built is left out by its tag, and NOT RUN.
bench-cache: need-go ## the cache beside other caches, LMDB, Chronicle Map and memcached, into results/cache
	@tags=; for peer in $(PEERS); do \
		go -C bench build $${peer#*=} 2>/dev/null || tags=$$tags,no_$${peer%%=*}; done; \
	go -C bench run -tags "$$tags" ./cmd/cache -only '$(BENCH)'

bench-ratio: need-go ## hit ratios of the cache's policies beside otter, on the files TRACES, into results/cache/policies.md
	@test -n "$(TRACES)" || { echo "bench-ratio: no trace: make bench-ratio TRACES='a.u64.gz b.u64.gz'"; exit 2; }
	go -C bench run ./cmd/ratio $(abspath $(TRACES))

rivals: need-go ## the explorer beside loom, Shuttle and Lincheck, into results/bench
	go -C bench run ./cmd/rivals

goker: need-go ## explore tests with known faults, of the clone GOBENCH of timmyyuan/gobench, into results/bench/goker.md
	@test -n "$(GOBENCH)" || { echo "goker: name a clone: make goker GOBENCH=gobench"; exit 2; }
	go -C bench run ./cmd/goker $(abspath $(GOBENCH))

racetests: need-go ## explore the tests of Go's race detector, into results/bench/racetests.md
	go -C bench run ./cmd/racetests

modules: need-go ## explore the tests of other people's modules, into results/bench/modules.md
	go -C bench run ./cmd/modules

lint: need-go ## check the format, vet, staticcheck, and the house rules
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go vet -tags explore ./...
	$(STATICCHECK)
	$(if $(wildcard internal/lint/*.go),go test -count=1 ./internal/lint)

states: build ## print the matrix from the records, and put it into the README
	$(BIN) states --into README.md

# Each graph goes through a file of its own: a search that fails leaves the old one as it is.
diagrams: need-go need-dot ## draw the life of a cell and of a descriptor into docs/
	for d in cell descriptor; do \
		go run ./cmd/samecycle diagram $$d >docs/$$d.new && mv docs/$$d.new docs/$$d.dot && \
		dot -Tsvg docs/$$d.dot -o docs/$$d.svg || { rm -f docs/$$d.new; exit 1; }; done

fmt: need-go ## format the Go files
	gofmt -w $$(git ls-files -co --exclude-standard '*.go')

clean: ## remove what was built; records and the cache of TLC stay
	rm -rf bin

need-go:
	@command -v go >/dev/null || { echo "go: not found; install Go 1.26 or newer from go.dev/dl:" \
		"apt-get install golang-go (Debian, Ubuntu) or brew install go (macOS)" >&2; exit 1; }

need-dot:
	@command -v dot >/dev/null || { echo "dot: not found; install Graphviz:" \
		"apt-get install graphviz (Debian, Ubuntu) or brew install graphviz (macOS)" >&2; exit 1; }

# Without java or mvn the other links still run; check then says NOT RUN and fails, and the tests
# that need TLC are skipped.
need-java:
	@command -v java >/dev/null || test -n "$${JAVA_HOME:-}" || echo "java: not found;" \
		"install it: apt-get install default-jdk-headless (Debian, Ubuntu)" \
		"or brew install openjdk (macOS)" >&2
	@command -v mvn >/dev/null || test -n "$${TLA2TOOLS_JAR:-}" || echo "mvn: not found;" \
		"install it: apt-get install maven (Debian, Ubuntu) or brew install maven (macOS);" \
		"it fetches TLC once" >&2

# raceseed. `make` prints this menu.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

DEMO := fixtures/real/ncp
AGENT_SOURCES := $(shell find agent/src -name '*.cjs')
AGENT_TESTS := $(shell find agent/test -name '*.test.cjs')
GO_SOURCES := $(shell find . -name '*.go' -not -path '*/node_modules/*')
NPM_CI := npm ci --no-audit --no-fund --loglevel=error

.PHONY: help build demo test agent-test lint bench golden deps clean

help: ## print this menu
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: bin/raceseed ## build bin/raceseed, the agent inside

demo: bin/raceseed $(DEMO)/node_modules/.lock-hash ## find, prove and replay a known race of a published npm package
	@.ci/demo $(DEMO)

# Without the cache: tests of the fixtures start programs, whose changes it does not see.
test: bin/raceseed deps lint agent-test ## run all tests
	go test -count=1 -timeout 20m ./...
	@echo "all tests passed"

agent-test: agent/dist/agent.cjs agent/nodes/node_modules/.lock-hash ## run the tests of the agent on every supported Node version
	@for node in agent/nodes/node_modules/node-*/bin/node; do \
		echo "agent tests on Node $$($$node --version)"; \
		$$node --test --test-reporter=spec $(AGENT_TESTS) > agent/dist/test.log || { tail -n 150 agent/dist/test.log; exit 1; }; \
		grep -E '^ℹ (pass|fail) ' agent/dist/test.log; \
	done

lint: agent/node_modules/.lock-hash ## gofmt, go vet, type check of the agent
	@unformatted=$$(gofmt -l $(GO_SOURCES)); \
	if [ -n "$$unformatted" ]; then echo "gofmt: $$unformatted"; exit 1; fi
	go vet ./...
	cd agent && npx --no-install tsc -p .

bench: bin/raceseed ## run the benchmarks
	go test -run '^$$' -bench . ./...

golden: bin/raceseed ## rewrite golden files and expected outputs; read the diff before you commit it
	grep -rl --include='*_test.go' internal/golden . | xargs -n1 dirname | sort -u | xargs -I{} go test {} -update
	go test ./cmd/raceseed -update

deps: $(patsubst %/package-lock.json,%/node_modules/.lock-hash,$(shell find agent fixtures report -name package-lock.json -not -path '*/node_modules/*')) ## install the npm packages that agent, fixtures and tests need

clean: ## remove what was built and installed
	rm -rf bin agent/dist/agent.cjs
	find agent fixtures report -name node_modules -prune -exec rm -rf {} +
	find fixtures -name .raceseed -prune -exec rm -rf {} +

bin/raceseed: agent/dist/agent.cjs $(GO_SOURCES) $(wildcard docs/*.md) go.mod go.sum
	go build -trimpath -o $@ ./cmd/raceseed

agent/dist/agent.cjs: $(AGENT_SOURCES) agent/bundle/main.go agent/node_modules/.lock-hash
	go run ./agent/bundle

# Only the Node versions need a script: it fetches the binary of this platform.
# The stamp holds the hash of the lock file: a fresh clone has newer file times
# than its node_modules from a cache, and equal content needs no second install.
%/node_modules/.lock-hash: %/package-lock.json
	@hash=$$(cksum < $<); \
	if [ "$$(cat $@ 2>/dev/null)" != "$$hash" ]; then (cd $* && $(NPM_CI) $(if $(findstring agent/nodes,$*),,--ignore-scripts)); echo "$$hash" > $@; else touch $@; fi

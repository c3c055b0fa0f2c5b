.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.PHONY: help setup setup-plots build fixtures demo quick test hostile-outputs hostile-neighbours hostile-service eval check lint fmt perf load parity cover fuzz release vendor clean train-smoke live

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-8s %s\n", $$1, $$2}'

setup: ## install what this machine lacks: a browser, bubblewrap, fonts, Node.js
	@tools/setup.sh run

setup-plots: ## the same, and Python with what plots are drawn with (0.6 GB)
	@tools/setup.sh plots

build: ## build bin/vitrine
	@echo "build: bin/vitrine"
	@go build -o bin/vitrine ./cmd/vitrine

fixtures: build ## bring in what pages load from CDNs; without the registry, say so and go on
	@bin/vitrine fixtures sync || echo "fixtures: not brought in; pages that load from CDNs look plainer" >&2

demo: setup build ## score the examples and write a report (no key, no model)
	@bin/vitrine demo

# one package more than there are cores: many tests wait for a limit. Without the race detector twice as many
# tests of each as there are cores: a third of the time of a page is waiting for the browser.
AT_ONCE := -p $$(($$(nproc) + 1)) -timeout 45m

# tests that look at the processes and the memory of the whole machine, or at how soon it answers
ALONE := ^Test(Hostile(Neighbours|TwentyRuns|Service)?|UnfinishedBodies|UnfinishedMessages)$$

# where goroutines share what is ours; elsewhere the race detector takes time and finds nothing
RACED := $(addprefix ./internal/, bench browser/... build/fast cache fixtures judge/vlm model/... npm/... page pipeline/... queue refine runs \
	sandbox/... server/... service singleflight worker)

quick: ## test what changed since SINCE (HEAD~1) and what imports it, without a browser
	@packages=$$(go run ./tools/packages changed $(SINCE)) && echo "quick: go test -short" $$packages && go test -short $$packages

test: fmt ## install what the tests need and run them all, with the race detector where goroutines share what is ours
	@tools/setup.sh test
	go vet ./...
	@$(MAKE) --no-print-directory lint
	go test -race $(AT_ONCE) -skip '$(ALONE)' $(RACED)
	go test $(AT_ONCE) -parallel $$((2 * $$(nproc))) -skip '$(ALONE)' $$(comm -23 <(go list ./... | sort) <(go list $(RACED) | sort))
	@$(MAKE) --no-print-directory -j 3 --output-sync=target hostile-outputs hostile-neighbours hostile-service
	@go build -race -o bin/vitrine-race ./cmd/vitrine
	VITRINE_BIN=bin/vitrine-race python/test.sh

# what they look at is below their own process; they mostly wait for limits, so they run at the same time
hostile-outputs:
	go test -timeout 40m -run '^TestHostile$$' ./internal/pipeline
hostile-neighbours:
	go test -timeout 40m -run '^TestHostile(Neighbours|TwentyRuns)$$' ./internal/pipeline
hostile-service:
	go test -timeout 40m -run '$(ALONE)' ./cmd/vitrine

# a folder with tasks.jsonl, pages/TASK-NAME.html and, if known, truth.jsonl; by default our own pages
FROM ?= testdata/honest

eval: build ## measure the accuracies of docs/accuracy.md, and what the default reward is worth on the pages of FROM
	@tools/setup.sh test
	go test -count 1 -timeout 30m -v -run '^TestExploreOnTheUnitSet$$' ./internal/interact/explore -eval
	go test -count 1 -timeout 30m -v -run '^TestTheUnitSetIsJudgedRight$$' ./internal/interact/script
	go test -count 1 -timeout 30m -v -run '^Test(GoodAndBadPages|BetterPagesScoreHigher)$$' ./internal/judge/measured
	@go build -o bin/perf ./perf
	@[ "$(FROM)" != testdata/honest ] || echo "eval: our own pages, by which the relations were mended; FROM=DIR takes others"
	@[ ! -e $(FROM)/truth.jsonl ] || bin/perf function --from $(FROM)
	bin/vitrine redteam --honest $(FROM)/pages --tasks $(FROM)/tasks.jsonl --mutants 1 --operator handlers-removed,handlers-second,same-printed,same-spaced
	bin/vitrine redteam --honest $(FROM)/pages --tasks $(FROM)/tasks.jsonl --mutants 5 --out .vitrine/eval/mutants
	bin/vitrine redteam --honest $(FROM)/pages --tasks $(FROM)/tasks.jsonl --budget 160 --out .vitrine/eval/exploits

check: fmt ## formatting, vet, staticcheck and dead code, without running tests
	go vet ./...
	@$(MAKE) --no-print-directory lint

lint:
	go tool staticcheck ./...
	@dead="$$(go tool deadcode -test ./...)"; [ -z "$$dead" ] || { echo "$$dead"; echo "remove these: nothing calls them"; exit 1; }

fmt:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }

perf: setup ## the peers' ways and Vitrine's in one table, then Go benchmarks of the hot paths
	@perf/setup.sh
	@go build -o bin/perf ./perf
	@bin/perf peers $(if $(PERF_PAGES),--input $(PERF_PAGES))
	@bin/perf interact
	go test -run '^$$' -bench . -benchmem ./internal/...

load: setup ## 2,048 requests at once to the service, with duplicates, hostile pages and faults among them
	@go build -o bin/perf ./perf
	@bin/perf load

train-smoke: setup build ## a training of minutes on the small model: SFT, then GRPO on rewards of a running service
	@train/setup.sh || { [ $$? = 75 ] && exit 0; exit 1; } && bin/vitrine train run smoke --out .vitrine/train-smoke-$$(date +%s)

live: build ## a small real model judges, writes and exercises, then answers 10 tasks of each benchmark whose data is here (hours)
	@tools/live.sh && tools/live-bench.sh

parity: setup ## build projects both ways and compare what is seen (PROJECTS=FILE.jsonl for more)
	@go run ./tools/parity testdata/projects $(PROJECTS)

cover: ## coverage of the packages in coverage.txt, which must not fall below what it says (UPDATE=-update writes it)
	go test -short -cover $$(cut -d ' ' -f 1 coverage.txt) | go run ./tools/coverage $(UPDATE) coverage.txt

FUZZTIME ?= 30s
fuzz: ## fuzz every parser for FUZZTIME (half a minute)
	@go run ./tools/packages fuzz | while read -r package name; do \
		echo "fuzz: $$package $$name"; \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x -parallel 1 $$package || exit 1; \
	done

release: ## programs for linux and darwin, wheels that carry them, a list of modules, checksums, into dist/
	@tools/release.sh

vendor: ## fetch the embedded third-party scripts anew from npm
	go run ./tools/vendor

clean: ## remove what was built here; caches stay
	rm -rf bin .vitrine

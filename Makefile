# `make` lists what there is. Nothing here is needed to use the project: each
# target is one command that also runs without make.

.DEFAULT_GOAL := help
.PHONY: help build demo test race lint fmt fuzz bench guards docs long

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## one static binary, bin/imprimatur
	CGO_ENABLED=0 go build -trimpath -o bin/imprimatur ./cmd/imprimatur

demo: ## start the demo
	go run ./cmd/imprimatur demo

test: ## all tests; installs what they need on Debian, or names what is missing
	go run ./internal/check

race: ## all tests with the race detector (needs gcc)
	go run ./internal/check -race

lint: ## go vet and golangci-lint
	go vet ./...
	go run ./internal/check lint

fmt: ## put every file into form
	go run ./internal/check fmt

fuzz: ## each fuzz target for FUZZ (10s)
	go run ./internal/check fuzz $(or $(FUZZ),10s)

bench: ## the benchmarks; needs 1.5 GB in the folder of temporary files
	go test -run '^$$' -bench . -benchmem ./...

guards: ## remove one guard at a time; each removal must turn a test red
	go run ./internal/guards

docs: ## write what is generated under docs/
	go run ./internal/states
	go run ./internal/scenarios

long: ## everything in full three times over, and each fuzz target for FUZZ (10m)
	IMPRIMATUR_TESTS=long go run ./internal/check -race -timeout 2h -count=3
	go run ./internal/check fuzz $(or $(FUZZ),10m)
	go run ./internal/guards
	$(MAKE) bench

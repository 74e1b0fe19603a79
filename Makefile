# Every target does its own set-up: a machine with Python 3.11+, git and make is enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SCRAPY := $(VENV)/scrapy
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | awk -F'\t' '{printf "  make %-14s %s\n", $$1, $$2}'

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is %d.%d: set PYTHON=/path/to/python3.11." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) (first time only) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

install: $(READY) ## set up .venv (every other target does this by itself)

demo: $(READY) ## the whole product on a small made-up world, from a search to leads, in about a minute
	@scrapersky demo $(ARGS)

up: $(READY) ## start servers, migrate, and run the processes of the Procfile
	@scrapersky up

test: $(READY) ## run every test, some at a time: most of them wait for processes
	@python -m tests.browser.chromium
	@pytest -n $(or $(TEST_PROCESSES),3) --dist loadfile --no-loadscope-reorder

test-browser: $(READY) ## run the stories in the browser, and write pictures of every page to tests/browser/screenshots
	@python -m tests.browser.chromium
	@pytest tests/browser -n $(or $(TEST_PROCESSES),3) --dist loadfile $(ARGS)

test-rabbitmq: $(READY) ## run the pipeline on RabbitMQ; installs Debian's rabbitmq-server if it may
	@python -m tests.rabbitmq $(ARGS)

lint: $(READY) ## check style and types
	@ruff format --check .
	@ruff check .
	@mypy .

format: $(READY) ## put the code into shape
	@ruff format .
	@ruff check --fix .

chaos: $(READY) ## kill, stop and confuse a running pipeline for some minutes, and count what was lost
	@python -m tests.chaos

bench-fetch: $(READY) ## measure fetching beside bare httpx, and what a bomb costs
	@python -m benchmarks.fetch

bench-engine: $(READY) ## measure the engine beside a bare chain
	@python -m benchmarks.engine

bench-sandbox: $(READY) ## measure the sandbox: pages a second, CPU a page, memory
	@python -m benchmarks.sandbox

bench-tiling: $(READY) ## count the calls that cover towns of many sizes, beside cutting in quarters
	@python -m benchmarks.tiling

bench-sitemap: $(READY) ## measure reading and storing sitemaps: speed, and memory for 50,000 and 1,000,000 URLs
	@python -m benchmarks.sitemap

bench-pages: $(READY) $(SCRAPY)/.ready ## measure pages to contacts beside a Scrapy spider (installs Scrapy beside, for this only)
	@python -m benchmarks.pages

$(SCRAPY)/.ready: benchmarks/scrapy.lock $(READY)
	@$(BIN)/python -m venv $(SCRAPY)
	@echo "Installing Scrapy into $(SCRAPY) (first time only) …"
	@$(SCRAPY)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r benchmarks/scrapy.lock
	@touch $@

bench-api: $(READY) ## measure lists and bulk curation over HTTP at a million pages beside their plain SQL
	@python -m benchmarks.api

bench-ui: $(READY) ## measure every page of the dashboard at a million pages and 100,000 businesses beside plain SQL
	@python -m benchmarks.ui

bench-whole: $(READY) ## measure whole searches of 100 to 3,000 businesses, and of slow sites
	@python -m benchmarks.whole

bench: $(READY) $(SCRAPY)/.ready ## run every benchmark and write benchmarks/RESULTS.md
	@python -m benchmarks.results

docs: $(READY) ## write the generated tables of docs/reference
	@python -m docs.generate

lock: $(READY) ## pin every dependency anew (needs uv)
	@uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--python-version 3.11 --extra dev pyproject.toml -o requirements.lock
	@echo "scrapy==2.19.0" | uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate \
		--no-header --python-version 3.11 - -o benchmarks/scrapy.lock

clean: ## stop the embedded servers and remove what was installed and cached (data in .scrapersky stays)
	@if test -x $(BIN)/scrapersky; then $(BIN)/scrapersky services stop; fi
	@rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PHONY: help install demo up test test-browser test-rabbitmq lint format chaos bench-fetch bench-engine bench-sandbox bench-tiling bench-sitemap bench-pages bench-api bench-ui bench-whole bench docs lock clean

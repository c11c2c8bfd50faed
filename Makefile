# The verbs of Durak Arena. Each works from a clean checkout on Debian with Python 3.11 or newer, git and make.
#
#   make demo               a site with a tournament of sample bots, at http://127.0.0.1:8000 (ONCE=1: play it, then stop)
#   make test               the tests, with what this machine has (REQUIRE=all: nothing may be skipped)
#   make lint               style, types, the arrows between packages, templates, migrations
#   make hostile            bots that cheat, break and spy, each in a real container (needs a Docker engine; under gVisor
#                           with RUNTIME=runsc; two at a time with JOBS=2)
#   make soak               GAMES=10000 games, every tenth bot a hostile one: what grows? (needs a Docker engine)
#   make chaos SEED=1       a tournament during which everything is killed and restarted; needs root, takes minutes
#   make mutants            changes the rules engine in small ways: does a test notice each? (MODULES="game.py", QUICK=1)
#   make bench              measures engine, sandbox, ratings and pages; takes minutes
#   make load               200 readers and 100 uploads, with the servers restarted under them (root, a Docker engine)
#   make messages           what the site says, collected for its translators, and compiled (needs gettext)
#   make pictures           what stands beside a link to the site where it is shared, drawn from our cards
#   make screenshots        a gallery of the site in var/screenshots: day and night, desk and phone, every language
#   make services           install and start what the tests need beside Python (Debian); `make services-stop` ends it

PYTHON ?= python3
VENV := .venv
RUN := PYTHONPATH=platform:. $(VENV)/bin/python
SOURCES := arena sandbox platform tests bench manage.py .ci/supply_chain.py

.PHONY: help demo test lint lint-style lint-types lint-arrows lint-templates lint-migrations lint-house \
        hostile soak mutants bench load messages pictures screenshots services services-stop

.PHONY: settings-page lock supply-chain licences audit sbom

help:
	@sed -n 's/^#   //p' Makefile

# The environment. The stamps say what is installed; a second run finds them and installs nothing.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Durak Arena needs Python 3.11 or newer. If you have it under another name: make demo PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing. On Debian install it with: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# What is installed is locked: each file by its SHA-256. `make lock` makes the locks of the pins (docs/upgrading.md).
PIP_INSTALL := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r

$(VENV)/installed: requirements.lock | $(VENV)/bin/python
	@echo "Installing the pinned requirements into $(VENV)/ (once, about half a minute) ..."
	@$(PIP_INSTALL) requirements.lock
	@touch $@

$(VENV)/installed-for-tests: requirements.lock tests/requirements.lock | $(VENV)/bin/python
	@echo "Installing the pinned requirements and the test tools into $(VENV)/ (once, about half a minute) ..."
	@$(PIP_INSTALL) tests/requirements.lock
	@touch $(VENV)/installed $@

$(VENV)/installed-for-bench: requirements.lock tests/requirements.lock bench/requirements.lock | $(VENV)/bin/python
	@echo "Installing what the engine is measured beside into $(VENV)/ (once) ..."
	@$(PIP_INSTALL) bench/requirements.lock
	@touch $(VENV)/installed $(VENV)/installed-for-tests $@

# What makes the locks and asks for known weaknesses lives apart from what it looks after.
CARETAKER := var/supply-chain

$(CARETAKER)/installed: .ci/requirements.lock | $(VENV)/bin/python
	@$(PYTHON) -m venv $(CARETAKER)
	@$(CARETAKER)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .ci/requirements.lock
	@touch $@

LOCK := UV_PYTHON_DOWNLOADS=never $(CARETAKER)/bin/uv pip compile --quiet --python-version 3.11 --generate-hashes \
        --python-platform x86_64-unknown-linux-gnu --no-header --no-annotate --no-strip-extras

lock: $(CARETAKER)/installed
	@for folder in "" tests/ bench/ .ci/; do $(LOCK) $${folder}requirements.txt -o $${folder}requirements.lock || exit 1; done
	@$(CARETAKER)/bin/python .ci/supply_chain.py locked
	@echo "The locks are those of the requirements."

supply-chain: licences audit

licences: $(VENV)/installed-for-tests
	@$(VENV)/bin/python .ci/supply_chain.py locked
	@$(VENV)/bin/python .ci/supply_chain.py licences

audit: $(CARETAKER)/installed
	@$(CARETAKER)/bin/python .ci/supply_chain.py audit

sbom: $(VENV)/installed
	@$(VENV)/bin/python .ci/supply_chain.py sbom $(or $(FILE),var/sbom.cdx.json)
	@echo "$(or $(FILE),var/sbom.cdx.json) is written."

demo: $(VENV)/installed
	@$(RUN) manage.py demo $(if $(filter-out 0,$(ONCE)),--once) $(if $(PORT),--port $(PORT))

test: $(VENV)/installed-for-tests
	@REQUIRE=$(REQUIRE) .ci/test $(ARGS)

# `make -k lint` goes on after a finding.
lint: lint-style lint-types lint-arrows lint-templates lint-migrations lint-house

lint-style: $(VENV)/installed-for-tests
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

lint-types: $(VENV)/installed-for-tests
	PYTHONPATH=platform:. $(VENV)/bin/mypy $(SOURCES)

lint-arrows: $(VENV)/installed-for-tests
	PYTHONPATH=platform:. $(VENV)/bin/lint-imports

lint-templates: $(VENV)/installed-for-tests
	git ls-files -z -- 'platform/templates/*.html' | xargs -0 $(VENV)/bin/djade --check --target-version 5.2

lint-migrations: $(VENV)/installed-for-tests
	$(RUN) manage.py check
	$(RUN) manage.py makemigrations --check --dry-run
	$(RUN) manage.py lint_migrations

lint-house: $(VENV)/installed-for-tests
	$(RUN) -m pytest -q tests/operations/test_house.py

hostile: $(VENV)/installed-for-tests
	@$(RUN) -m sandbox build
	@$(RUN) -m tests.hostile $(if $(RUNTIME),--runtime $(RUNTIME)) --jobs $(or $(JOBS),1) $(ARGS)

soak: $(VENV)/installed-for-tests
	@$(RUN) -m sandbox build
	@$(RUN) -m tests.hostile.soak $(if $(RUNTIME),--runtime $(RUNTIME)) --games $(or $(GAMES),10000) $(ARGS)

chaos: $(VENV)/installed-for-tests
	@$(RUN) -m sandbox build --quiet
	@$(RUN) -m tests.chaos --seed $(or $(SEED),1) $(ARGS)

mutants: $(VENV)/installed-for-tests
	@$(RUN) -m tests.mutants $(if $(QUICK),--quick) $(MODULES)

bench: $(VENV)/installed-for-bench
	@set -e; for name in engine sandbox likelihood coverage pages scale; do echo "== $$name"; $(RUN) -m bench.$$name; done

load: $(VENV)/installed-for-bench
	@$(RUN) -m sandbox build
	@$(RUN) -m bench.load $(ARGS)

messages: $(VENV)/installed
	@$(RUN) manage.py messages

pictures: $(VENV)/installed-for-tests
	@$(RUN) -m tests.social_pictures

settings-page: $(VENV)/installed
	@$(RUN) -m config.described

screenshots: $(VENV)/installed-for-tests
	@$(RUN) -m tests.screenshots $(ARGS)

services:
	@.ci/services

services-stop:
	@.ci/services stop

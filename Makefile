# The only commands to remember. `make` alone builds the environment.
PYTHON ?= python3
# Where torch comes from. Elsewhere the pin may resolve to a build for GPUs of several GB; name an index of CPU builds for the
# small one: make TORCH_INDEX=ADDRESS
TORCH_INDEX ?=
ADDRESS ?= http://127.0.0.1:8000
BIN = .venv/bin

.venv/ready: requirements.txt requirements-dev.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(if $(TORCH_INDEX),$(BIN)/pip install --quiet $$(grep '^torch==' requirements.txt) --index-url $(TORCH_INDEX))
	$(BIN)/pip install --quiet -r requirements-dev.txt
	touch $@

.DEFAULT_GOAL = environment
.PHONY: environment run worker stop test check e2e bench load calibrate format messages

environment: .venv/ready

run: .venv/ready  ## everything on this machine, with demo data; Ctrl-C stops it
	$(BIN)/python manage.py run

worker: .venv/ready  ## one more worker of the ingestion queue
	$(BIN)/python manage.py worker

stop: .venv/ready  ## stop the embedded PostgreSQL and Valkey
	$(BIN)/python manage.py embedded stop

test: .venv/ready  ## unit and database tests
	$(BIN)/python manage.py embedded start
	$(BIN)/python -m pytest

# Looks for what people with a screen reader or weak eyes could not use. For tests alone, never served.
node_modules/axe-core/package.json:
	npm install --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --prefix . axe-core@4.14.1

e2e: .venv/ready node_modules/axe-core/package.json  ## flows in a real browser (Chromium and npm must be installed)
	$(BIN)/python -m pytest -m e2e tests/e2e

check: .venv/ready  ## format, lint, types, import directions, missing migrations, templates
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py embedded start
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/djlint --lint --quiet templates

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

messages: .venv/ready  ## refresh and compile the English and Portuguese catalogues (needs GNU gettext)
	$(BIN)/python manage.py makemessages --locale en --locale pt --no-wrap --no-obsolete --add-location file \
		--ignore tests --ignore benchmarks --ignore ops --ignore node_modules --ignore staticfiles
	$(BIN)/python manage.py compilemessages --locale en --locale pt --ignore .venv --ignore node_modules

bench: .venv/ready  ## time the running product: make bench ADDRESS=http://127.0.0.1:8000; more in benchmarks/README.md
	$(BIN)/python benchmarks/first_words.py $(ADDRESS)

load: .venv/ready  ## 50 employees asking the running product at once for three minutes: make load ADDRESS=http://127.0.0.1:8000
	$(BIN)/locust -f benchmarks/load/locustfile.py --headless --users 50 --spawn-rate 10 --run-time 3m --only-summary --host $(ADDRESS)

calibrate: .venv/ready  ## learn the confidence from development data: make calibrate BEIR=folder REFUSAL=folder
	$(BIN)/python manage.py demo
	$(BIN)/python benchmarks/calibrate.py --beir $(BEIR) --refusal $(REFUSAL) --org demo \
		--questions courses/demo/questions.jsonl benchmarks/data/manual_questions.jsonl

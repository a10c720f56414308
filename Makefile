# The commands a newcomer and CI use; everything else is CMake (see CMakePresets.json).
PRESET ?= release
BUILD := $(if $(filter release,$(PRESET)),build,$(if $(filter asan-ubsan,$(PRESET)),build-asan,build-$(PRESET)))
PYTHON := .venv/bin/python

.PHONY: build quickstart test check-deep bench docs format clean

build:
	@scripts/setup.sh
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET) >/dev/null
	@cmake --build $(BUILD)

quickstart: build
	@$(PYTHON) scripts/quickstart.py $(BUILD)

test: build
	@$(PYTHON) scripts/run_tests.py $(BUILD)

check-deep: build
	@$(PYTHON) scripts/run_tests.py $(BUILD) --deep

bench: build
	@$(PYTHON) benchmarks/run.py $(BUILD)

docs: build
	@cmake --build $(BUILD) --target mettle-docs

format:
	@scripts/setup.sh
	@git ls-files '*.cpp' '*.h' | xargs .venv/bin/clang-format -i

clean:
	rm -rf build build-dev build-asan

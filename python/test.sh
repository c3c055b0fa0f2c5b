#!/usr/bin/env bash
# Tests of the Python package, in an environment of their own under the cache folder.
#   VITRINE_BIN   the binary to test against; without it only the stand-in service is used
#   VITRINE_URL   a running service, instead
# Without the Python registry, says what it skipped and succeeds. Arguments go to pytest.
set -euo pipefail
if [ -n "${VITRINE_BIN:-}" ]; then
	VITRINE_BIN=$(realpath "$VITRINE_BIN")
	export VITRINE_BIN
fi
cd "$(dirname "$0")"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/vitrine
venv=$cache/python-venv
wheels=$cache/python-wheels
skip() {
	echo "python: skipped: $1"
	exit 0
}
# The registry gets a bounded time: a machine without one must not hang here.
fetch() { timeout "${VITRINE_PIP_TIMEOUT:-120}" "$venv/bin/python" -m pip "$@" --quiet --disable-pip-version-check --retries 1; }

python=$(command -v python3 || true)
[ -n "$python" ] || skip "no python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "$("$python" --version) is older than 3.10"

if ! "$venv/bin/python" -c 'import aiohttp, pytest' 2>/dev/null; then
	mkdir -p "$cache"
	"$python" -m venv --clear "$venv" >/dev/null 2>&1 || skip "python3 cannot make environments (on Debian: python3-venv)"
	fetch install 'aiohttp>=3.9' 'pytest>=8.2' || skip "the Python registry did not give aiohttp and pytest"
fi

# The trainers' own files, without what they depend on: their contracts are checked without torch.
mkdir -p "$wheels"
for package in verl trl openrlhf skyrl-gym verifiers llamafactory; do
	if ! compgen -G "$wheels/${package//-/_}-*.whl" >/dev/null; then
		fetch download --no-deps --only-binary :all: --dest "$wheels" "$package" 2>/dev/null ||
			echo "python: skipped: what is checked on $package, which the registry did not give"
	fi
done
export VITRINE_WHEELS=$wheels PYTHONDONTWRITEBYTECODE=1

# The references of the statistics, some 150 MB.
if [ -n "${VITRINE_BIN:-}" ] && ! "$venv/bin/python" -c 'import krippendorff, scipy, sklearn, statsmodels' 2>/dev/null; then
	fetch install krippendorff scipy scikit-learn statsmodels 2>/dev/null ||
		echo "python: skipped: statistics against SciPy, scikit-learn, statsmodels and krippendorff, which the registry did not give"
fi

# What exports of data sets load with, some 60 MB.
if [ -n "${VITRINE_BIN:-}" ] && ! "$venv/bin/python" -c 'import datasets' 2>/dev/null; then
	fetch install datasets 2>/dev/null ||
		echo "python: skipped: data sets loaded by Hugging Face's datasets, which the registry did not give"
fi

# Types are checked where mypy is or comes quickly.
if "$venv/bin/python" -c 'import mypy' 2>/dev/null || VITRINE_PIP_TIMEOUT=60 fetch install mypy 2>/dev/null; then
	"$venv/bin/python" -m mypy --no-error-summary --cache-dir "$cache/mypy"
else
	echo "python: skipped: types, mypy is not here"
fi

# Of the trainer, what needs no PyTorch.
PYTHONPATH=../train:src "$venv/bin/python" -m pytest -q -p no:cacheprovider -c /dev/null ../train/tests

[ -n "${VITRINE_BIN:-}${VITRINE_URL:-}" ] || echo "python: skipped: tests against Vitrine itself (set VITRINE_BIN)"
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider -rs "$@"

